#include "run/options.h"

#include "avx512/vecconfig.h"
#include "code/elffile.h"
#include "code/nearest.h"
#include "code/rules.h"
#include "data/counting/visits.h"
#include "data/heap/allocators.h"
#include "data/heap/allocsites.h"
#include "data/heap/pools.h"
#include "engine/path.h"
#include "engine/probe.h"
#include "events/accesses.h"
#include "events/eventsconfig.h"
#include "profile/files/dump.h"
#include "profile/files/outfile.h"
#include "profile/files/outpath.h"
#include "profile/files/summaryfile.h"
#include "pub_tool_options.h"
#include "repeat/repeatconfig.h"
#include "run/control.h"
#include "run/guise.h"
#include "run/optionreader.h"
#include "run/runconfig.h"
#include "run/session.h"
#include "run/setup.h"
#include "run/usage.h"
#include "translate/translateconfig.h"

#define LENGTH(table) (sizeof(table) / sizeof *(table))

/*--- Words --------------------------------------------------------------*/

static void set_format(UInt is_as_specified)
{
   cg2_profile_config.writer.is_as_specified = is_as_specified;
}

static void set_function_files(UInt are_declared)
{
   cg2_code.reads_lines = are_declared;
}

static void set_contexts(UInt are_full)
{
   cg2_engine_config.keeps_paths = are_full;
}

static void set_scope(UInt scope)
{
   cg2_run_config.scope = scope;
}

/* The values of --instr-atstart. */
enum { INSTRUMENT_NO, INSTRUMENT_YES, INSTRUMENT_INHERIT };

static void set_instrumentation(UInt value)
{
   cg2_translate_config.is_on = value == INSTRUMENT_YES;
   cg2_run_config.inherits_instrumentation = value == INSTRUMENT_INHERIT;
}

/* The value of --data behind those of DataMode. */
enum { DATA_TOGETHER = DATA_ACCESSES + 1 };

static void set_data(UInt value)
{
   cg2_touches_config.counts_visits = value == DATA_TOGETHER;
   cg2_touches_config.mode = value == DATA_TOGETHER ? DATA_ACCESSES : value;
}

static void set_avx512(UInt mode)
{
   cg2_vec.config.mode = mode;
}

static void set_syscalls(UInt times)
{
   cg2_events_config.syscalls.times = times;
}

/*--- Memory, caches and machines ----------------------------------------*/

static void take_pool(const Option* o, const HChar* arg, const HChar* text)
{
   HChar error[POOLS_TEXT];
   (void)o;
   if (!cg2_pools_add(&cg2_allocators_config.pools, arg, text, error))
      VG_(fmsg_bad_option)(arg, "%s\n", error);
}

static void take_cache(const Option* o, const HChar* arg, const HChar* text)
{
   HChar error[GEOMETRY_TEXT];
   if (!cg2_geometry_parse(text, o->cache, error))
      VG_(fmsg_bad_option)(arg, "%s\n", error);
}

/* Under the name of Callgrind, --L2 is what it is there: the last level. */
static void take_second(const Option* o, const HChar* arg, const HChar* text)
{
   Option last = *o;
   last.cache = &cg2_events_config.accesses.hierarchy.ll;
   take_cache(cg2_guise_is_callgrind() ? &last : o, arg, text);
}

static void take_sweep(const Option* o, const HChar* arg, const HChar* text)
{
   HChar error[SWEEP_TEXT];
   Sweep* sweep = VG_(malloc)("cg2.sweep", sizeof *sweep);
   (void)o;
   if (!cg2_sweep_parse(text, sweep, error) ||
       !cg2_sweep_add(&cg2_events_config.accesses.sweeps, sweep, error))
      VG_(fmsg_bad_option)(arg, "%s\n", error);
}

static void take_machine(const Option* o, const HChar* arg, const HChar* text)
{
   (void)o;
   if (VG_STREQ(text, "help")) {
      cg2_usage_print_machines();
      VG_(exit)(0);
   }
   if (!*text)
      VG_(fmsg_bad_option)(arg, "expected the name of a machine, or a file; "
                                "help lists the names\n");
   cg2_run_config.machine = text;
}

static void take_cpu(const Option* o, const HChar* arg, const HChar* text)
{
   CpuidcodeConfig* config = &cg2_translate_config.cpu;
   (void)o;
   if (VG_STREQ(text, "help")) {
      VG_(printf)("host, %s\n", cg2_cpu_names());
      VG_(exit)(0);
   }
   config->chosen = VG_STREQ(text, "host") ? NULL : text;
   if (config->chosen && !cg2_cpu_named(text, &config->cpu))
      VG_(fmsg_bad_option)(arg, "expected host, %s\n", cg2_cpu_names());
}

static void take_kept(const Option* o, const HChar* arg, const HChar* text)
{
   (void)o;
   RepeatConfig* config = &cg2_repeat_config;
   if (!*text || VG_(strchr)(text, '=') || VG_(strchr)(text, ','))
      VG_(fmsg_bad_option)(arg, "expected the name of one variable\n");
   if (config->n_kept == REPEAT_KEPT_MAX)
      VG_(fmsg_bad_option)(arg, "expected %d names at most\n", REPEAT_KEPT_MAX);
   config->kept[config->n_kept++] = text;
}

/*--- Programs that replace each other -----------------------------------*/

static void take_inherited(const Option* o, const HChar* arg, const HChar* text)
{
   (void)o;
   if (!cg2_session_take(text))
      VG_(fmsg_bad_option)(arg, "expected what a program has handed on to the "
                                "one that replaced it\n");
}

/*--- The table ----------------------------------------------------------*/

/* A struct timespec has signed seconds, and nanoseconds have 64 bits. */
#define EPOCH_MAX 9000000000ULL
enum { CPUS_MAX = 1024 };
enum { LEVELS_MAX = 1000, GROUPS_MAX = 1000000, PATHS_MAX = 1000000000 };
#define INTERVAL_MAX 1000000000000000000ULL

static const Option files[] = {
   {"--cg2-out-file", OPTION_TEXT,
    "file name of the profile; %p is the process id, %q{VAR} an environment "
    "variable, %n a number, %% a %",
    .text = &cg2_outfiles.profile.pattern,
    .spelling = &cg2_outfiles.profile.option},
   {"--callgrind-out-file", OPTION_TEXT, "the same as --cg2-out-file",
    .text = &cg2_outfiles.profile.pattern,
    .spelling = &cg2_outfiles.profile.option},
   {"--paths-out-file", OPTION_TEXT, "file name for --contexts=full",
    .text = &cg2_outfiles.paths.pattern},
   {"--json-summary", OPTION_TEXT,
    "also what each process cost and wrote, as JSON for programs, to <f>, a "
    "name of the same form",
    .text = &cg2_profile_config.summary},
   {"--combine-dumps", OPTION_SWITCH, "all parts in one file",
    .yes = &cg2_profile_config.is_combined},
   {"--keep-all", OPTION_SWITCH,
    "no program overwrites the profile of another: one that is replaced leaves "
    "<f>.exec1, a child whose file would be its parent's <f>.pid77",
    .yes = &cg2_profile_config.keeps_all},
   {"--dump-line", OPTION_SWITCH, "costs per source line",
    .yes = &cg2_profile_config.writer.positions.has[POSITION_LINE]},
   {"--dump-instr", OPTION_SWITCH, "costs per instruction",
    .yes = &cg2_profile_config.writer.positions.has[POSITION_INSTR]},
   {"--dump-bb", OPTION_SWITCH, "costs per basic block",
    .yes = &cg2_profile_config.writer.positions.has[POSITION_BLOCK]},
   {"--compress-strings", OPTION_SWITCH,
    "write each name once, then its number",
    .yes = &cg2_profile_config.writer.compress_strings},
   {"--compress-pos", OPTION_SWITCH, "write positions as differences",
    .yes = &cg2_profile_config.writer.compress_positions},
   {"--function-files", OPTION_WORD,
    "the file of a function: where it is declared, or that of its first "
    "instruction, which may be inlined from elsewhere",
    .set = set_function_files,
    .words =
       (const OptionWord[]){{"declared", True}, {"first", False}, {NULL, 0}},
    .preset = "declared"},
   {"--format", OPTION_WORD,
    "as Callgrind writes it, or exactly as the format's specification says",
    .set = set_format,
    .words =
       (const OptionWord[]){{"callgrind", False}, {"spec", True}, {NULL, 0}},
    .preset = "callgrind"},
};

static const Option control[] = {
   {"--dump-every-bb", OPTION_COUNT, "write a part every <n> blocks, 0: never",
    .count = &cg2_run_config.dump_every, .high = INTERVAL_MAX},
   {"--dump-before", OPTION_PATTERN,
    "write a part before <fn> is entered; <fn> is the name of a function, with "
    "* and ?",
    .rule = RULE_DUMP_BEFORE},
   {"--dump-after", OPTION_PATTERN, "write a part when <fn> has been left",
    .rule = RULE_DUMP_AFTER},
   {"--zero-before", OPTION_PATTERN, "start from zero when <fn> is entered",
    .rule = RULE_ZERO_BEFORE},
   {"--toggle-collect", OPTION_PATTERN, "collect only inside <fn>",
    .rule = RULE_TOGGLE_COLLECT, .turns_off = &cg2_run_config.collect_at_start},
   {"--collect-atstart", OPTION_SWITCH, "collect from the start",
    .yes = &cg2_run_config.collect_at_start},
   {"--instr-atstart", OPTION_WORD,
    "count from the start; if not, the program runs as without a tool until it "
    "is told to; inherit: as the program that it replaces, the first one does "
    "not",
    .set = set_instrumentation,
    .words = (const OptionWord[]){{"no", INSTRUMENT_NO},
                                  {"yes", INSTRUMENT_YES},
                                  {"inherit", INSTRUMENT_INHERIT},
                                  {NULL, 0}},
    .preset = "yes"},
   {"--collect-jumps", OPTION_SWITCH, "count jumps and conditional branches",
    .yes = &cg2_translate_config.collect_jumps},
   {"--trace-jump", OPTION_SWITCH, "the same as --collect-jumps",
    .yes = &cg2_translate_config.collect_jumps},
   {"--collect-systime", OPTION_WORD,
    "count system calls and their time; yes: in milliseconds; nsec: CPU time, "
    "too",
    .set = set_syscalls,
    .words = (const OptionWord[]){{"no", SYSCALLS_OFF},
                                  {"yes", SYSCALLS_MSEC},
                                  {"msec", SYSCALLS_MSEC},
                                  {"usec", SYSCALLS_USEC},
                                  {"nsec", SYSCALLS_NSEC},
                                  {NULL, 0}},
    .preset = "no"},
   {"--collect-alloc", OPTION_SWITCH, "count allocations and their bytes",
    .yes = &cg2_events_config.allocs.is_on},
   {"--collect-bus", OPTION_SWITCH, "count atomic accesses to memory",
    .yes = &cg2_translate_config.events.wanted[EVENT_BUS]},
   {"--collect-rep", OPTION_SWITCH,
    "count rounds of repeated instructions (rep stos) beyond the first, and "
    "instructions without them, as a processor's counter does",
    .yes = &cg2_translate_config.rounds.is_on},
   {"--collect-scope", OPTION_WORD,
    "whether a function that toggles it does so for its own thread or for all; "
    "session: programs started by exec go on as it is",
    .set = set_scope,
    .words = (const OptionWord[]){{"thread", SCOPE_THREAD},
                                  {"process", SCOPE_PROCESS},
                                  {"session", SCOPE_SESSION},
                                  {NULL, 0}},
    .preset = "thread"},
};

static const Option simulation[] = {
   {"--cache-sim", OPTION_SWITCH,
    "count accesses to memory and cache misses; --I1 to --cacheuse switch it "
    "on",
    .yes = &cg2_events_config.accesses.has_caches},
   {"--simulate-cache", OPTION_SWITCH, "the same as --cache-sim",
    .yes = &cg2_events_config.accesses.has_caches},
   {"--I1", OPTION_OTHER, "the cache for code: bytes, ways, bytes",
    .values = "=<size>,<ways>,<line>", .take = take_cache,
    .cache = &cg2_events_config.accesses.hierarchy.i1,
    .turns_on = &cg2_events_config.accesses.has_caches},
   {"--D1", OPTION_OTHER, "the cache for data",
    .values = "=<size>,<ways>,<line>", .take = take_cache,
    .cache = &cg2_events_config.accesses.hierarchy.d1,
    .turns_on = &cg2_events_config.accesses.has_caches},
   {"--L2", OPTION_OTHER,
    "a private second level behind I1 and D1, before the last level (none); "
    "with --tool=callgrind the same as --LL",
    .values = "=<size>,<ways>,<line>", .take = take_second,
    .cache = &cg2_events_config.accesses.hierarchy.l2,
    .turns_on = &cg2_events_config.accesses.has_caches},
   {"--LL", OPTION_OTHER,
    "the last level; I1, D1 and LL are by default as the processor has them",
    .values = "=<size>,<ways>,<line>", .take = take_cache,
    .cache = &cg2_events_config.accesses.hierarchy.ll,
    .turns_on = &cg2_events_config.accesses.has_caches},
   {"--simulate-wb", OPTION_SWITCH, "count dirty lines that are written back",
    .yes = &cg2_events_config.accesses.hierarchy.writes_back,
    .turns_on = &cg2_events_config.accesses.has_caches},
   {"--simulate-hwpref", OPTION_SWITCH, "streams are fetched in advance",
    .yes = &cg2_events_config.accesses.hierarchy.prefetches,
    .turns_on = &cg2_events_config.accesses.has_caches},
   {"--cacheuse", OPTION_SWITCH, "say how well lines are used before they go",
    .yes = &cg2_events_config.accesses.looks_at_use,
    .turns_on = &cg2_events_config.accesses.has_caches,
    .yes_turns_on = &cg2_profile_config.writer.positions.has[POSITION_INSTR]},
   {"--data", OPTION_WORD,
    "charge misses, or all accesses, to data objects, too: blocks of the heap, "
    "variables, frames; into a file of its own. together: and say what is "
    "accessed together",
    .set = set_data,
    .words = (const OptionWord[]){{"no", DATA_NO},
                                  {"misses", DATA_MISSES},
                                  {"accesses", DATA_ACCESSES},
                                  {"together", DATA_TOGETHER},
                                  {NULL, 0}},
    .preset = "no"},
   {"--data-out-file", OPTION_TEXT, "file name for --data",
    .text = &cg2_outfiles.data.pattern},
   {"--data-callers", OPTION_NUMBER,
    "tell lines that allocate apart by <n> calls",
    .number = &cg2_allocators_config.n_callers, .low = 1,
    .high = ALLOCSITES_CALLERS_MAX},
   {"--data-alloc", OPTION_OTHER,
    "function f gives out memory: argument <a> (1, 2, ...) says how much",
    .values = "=<f>[,size=<a>[*<a>]][,free=<f>]", .take = take_pool},
   {"--forwarding", OPTION_SWITCH,
    "note which loads read what a store has just stored, for --cycles",
    .yes = &cg2_events_config.accesses.forwards,
    .turns_on = &cg2_events_config.accesses.has_caches,
    .yes_turns_on = &cg2_profile_config.writer.positions.has[POSITION_INSTR]},
   {"--branch-sim", OPTION_SWITCH,
    "count branches and those that are mispredicted",
    .yes = &cg2_events_config.mispredictions.is_on},
   {"--cache-sweep", OPTION_OTHER,
    "misses in caches of all these sizes, such as D:8k..1m; <c>: I, D or LL, "
    "which switches --cache-sim on; keys: sets or ways, which all have "
    "(sets=1); line (64); step (sizes double)",
    .values = "=<c>:<from>..<to>[,<key>=<n>...]", .take = take_sweep},
   {"--machine", OPTION_OTHER,
    "simulate a described machine instead; help lists the names",
    .values = "=<name>|<file>", .take = take_machine,
    .turns_on = &cg2_events_config.accesses.has_caches},
   {"--private-caches", OPTION_SWITCH,
    "each thread has caches of its own, but for the shared ones",
    .yes = &cg2_events_config.accesses.has_cores,
    .yes_turns_on = &cg2_events_config.accesses.has_caches},
   {"--layout", OPTION_COUNT,
    "a seed that places the heap, and for the simulated caches functions, "
    "variables and maps elsewhere, as a relink would; 0: where they are",
    .count = &cg2_events_config.accesses.layout, .high = INTERVAL_MAX},
   {"--avx512", OPTION_WORD,
    "execute instructions of AVX-512, which Valgrind does not know, by the "
    "processor: if it has them (auto)",
    .set = set_avx512, .preset = "auto",
    .words = (const OptionWord[]){{"auto", AVX512_AUTO},
                                  {"yes", AVX512_YES},
                                  {"no", AVX512_NO},
                                  {NULL, 0}}},
   {"--cpu", OPTION_OTHER,
    "the processor that the program is told of, by which libraries choose "
    "code; help lists them; on arm64 host, lse, crypto, baseline",
    .values = "=host|native|x86-64-v4|avx2|avx|sse4.2|ssse3|baseline",
    .take = take_cpu, .preset = "host"},
};

/* A row without a number in the option's name is before the one with a number.
 */
static const Option separation[] = {
   {"--separate-recs", OPTION_NUMBER,
    "keep <n> recursion levels apart, 1 to 1000: f, f'2, ...",
    .number = &cg2_rules.standard.recursion_levels, .low = 1,
    .high = LEVELS_MAX},
   {"--separate-recs", OPTION_NUMBERED,
    "keep <n> recursion levels of <fn> apart", .rule = RULE_RECURSION_LEVELS,
    .low = 1, .high = LEVELS_MAX},
   {"--separate-callers", OPTION_NUMBER,
    "keep functions apart by their last <n> callers: f'caller1'caller2",
    .number = &cg2_rules.standard.n_callers, .high = LEVELS_MAX},
   {"--separate-callers", OPTION_NUMBERED,
    "keep <fn> apart by its last <n> callers", .rule = RULE_CALLERS,
    .high = LEVELS_MAX},
   {"--contexts", OPTION_WORD, "full: also write what each path of calls costs",
    .set = set_contexts,
    .words =
       (const OptionWord[]){{"function", False}, {"full", True}, {NULL, 0}},
    .preset = "function"},
   {"--contexts-max", OPTION_NUMBER,
    "keep <n> paths at most, those that cost most",
    .number = &cg2_engine_config.paths_max, .low = 1, .high = PATHS_MAX},
   {"--separate-threads", OPTION_SWITCH, "a profile for each thread",
    .yes = &cg2_engine_config.are_threads_apart},
   {"--fn-group", OPTION_NUMBERED,
    "functions of group <n> count as one among callers", .rule = RULE_GROUP,
    .low = 1, .high = GROUPS_MAX},
   {"--fn-skip", OPTION_PATTERN, "costs of <fn> are its caller's, at the call",
    .rule = RULE_SKIP},
   {"--obj-skip", OPTION_PATTERN,
    "costs of all functions of an object file are their callers', at the call",
    .rule = RULE_SKIP_OBJECT, .values = "=<file>"},
   {"--skip-direct-rec", OPTION_SWITCH,
    "calls of a function by itself do not count",
    .yes = &cg2_rules.standard.skips_direct_recursion},
   {"--pop-on-jump", OPTION_PATTERN,
    "a jump out of any function, or of <fn>, is a return and a call",
    .rule = RULE_POP_ON_JUMP, .values = "[=<fn>]",
    .bare = &cg2_rules.standard.pops_on_jump},
   {"--skip-plt", OPTION_SWITCH,
    "calls through .plt, .plt.sec and .plt.got go straight to the function",
    .yes = &cg2_translate_config.skip_stubs},
};

static const Option repeatability[] = {
   {"--repeatable", OPTION_SWITCH,
    "the program sees the same time, chance, processors and order of threads "
    "in every run",
    .values = "[=no|yes]", .yes = &cg2_repeat_config.is_on,
    .bare = &cg2_repeat_config.is_on},
   {"--seed", OPTION_COUNT, "what --repeatable=yes makes random numbers of",
    .count = &cg2_repeat_config.seed, .high = INTERVAL_MAX},
   {"--repeatable-epoch", OPTION_COUNT,
    "the time at which a repeatable run begins, in seconds from 1970",
    .count = &cg2_repeat_config.epoch, .high = EPOCH_MAX},
   {"--cpus", OPTION_NUMBER,
    "how many processors a repeatable run is told of, 1 to 1024",
    .number = &cg2_repeat_config.n_cpus, .low = 1, .high = CPUS_MAX},
   {"--keep-env", OPTION_OTHER,
    "a variable of the environment that the program of a repeatable run gets, "
    "too; may be repeated (none)",
    .values = "=<name>", .take = take_kept},
};

static const Option debugging[] = {
   {"--check-cells", OPTION_SWITCH,
    "stop where a block counts in another's cells",
    .yes = &cg2_engine_config.check_cells},
   {"--inherited-state", OPTION_OTHER,
    "what a program hands on to the one that replaces it, as cg2 itself gives "
    "it (none)",
    .values = "=<state>", .take = take_inherited},
   {"--inherited-run", OPTION_TEXT,
    "what a repeatable run hands on to the program that goes on with it, as "
    "cg2 itself gives it",
    .text = &cg2_repeat_config.inherited},
};

static const OptionGroup groups[] = {
   {"profile file options", files, LENGTH(files), NULL},
   {"when to write a part, and what to collect", control, LENGTH(control),
    NULL},
   {"simulation options", simulation, LENGTH(simulation),
    cg2_usage_print_machines},
   {"cost separation options", separation, LENGTH(separation), NULL},
   {"options of repeatable runs", repeatability, LENGTH(repeatability), NULL},
   {NULL, debugging, LENGTH(debugging), NULL},
};

enum { SHOWN = LENGTH(groups) - 1 }; /* groups that users need */

/*--- What the core asks -------------------------------------------------*/

static Bool take(const HChar* arg)
{
   for (UInt g = 0; g < LENGTH(groups); g++)
      for (UInt i = 0; i < groups[g].n; i++)
         if (cg2_optionreader_take(&groups[g].options[i], arg)) return True;
   return False;
}

/* Takes an option that lacks its value: it gets the message about an empty one.
 */
static Bool take_empty(const HChar* arg)
{
   if (VG_(strchr)(arg, '=')) return False;
   HChar* with_value = VG_(malloc)("cg2.option", VG_(strlen)(arg) + 2);
   VG_(sprintf)(with_value, "%s=", arg);
   return take(with_value);
}

/* The option whose name is nearest to that of an argument, or NULL. */
static const Option* nearest_to(const HChar* arg)
{
   const Option* nearest = NULL;
   UInt least = NEAREST_FAR + 1;
   for (UInt g = 0; g < SHOWN; g++)
      for (UInt i = 0; i < groups[g].n; i++) {
         const Option* o = &groups[g].options[i];
         UInt distance = cg2_nearest_distance(arg, o->name);
         if (distance >= least) continue;
         nearest = o;
         least = distance;
      }
   return nearest;
}

Bool cg2_options_take(const HChar* arg)
{
   if (take(arg) || cg2_guise_ignores(arg) || take_empty(arg)) return True;
   /* In Callgrind's place only what Callgrind says is said. */
   Bool is_asked = VG_(Clo_Mode)() == cloP && !cg2_guise_is_callgrind();
   const Option* nearest = is_asked ? nearest_to(arg) : NULL;
   if (nearest)
      VG_(fmsg)("%s: no such option; near to it: %s\n", arg, nearest->name);
   return False;
}

void cg2_options_print(void)
{
   for (UInt g = 0; g < SHOWN; g++)
      cg2_usage_print(&groups[g]);
}

void cg2_options_print_debugging(void)
{
   cg2_usage_print(&groups[SHOWN]);
}
