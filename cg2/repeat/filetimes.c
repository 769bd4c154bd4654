#include "repeat/filetimes.h"

#include "base/table.h"
#include "pub_tool_vkiscnums.h"
#include "repeat/moment.h"
#include "repeat/processes.h"
#include "repeat/repeatconfig.h"

/* A file that has changed since the run began. */
typedef struct Changed {
   TableNode node;
   ULong device, inode;
   ULong modified; /* as the kernel said it last */
   ULong told;
} Changed;

/* Reason for a mutable file-scope object: what the process has seen. */
static struct {
   Table changed;
   ULong begin;
} files;

static ULong clock_of(UWord clock)
{
   struct vki_timespec now = {0};
   cg2_kernelcall_make(__NR_clock_gettime, clock, (UWord)&now, 0, 0);
   return now.tv_sec * (ULong)MOMENT_SECOND + now.tv_nsec;
}

/* The kernel sets times of files by a clock that goes on by ticks, of 10 ms at
 * most, and may be far behind on a machine that others share; newer kernels set
 * some by the exact clock. So the run begins when the one has come to where the
 * other was: what has changed before has an older time. Source:
 * clock_gettime(2): CLOCK_REALTIME_COARSE; time(7): The software clock, HZ, and
 * jiffies; the kernel's multigrain-ts.rst. */
void cg2_filetimes_start(ULong inherited)
{
   enum { EXACT = 0, COARSE = 5 };
   enum { MILLISECOND = MOMENT_SECOND / 1000, MOST_WAITS = 1000 };
   struct vki_timespec wait = {.tv_nsec = MILLISECOND};
   files.begin = inherited;
   if (inherited) return;
   ULong now = clock_of(EXACT);
   for (UInt i = 0; files.begin <= now && i < MOST_WAITS; i++) {
      if (i) cg2_kernelcall_make(__NR_nanosleep, (UWord)&wait, 0, 0, 0);
      files.begin = clock_of(COARSE);
   }
}

ULong cg2_filetimes_begin(void)
{
   return files.begin;
}

static ULong hash_of(ULong device, ULong inode)
{
   return cg2_hash_word(cg2_hash_word(0, device), inode);
}

/* What all processes know of a file; NULL: there is no room for it. */
static SharedFile* shared(ULong device, ULong inode)
{
   ULong key = hash_of(device, inode) | 1;
   SharedFile* all = cg2_processes_files();
   for (UInt i = 0; i < SHARED_FILES; i++) {
      SharedFile* f = &all[(key / 2 + i) % SHARED_FILES];
      ULong has = 0;
      if (__atomic_compare_exchange_n(&f->key, &has, key, False,
                                      __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE) ||
          has == key)
         return f;
   }
   return NULL;
}

/* The record of a file, which has modified 0 if it is new. */
static Changed* record(ULong device, ULong inode)
{
   ULong hash = hash_of(device, inode);
   TableNode* n = cg2_table_first(&files.changed, hash);
   for (; n; n = cg2_table_next(n)) {
      Changed* c = (Changed*)n;
      if (c->device == device && c->inode == inode) return c;
   }
   Changed* c = VG_(calloc)("cg2.filetimes", 1, sizeof *c);
   c->device = device;
   c->inode = inode;
   cg2_table_add(&files.changed, &c->node, hash);
   return c;
}

/* What nobody knows to have written has changed when this process sees it. */
static ULong told(ULong device, ULong inode, ULong modified)
{
   const SharedFile* f = shared(device, inode);
   if (f && __atomic_load_n(&f->modified, __ATOMIC_ACQUIRE) == modified)
      return f->told;
   Changed* c = record(device, inode);
   if (c->modified != modified) c->told = cg2_moment_date();
   c->modified = modified;
   return c->told;
}

/* Who reads a file changes only the time of access, and leaves no trace. */
void cg2_filetimes_tell(ULong device, ULong inode, FileTimes* times)
{
   ULong moment = cg2_repeat_config.epoch * MOMENT_SECOND;
   Bool is_own = times->changed >= files.begin;
   if (times->modified >= files.begin)
      times->modified = moment = told(device, inode, times->modified);
   if (!is_own)
      times->accessed = times->modified;
   else if (times->accessed >= files.begin)
      times->accessed = moment;
   if (times->changed >= files.begin) times->changed = moment;
   if (times->born >= files.begin) times->born = moment;
}

static void note(UWord fd)
{
   struct vki_stat st;
   if (cg2_kernelcall_make(__NR_fstat, fd, (UWord)&st, 0, 0) < 0 ||
       !VKI_S_ISREG(st.st_mode))
      return;
   ULong modified = st.st_mtime * (ULong)MOMENT_SECOND + st.st_mtime_nsec;
   SharedFile* f = shared(st.st_dev, st.st_ino);
   if (f) {
      f->told = cg2_moment_date();
      __atomic_store_n(&f->modified, modified, __ATOMIC_RELEASE);
   } else {
      Changed* c = record(st.st_dev, st.st_ino);
      c->modified = modified;
      c->told = cg2_moment_date();
   }
}

void cg2_filetimes_written(const KernelRequest* call)
{
   if (cg2_call_is_done(call)) note(call->kernel.args[0]);
}

/* A file that was there and is only opened has not changed; told so or so, it
 * has its own time. */
void cg2_filetimes_opened(const KernelRequest* call)
{
   Bool is_at = call->kernel.number == __NR_openat;
   UWord flags = call->kernel.args[is_at ? 2 : 1];
   if (flags & (VKI_O_CREAT | VKI_O_TRUNC) && cg2_call_is_done(call))
      note(cg2_kernelcall_answered(call->tid));
}
