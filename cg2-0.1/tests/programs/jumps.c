/* Calls the functions of jumps.S: host 4 times, enter_middle 3 times, chain_a 6
   times, falls 2 times. */

int host(void);
int enter_middle(void);
int chain_a(void);
int falls(void);

int main(void)
{
   int sum = 0;
   for (int i = 0; i < 4; i++)
      sum += host();
   for (int i = 0; i < 3; i++)
      sum += enter_middle();
   for (int i = 0; i < 6; i++)
      sum += chain_a();
   for (int i = 0; i < 2; i++)
      sum += falls();
   return sum == 4 * 111 + 3 * 112 + 6 * 9 + 2 * 9 ? 0 : 1;
}
