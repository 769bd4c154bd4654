/* A library that is loaded in front of libc (LD_PRELOAD), and has one call of a
   process fail. FAILING_IN is a directory; only calls count that name a file in
   it, or have one open. FAILING is what fails: "write 3 5" is the third write,
   with errno 5; errno 0 has it write one byte only. Every call that counts is
   noted in the file FAILING_LOG, by its name. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int is_in(const char* path)
{
   const char* directory = getenv("FAILING_IN");
   return directory && path && strncmp(path, directory, strlen(directory)) == 0;
}

static int is_open_in(int fd)
{
   char link[64], path[4096];
   snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
   ssize_t n = readlink(link, path, sizeof path - 1);
   path[n < 0 ? 0 : n] = '\0';
   return is_in(path);
}

static void note(const char* call)
{
   const char* path = getenv("FAILING_LOG");
   int log = path ? syscall(SYS_openat, AT_FDCWD, path,
                            O_WRONLY | O_APPEND | O_CREAT, 0600)
                  : -1;
   if (log < 0) return;
   syscall(SYS_write, log, call, strlen(call));
   syscall(SYS_write, log, "\n", 1);
   syscall(SYS_close, log);
}

/* The errno that this call fails with, or -1: it does not. */
static int failure(const char* call, atomic_int* count)
{
   char name[20] = "";
   int number = 0, error = 0;
   note(call);
   const char* asked = getenv("FAILING");
   if (asked) sscanf(asked, "%19s %d %d", name, &number, &error);
   int is_this = ++*count == number && strcmp(name, call) == 0;
   return is_this ? error : -1;
}

/* Whether the call, which concerns the directory if `is_near`, fails. */
#define FAILS(call, is_near)                                                   \
   static atomic_int count;                                                    \
   int error = (is_near) ? failure(call, &count) : -1;                         \
   if (error > 0) {                                                            \
      errno = error;                                                           \
      return -1;                                                               \
   }

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int open_real(int at, const char* path, int flags, int mode)
{
   FAILS("open", is_in(path))
   return syscall(SYS_openat, at, path, flags | O_LARGEFILE, mode);
}

static int mode_of(int flags, va_list rest)
{
   return flags & O_CREAT ? va_arg(rest, int) : 0;
}

#define OPEN(name, at, ...)                                                    \
   int name(__VA_ARGS__, const char* path, int flags, ...);                    \
   int name(__VA_ARGS__, const char* path, int flags, ...)                     \
   {                                                                           \
      va_list rest;                                                            \
      va_start(rest, flags);                                                   \
      int mode = mode_of(flags, rest);                                         \
      va_end(rest);                                                            \
      return open_real(at, path, flags, mode);                                 \
   }

OPEN(openat, at, int at)
OPEN(openat64, at, int at)

int open(const char* path, int flags, ...)
{
   va_list rest;
   va_start(rest, flags);
   int mode = mode_of(flags, rest);
   va_end(rest);
   return open_real(AT_FDCWD, path, flags, mode);
}

int open64(const char* path, int flags, ...) __attribute__((alias("open")));

ssize_t write(int fd, const void* bytes, size_t n)
{
   FAILS("write", is_open_in(fd))
   return syscall(SYS_write, fd, bytes, error == 0 && n ? 1 : n);
}

int close(int fd)
{
   int is_near = is_open_in(fd);
   if (is_near) {
      syscall(SYS_close, fd);
      FAILS("close", 1)
      return 0;
   }
   return syscall(SYS_close, fd);
}

int fsync(int fd)
{
   FAILS("fsync", is_open_in(fd))
   return syscall(SYS_fsync, fd);
}

int rename(const char* from, const char* to)
{
   FAILS("rename", is_in(to))
   return REAL(rename)(from, to);
}

int renameat(int from_at, const char* from, int to_at, const char* to)
{
   FAILS("rename", is_in(to))
   return REAL(renameat)(from_at, from, to_at, to);
}

int link(const char* from, const char* to)
{
   FAILS("link", is_in(to))
   return REAL(link)(from, to);
}

int linkat(int from_at, const char* from, int to_at, const char* to, int flags)
{
   FAILS("link", is_in(to))
   return REAL(linkat)(from_at, from, to_at, to, flags);
}
