/* Waits for its standard input, a minute at most. */
#include <poll.h>
#include <stdio.h>

int main(void)
{
   struct pollfd in = {0, POLLIN, 0};
   puts("waits");
   fflush(stdout);
   printf("%d ready\n", poll(&in, 1, 60000));
   return 0;
}
