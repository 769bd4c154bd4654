/* A child writes in pieces and computes between them; its parent says how many
 * it reads at once, and which files a poll says are ready. */
#define _GNU_SOURCE
#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile long sum;

static void compute(long n)
{
   for (long i = 0; i < n; i++)
      sum += i;
}

static void must(int is_right)
{
   if (!is_right) _exit(1);
}

/* Three pieces, and three more once the parent has answered. */
static void write_pieces(int to, int from)
{
   char answer;
   for (int i = 0; i < 6; i++) {
      if (i == 3) must(read(from, &answer, 1) == 1);
      must(write(to, "piece", 5) == 5);
      compute(400000);
   }
}

static void read_pieces(int from, int to)
{
   char text[64];
   ssize_t n;
   for (int i = 0; (n = read(from, text, sizeof text)) > 0; i++) {
      printf("read %zd\n", n);
      fflush(stdout);
      if (i == 0) must(write(to, "x", 1) == 1);
   }
}

static void write_to_two(int a, int b)
{
   must(write(a, "a", 1) == 1);
   compute(400000);
   must(write(b, "b", 1) == 1);
}

static void poll_two(int a, int b)
{
   struct pollfd both[2] = {{a, POLLIN, 0}, {b, POLLIN, 0}};
   printf("polled %d\n", poll(both, 2, -1));
   fflush(stdout);
}

int main(void)
{
   int there[2], back[2], pair[2];
   must(!pipe(there) && !pipe(back) &&
        !socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
   if (!fork()) {
      close(there[0]);
      write_pieces(there[1], back[0]);
      return 0;
   }
   close(there[1]);
   read_pieces(there[0], back[1]);
   wait(NULL);
   if (!fork()) {
      close(pair[0]);
      write_pieces(pair[1], pair[1]);
      return 0;
   }
   close(pair[1]);
   read_pieces(pair[0], pair[0]);
   wait(NULL);
   must(!pipe(there) && !pipe(back));
   if (!fork()) {
      write_to_two(there[1], back[1]);
      return 0;
   }
   poll_two(there[0], back[0]);
   wait(NULL);
   return 0;
}
