/* Calls of the next instruction: see counter.S. */

void pops(void);
void reads(void);
void drops(void);
void twice(void);
void onward(void);
void between(void);
long again(long);
void last(void);
void entry(void);

int main(void)
{
   for (int i = 0; i < 5; i++) {
      pops();
      reads();
      drops();
   }
   for (int i = 0; i < 4; i++)
      twice();
   for (int i = 0; i < 3; i++) {
      onward();
      between();
   }
   for (int i = 0; i < 2; i++)
      last();
   return again(3) == 4 ? 0 : 1;
}
