/* Waits as few programs do, and prints how they end. All of them end without
 * a profiler, too. The argument is how many processes sleep at a time; "again"
 * is what this program starts by exec. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t heard;

static void hear(int signal)
{
   (void)signal;
   heard++;
}

static void listen_to(int signal)
{
   struct sigaction action = {.sa_handler = hear};
   sigaction(signal, &action, NULL);
}

/* The name of what a call that has failed says. */
static const char* name_of(long result)
{
   return result >= 0 ? "none" : strerrorname_np(errno);
}

static long sleep_by(clockid_t clock, int flags, struct timespec* t)
{
   return syscall(SYS_clock_nanosleep, clock, flags, t, NULL);
}

static void show_refused(void)
{
   struct timespec negative = {0, -1}, much = {0, 1000000000}, fine = {0, 1};
   struct timespec past = {-1, 0};
   sigset_t set;
   sigemptyset(&set);
   printf("nanosleep %s", name_of(syscall(SYS_nanosleep, &negative, NULL)));
   printf(" %s", name_of(syscall(SYS_nanosleep, &much, NULL)));
   printf(" %s\n", name_of(syscall(SYS_nanosleep, (void*)1, NULL)));
   printf("clocks %s", name_of(sleep_by(CLOCK_MONOTONIC, 0, &past)));
   printf(" %s", name_of(sleep_by(CLOCK_THREAD_CPUTIME_ID, 0, &fine)));
   printf(" %s", name_of(sleep_by(CLOCK_MONOTONIC_RAW, 0, &fine)));
   printf(" %s", name_of(sleep_by(77, 0, &fine)));
   printf(" %s\n", name_of(sleep_by(CLOCK_REALTIME, TIMER_ABSTIME, &fine)));
   printf("ppoll %s", name_of(syscall(SYS_ppoll, NULL, 0, &much, NULL, 8)));
   printf(" pselect %s",
          name_of(syscall(SYS_pselect6, 0, NULL, NULL, NULL, &past, NULL)));
   printf(" sigtimedwait %s\n",
          name_of(syscall(SYS_rt_sigtimedwait, &set, NULL, &negative, 8)));
}

static long wait_for(int* word, int operation, struct timespec* t, int bits)
{
   return syscall(SYS_futex, word, operation | FUTEX_PRIVATE_FLAG, 0, t, NULL,
                  bits);
}

static void show_futex(void)
{
   int word = 0;
   struct timespec t;
   clock_gettime(CLOCK_REALTIME, &t);
   t.tv_sec++;
   int by_calendar = FUTEX_WAIT_BITSET | FUTEX_CLOCK_REALTIME;
   printf("futex %s", name_of(wait_for(&word, by_calendar, &t, 4)));
   t = (struct timespec){0, 1};
   printf(" %s", name_of(wait_for(&word, FUTEX_WAIT_BITSET, &t, 4)));
   printf(" %s", name_of(wait_for(&word, FUTEX_WAIT_BITSET, &t, 0)));
   printf(" %s", name_of(wait_for(&word, FUTEX_WAKE_BITSET, &t, 0)));
   t.tv_nsec = -1;
   printf(" %s\n", name_of(wait_for(&word, FUTEX_WAIT, &t, 0)));
}

/* A signal that only the mask of a call lets through. */
static void show_masks(void)
{
   sigset_t blocked, none;
   struct timespec now = {0, 0};
   sigemptyset(&none);
   sigemptyset(&blocked);
   sigaddset(&blocked, SIGUSR1);
   sigaddset(&blocked, SIGCHLD);
   sigprocmask(SIG_BLOCK, &blocked, NULL);
   listen_to(SIGUSR1);
   listen_to(SIGCHLD);
   heard = 0;
   raise(SIGUSR1);
   printf("masks %s", name_of(pselect(0, NULL, NULL, NULL, &now, &none)));
   raise(SIGUSR1);
   printf(" %s", name_of(ppoll(NULL, 0, &now, &none)));
   printf(" %s heard %d\n", name_of(ppoll(NULL, 0, &now, &none)), heard);
   heard = 0;
   if (fork() == 0) _exit(0);
   while (!heard)
      pselect(0, NULL, NULL, NULL, &now, &none);
   wait(NULL);
   printf("child heard %d\n", heard);
   signal(SIGCHLD, SIG_DFL);
   sigprocmask(SIG_UNBLOCK, &blocked, NULL);
}

/* A child that ended while nobody listened is not heard of later. */
static void show_old_child(void)
{
   sigset_t set;
   if (fork() == 0) _exit(0);
   wait(NULL);
   sigemptyset(&set);
   sigaddset(&set, SIGCHLD);
   sigprocmask(SIG_BLOCK, &set, NULL);
   struct pollfd file = {signalfd(-1, &set, 0), POLLIN, 0};
   printf("old child %d\n", poll(&file, 1, 10));
   close(file.fd);
   sigprocmask(SIG_UNBLOCK, &set, NULL);
}

/* Times that are as good as none: an alarm ends them. */
static void show_for_ever(void)
{
   struct timespec most = {LONG_MAX, 999999999};
   struct timeval long_time = {LONG_MAX / 1000000, 0};
   listen_to(SIGALRM);
   alarm(1);
   printf("for ever %s", name_of(nanosleep(&most, NULL)));
   alarm(1);
   printf(" %s", name_of(sleep_by(CLOCK_REALTIME, TIMER_ABSTIME, &most)));
   alarm(1);
   printf(" %s", name_of(syscall(SYS_ppoll, NULL, 0, &most, NULL, 8)));
   alarm(1);
   printf(" %s\n",
          name_of(syscall(SYS_select, 0, NULL, NULL, NULL, &long_time)));
}

static void show_timers(void)
{
   timer_t timer;
   struct sigevent event = {.sigev_signo = SIGALRM};
   struct itimerspec past = {{0, 1000000}, {1, 0}};
   heard = 0;
   timer_create(CLOCK_REALTIME, &event, &timer);
   printf("past %d", timer_settime(timer, TIMER_ABSTIME, &past, NULL));
   while (heard < 3)
      continue;
   timer_delete(timer);
   puts(" heard");
   if (vfork() == 0) {
      heard = 0;
      alarm(1);
      pause();
      _exit(heard);
   }
   int status;
   wait(&status);
   printf("vfork %d\n", WEXITSTATUS(status));
   unsigned long times;
   int n = 0, all = epoll_create1(0), file = timerfd_create(CLOCK_MONOTONIC, 0);
   struct epoll_event what = {.events = EPOLLIN | EPOLLET};
   struct itimerspec soon = {{0, 5000000}, {0, 5000000}};
   timerfd_settime(file, 0, &soon, NULL);
   epoll_ctl(all, EPOLL_CTL_ADD, file, &what);
   for (int i = 0; i < 20; i++) {
      n += epoll_wait(all, &what, 1, -1);
      if (read(file, &times, sizeof times) != sizeof times) n = -1;
   }
   printf("epoll %d\n", n);
   close(file);
}

static void* sleep_often(void* seconds)
{
   struct timespec t = {(long)seconds % 7, (long)seconds * 1000};
   for (int i = 0; i < 5; i++)
      nanosleep(&t, NULL);
   return NULL;
}

static void* compute(void* done)
{
   while (!*(volatile int*)done)
      continue;
   return NULL;
}

static void show_threads(void)
{
   enum { THREADS = 100 };
   pthread_t threads[THREADS];
   int done = 0;
   for (long i = 0; i < THREADS; i++)
      pthread_create(&threads[i], NULL, sleep_often, (void*)i);
   for (int i = 0; i < THREADS; i++)
      pthread_join(threads[i], NULL);
   puts("threads slept");
   pthread_create(threads, NULL, compute, &done);
   struct timespec little = {0, 1000000};
   printf("spent %s\n",
          name_of(sleep_by(CLOCK_PROCESS_CPUTIME_ID, 0, &little)));
   done = 1;
   pthread_join(threads[0], NULL);
}

static void end(int signal)
{
   _exit(signal);
}

/* A child that ends with the number of a signal. */
static void show_end(const char* what, pid_t child)
{
   int status;
   waitpid(child, &status, 0);
   printf("%s %d\n", what,
          WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
}

static void show_processes(const char* self, int sleepers)
{
   pid_t child = fork();
   if (child == 0) {
      signal(SIGALRM, SIG_DFL);
      alarm(1);
      execl(self, self, "again", (char*)NULL);
   }
   show_end("exec", child);
   child = fork();
   if (child == 0) {
      struct rlimit second = {1, 20};
      signal(SIGXCPU, end);
      setrlimit(RLIMIT_CPU, &second);
      for (;;)
         continue;
   }
   show_end("RLIMIT_CPU", child);
   for (int i = 0; i < sleepers; i++)
      if (fork() == 0) {
         sleep_often((void*)(long)i);
         _exit(0);
      }
   int n = 0;
   while (wait(NULL) > 0)
      n++;
   printf("processes slept %d\n", n);
}

int main(int argc, char** argv)
{
   setvbuf(stdout, NULL, _IOLBF, 0);
   if (argc < 2) return 2;
   while (strcmp(argv[1], "again") == 0)
      pause();
   show_refused();
   show_futex();
   show_masks();
   show_old_child();
   show_for_ever();
   show_timers();
   show_threads();
   show_processes(argv[0], atoi(argv[1]));
   return 0;
}
