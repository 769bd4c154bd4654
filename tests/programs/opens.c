/* Reads a directory and files of /proc, makes timers, and closes all of it: as
   often as the argument says. */

#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static int read_all(const char* path)
{
   char bytes[4096];
   int fd = open(path, O_RDONLY), is_any = 0;
   while (read(fd, bytes, sizeof bytes) > 0)
      is_any = 1;
   return close(fd) == 0 && is_any;
}

static int list(void)
{
   int n = 0;
   DIR* directory = opendir("/");
   while (readdir(directory))
      n++;
   return closedir(directory) == 0 && n > 2;
}

static int make_timers(void)
{
   struct itimerspec soon = {.it_value.tv_sec = 1000};
   struct sigevent nobody = {.sigev_notify = SIGEV_NONE};
   timer_t timer;
   int fd = timerfd_create(CLOCK_MONOTONIC, 0);
   return timerfd_settime(fd, 0, &soon, NULL) == 0 && close(fd) == 0 &&
          timer_create(CLOCK_MONOTONIC, &nobody, &timer) == 0 &&
          timer_settime(timer, 0, &soon, NULL) == 0 && timer_delete(timer) == 0;
}

static int look(void)
{
   char link[4096];
   struct stat st;
   return stat("/proc/self/exe", &st) == 0 &&
          readlink("/proc/self/exe", link, sizeof link) > 0;
}

int main(int argc, char** argv)
{
   static const char* const paths[] = {
      "/proc/self/status", "/proc/self/stat", "/proc/self/maps",
      "/proc/self/limits", "/proc/cpuinfo",   "/proc/meminfo",
      "/proc/stat",        "/proc/uptime",    "/proc/loadavg"};
   for (int round = atoi(argv[argc - 1]); round > 0; round--) {
      if (!list() || !make_timers() || !look()) return 1;
      for (unsigned i = 0; i < sizeof paths / sizeof *paths; i++)
         if (!read_all(paths[i])) return 2;
   }
   return 0;
}
