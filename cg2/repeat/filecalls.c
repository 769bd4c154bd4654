#include "repeat/filecalls.h"

#include "arch/guestmemory.h"
#include "base/table.h"
#include "pub_tool_vkiscnums.h"
#include "repeat/machinefiles.h"

/*--- Files of the tool's own --------------------------------------------*/

enum { PATH_MAX = 4096 };

/* Source: memfd_create(2), and asm-generic/fcntl.h: a file without a name,
 * which is closed by exec if 1 is said. */
static Bool open_text(const KernelRequest* call, const HChar* text, UWord flags)
{
   enum { CLOSES_ON_EXEC = 02000000 };
   UWord closes = flags & CLOSES_ON_EXEC ? 1 : 0;
   Word fd =
      cg2_kernelcall_make(__NR_memfd_create, (UWord) "cg2", closes, 0, 0);
   if (fd < 0) return cg2_call_answer(call, fd);
   cg2_kernelcall_make(__NR_write, fd, (UWord)text, VG_(strlen)(text), 0);
   cg2_kernelcall_make(__NR_lseek, fd, 0, VKI_SEEK_SET, 0);
   return cg2_call_answer(call, fd);
}

static Bool open_path(const KernelRequest* call, Addr path, UWord flags)
{
   if (flags & VKI_O_ACCMODE) return False;
   HChar* name = cg2_guestmemory_text(path, PATH_MAX);
   HChar* text = name ? cg2_machinefiles_text(name) : NULL;
   Bool is_ours = text && open_text(call, text, flags);
   if (text) VG_(free)(text);
   if (name) VG_(free)(name);
   return is_ours;
}

Bool cg2_filecalls_open(const KernelRequest* call)
{
   return open_path(call, call->kernel.args[0], call->kernel.args[1]);
}

Bool cg2_filecalls_openat(const KernelRequest* call)
{
   return open_path(call, call->kernel.args[1], call->kernel.args[2]);
}

/*--- Inodes and devices -------------------------------------------------*/

enum { FIRST_NUMBER = 1000 };

typedef struct Seen {
   TableNode node;
   ULong device, inode; /* inode 0: the device itself */
   ULong told;
} Seen;

/* Reason for a mutable file-scope object: what the process has seen. */
static Table seen;

static ULong number_of(ULong device, ULong inode)
{
   ULong hash = cg2_hash_word(cg2_hash_word(0, device), inode);
   for (TableNode* n = cg2_table_first(&seen, hash); n; n = cg2_table_next(n)) {
      const Seen* s = (const Seen*)n;
      if (s->device == device && s->inode == inode) return s->told;
   }
   Seen* s = VG_(malloc)("cg2.seen", sizeof *s);
   *s = (Seen){.device = device, .inode = inode};
   s->told = FIRST_NUMBER + seen.n_nodes;
   cg2_table_add(&seen, &s->node, hash);
   return s->told;
}

ULong cg2_filecalls_inode(ULong device, ULong inode)
{
   return number_of(device, inode ? inode : ~0ULL);
}

enum { BLOCK = 4096, SECTOR = 512 };

static ULong sectors(ULong size)
{
   return (size + SECTOR - 1) / SECTOR;
}

static void change_stat(const KernelRequest* call, Addr at)
{
   struct vki_stat st;
   if (!cg2_call_is_done(call) ||
       cg2_guestmemory_read(&st, at, sizeof st) < sizeof st)
      return;
   ULong device = st.st_dev;
   st.st_dev = number_of(device, 0);
   st.st_ino = cg2_filecalls_inode(device, st.st_ino);
   st.st_blksize = BLOCK;
   st.st_blocks = sectors(st.st_size);
   cg2_guestmemory_write(at, &st, sizeof st);
}

void cg2_filecalls_stat(const KernelRequest* call)
{
   change_stat(call, call->kernel.args[1]);
}

void cg2_filecalls_newfstatat(const KernelRequest* call)
{
   change_stat(call, call->kernel.args[2]);
}

/* Source: statx(2). */
typedef struct Statx {
   UInt mask, block;
   ULong attributes;
   UInt owners[4]; /* links, user, group, mode */
   ULong inode, size, blocks, known_attributes;
   Long times[8];
   UInt special[2];
   UInt major, minor;
} Statx;

void cg2_filecalls_statx(const KernelRequest* call)
{
   Statx st;
   Addr at = call->kernel.args[4];
   if (!cg2_call_is_done(call) ||
       cg2_guestmemory_read(&st, at, sizeof st) < sizeof st)
      return;
   /* The device as struct stat has it, so that both give the same number. */
   ULong device = (st.minor & 0xff) | (ULong)(st.major & 0xfff) << 8 |
                  (ULong)(st.minor & ~0xffU) << 12;
   ULong told = number_of(device, 0);
   st.inode = cg2_filecalls_inode(device, st.inode);
   st.major = told >> 8 & 0xfff;
   st.minor = told & 0xff;
   st.block = BLOCK;
   st.blocks = sectors(st.size);
   cg2_guestmemory_write(at, &st, sizeof st);
}
