#include "profile/files/dump.h"

#include "base/arguments.h"
#include "code/symbols.h"
#include "data/counting/pairs.h"
#include "data/counting/visits.h"
#include "engine/pathfold.h"
#include "engine/thread.h"
#include "engine/threads.h"
#include "events/eventsconfig.h"
#include "events/forwarding.h"
#include "profile/callgrind/selection.h"
#include "profile/datafile/datawriter.h"
#include "profile/files/outfile.h"
#include "profile/files/perfmap.h"
#include "profile/files/summaryfile.h"
#include "profile/hottest/ranking.h"
#include "profile/paths/pathwriter.h"
#include "pub_tool_clientstate.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_options.h"
#include "pub_tool_xarray.h"
#include "translate/cpuidcode.h"

/* Reason for a mutable file-scope object: the parts of one process. */
static struct {
   UInt n;        /* parts that were written */
   Bool is_taken; /* the number n + 1 is used: that part has been written
                     for some thread */
   ULong zeroed;  /* executions of blocks that no context counts any more */
   ULong* first_block;  /* by thread: executions of blocks, since the process
                           began, before its next part; [0]: all threads */
   UInt n_threads;      /* entries of first_block */
   Cost total;          /* of all parts that were written */
   ULong started;       /* microseconds from 1970 until the run began */
   Int pid;             /* of this process */
   Int called;          /* what headers call it; 0: by its own number */
   Int parent;          /* the process that forked this one, or 0 */
   Bool has_strays;     /* a file beside a part is not where it belongs */
   Bool is_uneven;      /* the functions of a part have not what was counted */
   HChar* descriptions; /* lines for the headers of all parts to come, also of a
                           child's; NULL: none */
} parts;

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

/* The program and its arguments, separated by blanks; to be freed. */
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
   SizeT n = parts.descriptions ? VG_(strlen)(parts.descriptions) : 0;
   HChar* lines = VG_(malloc)("cg2.descriptions", n + escaped_size(text) + 20);
   HChar* line = lines + n;
   VG_(memcpy)(lines, parts.descriptions, n);
   HChar* end =
      line + VG_(sprintf)(line, has_type(text) ? "desc: " : "desc: Note: ");
   end = append_escaped(end, text);
   VG_(strcpy)(end, "\n");
   if (parts.descriptions && VG_(strstr)(parts.descriptions, line)) {
      VG_(free)(lines);
      return;
   }
   if (parts.descriptions) VG_(free)(parts.descriptions);
   parts.descriptions = lines;
}

/* Looks the source lines of all blocks up. */
static void resolve_all(void)
{
   const Table* blocks = &cg2_blocks.all;
   for (UWord i = 0; i < blocks->n_buckets; i++)
      for (TableNode* n = blocks->buckets[i]; n; n = n->next)
         cg2_symbols_resolve((Block*)n);
}

/*--- Time ----------------------------------------------------------------*/

/* How many blocks the thread, or, for 0, all, have executed since the last
 * zero. */
static ULong count_blocks(UInt thread)
{
   return cg2_selection_count_blocks(thread) + cg2_threads_sums(thread).n_skips;
}

/* The entry of parts.first_block for a thread; 0: for all. */
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

static void zero_forwarding(UInt thread)
{
   Forwarding* forwarding = cg2_events_config.accesses.forwarding;
   if (forwarding) cg2_forwarding_zero(forwarding, thread);
}

/* Forgets the costs of a thread, or, for 0, of all. */
static void zero(UInt thread)
{
   ULong now = parts.zeroed + count_blocks(0);
   *first_block(thread) = now;
   for (UInt t = 1; thread == 0 && t < parts.n_threads; t++)
      parts.first_block[t] = now;
   parts.zeroed += count_blocks(thread);
   cg2_ranking_zero(thread);
   cg2_threads_zero(thread);
   cg2_visits_forget();
   cg2_touches_zero(thread);
   cg2_pairs_zero(thread);
   zero_forwarding(thread);
   if (!thread) cg2_dataobject_zero();
}

/*--- Writing ------------------------------------------------------------*/

/* Says so, once for all parts, if the functions of a part have not what was
 * counted: the tool has a fault, and the part is of use all the same. */
static void check_balance(const ULong* in_functions, const ULong* total)
{
   for (UInt e = 0; e < cg2_events.n && !parts.is_uneven; e++) {
      if (in_functions[e] == total[e]) continue;
      parts.is_uneven = True;
      VG_(umsg)(
         "error: the functions of the profile have %llu %s of the %llu "
         "that were counted;\nthis is a fault of cg2: please report it\n",
         in_functions[e], cg2_event_name(e), total[e]);
   }
}

/* Writes a part as text, for cg2_outfile_write. */
static void write_text(Sink* sink, Bool follows, const void* what)
{
   WriterHeader header = *(const WriterHeader*)what;
   header.follows = follows;
   Cost total = cg2_threads_sums(header.thread).total;
   Cost sum =
      cg2_writer_write(sink, &cg2_profile_config.writer, &header, total.of);
   check_balance(sum.of, total.of);
}

/* Writes the data file of a part as text, for cg2_outfile_write. */
static void write_data(Sink* sink, Bool follows, const void* what)
{
   WriterHeader header = *(const WriterHeader*)what;
   header.follows = follows;
   Cost total = cg2_threads_sums(header.thread).total;
   cg2_visits_end();
   cg2_datawriter_write(sink, &cg2_profile_config.writer, &header, total.of);
}

/* Says what was lost of the paths of a part as they had no room: levels of
 * recursions, and how much of the part is in no path of its own. */
static void warn_of_more(const PathSize* size, const ULong* total)
{
   Bool is_coarse = cg2_pathfold_is_coarse();
   ULong share = total[EVENT_IR] / 1000
                    ? size->more.of[EVENT_IR] / (total[EVENT_IR] / 1000)
                    : 0;
   if (!size->n_more && !is_coarse) return;
   VG_(umsg)("--contexts-max=%u was reached: ", cg2_engine_config.paths_max);
   if (is_coarse)
      VG_(umsg)("each recursion has one level%s", size->n_more ? ", and " : "");
   if (size->n_more)
      VG_(umsg)("%llu calls, with %llu.%llu %% of all Ir, are in paths (more)",
                size->more_calls, share / 10, share % 10);
   VG_(umsg)("; a larger --contexts-max keeps more apart\n");
}

/* Writes the paths of a part as text, for cg2_outfile_write. */
static void write_paths(Sink* sink, Bool follows, const void* what)
{
   WriterHeader header = *(const WriterHeader*)what;
   header.follows = follows;
   header.format = "cg2 paths";
   Cost total = cg2_threads_sums(header.thread).total;
   PathSize size =
      cg2_pathwriter_write(sink, &cg2_profile_config.writer, &header);
   warn_of_more(&size, total.of);
}

/* What the next part of a thread, or, for 0, of all, says. Its command is to be
 * freed. */
static WriterHeader new_header(const HChar* trigger, UInt thread)
{
   return (WriterHeader){
      .creator = "callgrind-cg2-" CG2_VERSION,
      .command = command_line(),
      .pid = parts.called ? parts.called : VG_(getpid)(),
      .part = parts.n + 1,
      .thread = thread,
      .parent = parts.parent,
      .started = parts.started,
      .image = cg2_outfile_image(&cg2_outfiles.profile),
      .blocks = {*first_block(thread), parts.zeroed + count_blocks(0)},
      .trigger = trigger,
      .cpu = cg2_cpuidcode_told(),
      .descriptions = parts.descriptions,
      .caches = {cg2_profile_config.caches[0], cg2_profile_config.caches[1],
                 cg2_profile_config.caches[2]},
   };
}

static void free_header(const WriterHeader* header)
{
   VG_(free)((HChar*)header->command);
}

/* Writes the files beside the profile of a part, which go elsewhere if they
 * cannot be written where they belong: the part is over with its profile. */
static void write_beside(const OutfilePart* part, const WriterHeader* header)
{
   OutfilePart once = *part;
   once.comes_again = False;
   if (cg2_touches_config.mode != DATA_NO)
      parts.has_strays |=
         !cg2_outfile_write(&cg2_outfiles.data, &once, write_data, header);
   if (cg2_path_is_on())
      parts.has_strays |=
         !cg2_outfile_write(&cg2_outfiles.paths, &once, write_paths, header);
}

/* Writes a part of one thread, or, for 0, of all. False if its profile is not
 * where it belongs, which a message has said then. Unless it is the last, it
 * has no other files then. */
static Bool write_part(const HChar* trigger, UInt thread, Bool is_last)
{
   WriterHeader header = new_header(trigger, thread);
   OutfilePart part = {.number = header.part,
                       .thread = thread,
                       .is_last = is_last,
                       .comes_again = !is_last};
   Cost total = cg2_threads_sums(thread).total;
   Bool is_written =
      cg2_outfile_write(&cg2_outfiles.profile, &part, write_text, &header);
   Bool is_over = is_written || is_last;
   if (is_over && !cg2_outfiles.profile.is_ahead)
      cg2_summaryfile_note(&header, total.of,
                           cg2_outfile_last(&cg2_outfiles.profile));
   if (is_over) write_beside(&part, &header);
   free_header(&header);
   return is_written;
}

/*--- Parts --------------------------------------------------------------*/

static Bool is_apart(void)
{
   return cg2_engine_config.are_threads_apart;
}

/* Writes a part, not the last, of one thread, or, for 0, of all, whose costs
 * then start from zero. */
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

/* Brings everything that a part shows up to date: costs of open calls and
 * pending stubs, source lines, names. */
static void prepare_part(void)
{
   cg2_threads_flush();
   resolve_all();
   cg2_perfmap_name_functions(VG_(clo_verbosity) > 1);
}

Bool cg2_dump_part(const HChar* trigger, DumpScope scope)
{
   prepare_part();
   Bool is_written = !is_apart() ? write_one(trigger, 0)
                     : scope == DUMP_THREAD
                        ? write_one(trigger, cg2_threads_running())
                        : write_each(trigger, False);
   parts.n += parts.is_taken;
   parts.is_taken = False;
   if (!is_written) VG_(umsg)("its costs go into the next part\n");
   return is_written;
}

Bool cg2_dump_last(const HChar* trigger, Cost* total)
{
   prepare_part();
   Cost unwritten = cg2_threads_sums(0).total;
   *total = parts.total;
   cg2_cost_add(total->of, unwritten.of);
   Bool is_written =
      is_apart() ? write_each(trigger, True) : write_part(trigger, 0, True);
   WriterHeader header = new_header(trigger, 0);
   Bool is_summed_up = cg2_summaryfile_write(&header);
   free_header(&header);
   return is_written && is_summed_up && !parts.has_strays && !parts.is_uneven;
}

UInt cg2_dump_count(void)
{
   return parts.n;
}

void cg2_dump_zero(DumpScope scope)
{
   zero(is_apart() && scope == DUMP_THREAD ? cg2_threads_running() : 0);
}

/*--- Processes -----------------------------------------------------------*/

enum { FILES_MAX = 3 };

/* The kinds of files that this process writes; how many they are. */
static UInt files_of_process(Outfile* files[FILES_MAX])
{
   UInt n = 0;
   files[n++] = &cg2_outfiles.profile;
   if (cg2_touches_config.mode != DATA_NO) files[n++] = &cg2_outfiles.data;
   if (cg2_path_is_on()) files[n++] = &cg2_outfiles.paths;
   return n;
}

/* Valgrind's own log follows, unless processes would overwrite each other's. */
static void pass_log_on(void)
{
   const HChar* pattern = cg2_arguments_value("--log-file=");
   if (pattern && VG_(strstr)(pattern, "%p"))
      cg2_outpath_pass_on("--log-file", pattern);
}

/* The part counts as the last: nothing comes after it if the program is
 * replaced. */
void cg2_dump_replaced(const HChar* program)
{
   if (!cg2_outfile_begin_exec(&cg2_outfiles.profile, parts.parent != 0))
      return;
   cg2_outfile_begin_exec(&cg2_outfiles.data, parts.parent != 0);
   if (cg2_path_is_on())
      cg2_outfile_begin_exec(&cg2_outfiles.paths, parts.parent != 0);
   HChar* trigger = VG_(malloc)("cg2.trigger", escaped_size(program) + 8);
   HChar* end = trigger + VG_(sprintf)(trigger, "exec ");
   *append_escaped(end, program) = '\0';
   prepare_part();
   WriterHeader header = new_header(trigger, 0);
   write_part(trigger, 0, True);
   cg2_summaryfile_write_replaced(&header);
   free_header(&header);
   VG_(free)(trigger);
}

void cg2_dump_ahead(const HChar* trigger, const HChar* reason)
{
   Outfile* files[FILES_MAX];
   UInt n = files_of_process(files);
   for (UInt i = 0; i < n; i++)
      cg2_outfile_begin_ahead(files[i]);
   prepare_part();
   Bool is_written =
      is_apart() ? write_each(trigger, True) : write_part(trigger, 0, True);
   for (UInt i = 0; i < n; i++)
      cg2_outfile_end_ahead(files[i]);
   if (!is_written || VG_(clo_verbosity) == 0) return;
   VG_(umsg)("%s; what was counted so far is in '%s'\n", reason,
             cg2_outfile_last(&cg2_outfiles.profile));
}

void cg2_dump_not_replaced(void)
{
   cg2_summaryfile_not_replaced();
   cg2_outfile_end_exec(&cg2_outfiles.profile);
   cg2_outfile_end_exec(&cg2_outfiles.data);
   cg2_outfile_end_exec(&cg2_outfiles.paths);
}

static ULong microseconds_now(void)
{
   struct vki_timeval now;
   VG_(gettimeofday)(&now, NULL);
   return (ULong)now.tv_sec * 1000000 + now.tv_usec;
}

void cg2_dump_begin_process(void)
{
   parts.pid = VG_(getpid)();
   parts.started = microseconds_now();
   Outfile* files[FILES_MAX];
   UInt n = files_of_process(files);
   cg2_outfile_make_way(files, n);
   for (UInt i = 0; i < n; i++) {
      cg2_outfile_check(files[i]);
      cg2_outpath_pass_on(files[i]->option, files[i]->pattern);
      for (UInt j = 0; j < i; j++)
         cg2_outfile_check_apart(files[i], files[j]);
   }
   cg2_summaryfile_check();
   pass_log_on();
}

void cg2_dump_forked(void)
{
   Int parent = parts.pid;
   ULong started = parts.started;
   HChar* descriptions = parts.descriptions;
   if (parts.first_block) VG_(free)(parts.first_block);
   VG_(memset)(&parts, 0, sizeof parts);
   parts.parent = parent;
   parts.started = started;
   parts.descriptions = descriptions;
   parts.pid = VG_(getpid)();
   cg2_visits_forget();
   cg2_touches_zero(0);
   cg2_pairs_zero(0);
   zero_forwarding(0);
   cg2_dataobject_zero();
   cg2_ranking_forget();
   cg2_outfile_forked(&cg2_outfiles.profile);
   cg2_outfile_forked(&cg2_outfiles.data);
   cg2_outfile_forked(&cg2_outfiles.paths);
   Outfile* files[FILES_MAX];
   cg2_outfile_make_way(files, files_of_process(files));
   cg2_summaryfile_forked();
}

void cg2_dump_call_process(ProcessCall call)
{
   parts.called = call.pid;
   parts.parent = call.parent;
   parts.started = call.started;
}
