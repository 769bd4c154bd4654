#include "repeat/directories.h"

#include "arch/guestmemory.h"
#include "base/table.h"
#include "pub_tool_vkiscnums.h"
#include "repeat/inodes.h"
#include "repeat/processes.h"

/* An entry as the kernel hands it out. Source: getdents64(2). */
typedef struct DirectoryEntry {
   ULong inode;
   Long next; /* the offset of the entry behind it */
   UShort size;
   UChar type;
   HChar name[];
} DirectoryEntry;

/* A directory that the program reads. */
typedef struct Listing {
   TableNode node;
   UWord fd;
   ULong device, inode;
   Word end;     /* the kernel's offset, where all has been read */
   UChar* bytes; /* all entries, as they came */
   SizeT n_bytes;
   DirectoryEntry** entries; /* sorted */
   UInt n, at;               /* entries, and the next one to be handed out */
   UChar* renamed;           /* those that have another name; NULL: none */
} Listing;

/* Reason for a mutable file-scope object: the directories that are open. */
static Table listings;

static Listing* find(UWord fd)
{
   return (Listing*)cg2_table_first(&listings, cg2_hash_word(0, fd));
}

static void drop(Listing* l)
{
   cg2_table_remove(&listings, &l->node);
   if (l->bytes) VG_(free)(l->bytes);
   if (l->entries) VG_(free)(l->entries);
   if (l->renamed) VG_(free)(l->renamed);
   VG_(free)(l);
}

static Word offset_of(UWord fd)
{
   return cg2_kernelcall_make(__NR_lseek, fd, 0, VKI_SEEK_CUR, 0);
}

/* The listing of what is open as `fd` now; NULL: there is none. A number may
 * have got another file since. */
static Listing* current(UWord fd)
{
   struct vki_stat st;
   Listing* l = find(fd);
   if (!l) return NULL;
   if (cg2_kernelcall_make(__NR_fstat, fd, (UWord)&st, 0, 0) == 0 &&
       st.st_dev == l->device && st.st_ino == l->inode &&
       offset_of(fd) == l->end)
      return l;
   drop(l);
   return NULL;
}

/*--- Reading ------------------------------------------------------------*/

/* Reads all that the kernel says. Its answer to the last question: 0 at the
 * end, or an error. */
static Word read_all(Listing* l)
{
   enum { PIECE = 32768 };
   for (;;) {
      l->bytes = VG_(realloc)("cg2.directory", l->bytes, l->n_bytes + PIECE);
      Word n = cg2_kernelcall_make(__NR_getdents64, l->fd,
                                   (UWord)(l->bytes + l->n_bytes), PIECE, 0);
      if (n <= 0) return n;
      l->n_bytes += n;
   }
}

static Int compare_names(const void* a, const void* b)
{
   return VG_(strcmp)((*(DirectoryEntry* const*)a)->name,
                      (*(DirectoryEntry* const*)b)->name);
}

/* Source: Linux's magic.h: the file system of processes. */
static Bool is_of_processes(UWord fd)
{
   enum { PROC = 0x9fa0, WORDS = 64 };
   UWord about[WORDS];
   return cg2_kernelcall_make(__NR_fstatfs, fd, (UWord)about, 0, 0) == 0 &&
          about[0] == PROC;
}

/* Whether the entries are processes or threads: the directory is /proc, or that
 * of the threads of one. */
static Bool lists_processes(UWord fd)
{
   HChar link[64], path[256];
   if (!is_of_processes(fd)) return False;
   VG_(sprintf)(link, "/proc/self/fd/%lu", fd);
   SSizeT n = VG_(readlink)(link, path, sizeof path - 1);
   path[n > 0 ? n : 0] = '\0';
   const HChar* last = VG_(strrchr)(path, '/');
   return VG_STREQ(path, "/proc") || (last && VG_STREQ(last, "/task"));
}

enum { RENAMED = 32 }; /* bytes of an entry with a number */

/* The entry with the number that the program is told, at `to`; NULL: what it is
 * does not belong to the run. One that is no number stays. */
static DirectoryEntry* rename_process(DirectoryEntry* e, UChar* to)
{
   HChar* end;
   UInt number = VG_(strtoull10)(e->name, &end);
   if (end == e->name || *end) return e;
   UInt told = cg2_processes_told(number);
   DirectoryEntry* renamed = (DirectoryEntry*)to;
   *renamed = *e;
   renamed->size = RENAMED;
   VG_(sprintf)(renamed->name, "%u", told);
   return told ? renamed : NULL;
}

static void rename_processes(Listing* l)
{
   UInt n = 0;
   l->renamed = VG_(calloc)("cg2.directory", l->n + 1, RENAMED);
   for (UInt i = 0; i < l->n; i++) {
      DirectoryEntry* e =
         rename_process(l->entries[i], l->renamed + i * RENAMED);
      if (e) l->entries[n++] = e;
   }
   l->n = n;
}

static void sort(Listing* l)
{
   for (SizeT at = 0; at < l->n_bytes;
        at += ((DirectoryEntry*)(l->bytes + at))->size)
      l->n++;
   l->entries =
      VG_(malloc)("cg2.directory", (l->n + 1) * sizeof(DirectoryEntry*));
   UInt i = 0;
   for (SizeT at = 0; at < l->n_bytes; at += l->entries[i++]->size)
      l->entries[i] = (DirectoryEntry*)(l->bytes + at);
   if (lists_processes(l->fd)) rename_processes(l);
   VG_(ssort)(l->entries, l->n, sizeof(DirectoryEntry*), compare_names);
   for (i = 0; i < l->n; i++) {
      l->entries[i]->next = i + 1;
      l->entries[i]->inode = cg2_inodes_told(l->device, l->entries[i]->inode);
   }
}

/* Reads the directory that is open as `fd`; NULL: *answer is the error. */
static Listing* read_listing(UWord fd, Word* answer)
{
   struct vki_stat st;
   *answer = cg2_kernelcall_make(__NR_fstat, fd, (UWord)&st, 0, 0);
   if (*answer < 0) return NULL;
   Listing* l = VG_(calloc)("cg2.directory", 1, sizeof *l);
   l->fd = fd;
   l->device = st.st_dev;
   l->inode = st.st_ino;
   cg2_table_add(&listings, &l->node, cg2_hash_word(0, fd));
   *answer = read_all(l);
   if (*answer < 0) {
      drop(l);
      return NULL;
   }
   sort(l);
   l->end = offset_of(fd);
   return l;
}

/*--- Calls --------------------------------------------------------------*/

Bool cg2_directories_getdents64(const KernelRequest* call)
{
   const UWord* args = call->kernel.args;
   Word done = 0, answer;
   Listing* l = current(args[0]);
   if (!l) l = read_listing(args[0], &answer);
   if (!l) return cg2_call_answer(call, answer);
   for (; l->at < l->n; l->at++) {
      const DirectoryEntry* e = l->entries[l->at];
      if ((UWord)done + e->size > args[2]) break;
      if (!cg2_guestmemory_write(args[1] + done, e, e->size))
         return cg2_call_answer(call, done ? done : -VKI_EFAULT);
      done += e->size;
   }
   Bool is_too_small = done == 0 && l->at < l->n;
   return cg2_call_answer(call, is_too_small ? -VKI_EINVAL : done);
}

Bool cg2_directories_lseek(const KernelRequest* call)
{
   const UWord* args = call->kernel.args;
   Listing* l = find(args[0]) ? current(args[0]) : NULL;
   if (!l || args[2] > VKI_SEEK_CUR) return False;
   Word to = args[1] + (args[2] == VKI_SEEK_CUR ? l->at : 0);
   if (to < 0) return cg2_call_answer(call, -VKI_EINVAL);
   /* From its start on, a directory is read anew. */
   if (to == 0) {
      drop(l);
      return False;
   }
   l->at = to < l->n ? to : l->n;
   return cg2_call_answer(call, to);
}
