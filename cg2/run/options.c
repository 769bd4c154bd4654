#include "run/options.h"

#include "code/elffile.h"
#include "code/rules.h"
#include "data/counting/visits.h"
#include "data/heap/allocsites.h"
#include "data/heap/pools.h"
#include "engine/path.h"
#include "events/accesses.h"
#include "events/allocs.h"
#include "events/mispredictions.h"
#include "profile/files/dump.h"
#include "profile/files/outfile.h"
#include "profile/files/outpath.h"
#include "profile/files/summaryfile.h"
#include "pub_tool_options.h"
#include "run/control.h"
#include "run/guise.h"
#include "run/session.h"
#include "run/setup.h"
#include "run/usage.h"
#include "translate/cpuidcode.h"
#include "translate/eventcode.h"
#include "translate/instrument.h"

#define LENGTH(table) (sizeof(table) / sizeof *(table))

/* The text behind `option` if the argument begins with that option and it may
 * be given now, else NULL. The core says, once, if an option cannot be changed
 * any more. */
static const HChar* behind(const HChar* arg, const HChar* option)
{
   SizeT length = VG_(strlen)(option);
   if (VG_(strncmp)(arg, option, length) != 0) return NULL;
   Bool was_said = VG_(Clo_Mode)() != cloP && VG_(Clo_Recognised)();
   if (was_said || !VG_(check_clom)(cloP, arg, option, True)) return NULL;
   return arg + length;
}

/*--- Yes or no ----------------------------------------------------------*/

static const struct {
   const HChar* option;
   Bool* value; /* what yes and no are written to */
} switches[] = {
   {"--compress-strings=", &cg2_dump_config.writer.compress_strings},
   {"--compress-pos=", &cg2_dump_config.writer.compress_positions},
   {"--combine-dumps=", &cg2_outfile_config.is_combined},
   {"--keep-all=", &cg2_outpath_config.keeps_all},

   {"--separate-threads=", &cg2_thread_config.are_threads_apart},
   {"--skip-direct-rec=", &cg2_rules_default.skips_direct_recursion},
   {"--skip-plt=", &cg2_instrument_config.skip_stubs},
   {"--check-cells=", &cg2_instrument_config.check_cells},

   {"--collect-atstart=", &cg2_control_config.collect_at_start},
   {"--collect-jumps=", &cg2_instrument_config.collect_jumps},
   {"--trace-jump=", &cg2_instrument_config.collect_jumps},
   {"--collect-alloc=", &cg2_allocs_are_counted},
   {"--collect-bus=", &cg2_eventcode_wanted[EVENT_BUS]},

   {"--branch-sim=", &cg2_mispredictions_config.is_on},
   {"--cache-sim=", &cg2_accesses_config.has_caches},
   {"--simulate-cache=", &cg2_accesses_config.has_caches},
   {"--simulate-wb=", &cg2_accesses_config.hierarchy.writes_back},
   {"--simulate-hwpref=", &cg2_accesses_config.hierarchy.prefetches},
   {"--cacheuse=", &cg2_accesses_config.looks_at_use},
   {"--private-caches=", &cg2_accesses_config.has_cores},
};

/* Switches that turn another one on. */
static const struct {
   const Bool* value;
   Bool* implied;
   Bool needs_yes; /* True: only the value yes turns the other one on; False:
                      no does so, too */
} implications[] = {
   {&cg2_accesses_config.hierarchy.writes_back, &cg2_accesses_config.has_caches,
    False},
   {&cg2_accesses_config.hierarchy.prefetches, &cg2_accesses_config.has_caches,
    False},
   {&cg2_accesses_config.looks_at_use, &cg2_accesses_config.has_caches, False},
   {&cg2_accesses_config.looks_at_use,
    &cg2_dump_config.writer.positions.has[POSITION_INSTR], True},
   {&cg2_accesses_config.has_cores, &cg2_accesses_config.has_caches, True},
};

/* True if the text is yes. Ends the run if it is neither yes nor no. */
static Bool is_yes(const HChar* arg, const HChar* text)
{
   if (VG_STREQ(text, "yes")) return True;
   if (!VG_STREQ(text, "no"))
      VG_(fmsg_bad_option)(arg,
                           "Invalid boolean value '%s'"
                           " (should be 'yes' or 'no')\n",
                           text);
   return False;
}

static void apply_implications(const Bool* value)
{
   for (UInt i = 0; i < LENGTH(implications); i++)
      if (implications[i].value == value &&
          (*value || !implications[i].needs_yes))
         *implications[i].implied = True;
}

static Bool take_yes_or_no(const HChar* arg, const HChar* option, Bool* value)
{
   const HChar* text = behind(arg, option);
   if (!text) return False;
   *value = is_yes(arg, text);
   apply_implications(value);
   return True;
}

static Bool take_switch(const HChar* arg)
{
   for (UInt i = 0; i < LENGTH(switches); i++)
      if (take_yes_or_no(arg, switches[i].option, switches[i].value))
         return True;
   for (UInt s = 0; s < N_SUBPOSITIONS; s++)
      if (take_yes_or_no(arg, cg2_position_columns[s].option,
                         &cg2_dump_config.writer.positions.has[s]))
         return True;
   return False;
}

/*--- A word of a few ----------------------------------------------------*/

static void set_format(UInt is_as_specified)
{
   cg2_dump_config.writer.is_as_specified = is_as_specified;
}

static void set_function_files(UInt are_declared)
{
   cg2_elffile_reads_lines = are_declared;
}

static void set_contexts(UInt are_full)
{
   cg2_path_config.is_on = are_full;
}

static void set_scope(UInt scope)
{
   cg2_control_config.scope = scope;
}

/* The values of --instr-atstart. */
enum { INSTRUMENT_NO, INSTRUMENT_YES, INSTRUMENT_INHERIT };

static void set_instrumentation(UInt value)
{
   cg2_instrument_is_on = value == INSTRUMENT_YES;
   cg2_session_config.inherits_instrumentation = value == INSTRUMENT_INHERIT;
}

/* The value of --data behind those of DataMode. */
enum { DATA_TOGETHER = DATA_ACCESSES + 1 };

static void set_data(UInt value)
{
   cg2_visits_config.is_on = value == DATA_TOGETHER;
   cg2_touches_config.mode = value == DATA_TOGETHER ? DATA_ACCESSES : value;
}

static void set_syscalls(UInt times)
{
   cg2_setup_config.syscalls = times;
}

static const struct {
   const HChar* option;
   const HChar* expected; /* the words, for the message about another one */
   void (*set)(UInt value);
   struct {
      const HChar* text;
      UInt value;
   } words[6]; /* a word without text is the end */
} choices[] = {
   {"--format=",
    "callgrind or spec",
    set_format,
    {{"callgrind", False}, {"spec", True}}},
   {"--data=",
    "no, misses, accesses or together",
    set_data,
    {{"no", DATA_NO},
     {"misses", DATA_MISSES},
     {"accesses", DATA_ACCESSES},
     {"together", DATA_TOGETHER}}},
   {"--function-files=",
    "declared or first",
    set_function_files,
    {{"declared", True}, {"first", False}}},
   {"--contexts=",
    "function or full",
    set_contexts,
    {{"function", False}, {"full", True}}},
   {"--collect-scope=",
    "thread, process or session",
    set_scope,
    {{"thread", SCOPE_THREAD},
     {"process", SCOPE_PROCESS},
     {"session", SCOPE_SESSION}}},
   {"--instr-atstart=",
    "no, yes or inherit",
    set_instrumentation,
    {{"no", INSTRUMENT_NO},
     {"yes", INSTRUMENT_YES},
     {"inherit", INSTRUMENT_INHERIT}}},
   {"--collect-systime=",
    "no, yes, msec, usec or nsec",
    set_syscalls,
    {{"no", SYSCALLS_OFF},
     {"yes", SYSCALLS_MSEC},
     {"msec", SYSCALLS_MSEC},
     {"usec", SYSCALLS_USEC},
     {"nsec", SYSCALLS_NSEC}}},
};

static Bool take_choice(const HChar* arg)
{
   for (UInt i = 0; i < LENGTH(choices); i++) {
      const HChar* text = behind(arg, choices[i].option);
      if (!text) continue;
      for (UInt w = 0; choices[i].words[w].text; w++)
         if (VG_STREQ(text, choices[i].words[w].text)) {
            choices[i].set(choices[i].words[w].value);
            return True;
         }
      VG_(fmsg_bad_option)(arg, "expected %s\n", choices[i].expected);
   }
   return False;
}

/*--- Numbers ------------------------------------------------------------*/

enum { LEVELS_MAX = 1000, GROUPS_MAX = 1000000, PATHS_MAX = 1000000000 };
static const ULong INTERVAL_MAX = 1000000000000000000ULL;

/* Reads all of `text` as a number from `low` to `high`, or ends the run. */
static ULong number(const HChar* arg, const HChar* text, ULong low, ULong high)
{
   ULong n = 0;
   const HChar* end = text;
   for (; *end >= '0' && *end <= '9' && n <= high; end++)
      n = 10 * n + (*end - '0');
   if (end == text || *end || n < low || n > high)
      VG_(fmsg_bad_option)(arg, "expected a number from %llu to %llu\n", low,
                           high);
   return n;
}

static Bool take_number(const HChar* arg)
{
   const HChar* text;
   if ((text = behind(arg, "--separate-recs=")))
      cg2_rules_default.recursion_levels = number(arg, text, 1, LEVELS_MAX);
   else if ((text = behind(arg, "--separate-callers=")))
      cg2_rules_default.n_callers = number(arg, text, 0, LEVELS_MAX);
   else if ((text = behind(arg, "--data-callers=")))
      cg2_allocsites_callers = number(arg, text, 1, ALLOCSITES_CALLERS_MAX);
   else if ((text = behind(arg, "--contexts-max=")))
      cg2_path_config.max = number(arg, text, 1, PATHS_MAX);
   else if ((text = behind(arg, "--dump-every-bb=")))
      cg2_control_config.dump_every = number(arg, text, 0, INTERVAL_MAX);
   return text != NULL;
}

/*--- Patterns of names --------------------------------------------------*/

static const struct {
   const HChar* option;
   RuleKind kind;
} pattern_options[] = {
   {"--dump-before=", RULE_DUMP_BEFORE},
   {"--dump-after=", RULE_DUMP_AFTER},
   {"--zero-before=", RULE_ZERO_BEFORE},
   {"--toggle-collect=", RULE_TOGGLE_COLLECT},
   {"--fn-skip=", RULE_SKIP},
   {"--obj-skip=", RULE_SKIP_OBJECT},
   {"--pop-on-jump=", RULE_POP_ON_JUMP},
};

/* Options of a number and a pattern, such as --separate-recs2=f. */
static const struct {
   const HChar* option;
   RuleKind kind;
   UInt low, high; /* what the number may be */
} numbered_options[] = {
   {"--separate-recs", RULE_RECURSION_LEVELS, 1, LEVELS_MAX},
   {"--separate-callers", RULE_CALLERS, 0, LEVELS_MAX},
   {"--fn-group", RULE_GROUP, 1, GROUPS_MAX},
};

static const HChar* checked_pattern(const HChar* arg, const HChar* pattern)
{
   if (!*pattern)
      VG_(fmsg_bad_option)(arg, "expected a name, which may contain * and ?\n");
   return pattern;
}

static Bool take_pattern(const HChar* arg)
{
   for (UInt i = 0; i < LENGTH(pattern_options); i++) {
      const HChar* pattern = behind(arg, pattern_options[i].option);
      if (!pattern) continue;
      cg2_rules_add(pattern_options[i].kind, checked_pattern(arg, pattern), 0,
                    arg);
      if (pattern_options[i].kind == RULE_TOGGLE_COLLECT)
         cg2_control_config.collect_at_start = False;
      return True;
   }
   return False;
}

static Bool take_numbered_pattern(const HChar* arg)
{
   const HChar* equals = VG_(strchr)(arg, '=');
   for (UInt i = 0; equals && i < LENGTH(numbered_options); i++) {
      const HChar* text = behind(arg, numbered_options[i].option);
      if (!text) continue;
      HChar* digits = VG_(strdup)("cg2.option", text);
      digits[equals - text] = '\0';
      UInt value =
         number(arg, digits, numbered_options[i].low, numbered_options[i].high);
      VG_(free)(digits);
      cg2_rules_add(numbered_options[i].kind, checked_pattern(arg, equals + 1),
                    value, arg);
      return True;
   }
   return False;
}

static Bool take_pool(const HChar* arg)
{
   HChar error[POOLS_TEXT];
   const HChar* text = behind(arg, "--data-alloc=");
   if (text && !cg2_pools_add(arg, text, error))
      VG_(fmsg_bad_option)(arg, "%s\n", error);
   return text != NULL;
}

/*--- Caches and machines ------------------------------------------------*/

static const struct {
   const HChar* option;
   Geometry* cache;
} cache_options[] = {
   {"--I1=", &cg2_accesses_config.hierarchy.i1},
   {"--D1=", &cg2_accesses_config.hierarchy.d1},
   {"--L2=", &cg2_accesses_config.hierarchy.l2},
   {"--LL=", &cg2_accesses_config.hierarchy.ll},
};

/* Under the name of Callgrind, --L2 is what it is there: the last level. */
static Geometry* cache_of(UInt i)
{
   HierarchyConfig* h = &cg2_accesses_config.hierarchy;
   Bool is_last = cache_options[i].cache == &h->l2 && cg2_guise_is_callgrind();
   return is_last ? &h->ll : cache_options[i].cache;
}

/* Any option of a cache has the caches simulated. */
static Bool take_cache(const HChar* arg)
{
   for (UInt i = 0; i < LENGTH(cache_options); i++) {
      HChar error[GEOMETRY_TEXT];
      const HChar* text = behind(arg, cache_options[i].option);
      if (!text) continue;
      if (!cg2_geometry_parse(text, cache_of(i), error))
         VG_(fmsg_bad_option)(arg, "%s\n", error);
      return cg2_accesses_config.has_caches = True;
   }
   return False;
}

static Bool take_sweep(const HChar* arg)
{
   HChar error[SWEEP_TEXT];
   const HChar* text = behind(arg, "--cache-sweep=");
   if (!text) return False;
   Sweep* sweep = VG_(malloc)("cg2.sweep", sizeof *sweep);
   if (!cg2_sweep_parse(text, sweep, error) ||
       !cg2_sweep_add(&cg2_accesses_config.sweeps, sweep, error))
      VG_(fmsg_bad_option)(arg, "%s\n", error);
   return True;
}

static Bool take_machine(const HChar* arg)
{
   const HChar* machine = behind(arg, "--machine=");
   if (!machine) return False;
   if (VG_STREQ(machine, "help")) {
      cg2_usage_print_machines();
      VG_(exit)(0);
   }
   if (!*machine)
      VG_(fmsg_bad_option)(arg, "expected the name of a machine, or a file; "
                                "help lists the names\n");
   cg2_setup_config.machine = machine;
   return cg2_accesses_config.has_caches = True;
}

static Bool take_cpu(const HChar* arg)
{
   CpuidcodeConfig* config = &cg2_cpuidcode_config;
   const HChar* name = behind(arg, "--cpu=");
   if (!name) return False;
   config->chosen = VG_STREQ(name, "host") ? NULL : name;
   if (config->chosen && !cg2_cpu_named(name, &config->cpu))
      VG_(fmsg_bad_option)(arg, "expected host, %s\n", cg2_cpu_names());
   return True;
}

/*--- Programs that replace each other ------------------------------------*/

static Bool take_inherited(const HChar* arg)
{
   const HChar* text = behind(arg, "--inherited-state=");
   if (text && !cg2_session_take(text))
      VG_(fmsg_bad_option)(arg, "expected what a program has handed on to the "
                                "one that replaced it\n");
   return text != NULL;
}

/*--- Any option ---------------------------------------------------------*/

static Bool take_out_file(const HChar* arg)
{
   Outfile* outfile = &cg2_outfile_profile;
   if (VG_STR_CLO(arg, "--cg2-out-file", outfile->pattern))
      return outfile->option = "--cg2-out-file", True;
   if (VG_STR_CLO(arg, "--callgrind-out-file", outfile->pattern))
      return outfile->option = "--callgrind-out-file", True;
   if (VG_STR_CLO(arg, "--data-out-file", cg2_outfile_data.pattern))
      return True;
   if (VG_STR_CLO(arg, "--paths-out-file", cg2_outfile_paths.pattern))
      return True;
   return VG_STR_CLO(arg, "--json-summary", cg2_summaryfile_config.pattern);
}

/* --separate-recs=2 has to be asked for before --separate-recs2=f. */
static Bool take(const HChar* arg)
{
   return take_switch(arg) || take_choice(arg) || take_number(arg) ||
          take_out_file(arg) || take_pattern(arg) ||
          take_numbered_pattern(arg) || take_pool(arg) || take_cache(arg) ||
          take_sweep(arg) || take_machine(arg) || take_cpu(arg) ||
          take_inherited(arg) ||
          VG_XACT_CLO(arg, "--pop-on-jump", cg2_rules_default.pops_on_jump,
                      True);
}

Bool cg2_options_take(const HChar* arg)
{
   if (take(arg) || cg2_guise_ignores(arg)) return True;
   if (VG_(strchr)(arg, '=')) return False;
   /* An option that lacks its value gets the message about an empty one. */
   HChar* with_value = VG_(malloc)("cg2.option", VG_(strlen)(arg) + 2);
   VG_(sprintf)(with_value, "%s=", arg);
   return take(with_value);
}
