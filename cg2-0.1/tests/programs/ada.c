/* Symbols as an Ada compiler makes them: two overloads of Pkg.Proc, and "+". */
#define NOINLINE __attribute__((noinline, noipa))

/* By this symbol Valgrind knows an Ada program. */
const char __gnat_ada_main_program_name[] = "_ada_app";

volatile int n;

void proc_of_integer(int x) __asm__("pkg__proc");
void proc_of_float(float x) __asm__("pkg__proc__2");
int plus(int x) __asm__("pkg__Oadd");
void app(void) __asm__("_ada_app");
void underscored(void) __asm__("_dlike_this");
void like_rust(void) __asm__("_Rlike_this");
void like_d(void) __asm__("_Dlike_this");

NOINLINE void proc_of_integer(int x)
{
   n += x;
}

NOINLINE void proc_of_float(float x)
{
   n += x > 2;
}

NOINLINE int plus(int x)
{
   return n + x;
}

NOINLINE void underscored(void)
{
   n++;
}

NOINLINE void like_rust(void)
{
   n--;
}

NOINLINE void like_d(void)
{
   n = 0;
}

NOINLINE void app(void)
{
   for (int i = 0; i < 10; i++)
      proc_of_integer(i);
   for (int i = 0; i < 7; i++)
      proc_of_float(i);
   for (int i = 0; i < 3; i++)
      n += plus(i);
   underscored();
   like_rust();
   like_d();
}

int main(void)
{
   app();
   return 0;
}
