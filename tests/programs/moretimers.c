/* Timers that a program makes: says when they came, how often in vain, and whom
 * they told. With an argument: it was replaced, and a timer goes on. */
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t n_heard, last_value, last_overrun, last_code;
static volatile double heard_at;

static double now(void)
{
   struct timespec t;
   clock_gettime(CLOCK_MONOTONIC, &t);
   return t.tv_sec + t.tv_nsec / 1e9;
}

static void hear(int signal, siginfo_t* info, void* context)
{
   (void)signal, (void)context;
   n_heard++;
   heard_at = now();
   last_value = info->si_value.sival_int;
   last_overrun = info->si_overrun;
   last_code = info->si_code;
}

static struct itimerspec times(double first, double period)
{
   struct itimerspec t = {{period, (period - (long)period) * 1e9},
                          {first, (first - (long)first) * 1e9}};
   return t;
}

static timer_t make(int how, int signal, int value)
{
   timer_t id;
   struct sigevent event = {.sigev_notify = how, .sigev_signo = signal};
   event.sigev_value.sival_int = value;
   event._sigev_un._tid = syscall(SYS_gettid);
   if (timer_create(CLOCK_MONOTONIC, &event, &id)) perror("timer_create");
   return id;
}

static void set(timer_t id, double first, double period)
{
   struct itimerspec t = times(first, period);
   if (timer_settime(id, 0, &t, NULL)) perror("timer_settime");
}

static void show(const char* what, double begin)
{
   printf("%s heard %d value %d overrun %d code %d after %.3f\n", what, n_heard,
          last_value, last_overrun, last_code, now() - begin);
   n_heard = 0;
   fflush(stdout);
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int n_called;

static void call(union sigval value)
{
   pthread_mutex_lock(&lock);
   n_called += value.sival_int;
   pthread_cond_signal(&changed);
   pthread_mutex_unlock(&lock);
}

static void signals(void)
{
   timer_t id = make(SIGEV_SIGNAL, SIGUSR1, 7);
   double begin = now();
   set(id, 100, 0);
   pause();
   show("once", begin);
   begin = now();
   set(id, 0.002, 0);
   while (!n_heard) {
   }
   printf("late by less than a microsecond: %d\n",
          heard_at - begin - 0.002 < 2e-6);
   show("loop", begin);
   struct itimerspec left;
   set(id, 50, 3);
   timer_gettime(id, &left);
   printf("left %ld every %ld\n", left.it_value.tv_sec + 1,
          left.it_interval.tv_sec);
   sigset_t usr1, none;
   sigemptyset(&usr1);
   sigemptyset(&none);
   sigaddset(&usr1, SIGUSR1);
   sigprocmask(SIG_BLOCK, &usr1, NULL);
   begin = now();
   set(id, 1, 1);
   struct timespec span = {5, 500000000};
   nanosleep(&span, NULL);
   sigsuspend(&none);
   show("blocked", begin);
   printf("getoverrun %d\n", timer_getoverrun(id));
   begin = now();
   siginfo_t info;
   int got = sigwaitinfo(&usr1, &info);
   printf("waited %d code %d overrun %d after %.1f\n", got == SIGUSR1,
          info.si_code, info.si_overrun, now() - begin);
   span.tv_sec = 0;
   got = sigtimedwait(&usr1, &info, &span);
   printf("timed %d after %.1f\n", got, now() - begin);
   struct timespec enough = {9, 0};
   got = ppoll(NULL, 0, &enough, &none);
   show("ppoll", begin);
   got = pselect(0, NULL, NULL, NULL, &enough, &none);
   show("pselect", begin);
   struct epoll_event event;
   got = epoll_pwait(epoll_create1(0), &event, 1, 9000, &none);
   show("epoll_pwait", begin);
   int fd = signalfd(-1, &usr1, 0);
   struct signalfd_siginfo read_info;
   if (read(fd, &read_info, sizeof read_info) != sizeof read_info)
      perror("read");
   printf("signalfd %d code %d overrun %u after %.1f\n",
          read_info.ssi_signo == SIGUSR1, read_info.ssi_code,
          read_info.ssi_overrun, now() - begin);
   timer_delete(id);
   printf("deleted %d\n", timer_gettime(id, &left));
   sigprocmask(SIG_UNBLOCK, &usr1, NULL);
}

static void* wait_for_own(void* arg)
{
   sigset_t usr2;
   siginfo_t info;
   sigemptyset(&usr2);
   sigaddset(&usr2, SIGUSR2);
   double begin = now();
   set(make(SIGEV_THREAD_ID, SIGUSR2, 3), 20, 0);
   sigwaitinfo(&usr2, &info);
   printf("thread value %d after %.1f\n", info.si_value.sival_int,
          now() - begin);
   return arg;
}

static void threads(void)
{
   sigset_t usr2;
   pthread_t thread;
   sigemptyset(&usr2);
   sigaddset(&usr2, SIGUSR2);
   pthread_sigmask(SIG_BLOCK, &usr2, NULL);
   pthread_create(&thread, NULL, wait_for_own, NULL);
   pthread_join(thread, NULL);
   timer_t id;
   struct sigevent event = {.sigev_notify = SIGEV_THREAD};
   event.sigev_notify_function = call;
   event.sigev_value.sival_int = 1;
   timer_create(CLOCK_REALTIME, &event, &id);
   double begin = now();
   set(id, 2, 2);
   pthread_mutex_lock(&lock);
   while (n_called < 3)
      pthread_cond_wait(&changed, &lock);
   pthread_mutex_unlock(&lock);
   printf("called %d after %.1f\n", n_called, now() - begin);
   timer_delete(id);
}

static void files(void)
{
   struct itimerspec t = times(3, 2);
   int fd = timerfd_create(CLOCK_MONOTONIC, 0);
   uint64_t n = 0;
   double begin = now();
   timerfd_settime(fd, 0, &t, NULL);
   ssize_t got = read(fd, &n, sizeof n);
   printf("read %zd: %lu after %.1f\n", got, n, now() - begin);
   struct pollfd one = {fd, POLLIN, 0};
   int ready = poll(&one, 1, -1);
   printf("poll %d after %.1f\n", ready, now() - begin);
   sleep(10);
   got = read(fd, &n, sizeof n);
   printf("read %zd: %lu after %.1f\n", got, n, now() - begin);
   struct epoll_event event = {.events = EPOLLIN | EPOLLET};
   int epoll = epoll_create1(0);
   epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
   for (int i = 0; i < 2; i++)
      ready = epoll_wait(epoll, &event, 1, 60000);
   printf("epoll %d after %.1f\n", ready, now() - begin);
   ready = epoll_wait(epoll, &event, 1, 1000);
   printf("epoll %d after %.1f\n", ready, now() - begin);
   timerfd_gettime(fd, &t);
   printf("left %ld every %ld\n", t.it_value.tv_sec + 1, t.it_interval.tv_sec);
   struct timespec moment;
   clock_gettime(CLOCK_REALTIME, &moment);
   moment.tv_sec += 100;
   t = (struct itimerspec){{0, 0}, moment};
   int calendar = timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK | TFD_CLOEXEC);
   timerfd_settime(calendar, TFD_TIMER_ABSTIME, &t, NULL);
   printf("not yet %zd\n", read(calendar, &n, sizeof n));
   begin = now();
   fd_set set;
   FD_ZERO(&set);
   FD_SET(calendar, &set);
   ready = select(calendar + 1, &set, NULL, NULL, NULL);
   printf("select %d after %.1f\n", ready, now() - begin);
   close(calendar);
   close(fd);
}

int main(int argc, char** argv)
{
   struct sigaction action = {.sa_sigaction = hear, .sa_flags = SA_SIGINFO};
   sigaction(SIGUSR1, &action, NULL);
   sigaction(SIGALRM, &action, NULL);
   if (argc > 1) {
      uint64_t n = 0;
      double begin = now();
      ssize_t got = read(atoi(argv[1]), &n, sizeof n);
      printf("replaced read %zd: %lu after %.0f\n", got, n, now() - begin);
      pause();
      show("replaced", begin);
      fflush(stdout);
      begin = now();
      alarm(1);
      pid_t child = fork();
      if (!child) {
         pause();
         return 0;
      }
      pid_t ended = wait(NULL);
      printf("wait %d heard %d after %.1f\n", ended, n_heard, now() - begin);
      kill(child, SIGTERM);
      printf("child %d\n", wait(NULL) == child);
      return 0;
   }
   signals();
   threads();
   files();
   char name[16];
   int fd = timerfd_create(CLOCK_BOOTTIME, 0);
   struct itimerspec t = times(1000, 0);
   timerfd_settime(fd, 0, &t, NULL);
   alarm(2000);
   sprintf(name, "%d", fd);
   fflush(stdout);
   execl(argv[0], argv[0], name, NULL);
   return 1;
}
