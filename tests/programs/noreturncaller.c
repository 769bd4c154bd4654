/* What is linked before noreturn.c. */
int used(int n);

__attribute__((noinline)) static int counting(int n)
{
   int sum = 0;
   for (int i = 0; i < n; i++)
      if (i & 1)
         sum += used(i);
      else
         sum -= i * i;
   return sum;
}

int main(int n, char** words)
{
   (void)words;
   return counting(100 + n) == 7;
}
