/* The program of home.S: calls first once and second twice. */

void first(int);
void second(int);

int main(void)
{
   first(1);
   second(1);
   second(1);
   return 0;
}
