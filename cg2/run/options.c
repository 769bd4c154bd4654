#include "run/options.h"

#include "code/rules.h"
#include "events/accesses.h"
#include "events/mispredictions.h"
#include "events/syscalls.h"
#include "model/cache/cpuid.h"
#include "model/described/catalog.h"
#include "model/described/description.h"
#include "profile/dump.h"
#include "pub_tool_clientstate.h"
#include "pub_tool_options.h"
#include "run/control.h"
#include "translate/instrument.h"

/* Whether `arg` is an option that begins like this, and now is the time for it:
 * the core says, once, if it cannot be changed any more. */
static Bool begins(const HChar* arg, const HChar* option)
{
   if (VG_(strncmp)(arg, option, VG_(strlen)(option)) != 0) return False;
   Bool was_said = VG_(Clo_Mode)() != cloP && VG_(Clo_Recognised)();
   return !was_said && VG_(check_clom)(cloP, arg, option, True);
}

/* Of an option that takes one of a few words, none of them: ends the run. */
static Bool
take_wrong_word(const HChar* arg, const HChar* option, const HChar* words)
{
   if (!begins(arg, option)) return False;
   VG_(fmsg_bad_option)(arg, "expected %s\n", words);
   return True;
}

static Bool take_form(const HChar* arg)
{
   WriterConfig* writer = &cg2_dump_config.writer;
   return VG_BOOL_CLO(arg, "--dump-line", writer->view.by_line) ||
          VG_BOOL_CLO(arg, "--dump-instr", writer->view.by_instr) ||
          VG_BOOL_CLO(arg, "--dump-bb", writer->view.by_block) ||
          VG_BOOL_CLO(arg, "--compress-strings", writer->compress_strings) ||
          VG_BOOL_CLO(arg, "--compress-pos", writer->compress_positions) ||
          VG_XACT_CLO(arg, "--format=callgrind", writer->is_as_specified,
                      False) ||
          VG_XACT_CLO(arg, "--format=spec", writer->is_as_specified, True) ||
          take_wrong_word(arg, "--format=", "callgrind or spec");
}

static Bool take_out_file(const HChar* arg)
{
   DumpConfig* dump = &cg2_dump_config;
   if (VG_BOOL_CLO(arg, "--combine-dumps", dump->is_combined)) return True;
   if (VG_STR_CLO(arg, "--cg2-out-file", dump->out_file)) {
      dump->out_option = "--cg2-out-file";
      return True;
   }
   if (VG_STR_CLO(arg, "--callgrind-out-file", dump->out_file)) {
      dump->out_option = "--callgrind-out-file";
      return True;
   }
   return False;
}

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

enum { LEVELS_MAX = 1000 };
static const ULong INTERVAL_MAX = 1000000000000000000ULL;

static Bool take_separation(const HChar* arg)
{
   const HChar* text = NULL;
   Rules* rules = &cg2_rules_default;
   if (VG_STR_CLO(arg, "--separate-recs", text))
      rules->recursion_levels = number(arg, text, 1, LEVELS_MAX);
   else if (VG_STR_CLO(arg, "--separate-callers", text))
      rules->n_callers = number(arg, text, 0, LEVELS_MAX);
   else
      return VG_BOOL_CLO(arg, "--separate-threads",
                         cg2_thread_config.are_threads_apart) ||
             VG_BOOL_CLO(arg, "--skip-direct-rec",
                         rules->skips_direct_recursion) ||
             VG_XACT_CLO(arg, "--pop-on-jump", rules->pops_on_jump, True);
   return True;
}

/* Options of a number and a pattern: --separate-recs2=f. */
static const struct {
   const HChar* option;
   RuleKind kind;
   UInt low, high;
} numbered_options[] = {
   {"--separate-recs", RULE_RECURSION_LEVELS, 1, LEVELS_MAX},
   {"--separate-callers", RULE_CALLERS, 0, LEVELS_MAX},
   {"--fn-group", RULE_GROUP, 1, 1000000},
};

static const HChar* pattern_of(const HChar* arg, const HChar* pattern)
{
   if (!*pattern)
      VG_(fmsg_bad_option)(arg, "expected a name, which may contain * and ?\n");
   return pattern;
}

static Bool take_numbered_pattern(const HChar* arg)
{
   UInt n = sizeof numbered_options / sizeof *numbered_options;
   for (UInt i = 0; i < n; i++) {
      const HChar* option = numbered_options[i].option;
      SizeT length = VG_(strlen)(option);
      const HChar* equals = VG_(strchr)(arg, '=');
      if (!equals || !begins(arg, option)) continue;
      HChar* digits = VG_(strdup)("cg2.option", arg + length);
      digits[equals - (arg + length)] = '\0';
      UInt value =
         number(arg, digits, numbered_options[i].low, numbered_options[i].high);
      VG_(free)(digits);
      cg2_rules_add(numbered_options[i].kind, pattern_of(arg, equals + 1),
                    value, arg);
      return True;
   }
   return False;
}

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

static Bool take_pattern(const HChar* arg)
{
   UInt n = sizeof pattern_options / sizeof *pattern_options;
   for (UInt i = 0; i < n; i++) {
      const HChar* option = pattern_options[i].option;
      if (!begins(arg, option)) continue;
      const HChar* pattern = pattern_of(arg, arg + VG_(strlen)(option));
      cg2_rules_add(pattern_options[i].kind, pattern, 0, arg);
      if (pattern_options[i].kind == RULE_TOGGLE_COLLECT)
         cg2_control_config.collect_at_start = False;
      return True;
   }
   return False;
}

static Bool take_interval(const HChar* arg)
{
   const HChar* text = NULL;
   if (!VG_STR_CLO(arg, "--dump-every-bb", text)) return False;
   cg2_control_config.dump_every = number(arg, text, 0, INTERVAL_MAX);
   return True;
}

/* The events beside Ir; they get columns in the order of Callgrind's. Reason
 * for a mutable file-scope object: configuration, until all options are known.
 */
static struct {
   Bool bus;
   SyscallTimes syscalls;
} wanted;

static Bool take_events(const HChar* arg)
{
   const HChar* option = "--collect-systime=";
   SizeT length = VG_(strlen)(option);
   static const struct {
      const HChar* value;
      SyscallTimes times;
   } units[] = {{"no", SYSCALLS_OFF},
                {"yes", SYSCALLS_MSEC},
                {"msec", SYSCALLS_MSEC},
                {"usec", SYSCALLS_USEC},
                {"nsec", SYSCALLS_NSEC}};
   if (VG_BOOL_CLO(arg, "--collect-bus", wanted.bus)) return True;
   if (!begins(arg, option)) return False;
   for (UInt i = 0; i < sizeof units / sizeof *units; i++)
      if (VG_STREQ(arg + length, units[i].value)) {
         wanted.syscalls = units[i].times;
         return True;
      }
   VG_(fmsg_bad_option)(arg, "expected no, yes, msec, usec or nsec\n");
   return False;
}

/* The processor to simulate. Reason for a mutable file-scope object:
 * configuration. */
static struct {
   const HChar* machine; /* as it was given, or NULL */
   Processor processor;
} simulated;

/* Any option of the caches has them simulated. */
static Bool take_cache(const HChar* arg, const HChar* option, Geometry* cache)
{
   HChar error[GEOMETRY_TEXT];
   if (!begins(arg, option)) return False;
   if (!cg2_geometry_parse(arg + VG_(strlen)(option), cache, error))
      VG_(fmsg_bad_option)(arg, "%s\n", error);
   cg2_accesses_config.has_caches = True;
   return True;
}

static Bool take_sweep(const HChar* arg)
{
   HChar error[SWEEP_TEXT];
   const HChar* option = "--cache-sweep=";
   if (!begins(arg, option)) return False;
   Sweep* sweep = VG_(malloc)("cg2.sweep", sizeof *sweep);
   if (!cg2_sweep_parse(arg + VG_(strlen)(option), sweep, error) ||
       !cg2_sweeps_add(&cg2_accesses_config.sweeps, sweep, error))
      VG_(fmsg_bad_option)(arg, "%s\n", error);
   return True;
}

static Bool take_cache_use(const HChar* arg)
{
   Bool* looks_at_use = &cg2_accesses_config.looks_at_use;
   if (!VG_BOOL_CLO(arg, "--cacheuse", *looks_at_use)) return False;
   if (*looks_at_use) cg2_dump_config.writer.view.by_instr = True;
   return True;
}

static void print_machine(const HChar* name)
{
   Processor p;
   HChar error[PROCESSOR_TEXT];
   const HChar* why;
   UInt line;
   HChar* path = cg2_catalog_path(name);
   HChar* text = cg2_catalog_read(path, &why);
   if (text && cg2_description_parse(text, &p, error, &line))
      VG_(printf)("    %-16s %s\n", name, p.name);
   if (text) VG_(free)(text);
   VG_(free)(path);
}

static void print_machines(void)
{
   VG_(printf)("\n   machines that --machine=<name> simulates:\n");
   cg2_catalog_list(print_machine);
}

static Bool take_machine(const HChar* arg)
{
   if (VG_STR_CLO(arg, "--machine", simulated.machine)) {
      if (VG_STREQ(simulated.machine, "help")) {
         print_machines();
         VG_(exit)(0);
      }
      if (!*simulated.machine)
         VG_(fmsg_bad_option)(arg, "expected the name of a machine, or a file; "
                                   "help lists the names\n");
      return cg2_accesses_config.has_caches = True;
   }
   if (!VG_BOOL_CLO(arg, "--private-caches", cg2_accesses_config.has_cores))
      return False;
   if (cg2_accesses_config.has_cores) cg2_accesses_config.has_caches = True;
   return True;
}

static Bool take_simulation(const HChar* arg)
{
   AccessesConfig* sim = &cg2_accesses_config;
   HierarchyConfig* h = &sim->hierarchy;
   if (take_machine(arg)) return True;
   if (VG_BOOL_CLO(arg, "--simulate-wb", h->writes_back) ||
       VG_BOOL_CLO(arg, "--simulate-hwpref", h->prefetches) ||
       take_cache_use(arg))
      return sim->has_caches = True;
   return VG_BOOL_CLO(arg, "--cache-sim", sim->has_caches) ||
          VG_BOOL_CLO(arg, "--simulate-cache", sim->has_caches) ||
          VG_BOOL_CLO(arg, "--branch-sim", cg2_mispredictions_config.is_on) ||
          take_cache(arg, "--I1=", &h->i1) ||
          take_cache(arg, "--D1=", &h->d1) ||
          take_cache(arg, "--LL=", &h->ll) ||
          take_cache(arg, "--L2=", &h->l2) || take_sweep(arg);
}

/* Lines that are looked at are neither written back nor prefetched. */
static void exclude_models(AccessesConfig* sim)
{
   HierarchyConfig* h = &sim->hierarchy;
   if (h->prefetches)
      VG_(umsg)("warning: prefetch simulation can not be used with cache "
                "usage\n");
   if (h->writes_back)
      VG_(umsg)("warning: write-back simulation can not be used with cache "
                "usage\n");
   h->prefetches = h->writes_back = False;
}

/* What the command line leaves open is as this processor has it. */
static void complete_caches(HierarchyConfig* h)
{
   CpuidCaches here;
   cg2_cpuid_here(&here);
   Bool is_open = !h->i1.size || !h->d1.size || !h->ll.size;
   if (is_open && here.is_assumed)
      VG_(umsg)("warning: the processor does not say what caches it has; "
                "common ones are simulated\n");
   if (!h->i1.size) h->i1 = here.i1;
   if (!h->d1.size) h->d1 = here.d1;
   if (!h->ll.size) h->ll = here.ll;
}

/*--- Described machines -------------------------------------------------*/

/* Reads the description, or ends the run with one line. */
static void read_machine(const HChar* machine)
{
   HChar error[PROCESSOR_TEXT];
   const HChar* why;
   UInt line;
   HChar* path = cg2_catalog_path(machine);
   HChar* text = cg2_catalog_read(path, &why);
   if (!text) {
      VG_(umsg)("%s: %s; --machine=help lists what is known by name\n", path,
                why);
      VG_(exit)(1);
   }
   if (!cg2_description_parse(text, &simulated.processor, error, &line)) {
      VG_(umsg)("%s:%u: %s\n", path, line, error);
      VG_(exit)(1);
   }
   if (!simulated.processor.name[0])
      VG_(snprintf)(simulated.processor.name, PROCESSOR_NAME, "%s", machine);
   VG_(free)(text);
   VG_(free)(path);
}

static void refuse_together(const HChar* option, const HChar* other)
{
   VG_(umsg)("%s does not go together with %s\n", option, other);
   VG_(exit)(1);
}

/* What a description says is not said by an option as well. */
static void check_machine_alone(const HierarchyConfig* h)
{
   const struct {
      Bool is_given;
      const HChar* option;
   } others[] = {{h->i1.size > 0, "--I1"},
                 {h->d1.size > 0, "--D1"},
                 {h->l2.size > 0, "--L2"},
                 {h->ll.size > 0, "--LL"},
                 {cg2_accesses_config.looks_at_use, "--cacheuse=yes"},
                 {h->writes_back, "--simulate-wb=yes"},
                 {h->prefetches, "--simulate-hwpref=yes"}};
   for (UInt i = 0; i < sizeof others / sizeof *others; i++)
      if (others[i].is_given) refuse_together(others[i].option, "--machine");
}

/* Callgrind's machine, as one that may have several cores. */
static void describe_hierarchy(const HierarchyConfig* h, Processor* p)
{
   Geometry levels[] = {h->i1, h->d1, h->l2.size ? h->l2 : h->ll, h->ll};
   if (h->prefetches)
      refuse_together("--simulate-hwpref=yes", "--private-caches=yes");
   p->n_levels = h->l2.size ? 3 : 2;
   p->asks_for_whole = True;
   p->page = PAGE_MIN;
   for (UInt i = 0; i <= p->n_levels; i++) {
      Bool is_last = i == p->n_levels;
      p->caches[i].geometry = levels[i];
      p->caches[i].is_shared = is_last;
      p->caches[i].writing = !h->writes_back ? WRITE_NONE
                             : is_last       ? WRITE_BACK
                                             : WRITE_THROUGH;
   }
}

/*--- Starting it --------------------------------------------------------*/

static void show_cache(UInt i, const Geometry* geometry)
{
   /* Reason for a mutable file-scope object: configuration, which
    * cg2_dump_config points to. */
   static HChar texts[3][GEOMETRY_TEXT];
   cg2_geometry_describe(geometry, texts[i]);
   cg2_dump_config.caches[i] = texts[i];
}

/* What cache use has no model of. */
static void check_use(const HierarchyConfig* h)
{
   if (h->l2.size) refuse_together("--L2", "--cacheuse=yes");
   if (cg2_accesses_config.has_cores)
      refuse_together("--private-caches=yes", "--cacheuse=yes");
   exclude_models(&cg2_accesses_config);
}

static void start_machine(void)
{
   Processor* p = &simulated.processor;
   check_machine_alone(&cg2_accesses_config.hierarchy);
   read_machine(simulated.machine);
   for (UInt i = 0; i < 2; i++)
      show_cache(i, &p->caches[cg2_processor_cache(p, 0, i == 0)].geometry);
   show_cache(
      2, &p->caches[cg2_processor_cache(p, p->n_levels - 1, False)].geometry);
   cg2_accesses_config.processor = cg2_mispredictions_config.processor = p;
   HChar text[PROCESSOR_NAME + 32];
   VG_(sprintf)(text, "Machine: %s", p->name);
   cg2_dump_describe(text);
   if (!cg2_mispredictions_config.is_on) return;
   UInt n = VG_(sprintf)(text, "Branch predictor: ");
   cg2_processor_predictor_name(&p->predictor, text + n);
   cg2_dump_describe(text);
}

static void start_hierarchy(void)
{
   HierarchyConfig* h = &cg2_accesses_config.hierarchy;
   complete_caches(h);
   if (cg2_accesses_config.looks_at_use) check_use(h);
   show_cache(0, &h->i1);
   show_cache(1, &h->d1);
   show_cache(2, &h->ll);
   if (!cg2_accesses_config.has_cores) return;
   describe_hierarchy(h, &simulated.processor);
   cg2_accesses_config.processor = &simulated.processor;
}

/* A sweep asks what its cache is asked for; of described machines, and of
 * several cores, that is not known. */
static void check_sweeps(void)
{
   const AccessesConfig* sim = &cg2_accesses_config;
   if (sim->looks_at_use && sim->sweeps.of[SWEEP_LL])
      refuse_together("--cache-sweep=LL", "--cacheuse=yes");
   for (UInt i = 0; i < SWEEP_CACHES; i++)
      if (sim->sweeps.of[i] && sim->processor)
         refuse_together("--cache-sweep", simulated.machine
                                             ? "--machine"
                                             : "--private-caches=yes");
}

/* Valgrind's option, of which tools are not told. */
static void check_quantum(void)
{
   static const HChar option[] = "--scheduling-quantum=";
   SizeT length = sizeof option - 1;
   Bool is_short = sizeof(UWord) == 4; /* the clock */
   if (!is_short && !cg2_accesses_has_clock() && !cg2_event_pairs.n) return;
   for (Word i = 0; i < VG_(sizeXA)(VG_(args_for_valgrind)); i++) {
      const HChar* arg = *(HChar**)VG_(indexXA)(VG_(args_for_valgrind), i);
      if (VG_(strncmp)(arg, option, length)) continue;
      if (VG_(strtoll10)(arg + length, NULL) <= ACCESSES_QUANTUM_MAX) continue;
      VG_(umsg)("%s is too much to count, expected at most %d blocks\n", arg,
                ACCESSES_QUANTUM_MAX);
      VG_(exit)(1);
   }
}

static void start_simulation(void)
{
   AccessesConfig* sim = &cg2_accesses_config;
   if (sim->sweeps.of[SWEEP_LL])
      sim->has_caches = True; /* whose misses it sees */
   sim->looks_at_use &= sim->has_caches;
   sim->is_on =
      sim->has_caches || sim->sweeps.of[SWEEP_I] || sim->sweeps.of[SWEEP_D];
   if (!sim->is_on) return;
   if (simulated.machine)
      start_machine();
   else if (sim->has_caches)
      start_hierarchy();
   check_sweeps();
   cg2_accesses_start();
}

/* Its counter is of the event before, too, which is in another. */
static void add_bus_event(void)
{
   UInt event = cg2_event_add("Ge", NULL);
   cg2_instrument_config.bus_event = event;
   cg2_event_add_pair(event - 1);
}

static void add_events(void)
{
   start_simulation();
   if (cg2_mispredictions_config.is_on) cg2_mispredictions_start();
   if (cg2_accesses_config.looks_at_use) cg2_accesses_start_use();
   if (wanted.bus) add_bus_event();
   check_quantum();
   cg2_syscalls_add_events(wanted.syscalls);
}

static Bool take_collection(const HChar* arg)
{
   ControlConfig* control = &cg2_control_config;
   Bool* collect_jumps = &cg2_instrument_config.collect_jumps;
   return VG_BOOL_CLO(arg, "--collect-jumps", *collect_jumps) ||
          VG_BOOL_CLO(arg, "--trace-jump", *collect_jumps) ||
          VG_BOOL_CLO(arg, "--instr-atstart", cg2_instrument_is_on) ||
          VG_BOOL_CLO(arg, "--collect-atstart", control->collect_at_start) ||
          VG_XACT_CLO(arg, "--collect-scope=thread", control->is_process_wide,
                      False) ||
          VG_XACT_CLO(arg, "--collect-scope=process", control->is_process_wide,
                      True) ||
          take_wrong_word(arg, "--collect-scope=", "thread or process");
}

static Bool take(const HChar* arg)
{
   if (take_out_file(arg) || take_form(arg)) return True;
   if (take_separation(arg) || take_pattern(arg)) return True;
   if (take_numbered_pattern(arg) || take_collection(arg)) return True;
   if (take_interval(arg) || take_events(arg)) return True;
   if (take_simulation(arg)) return True;
   if (VG_BOOL_CLO(arg, "--skip-plt", cg2_instrument_config.skip_stubs))
      return True;
   if (VG_BOOL_CLO(arg, "--check-cells", cg2_instrument_config.check_cells))
      return True;
   return False;
}

Bool cg2_options_take(const HChar* arg)
{
   if (take(arg)) return True;
   if (VG_(strchr)(arg, '=')) return False;
   /* What lacks a value is told which, as if an empty one were given. */
   HChar* with_value = VG_(malloc)("cg2.option", VG_(strlen)(arg) + 2);
   VG_(sprintf)(with_value, "%s=", arg);
   return take(with_value);
}

static void pin_valgrind_options(void)
{
   VexControl* vex = &VG_(clo_vex_control);
   if (vex->iropt_unroll_thresh != 0) {
      VG_(umsg)("cg2 only works with --vex-iropt-unroll-thresh=0\n"
                "=> resetting it back to 0\n");
      vex->iropt_unroll_thresh = 0;
   }
   if (vex->guest_chase) {
      VG_(umsg)("cg2 only works with --vex-guest-chase=no\n"
                "=> resetting it back to 'no'\n");
      vex->guest_chase = False;
   }
}

void cg2_options_finish(void)
{
   ViewConfig* view = &cg2_dump_config.writer.view;
   if (!view->by_line && !view->by_instr && !view->by_block) {
      VG_(umsg)("Using source line as position.\n");
      view->by_line = True;
   }
   add_events();
   cg2_thread_config.starts_off = !cg2_control_config.collect_at_start;
   pin_valgrind_options();
}

static void print_usage_of_files(void)
{
   VG_(printf)(
      "\n   profile file options:\n"
      "    --cg2-out-file=<f>          file name of the profile [cg2.out.%%p]; "
      "%%p is\n"
      "                                the process id, %%q{VAR} an "
      "environment\n"
      "                                variable, %%n a number, %%%% a %%\n"
      "    --callgrind-out-file=<f>    the same\n"
      "    --combine-dumps=no|yes      all parts in one file [no]\n"
      "    --dump-line=no|yes          costs per source line [yes]\n"
      "    --dump-instr=no|yes         costs per instruction [no]\n"
      "    --dump-bb=no|yes            costs per basic block [no]\n"
      "    --compress-strings=no|yes   write each name once, then its number "
      "[yes]\n"
      "    --compress-pos=no|yes       write positions as differences [yes]\n"
      "    --format=callgrind|spec     as Callgrind writes it, or exactly as "
      "the\n"
      "                                format's specification says "
      "[callgrind]\n");
}

static void print_usage_of_control(void)
{
   VG_(printf)(
      "\n   when to write a part, and what to collect:\n"
      "    --dump-every-bb=<n>         write a part every <n> blocks, 0: never "
      "[0]\n"
      "    --dump-before=<fn>          write a part before <fn> is entered; "
      "<fn> "
      "is the\n"
      "                                name of a function, with * and ?\n"
      "    --dump-after=<fn>           write a part when <fn> has been left\n"
      "    --zero-before=<fn>          start from zero when <fn> is entered\n"
      "    --toggle-collect=<fn>       collect only inside <fn>\n"
      "    --collect-atstart=no|yes    collect from the start [yes]\n"
      "    --instr-atstart=no|yes      count from the start; if not, the "
      "program "
      "runs\n"
      "                                as without a tool until it is told to "
      "[yes]\n"
      "    --collect-jumps=no|yes      count jumps and conditional branches "
      "[no]\n"
      "    --collect-systime=no|yes|msec|usec|nsec  count system calls and "
      "their\n"
      "                                time; yes: in milliseconds; nsec: CPU "
      "time, too\n"
      "                                [no]\n"
      "    --collect-bus=no|yes        count atomic accesses to memory [no]\n"
      "    --collect-scope=thread|process  whether a function that toggles it "
      "does so\n"
      "                                for its own thread or for all "
      "[thread]\n");
}

static void print_usage_of_simulation(void)
{
   VG_(printf)(
      "\n   simulation options:\n"
      "    --cache-sim=no|yes          count accesses to memory and cache "
      "misses [no];\n"
      "                                each of the next seven switches it on\n"
      "    --I1=<size>,<ways>,<line>   the cache for code: bytes, ways, bytes\n"
      "    --D1=<size>,<ways>,<line>   that for data\n"
      "    --L2=<size>,<ways>,<line>   a private second level behind both, "
      "before the\n"
      "                                last (none)\n"
      "    --LL=<size>,<ways>,<line>   the last one; I1, D1 and LL are as the "
      "processor\n"
      "                                has them\n"
      "    --simulate-wb=no|yes        count dirty lines that are written back "
      "[no]\n"
      "    --simulate-hwpref=no|yes    streams are fetched in advance [no]\n"
      "    --cacheuse=no|yes           say how well lines are used before they "
      "go [no]\n"
      "    --branch-sim=no|yes         count branches and those that are "
      "mispredicted\n"
      "                                [no]\n"
      "    --cache-sweep=<c>:<from>..<to>[,<key>=<n>...]  misses in caches of "
      "all these\n"
      "                                sizes, such as D:8k..1m; <c>: I, D or "
      "LL, which\n"
      "                                switches --cache-sim on; keys: sets or "
      "ways,\n"
      "                                which all have (sets=1); line (64); "
      "step (sizes\n"
      "                                double)\n"
      "    --machine=<name>|<file>     simulate a described machine instead; "
      "help\n"
      "                                lists the names\n"
      "    --private-caches=no|yes     each thread has caches of its own, but "
      "for the\n"
      "                                shared ones [no]\n");
}

static void print_usage_of_separation(void)
{
   VG_(printf)(
      "\n   cost separation options:\n"
      "    --separate-recs=<n>         keep <n> recursion levels apart, 1 to "
      "1000:\n"
      "                                f, f'2, ... [2]\n"
      "    --separate-recs<n>=<fn>     likewise, for <fn> only\n"
      "    --separate-callers=<n>      keep functions apart by their last <n> "
      "callers:\n"
      "                                f'caller1'caller2 [0]\n"
      "    --separate-callers<n>=<fn>  likewise, for <fn> only\n"
      "    --separate-threads=no|yes   a profile for each thread [no]\n"
      "    --fn-group<n>=<fn>          functions of group <n> count as one "
      "among "
      "callers\n"
      "    --fn-skip=<fn>              costs of <fn> are its caller's, at the "
      "call\n"
      "    --obj-skip=<file>           likewise, for all functions of an "
      "object "
      "file\n"
      "    --skip-direct-rec=no|yes    a function's call of itself is none "
      "[no]\n"
      "    --pop-on-jump[=<fn>]        a jump out of any function, or of <fn>, "
      "is a\n"
      "                                return and a call\n"
      "    --skip-plt=no|yes           calls through .plt, .plt.sec and "
      ".plt.got go\n"
      "                                straight to the function [yes]\n");
}

void cg2_options_print_usage(void)
{
   print_usage_of_files();
   print_usage_of_control();
   print_usage_of_simulation();
   print_machines();
   print_usage_of_separation();
}

void cg2_options_print_debug_usage(void)
{
   VG_(printf)("    --check-cells=no|yes        stop where a block counts in "
               "another's cells [no]\n");
}
