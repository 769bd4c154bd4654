#include "repeat/procpaths.h"

#include "arch/guestmemory.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_vkiscnums.h"
#include "repeat/processes.h"

enum { PATH_MAX = 4096, NUMBER_MAX = 10 };

/*--- Numbers in a path --------------------------------------------------*/

static Bool is_digit(HChar c)
{
   return c >= '0' && c <= '9';
}

/* Copies one part of a path, with the real number if it is one; where the copy
 * and the part end. */
typedef struct Copy {
   HChar* to;
   const HChar* from;
} Copy;

static Bool is_number(const HChar* part)
{
   SizeT n = 0;
   while (is_digit(part[n]))
      n++;
   return n > 0 && n < NUMBER_MAX && (part[n] == '/' || part[n] == '\0');
}

static Copy copy_number(Copy copy)
{
   HChar* end;
   UInt number = VG_(strtoull10)(copy.from, &end);
   return (Copy){
      copy.to + VG_(sprintf)(copy.to, "%u", cg2_processes_real(number)), end};
}

/* Copies up to the next slash and over it. */
static Copy copy_part(Copy copy)
{
   if (is_number(copy.from)) copy = copy_number(copy);
   while (*copy.from && *copy.from != '/')
      *copy.to++ = *copy.from++;
   while (*copy.from == '/')
      *copy.to++ = *copy.from++;
   return copy;
}

static Bool begins(const HChar* text, const HChar* with)
{
   return VG_(strncmp)(text, with, VG_(strlen)(with)) == 0;
}

HChar* cg2_procpaths_real(const HChar* path)
{
   static const HChar proc[] = "/proc/", task[] = "task/";
   if (!begins(path, proc)) return NULL;
   HChar* text =
      VG_(malloc)("cg2.procpaths", VG_(strlen)(path) + 2 * NUMBER_MAX + 1);
   VG_(strcpy)(text, proc);
   Copy copy = {text + sizeof proc - 1, path + sizeof proc - 1};
   copy = copy_part(copy);
   if (begins(copy.from, task)) copy = copy_part(copy_part(copy));
   VG_(strcpy)(copy.to, copy.from);
   if (!VG_STREQ(text, path)) return text;
   VG_(free)(text);
   return NULL;
}

/*--- Relative paths -----------------------------------------------------*/

/* Source: openat(2): the working directory. */
enum { WORKING_DIRECTORY = -100 };

/* Writes where a directory is, with the told number; where that ends. NULL: it
 * is not in /proc, or is that of a process outside. */
static HChar* write_directory(HChar* to, Int directory)
{
   static const HChar proc[] = "/proc";
   HChar link[64], at[PATH_MAX];
   if (directory == WORKING_DIRECTORY)
      VG_(strcpy)(link, "/proc/self/cwd");
   else
      VG_(sprintf)(link, "/proc/self/fd/%d", directory);
   SSizeT n = VG_(readlink)(link, at, sizeof at - 1);
   at[n > 0 ? n : 0] = '\0';
   const HChar* behind = at + sizeof proc - 1;
   if (!begins(at, proc) || (*behind != '/' && *behind != '\0')) return NULL;
   to += VG_(sprintf)(to, "%s/", proc);
   if (*behind == '\0') return to;
   if (is_number(++behind)) {
      HChar* end;
      UInt told = cg2_processes_told(VG_(strtoull10)(behind, &end));
      if (!told) return NULL;
      to += VG_(sprintf)(to, "%u", told);
      behind = end;
   }
   return to + VG_(sprintf)(to, "%s/", behind);
}

/* A path that the program says relative to a directory of /proc, as one that
 * begins with /proc/; NULL: it is another path. */
static HChar* absolute_of(Int directory, const HChar* path)
{
   if (*path == '/' || *path == '\0') return NULL;
   SizeT room = PATH_MAX + 2 * NUMBER_MAX + VG_(strlen)(path) + 1;
   HChar* text = VG_(malloc)("cg2.procpaths", room);
   HChar* end = write_directory(text, directory);
   if (end) {
      VG_(strcpy)(end, path);
      return text;
   }
   VG_(free)(text);
   return NULL;
}

/*--- Arguments ----------------------------------------------------------*/

/* Which argument is the path; -1: none is. */
static Int path_in(UWord number)
{
   switch (number) {
   case __NR_open:
   case __NR_stat:
   case __NR_lstat:
   case __NR_access:
   case __NR_readlink:
   case __NR_chdir:
   case __NR_statfs:
      return 0;
   case __NR_openat:
   case __NR_newfstatat:
   case __NR_statx:
   case __NR_faccessat:
   case __NR_faccessat2:
   case __NR_readlinkat:
      return 1;
   default:
      return -1;
   }
}

/* Source: System V ABI for AMD64, 3.2.2: the red zone. */
static Addr below_stack(ThreadId tid, SizeT n)
{
   enum { RED_ZONE = 128, ROOM = 16 };
   return (VG_(get_SP)(tid) - RED_ZONE - n) / ROOM * ROOM;
}

HChar* cg2_procpaths_said(const KernelRequest* call, UInt i)
{
   const UWord* args = call->kernel.args;
   HChar* path = cg2_guestmemory_text(args[i], PATH_MAX);
   Int directory = i > 0 ? (Int)args[i - 1] : WORKING_DIRECTORY;
   HChar* absolute = path ? absolute_of(directory, path) : NULL;
   if (!absolute) return path;
   VG_(free)(path);
   return absolute;
}

void cg2_procpaths_enter_kernel(const KernelRequest* call, CallLoan* loan)
{
   Int i = path_in(call->kernel.number);
   HChar* path = i < 0 ? NULL : cg2_procpaths_said(call, i);
   HChar* other = path ? cg2_procpaths_real(path) : NULL;
   if (other) {
      SizeT n = VG_(strlen)(other) + 1;
      Addr at = below_stack(call->tid, n);
      if (cg2_call_lend(loan, at, other, n))
         cg2_kernelcall_set_arg(call->tid, i, at);
      VG_(free)(other);
   }
   if (path) VG_(free)(path);
}

void cg2_procpaths_leave_kernel(const KernelRequest* call)
{
   Int i = path_in(call->kernel.number);
   if (i >= 0) cg2_kernelcall_set_arg(call->tid, i, call->kernel.args[i]);
}

/*--- Links --------------------------------------------------------------*/

static Bool answer_link(const KernelRequest* call, UInt path_arg)
{
   const UWord* args = call->kernel.args;
   HChar text[64];
   HChar* path = cg2_procpaths_said(call, path_arg);
   UInt own = cg2_processes_own();
   SizeT n = 0;
   if (path && VG_STREQ(path, "/proc/self")) n = VG_(sprintf)(text, "%u", own);
   if (path && VG_STREQ(path, "/proc/thread-self"))
      n = VG_(sprintf)(text, "%u/task/%u", own,
                       cg2_processes_told(VG_(gettid)()));
   if (path) VG_(free)(path);
   if (n == 0) return False;
   SizeT room = (Int)args[path_arg + 2] > 0 ? args[path_arg + 2] : 0;
   if (room == 0) return cg2_call_answer(call, -VKI_EINVAL);
   if (n > room) n = room;
   return cg2_call_hand_out(call, args[path_arg + 1], text, n, n);
}

Bool cg2_procpaths_readlink(const KernelRequest* call)
{
   return answer_link(call, 0);
}

Bool cg2_procpaths_readlinkat(const KernelRequest* call)
{
   return answer_link(call, 1);
}
