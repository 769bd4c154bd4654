#include "profile/dump.h"

#include "code/symbols.h"
#include "engine/thread.h"
#include "engine/threads.h"
#include "profile/perfmap.h"
#include "pub_tool_clientstate.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_options.h"
#include "pub_tool_xarray.h"

/* Reason for a mutable file-scope object: configuration. */
DumpConfig cg2_dump_config = {
   .out_file = "cg2.out.%p",
   .out_option = "--cg2-out-file",
   .writer = {.view = {.by_line = True, .by_instr = False},
              .compress_strings = True,
              .compress_positions = True},
};

/* Reason for a mutable file-scope object: parts of one process. */
static struct {
   UInt n;             /* that were written */
   Bool is_taken;      /* the next one has been written for some thread */
   ULong zeroed;       /* blocks that no context counts any more */
   ULong* first_block; /* of each thread's next part; [0]: of all threads' */
   UInt n_threads;     /* in first_block */
   Cost total;         /* of those that were written */
   HChar* name;        /* the pattern expanded for this process, or NULL */
   HChar* path;        /* its profile: `name`, or one of its own beside that */
   Int parent;         /* that forked it, or 0 */
   Int pid;            /* its own */
   HChar* exec_path; /* what was written because the program is being replaced,
                        or NULL */
   ULong file;       /* inode of the one that all parts are in; 0: none yet */
   ULong file_size;  /* of the parts that are to stay in it */
} parts;

/* Reason for a mutable file-scope object: lines for the headers of all parts to
 * come, also of a child's; NULL: none. */
static HChar* descriptions;

/*--- Paths --------------------------------------------------------------*/

/* Valgrind does not name these. Source: Linux's errno numbers. */
enum { NAME_TOO_LONG = 36, TOO_MANY_LINKS = 40, OVER_QUOTA = 122 };

/* What the kernel answers when a file cannot be written. Source: errno(3). */
static const HChar* reason(Int error)
{
   switch (error) {
   case VKI_EPERM:
      return "Operation not permitted";
   case VKI_ENOENT:
      return "No such file or directory";
   case VKI_EIO:
      return "Input/output error";
   case VKI_EACCES:
      return "Permission denied";
   case VKI_ENOTDIR:
      return "Not a directory";
   case VKI_EISDIR:
      return "Is a directory";
   case VKI_EMFILE:
      return "Too many open files";
   case VKI_ENOSPC:
      return "No space left on device";
   case VKI_EROFS:
      return "Read-only file system";
   case VKI_EFBIG:
      return "File too large";
   case VKI_EPIPE:
      return "Broken pipe";
   case NAME_TOO_LONG:
      return "File name too long";
   case TOO_MANY_LINKS:
      return "Too many levels of symbolic links";
   case OVER_QUOTA:
      return "Disk quota exceeded";
   default:
      return NULL;
   }
}

static void print_failure(const HChar* path, Int error)
{
   const HChar* why = reason(error);
   if (why)
      VG_(umsg)("error: cannot write the profile '%s': %s\n", path, why);
   else
      VG_(umsg)("error: cannot write the profile '%s': error %d\n", path,
                error);
}

/* The n-th program of its process that was replaced, to be freed. */
static HChar* path_of_image(const HChar* path, UInt n)
{
   HChar* image = VG_(malloc)("cg2.path", VG_(strlen)(path) + 24);
   VG_(sprintf)(image, "%s.exec%u", path, n);
   return image;
}

static Bool exists(const HChar* path)
{
   struct vg_stat st;
   return !sr_isError(VG_(stat)(path, &st));
}

/* Of a process that would overwrite its parent's profile, to be freed. */
static HChar* path_of_child(const HChar* name)
{
   HChar* path = VG_(malloc)("cg2.path", VG_(strlen)(name) + 24);
   VG_(sprintf)(path, "%s.pid%d", name, VG_(getpid)());
   return path;
}

/* Whether this program replaces one that had a path as a child. */
static Bool replaces_child(const HChar* name)
{
   HChar* child = path_of_child(name);
   HChar* image = path_of_image(child, 1);
   Bool is_one = exists(image);
   VG_(free)(child);
   VG_(free)(image);
   return is_one;
}

/* `parents_name` is NULL in a process that was not forked. */
static void name_profile(const HChar* parents_name)
{
   parts.name = VG_(expand_file_name)(cg2_dump_config.out_option,
                                      cg2_dump_config.out_file);
   Bool is_taken = parents_name ? VG_STREQ(parents_name, parts.name)
                                : replaces_child(parts.name);
   parts.path = is_taken && cg2_sink_replaces(parts.name)
                   ? path_of_child(parts.name)
                   : VG_(strdup)("cg2.path", parts.name);
}

/* Once per process, as %n counts the expansions. */
static const HChar* out_path(void)
{
   if (!parts.path) name_profile(NULL);
   return parts.path;
}

/* 0, or the errno with which the file would fail to be written. */
static Int try_path(const HChar* path)
{
   struct vg_stat st;
   SysRes res = VG_(stat)(path, &st);
   if (!sr_isError(res) && VKI_S_ISDIR(st.mode)) return VKI_EISDIR;
   if (!cg2_sink_replaces(path)) return 0;
   HChar* beside = cg2_sink_beside(path);
   res =
      VG_(open)(beside, VKI_O_WRONLY | VKI_O_CREAT, VKI_S_IRUSR | VKI_S_IWUSR);
   if (!sr_isError(res)) {
      VG_(close)(sr_Res(res));
      VG_(unlink)(beside);
   }
   VG_(free)(beside);
   return sr_isError(res) ? sr_Err(res) : 0;
}

void cg2_dump_check_path(void)
{
   Int error = try_path(out_path());
   if (!error) return;
   print_failure(out_path(), error);
   VG_(exit)(1);
}

/*--- Header -------------------------------------------------------------*/

static SizeT escaped_size(const HChar* text)
{
   SizeT n = 0;
   for (; *text; text++)
      n += *text == '\n' || *text == '\\' ? 2 : 1;
   return n;
}

static HChar* append_escaped(HChar* to, const HChar* text)
{
   for (; *text; text++) {
      if (*text == '\n' || *text == '\\') *to++ = '\\';
      *to++ = *text == '\n' ? 'n' : *text;
   }
   return to;
}

/* The program and its arguments, to be freed. */
static HChar* command_line(void)
{
   XArray* args = VG_(args_for_client);
   Int n_args = VG_(sizeXA)(args);
   const HChar* program = VG_(args_the_exename);
   SizeT size = escaped_size(program) + 1;
   for (Int i = 0; i < n_args; i++)
      size += 1 + escaped_size(*(HChar**)VG_(indexXA)(args, i));
   HChar* line = VG_(malloc)("cg2.command", size);
   HChar* end = append_escaped(line, program);
   for (Int i = 0; i < n_args; i++) {
      *end++ = ' ';
      end = append_escaped(end, *(HChar**)VG_(indexXA)(args, i));
   }
   *end = '\0';
   return line;
}

static Bool has_type(const HChar* text)
{
   while (*text == ' ' || *text == '\t')
      text++;
   return *text != ':' && VG_(strchr)(text, ':');
}

void cg2_dump_describe(const HChar* text)
{
   SizeT n = descriptions ? VG_(strlen)(descriptions) : 0;
   HChar* lines = VG_(malloc)("cg2.descriptions", n + escaped_size(text) + 20);
   HChar* line = lines + n;
   VG_(memcpy)(lines, descriptions, n);
   HChar* end =
      line + VG_(sprintf)(line, has_type(text) ? "desc: " : "desc: Note: ");
   end = append_escaped(end, text);
   VG_(strcpy)(end, "\n");
   if (descriptions && VG_(strstr)(descriptions, line)) {
      VG_(free)(lines);
      return;
   }
   if (descriptions) VG_(free)(descriptions);
   descriptions = lines;
}

static void resolve_all(void)
{
   const Table* blocks = &cg2_blocks.all;
   for (UWord i = 0; i < blocks->n_buckets; i++)
      for (TableNode* n = blocks->buckets[i]; n; n = n->next)
         cg2_symbols_resolve((Block*)n);
}

/*--- Writing ------------------------------------------------------------*/

/* 0 or an errno. */
static Int
write_to(const HChar* path, const WriterHeader* header, const ULong* total)
{
   Sink* sink = VG_(malloc)("cg2.sink", sizeof *sink);
   Int error = header->follows ? cg2_sink_open_behind(sink, path, out_path(),
                                                      parts.file_size)
                               : cg2_sink_open(sink, path);
   if (!error) {
      Cost sum = cg2_writer_write(sink, &cg2_dump_config.writer, header, total);
      error = cg2_sink_finish(sink);
      for (UInt e = 0; e < cg2_event_count; e++)
         tl_assert(sum.of[e] == total[e]);
   }
   VG_(free)(sink);
   return error;
}

static HChar* path_in_tmpdir(UInt thread)
{
   const HChar* dir = VG_(tmpdir)();
   HChar* path = VG_(malloc)("cg2.path", VG_(strlen)(dir) + 40);
   HChar* end = path + VG_(sprintf)(path, "%s/cg2.out.%d", dir, VG_(getpid)());
   if (thread) VG_(sprintf)(end, "-%02u", thread);
   return path;
}

static void print_lost(const WriterHeader* header)
{
   VG_(umsg)("error: the profile is lost");
   if (header->part > 1) VG_(umsg)(": part %u", header->part);
   if (header->thread) VG_(umsg)(", thread %u", header->thread);
   VG_(umsg)("\n");
}

static void write_to_tmpdir(const WriterHeader* header, const ULong* total)
{
   HChar* path = path_in_tmpdir(header->thread);
   WriterHeader alone = *header;
   alone.follows = False;
   Int error = write_to(path, &alone, total);
   if (error) {
      print_failure(path, error);
      print_lost(header);
   } else
      VG_(umsg)("the profile was written to '%s' instead\n", path);
   VG_(free)(path);
}

/* How many blocks have run. */
static ULong blocks(UInt thread)
{
   return cg2_view_count_blocks(thread) + cg2_threads_sums(thread).n_skips;
}

static ULong* first_block(UInt thread)
{
   if (thread >= parts.n_threads) {
      UInt n = 2 * (thread + 1);
      parts.first_block = VG_(realloc)("cg2.parts", parts.first_block,
                                       n * sizeof *parts.first_block);
      VG_(memset)(parts.first_block + parts.n_threads, 0,
                  (n - parts.n_threads) * sizeof *parts.first_block);
      parts.n_threads = n;
   }
   return &parts.first_block[thread];
}

static void zero(UInt thread)
{
   ULong now = parts.zeroed + blocks(0);
   *first_block(thread) = now;
   for (UInt t = 1; thread == 0 && t < parts.n_threads; t++)
      parts.first_block[t] = now;
   parts.zeroed += blocks(thread);
   cg2_threads_zero(thread);
}

/*--- Programs that replace each other -----------------------------------*/

/* Whether a program that this one is replaced by is profiled, too. */
static Bool are_children_traced(void)
{
   Bool is_traced = False;
   for (Int i = 0; i < VG_(sizeXA)(VG_(args_for_valgrind)); i++) {
      const HChar* arg = *(HChar**)VG_(indexXA)(VG_(args_for_valgrind), i);
      if (VG_STREQ(arg, "--trace-children=yes")) is_traced = True;
      if (VG_STREQ(arg, "--trace-children=no")) is_traced = False;
   }
   return is_traced;
}

/* One more than what the programs before have left. */
static UInt next_image(void)
{
   UInt n = 0;
   Bool is_taken = True;
   while (is_taken) {
      HChar* path = path_of_image(out_path(), ++n);
      is_taken = exists(path);
      VG_(free)(path);
   }
   return n;
}

static UInt image(void)
{
   UInt n = are_children_traced() ? next_image() : 0;
   return n > 1 || parts.exec_path ? n : 0;
}

/* The file of a part, to be freed. `part` is 0 for the last one, `thread` if it
 * is of all threads. The programs of a process number their parts alike. */
static HChar* path_of(UInt part, UInt thread)
{
   if (cg2_dump_config.is_combined) return VG_(strdup)("cg2.path", out_path());
   UInt n = part ? image() : 0;
   HChar* base = n > 1 ? path_of_image(out_path(), n)
                       : VG_(strdup)("cg2.path", out_path());
   HChar* path = VG_(malloc)("cg2.path", VG_(strlen)(base) + 24);
   HChar* end = path + VG_(sprintf)(path, "%s", base);
   if (part) end += VG_(sprintf)(end, ".%u", part);
   if (thread) VG_(sprintf)(end, "-%02u", thread);
   VG_(free)(base);
   return path;
}

/*--- All parts in one file ----------------------------------------------*/

/* The next part goes behind others, unless somebody else has put another file
 * in their place. */
static Bool goes_on(void)
{
   if (!parts.file) return False;
   struct vg_stat st;
   return !cg2_sink_replaces(out_path()) ||
          (!sr_isError(VG_(stat)(out_path(), &st)) && st.ino == parts.file);
}

/* A part was written to the one file. One that is written in front of an exec
 * only stays if that succeeds. */
static void note_file(void)
{
   struct vg_stat st;
   if (!cg2_dump_config.is_combined) return;
   if (sr_isError(VG_(stat)(out_path(), &st))) return;
   parts.file = st.ino;
   if (!parts.exec_path) parts.file_size = st.size;
}

/* Takes away what was written behind the parts that stay. */
static void cut_file(void)
{
   Sink* sink = VG_(malloc)("cg2.sink", sizeof *sink);
   Int error =
      cg2_sink_open_behind(sink, out_path(), out_path(), parts.file_size);
   if (!error) error = cg2_sink_finish(sink);
   if (error) print_failure(out_path(), error);
   VG_(free)(sink);
   note_file();
}

/*--- One part -----------------------------------------------------------*/

/* Writes a part of one thread, or, for 0, of all. False if that failed, which
 * was said then. */
static Bool write_part(const HChar* trigger, UInt thread, Bool is_last)
{
   Cost total = cg2_threads_sums(thread).total;
   HChar* command = command_line();
   WriterHeader header = {
      .creator = "callgrind-cg2-" CG2_VERSION,
      .command = command,
      .pid = VG_(getpid)(),
      .part = parts.n + 1,
      .thread = thread,
      .parent = parts.parent,
      .image = image(),
      .first_block = *first_block(thread),
      .last_block = parts.zeroed + blocks(0),
      .trigger = trigger,
      .descriptions = descriptions,
      .caches = {cg2_dump_config.caches[0], cg2_dump_config.caches[1],
                 cg2_dump_config.caches[2]},
      .follows = cg2_dump_config.is_combined && goes_on(),
   };
   HChar* path = parts.exec_path ? VG_(strdup)("cg2.path", parts.exec_path)
                                 : path_of(is_last ? 0 : parts.n + 1, thread);
   Int error = write_to(path, &header, total.of);
   if (error) {
      print_failure(path, error);
      if (is_last) write_to_tmpdir(&header, total.of);
   } else {
      note_file();
      if (VG_(clo_verbosity) > 1) VG_(umsg)("Dump to %s\n", path);
   }
   VG_(free)(path);
   VG_(free)(command);
   return error == 0;
}

/*--- Parts --------------------------------------------------------------*/

static Bool is_apart(void)
{
   return cg2_thread_config.are_threads_apart;
}

/* Writes a part that is not the last of one thread, or, for 0, of all, which
 * then start from zero. Its number is taken. */
static Bool write_one(const HChar* trigger, UInt thread)
{
   Cost total = cg2_threads_sums(thread).total;
   if (!write_part(trigger, thread, False)) return False;
   cg2_cost_add(parts.total.of, total.of);
   zero(thread);
   parts.is_taken = True;
   return True;
}

static Bool write_either(const HChar* trigger, UInt thread, Bool is_last)
{
   return is_last ? write_part(trigger, thread, True)
                  : write_one(trigger, thread);
}

/* Writes a part for each thread that has costs, or, if none has, of the first.
 */
static Bool write_each(const HChar* trigger, Bool is_last)
{
   Bool is_written = True, has_any = False;
   for (UInt tid = 1; tid <= cg2_threads_last(); tid++) {
      Cost total = cg2_threads_sums(tid).total;
      if (cg2_cost_is_zero(total.of)) continue;
      has_any = True;
      Bool is_good = write_either(trigger, tid, is_last);
      is_written = is_written && is_good;
   }
   return has_any ? is_written : write_either(trigger, 1, is_last);
}

/* Puts down what open calls and pending stubs cost. */
static void settle(void)
{
   cg2_threads_flush();
   resolve_all();
   cg2_perfmap_name_functions(VG_(clo_verbosity) > 1);
}

Bool cg2_dump_part(const HChar* trigger, DumpScope scope)
{
   settle();
   Bool is_written = !is_apart() ? write_one(trigger, 0)
                     : scope == DUMP_THREAD
                        ? write_one(trigger, cg2_threads_running())
                        : write_each(trigger, False);
   parts.n += parts.is_taken;
   parts.is_taken = False;
   if (!is_written)
      VG_(umsg)("nothing is lost: its costs go into the next part\n");
   return is_written;
}

Bool cg2_dump_last(const HChar* trigger, Cost* total)
{
   settle();
   Cost unwritten = cg2_threads_sums(0).total;
   *total = parts.total;
   cg2_cost_add(total->of, unwritten.of);
   return is_apart() ? write_each(trigger, True) : write_part(trigger, 0, True);
}

UInt cg2_dump_count(void)
{
   return parts.n;
}

void cg2_dump_zero(DumpScope scope)
{
   zero(is_apart() && scope == DUMP_THREAD ? cg2_threads_running() : 0);
}

/* Where nothing comes after it, as at the end of the run. */
void cg2_dump_replaced(const HChar* program)
{
   HChar* trigger = VG_(malloc)("cg2.trigger", escaped_size(program) + 8);
   HChar* end = trigger + VG_(sprintf)(trigger, "exec ");
   *append_escaped(end, program) = '\0';
   parts.exec_path = are_children_traced()
                        ? path_of_image(out_path(), next_image())
                        : VG_(strdup)("cg2.path", out_path());
   settle();
   write_part(trigger, 0, True);
   VG_(free)(trigger);
}

void cg2_dump_not_replaced(void)
{
   if (!parts.exec_path) return;
   if (parts.file_size && VG_STREQ(parts.exec_path, out_path()))
      cut_file();
   else if (cg2_sink_replaces(parts.exec_path))
      VG_(unlink)(parts.exec_path);
   VG_(free)(parts.exec_path);
   parts.exec_path = NULL;
}

void cg2_dump_begin_process(void)
{
   parts.pid = VG_(getpid)();
}

void cg2_dump_forked(void)
{
   Int parent = parts.pid;
   HChar* parents_name = parts.name;
   VG_(free)(parts.path);
   if (parts.first_block) VG_(free)(parts.first_block);
   VG_(memset)(&parts, 0, sizeof parts);
   parts.parent = parent;
   cg2_dump_begin_process();
   name_profile(parents_name);
   VG_(free)(parents_name);
}
