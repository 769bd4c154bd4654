/* A stand-in for what cg2/base/vg.h takes from Valgrind, so that the engine
 * runs in ordinary programs.
 *
 * It promises no more than Valgrind does, and is unkind where it may be: new
 * memory holds rubbish, realloc always moves, the sort keeps no order of
 * equals. A test sets in `host` what goes wrong, and reads there what was done.
 */
#ifndef HOST_VG_H
#define HOST_VG_H

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/stat.h>

#define VG_(name)   host_##name
#define VG_WORDSIZE __SIZEOF_POINTER__
#ifdef __i386__
#define VG_REGPARM(n) __attribute__((regparm(n)))
#else
#define VG_REGPARM(n)
#endif

/*--- Types --------------------------------------------------------------*/

typedef unsigned char UChar;
typedef unsigned char Bool;
typedef short Short;
typedef unsigned short UShort;
typedef int Int;
typedef unsigned int UInt;
typedef long long Long;
typedef unsigned long long ULong;
typedef unsigned long UWord, Addr, SizeT;
typedef long PtrdiffT;
typedef long long Off64T;
typedef char HChar;
enum { False, True };

/*--- Memory, strings, sorting -------------------------------------------*/

void* VG_(malloc)(const HChar* what, SizeT size);
void* VG_(calloc)(const HChar* what, SizeT n, SizeT size);
void* VG_(realloc)(const HChar* what, void* p, SizeT size);
void VG_(free)(void* p);

void* VG_(memcpy)(void* to, const void* from, SizeT n);
void* VG_(memset)(void* to, Int byte, SizeT n);
void* VG_(memmove)(void* to, const void* from, SizeT n);
Int VG_(memcmp)(const void* a, const void* b, SizeT n);
SizeT VG_(strlen)(const HChar* text);
Int VG_(strcmp)(const HChar* a, const HChar* b);
Int VG_(strncmp)(const HChar* a, const HChar* b, SizeT n);
HChar* VG_(strrchr)(const HChar* text, HChar letter);
HChar* VG_(strstr)(const HChar* text, const HChar* part);
HChar* VG_(getenv)(const HChar* name);
ULong VG_(strtoull10)(const HChar* text, HChar** end);
HChar* VG_(strdup)(const HChar* what, const HChar* text);
UInt VG_(sprintf)(HChar* to, const HChar* format, ...)
   __attribute__((format(printf, 2, 3)));

void VG_(ssort)(void* base,
                SizeT n,
                SizeT size,
                Int (*compare)(const void*, const void*));

/*--- Files --------------------------------------------------------------*/

/* What the host's generated code keeps its registers in. */
typedef struct VexGuestArchState {
   ULong some[16];
} VexGuestArchState;

typedef struct SysRes {
   UWord value;
   Bool is_error;
} SysRes;

static inline Bool sr_isError(SysRes res)
{
   return res.is_error;
}
static inline UWord sr_Res(SysRes res)
{
   return res.value;
}
static inline UWord sr_Err(SysRes res)
{
   return res.value;
}

struct vg_stat {
   ULong dev, ino;
   UInt mode;
   UInt uid, gid;
   Long size;
   ULong mtime, mtime_nsec;
};

#define VKI_S_ISREG(mode) S_ISREG(mode)
enum {
   VKI_S_IRUSR = S_IRUSR,
   VKI_S_IWUSR = S_IWUSR,
   VKI_S_IWGRP = S_IWGRP,
   VKI_S_IWOTH = S_IWOTH,
   VKI_O_RDONLY = O_RDONLY,
   VKI_O_NONBLOCK = O_NONBLOCK,
   VKI_O_WRONLY = O_WRONLY,
   VKI_O_CREAT = O_CREAT,
   VKI_O_EXCL = O_EXCL,
   VKI_O_TRUNC = O_TRUNC,
   VKI_O_APPEND = O_APPEND,
   VKI_SEEK_SET = 0,
   VKI_SEEK_END = 2,
   VKI_EACCES = EACCES,
   VKI_EEXIST = EEXIST,
   VKI_EINTR = EINTR,
   VKI_EIO = EIO,
   VKI_ENOENT = ENOENT,
   VKI_ENOSPC = ENOSPC,
   VKI_EPERM = EPERM,
   VKI_EROFS = EROFS,
};

SysRes VG_(open)(const HChar* path, Int flags, Int mode);
Int VG_(fd_open)(const HChar* path, Int flags, Int mode);
void VG_(close)(Int fd);
/* How many bytes were read, or -errno. */
Int VG_(read)(Int fd, void* to, Int n);
Int VG_(write)(Int fd, const void* from, Int n);
Off64T VG_(lseek)(Int fd, Off64T offset, Int whence);
SysRes VG_(stat)(const HChar* path, struct vg_stat* st);
/* 0, or -1. */
Int VG_(fstat)(Int fd, struct vg_stat* st);
Int VG_(rename)(const HChar* from, const HChar* to);
Int VG_(unlink)(const HChar* path);
/* How many bytes the target has, without a NUL, or -1. */
PtrdiffT VG_(readlink)(const HChar* path, HChar* target, SizeT n);

struct vki_dirent64 {
   ULong d_ino;
   Long d_off;
   UShort d_reclen;
   UChar d_type;
   HChar d_name[256];
};
Int VG_(getdents64)(Int fd, struct vki_dirent64* entries, UInt n);
extern const HChar* VG_(libdir);

/*--- The machine, the process, assertions -------------------------------*/

struct vki_timespec {
   Long tv_sec, tv_nsec;
};
/* The time of `host`; of a clock that it has not: 0. */
void VG_(clock_gettime)(struct vki_timespec* now, Int clock);
Addr VG_(get_SP)(UInt tid);
Int VG_(getpid)(void);
Int VG_(geteuid)(void);
Int VG_(getegid)(void);
/* Says so where errors go. */
void VG_(umsg)(const HChar* format, ...) __attribute__((format(printf, 1, 2)));
void VG_(printf)(const HChar* format, ...)
   __attribute__((format(printf, 1, 2)));
/* Fails as an assertion does. */
__attribute__((noreturn)) void VG_(exit)(Int status);

#define tl_assert(expression)                                                  \
   ((expression) ? (void)0                                                     \
                 : host_assert_failed(#expression, __FILE__, __LINE__))
__attribute__((noreturn)) void
host_assert_failed(const HChar* expression, const HChar* file, Int line);

/*--- The test's side ----------------------------------------------------*/

typedef struct Host {
   Addr sp;         /* of the thread that runs */
   ULong clock;     /* nanoseconds that have gone by */
   ULong cpu_clock; /* those that the thread has run */
   /* What goes wrong. */
   Int open_error;   /* errno of each open; 0: none */
   Int rename_error; /* what VG_(rename) fails with; 0: it does not */
   ULong room;       /* bytes until the disk is full */
   UInt write_max;   /* bytes that one write takes */
   Int write_error;  /* errno of a write to a full disk; 0: it takes nothing */
   UInt owner;       /* of each file, unless ~0U */
   UInt order;       /* of equals when sorted: seed of a shuffle */
   /* What was done. */
   Long n_allocated; /* pieces of memory that are not free */
   Int n_open;       /* files */
   HChar* written;   /* since the last open for writing; ends in a NUL */
   SizeT n_written;
} Host;

extern Host host;

/* Nothing goes wrong any more. */
void host_reset(void);

#endif
