#include "host_vg.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

Host host = {.room = ~0ULL, .write_max = ~0U, .owner = ~0U};

void host_reset(void)
{
   host.open_error = host.rename_error = host.write_error = 0;
   host.room = ~0ULL;
   host.write_max = host.owner = ~0U;
}

/*--- Memory -------------------------------------------------------------*/

/* Before each piece of memory stands its size. */
enum { HEAD = 16, NEW_BYTE = 0xa5, OLD_BYTE = 0x5a };

static SizeT size_of(const void* p)
{
   return *(const SizeT*)((const char*)p - HEAD);
}

void* VG_(malloc)(const HChar* what, SizeT size)
{
   (void)what;
   char* head = malloc(HEAD + size);
   if (!head) host_assert_failed("memory", __FILE__, __LINE__);
   *(SizeT*)head = size;
   host.n_allocated++;
   return memset(head + HEAD, NEW_BYTE, size);
}

void* VG_(calloc)(const HChar* what, SizeT n, SizeT size)
{
   SizeT bytes;
   tl_assert(!__builtin_mul_overflow(n, size, &bytes));
   return memset(VG_(malloc)(what, bytes), 0, bytes);
}

void VG_(free)(void* p)
{
   tl_assert(p);
   memset(p, OLD_BYTE, size_of(p));
   free((char*)p - HEAD);
   host.n_allocated--;
}

void* VG_(realloc)(const HChar* what, void* p, SizeT size)
{
   tl_assert(size > 0);
   void* moved = VG_(malloc)(what, size);
   if (p) {
      memcpy(moved, p, size_of(p) < size ? size_of(p) : size);
      VG_(free)(p);
   }
   return moved;
}

void* VG_(memcpy)(void* to, const void* from, SizeT n)
{
   return memcpy(to, from, n);
}

void* VG_(memset)(void* to, Int byte, SizeT n)
{
   return memset(to, byte, n);
}

void* VG_(memmove)(void* to, const void* from, SizeT n)
{
   return memmove(to, from, n);
}

Int VG_(memcmp)(const void* a, const void* b, SizeT n)
{
   return memcmp(a, b, n);
}

/*--- Strings and sorting ------------------------------------------------*/

SizeT VG_(strlen)(const HChar* text)
{
   return strlen(text);
}

Int VG_(strcmp)(const HChar* a, const HChar* b)
{
   return strcmp(a, b);
}

ULong VG_(strtoull10)(const HChar* text, HChar** end)
{
   return strtoull(text, end, 10);
}

Int VG_(strncmp)(const HChar* a, const HChar* b, SizeT n)
{
   return strncmp(a, b, n);
}

HChar* VG_(strrchr)(const HChar* text, HChar letter)
{
   return strrchr(text, letter);
}

HChar* VG_(strstr)(const HChar* text, const HChar* part)
{
   return strstr(text, part);
}

HChar* VG_(getenv)(const HChar* name)
{
   return getenv(name);
}

HChar* VG_(strdup)(const HChar* what, const HChar* text)
{
   SizeT n = strlen(text) + 1;
   return memcpy(VG_(malloc)(what, n), text, n);
}

UInt VG_(sprintf)(HChar* to, const HChar* format, ...)
{
   va_list args;
   va_start(args, format);
   Int n = vsprintf(to, format, args);
   va_end(args);
   return n;
}

static void swap(char* a, char* b, SizeT size)
{
   for (SizeT i = 0; i < size; i++) {
      char byte = a[i];
      a[i] = b[i];
      b[i] = byte;
   }
}

void VG_(ssort)(void* base,
                SizeT n,
                SizeT size,
                Int (*compare)(const void*, const void*))
{
   char* all = base;
   UInt random = host.order;
   for (SizeT i = n; i > 1; i--) {
      random = random * 1664525 + 1013904223;
      swap(all + (i - 1) * size, all + (random >> 8) % i * size, size);
   }
   qsort(base, n, size, compare);
}

/*--- Files --------------------------------------------------------------*/

static SysRes result(Long value)
{
   return value < 0 ? (SysRes){errno, True} : (SysRes){value, False};
}

SysRes VG_(open)(const HChar* path, Int flags, Int mode)
{
   if (host.open_error) return (SysRes){host.open_error, True};
   SysRes res = result(open(path, flags, mode));
   if (!res.is_error) host.n_open++;
   if ((flags & O_ACCMODE) != O_RDONLY) host.n_written = 0;
   return res;
}

Int VG_(fd_open)(const HChar* path, Int flags, Int mode)
{
   SysRes res = VG_(open)(path, flags, mode);
   return res.is_error ? -1 : (Int)res.value;
}

void VG_(close)(Int fd)
{
   tl_assert(close(fd) == 0);
   host.n_open--;
}

Int VG_(read)(Int fd, void* to, Int n)
{
   Int done = read(fd, to, n);
   return done < 0 ? -errno : done;
}

static void keep_written(const void* from, SizeT n)
{
   static SizeT capacity;
   if (host.n_written + n >= capacity) {
      capacity = 2 * (host.n_written + n + 1);
      host.written = realloc(host.written, capacity);
      tl_assert(host.written);
   }
   memcpy(host.written + host.n_written, from, n);
   host.n_written += n;
   host.written[host.n_written] = '\0';
}

Int VG_(write)(Int fd, const void* from, Int n)
{
   SizeT wanted = n;
   if (wanted > host.write_max) wanted = host.write_max;
   if (wanted > host.room) wanted = host.room;
   if (wanted == 0 && n > 0) return -host.write_error;
   Int done = write(fd, from, wanted);
   if (done < 0) return -errno;
   host.room -= done;
   keep_written(from, done);
   return done;
}

Off64T VG_(lseek)(Int fd, Off64T offset, Int whence)
{
   return lseek(fd, offset, whence);
}

static void fill_stat(struct vg_stat* st, const struct stat* found)
{
   st->dev = found->st_dev;
   st->ino = found->st_ino;
   st->mode = found->st_mode;
   st->gid = found->st_gid;
   st->uid = host.owner == ~0U ? found->st_uid : host.owner;
   st->size = found->st_size;
   st->mtime = found->st_mtim.tv_sec;
   st->mtime_nsec = found->st_mtim.tv_nsec;
}

SysRes VG_(stat)(const HChar* path, struct vg_stat* st)
{
   struct stat found;
   SysRes res = result(stat(path, &found));
   if (!res.is_error) fill_stat(st, &found);
   return res;
}

Int VG_(fstat)(Int fd, struct vg_stat* st)
{
   struct stat found;
   if (fstat(fd, &found) != 0) return -1;
   fill_stat(st, &found);
   return 0;
}

const HChar* VG_(libdir) = "/nowhere";

Int VG_(getdents64)(Int fd, struct vki_dirent64* entries, UInt n)
{
   long done = syscall(SYS_getdents64, fd, entries, n);
   return done < 0 ? -errno : (Int)done;
}

Int VG_(rename)(const HChar* from, const HChar* to)
{
   if (host.rename_error) return -1;
   return rename(from, to);
}

Int VG_(unlink)(const HChar* path)
{
   return unlink(path);
}

PtrdiffT VG_(readlink)(const HChar* path, HChar* target, SizeT n)
{
   return readlink(path, target, n);
}

/*--- The machine, the process, assertions -------------------------------*/

Int VG_(getpid)(void)
{
   return getpid();
}

Int VG_(geteuid)(void)
{
   return geteuid();
}

Int VG_(getegid)(void)
{
   return getegid();
}

void VG_(clock_gettime)(struct vki_timespec* now, Int clock)
{
   enum { BILLION = 1000000000 };
   ULong time = clock == CLOCK_MONOTONIC           ? host.clock
                : clock == CLOCK_THREAD_CPUTIME_ID ? host.cpu_clock
                                                   : 0;
   now->tv_sec = time / BILLION;
   now->tv_nsec = time % BILLION;
}

Addr VG_(get_SP)(UInt tid)
{
   tl_assert(tid > 0);
   return host.sp;
}

void VG_(umsg)(const HChar* format, ...)
{
   va_list args;
   va_start(args, format);
   vfprintf(stderr, format, args);
   va_end(args);
}

void VG_(printf)(const HChar* format, ...)
{
   va_list args;
   va_start(args, format);
   vprintf(format, args);
   va_end(args);
}

void VG_(exit)(Int status)
{
   host_assert_failed("no reason to exit", __FILE__, status);
}

void host_assert_failed(const HChar* expression, const HChar* file, Int line)
{
   fflush(stdout);
   fprintf(stderr, "%s:%d: assertion failed: %s\n", file, line, expression);
   abort();
}
