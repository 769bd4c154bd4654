/* Prints what the world outside tells a program: all that could differ from run
 * to run. */
#define _GNU_SOURCE
#include <cpuid.h>
#include <dirent.h>
#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

static void show_times(void)
{
   struct timeval tv;
   struct timespec ts;
   struct tms tms;
   struct rusage usage;
   gettimeofday(&tv, NULL);
   printf("time %ld %ld.%06ld\n", time(NULL), tv.tv_sec, tv.tv_usec);
   for (int clock = 0; clock < 12; clock++)
      if (clock_gettime(clock, &ts) == 0)
         printf("clock %d %ld.%09ld\n", clock, ts.tv_sec, ts.tv_nsec);
   printf("times %ld %ld\n", times(&tms), tms.tms_utime);
   getrusage(RUSAGE_SELF, &usage);
   printf("usage %ld.%06ld %ld %ld\n", usage.ru_utime.tv_sec,
          usage.ru_utime.tv_usec, usage.ru_maxrss, usage.ru_minflt);
   printf("tsc %llu\n", __rdtsc());
   poll(NULL, 0, 1500);
   usleep(250000);
   clock_gettime(CLOCK_MONOTONIC, &ts);
   printf("after 1.75 s %ld.%09ld\n", ts.tv_sec, ts.tv_nsec);
}

static void show_bytes(const char* name, const unsigned char* bytes, int n)
{
   printf("%s ", name);
   for (int i = 0; i < n; i++)
      printf("%02x", bytes[i]);
   printf("\n");
}

static void show_chance(void)
{
   unsigned char bytes[16];
   show_bytes("AT_RANDOM", (const unsigned char*)getauxval(AT_RANDOM), 16);
   if (getrandom(bytes, sizeof bytes, 0) == sizeof bytes)
      show_bytes("getrandom", bytes, 16);
   for (int i = 0; i < 2; i++) {
      int fd = open(i ? "/dev/random" : "/dev/urandom", O_RDONLY);
      if (read(fd, bytes, sizeof bytes) == sizeof bytes)
         show_bytes("device", bytes, 16);
      close(fd);
   }
   unsigned a, b, c, d;
   unsigned long long word = 0;
   __cpuid(1, a, b, c, d);
   if (c & bit_RDRND) {
      __asm__ volatile("rdrand %0" : "=r"(word));
      printf("rdrand %llx\n", word);
   }
}

static void show_file(const char* path)
{
   char text[4096];
   int fd = open(path, O_RDONLY);
   ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
   printf("%s: %.*s\n", path, n < 0 ? 1 : (int)n, n < 0 ? "-" : text);
   if (fd >= 0) close(fd);
}

static void show_machine(void)
{
   struct utsname name;
   struct sysinfo info;
   cpu_set_t set;
   unsigned a, b, c, d;
   uname(&name);
   printf("%s %s %s %s %s\n", name.sysname, name.nodename, name.release,
          name.version, name.machine);
   sysinfo(&info);
   printf("memory %lu %lu %u up %ld\n", info.totalram, info.freeram, info.procs,
          info.uptime);
   sched_getaffinity(0, sizeof set, &set);
   printf("processors %ld %ld %d on %d\n", sysconf(_SC_NPROCESSORS_ONLN),
          sysconf(_SC_NPROCESSORS_CONF), CPU_COUNT(&set), sched_getcpu());
   for (unsigned leaf = 0; leaf < 5; leaf++) {
      __cpuid_count(leaf, 0, a, b, c, d);
      printf("cpuid %u %x %x %x %x\n", leaf, a, b, c, d);
   }
   for (int i = 0; i < RLIM_NLIMITS; i++) {
      struct rlimit limit;
      getrlimit(i, &limit);
      printf("limit %d %lx %lx\n", i, limit.rlim_cur, limit.rlim_max);
   }
   printf("caches %ld %ld\n", sysconf(_SC_LEVEL1_DCACHE_SIZE),
          sysconf(_SC_LEVEL3_CACHE_SIZE));
   static const char* const paths[] = {"/proc/cpuinfo",
                                       "/proc/stat",
                                       "/proc/meminfo",
                                       "/proc/uptime",
                                       "/proc/loadavg",
                                       "/proc/version",
                                       "/proc/sys/kernel/osrelease",
                                       "/proc/sys/kernel/hostname",
                                       "/proc/sys/kernel/random/uuid",
                                       "/proc/sys/kernel/random/boot_id",
                                       "/sys/devices/system/cpu/online",
                                       "/proc/self/environ",
                                       "/proc/self/limits",
                                       "/proc/self/cgroup"};
   for (unsigned i = 0; i < sizeof paths / sizeof *paths; i++)
      show_file(paths[i]);
}

extern char** environ;

static void show_addresses(int argc, char** argv)
{
   int local;
   printf("stack %p main %p heap %p map %p brk %p libc %p\n", (void*)&local,
          (void*)show_addresses, malloc(100),
          mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
          sbrk(0), (void*)printf);
   printf("argv %p %d\n", (void*)argv, argc);
   for (char** e = environ; *e; e++)
      printf("%p %s\n", (void*)*e, *e);
   const ElfW(auxv_t)* entry = (const void*)(environ);
   while (*(void* const*)entry)
      entry = (const void*)((const char*)entry + sizeof(void*));
   for (entry = (const void*)((const char*)entry + sizeof(void*));
        entry->a_type; entry++)
      printf("auxiliary %lu %lx\n", entry->a_type, entry->a_un.a_val);
}

static void show_directory(const char* path)
{
   struct dirent* e;
   DIR* directory = opendir(path);
   while (directory && (e = readdir(directory)))
      printf("%s/%s %lu %ld\n", path, e->d_name, e->d_ino, e->d_off);
   if (directory) closedir(directory);
}

static void show_stat(const char* path)
{
   struct stat st;
   struct statfs fs;
   if (stat(path, &st) || statfs(path, &fs)) return;
   printf("%s: %lu %lu %ld %ld %ld %u %u, %lx %ld\n", path, st.st_dev,
          st.st_ino, st.st_size, st.st_blocks, st.st_blksize, st.st_uid,
          st.st_gid, fs.f_type, fs.f_bsize);
}

static void show_files(void)
{
   show_directory("/usr/share/misc");
   show_stat("/");
   show_stat("/etc/passwd");
   char name[] = "world-XXXXXX";
   int fd = mkstemp(name);
   struct stat st;
   if (fd < 0 || write(fd, name, sizeof name) < 0 || fstat(fd, &st)) return;
   printf("%s %lu %o %ld %ld %u %u\n", name, st.st_ino, st.st_mode, st.st_size,
          st.st_blocks, st.st_uid, st.st_gid);
   printf("written %ld.%09ld %ld\n", st.st_mtim.tv_sec, st.st_mtim.tv_nsec,
          st.st_ctim.tv_sec);
   unlink(name);
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void* race(void* name)
{
   for (int i = 0; i < 3; i++) {
      pthread_mutex_lock(&lock);
      printf("thread %s at %ld\n", (char*)name, (long)clock());
      pthread_mutex_unlock(&lock);
      usleep(1000);
   }
   return NULL;
}

static void show_threads(void)
{
   static char* const names[] = {"a", "b", "c", "d"};
   pthread_t threads[4];
   for (int i = 0; i < 4; i++)
      pthread_create(&threads[i], NULL, race, names[i]);
   for (int i = 0; i < 4; i++)
      pthread_join(threads[i], NULL);
}

int main(int argc, char** argv)
{
   show_times();
   show_chance();
   show_machine();
   show_addresses(argc, argv);
   show_files();
   show_threads();
   printf("user %u %u %u %u\n", getuid(), geteuid(), getgid(), getegid());
   show_times();
}
