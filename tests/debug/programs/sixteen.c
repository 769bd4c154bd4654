/* Sixteen inlined functions that begin at one line and column, as a macro makes
   all of them: as many as a list of libcg2debug has room for at first, so that
   a sanitizer sees who reads behind its end. */

#define ONE(n)                                                                 \
   static inline __attribute__((always_inline)) int add##n(int x)              \
   {                                                                           \
      return x * 5 + n;                                                        \
   }
#define FOUR(n) ONE(n##0) ONE(n##1) ONE(n##2) ONE(n##3)
#define SIXTEEN FOUR(1) FOUR(2) FOUR(3) FOUR(4)

SIXTEEN

#define CALL(n)      x ^= add##n(x);
#define CALL_FOUR(n) CALL(n##0) CALL(n##1) CALL(n##2) CALL(n##3)

/* Whose code is of no instance. */
int (*volatile pointer)(int) = add10;

int main(int n_args, char** args)
{
   volatile int x = n_args + (args[0] != 0);
   CALL_FOUR(1);
   CALL_FOUR(2);
   CALL_FOUR(3);
   CALL_FOUR(4);
   return x == 0;
}
