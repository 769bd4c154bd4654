/* The program of the documents' examples. It works as much as its rank says,
   and with an argument waits in parse, for somebody who looks at it. */

#include <stdlib.h>

int work(int rounds, int waits);

int main(int argc, char** argv)
{
   (void)argv;
   const char* rank = getenv("OMPI_COMM_WORLD_RANK");
   return work(100000 * (1 + (rank ? atoi(rank) : 0)), argc > 1) == 1;
}
