#include "repeat/processfiles.h"

#include "pub_tool_libcfile.h"
#include "repeat/processes.h"
#include "repeat/procpaths.h"
#include "repeat/users.h"

enum { TEXT_MAX = 8192, ROOM = 2 * TEXT_MAX };

/* What the kernel says; NULL: nothing. The caller frees it. */
static HChar* real_text(const HChar* path)
{
   HChar* real = cg2_procpaths_real(path);
   SysRes file = VG_(open)(real ? real : path, VKI_O_RDONLY, 0);
   if (real) VG_(free)(real);
   if (sr_isError(file)) return NULL;
   HChar* text = VG_(malloc)("cg2.processfiles", TEXT_MAX);
   Int n = VG_(read)(sr_Res(file), text, TEXT_MAX - 1);
   VG_(close)(sr_Res(file));
   text[n > 0 ? n : 0] = '\0';
   return text;
}

static UInt told(Long id)
{
   return id > 0 ? cg2_processes_told(id) : 0;
}

/*--- stat ---------------------------------------------------------------*/

/* Source: proc(5). Behind the name, in parentheses, are a letter and 49
 * numbers; of them the first three are the parent, the group and the session,
 * and the 17th says how many threads there are. */
static HChar* stat_text(const HChar* real)
{
   enum { LAST = 49, PARENT = 1, GROUP = 2, SESSION = 3, THREADS = 17 };
   const HChar* name_end = VG_(strrchr)(real, ')');
   if (!name_end || name_end[1] == '\0') return NULL;
   const HChar* name = VG_(strchr)(real, '(');
   HChar* text = VG_(malloc)("cg2.processfiles", ROOM);
   HChar* end =
      text + VG_(sprintf)(text, "%u ", told(VG_(strtoll10)(real, NULL)));
   while (name <= name_end)
      *end++ = *name++;
   end += VG_(sprintf)(end, " %c", name_end[2]);
   HChar* next = (HChar*)name_end + 3;
   for (UInt i = 1; i <= LAST; i++) {
      Long number = VG_(strtoll10)(next, &next), is = 0;
      if (i == PARENT) is = cg2_processes_told_parent(number);
      if (i == GROUP) is = cg2_processes_told_group(number);
      if (i == SESSION) is = cg2_processes_told_session(number);
      if (i == THREADS) is = number;
      end += VG_(sprintf)(end, " %lld", is);
   }
   VG_(strcpy)(end, "\n");
   return text;
}

/*--- status -------------------------------------------------------------*/

/* What becomes of a line: it is kept, its numbers are told ones, or they are 0.
 * What has no row, as what the tool's memory and signals are like, is left
 * out of status, and kept elsewhere. */
typedef struct StatusRow {
   const HChar* name;
   HChar letter; /* p, o, u and g as in ids.c, 0: nothing, "=": it is kept, "-":
                    it is left out */
} StatusRow;

static const StatusRow status_rows[] = {
   {"Name", '='},
   {"Umask", '='},
   {"State", '='},
   {"Tgid", 'p'},
   {"Ngid", '0'},
   {"Pid", 'p'},
   {"NSpid", '-'},
   {"PPid", 'o'},
   {"TracerPid", 'p'},
   {"Uid", 'u'},
   {"Gid", 'g'},
   {"VmPeak", '0'},
   {"VmSize", '0'},
   {"VmHWM", '0'},
   {"VmRSS", '0'},
   {"VmData", '0'},
   {"VmSwap", '0'},
   {"Threads", '='},
   {"voluntary_ctxt_switches", '0'},
   {"nonvoluntary_ctxt_switches", '0'},
   {"mnt_id", '0'},
   {"ino", '0'},
};

static UInt other(HChar letter, UInt number)
{
   switch (letter) {
   case 'p':
      return told(number);
   case 'o':
      return cg2_processes_told_parent(number);
   case 'u':
      return cg2_users_user(number);
   default:
      return cg2_users_group(number);
   }
}

static HChar letter_of(const HChar* line)
{
   for (UInt i = 0; i < sizeof status_rows / sizeof *status_rows; i++) {
      SizeT n = VG_(strlen)(status_rows[i].name);
      if (VG_(strncmp)(line, status_rows[i].name, n) == 0 && line[n] == ':')
         return status_rows[i].letter;
   }
   return '\0';
}

/* A line that says 0 of what it says. */
static HChar* zero_line(HChar* to, const HChar* line, const HChar* end)
{
   Bool is_size = end - line > 4 && VG_(strncmp)(end - 4, " kB\n", 4) == 0;
   while (*line != ':')
      *to++ = *line++;
   return to + VG_(sprintf)(to, is_size ? ":\t       0 kB\n" : ":\t0\n");
}

/* Copies a line with other numbers in place of those that it has. */
static HChar*
copy_line(HChar* to, const HChar* line, const HChar* end, HChar letter)
{
   if (letter == '0') return zero_line(to, line, end);
   while (line < end) {
      if (letter != '=' && *line >= '0' && *line <= '9') {
         HChar* behind;
         UInt number = VG_(strtoull10)(line, &behind);
         to += VG_(sprintf)(to, "%u", other(letter, number));
         line = behind;
      } else {
         *to++ = *line++;
      }
   }
   return to;
}

/* The lines, each as its letter says; `others` is that of lines without a row.
 */
static HChar* change_lines(const HChar* real, HChar others)
{
   HChar* text = VG_(malloc)("cg2.processfiles", ROOM);
   HChar* to = text;
   while (*real) {
      const HChar* end = VG_(strchr)(real, '\n');
      end = end ? end + 1 : real + VG_(strlen)(real);
      HChar letter = letter_of(real);
      if (!letter) letter = others;
      if (letter != '-') to = copy_line(to, real, end, letter);
      real = end;
   }
   *to = '\0';
   return text;
}

static HChar* status_text(const HChar* real)
{
   return change_lines(real, '-');
}

/*--- Memory and files ---------------------------------------------------*/

/* Source: proc(5): how many pages of memory there are, of seven kinds. */
static HChar* statm_text(const HChar* real)
{
   (void)real;
   return VG_(strdup)("cg2.processfiles", "0 0 0 0 0 0 0\n");
}

/* Source: pidfd_open(2): what is said of a file that stands for a process. */
static HChar* fdinfo_text(const HChar* real)
{
   return VG_(strstr)(real, "\nPid:") ? change_lines(real, '=') : NULL;
}

/*--- All ----------------------------------------------------------------*/

static Bool begins(const HChar* text, const HChar* with)
{
   return VG_(strncmp)(text, with, VG_(strlen)(with)) == 0;
}

Bool cg2_processfiles_names(const HChar* path)
{
   static const HChar proc[] = "/proc/";
   const HChar* which = path + sizeof proc - 1;
   return begins(path, proc) &&
          ((*which >= '0' && *which <= '9') || begins(which, "self/") ||
           begins(which, "thread-self/"));
}

HChar* cg2_processfiles_text(const HChar* path)
{
   const HChar* name = VG_(strrchr)(path, '/');
   HChar* (*change)(const HChar*) = NULL;
   if (!name || !cg2_processfiles_names(path)) return NULL;
   if (VG_STREQ(name, "/stat")) change = stat_text;
   if (VG_STREQ(name, "/statm")) change = statm_text;
   if (VG_STREQ(name, "/status")) change = status_text;
   if (VG_(strstr)(path, "/fdinfo/")) change = fdinfo_text;
   HChar* real = change ? real_text(path) : NULL;
   HChar* text = real ? change(real) : NULL;
   if (real) VG_(free)(real);
   return text;
}
