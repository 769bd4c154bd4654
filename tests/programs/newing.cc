/* operator new, called five times by single_news, 4 bytes each, and once by
   array_news, 800 bytes. */

#include "counted.h"

COUNTED void single_news()
{
   for (int i = 0; i < 5; i++) {
      int* number = new int;
      OPAQUE(number);
      delete number;
   }
}

COUNTED void array_news()
{
   double* numbers = new double[100];
   OPAQUE(numbers);
   delete[] numbers;
}

int main()
{
   single_news();
   array_news();
   return 0;
}
