#include "run/setup.h"

#include "avx512/vecblock.h"
#include "avx512/vecconfig.h"
#include "base/arguments.h"
#include "data/heap/allocators.h"
#include "data/heap/heap.h"
#include "engine/probe.h"
#include "events/accesses.h"
#include "events/allocs.h"
#include "events/eventsconfig.h"
#include "events/mispredictions.h"
#include "events/syscalls.h"
#include "model/callgrind/host.h"
#include "model/described/catalog.h"
#include "model/described/description.h"
#include "profile/files/dump.h"
#include "pub_tool_options.h"
#include "repeat/repeat.h"
#include "repeat/repeatconfig.h"
#include "run/control.h"
#include "run/freshmemory.h"
#include "run/guise.h"
#include "run/runconfig.h"
#include "translate/cpuidcode.h"
#include "translate/eventcode.h"
#include "translate/roundcode.h"
#include "translate/translateconfig.h"

/* The processor that is simulated instead of Callgrind's machine, for good. */
static Processor* new_processor(void)
{
   return VG_(calloc)("cg2.processor", 1, sizeof(Processor));
}

static void refuse_together(const HChar* option, const HChar* other)
{
   VG_(umsg)("%s does not go together with %s\n", option, other);
   VG_(exit)(1);
}

/* Puts a cache into the header of the profile: `place` is 0 for the first
 * cache of code, 1 for that of data, 2 for the last level. */
static void show_cache(UInt place, const Geometry* geometry)
{
   HChar text[GEOMETRY_TEXT];
   cg2_geometry_describe(geometry, text);
   cg2_profile_config.caches[place] = VG_(strdup)("cg2.cache", text);
}

/*--- Callgrind's machine ------------------------------------------------*/

/* Gives each cache that no option describes the shape that it has in the
 * processor of this computer. */
static void complete_caches(HierarchyConfig* h)
{
   HostMachine here;
   cg2_host_machine(&here);
   Bool is_open = !h->i1.size || !h->d1.size || !h->ll.size;
   if (is_open && here.is_assumed)
      VG_(umsg)("warning: the processor does not say what caches it has; "
                "common ones are simulated\n");
   if (!h->i1.size) h->i1 = here.i1;
   if (!h->d1.size) h->d1 = here.d1;
   if (!h->ll.size) h->ll = here.ll;
}

/* A simulation of cache use neither writes lines back nor prefetches them. */
static void drop_models(HierarchyConfig* h)
{
   if (h->prefetches)
      VG_(umsg)("warning: prefetch simulation can not be used with cache "
                "usage\n");
   if (h->writes_back)
      VG_(umsg)("warning: write-back simulation can not be used with cache "
                "usage\n");
   h->prefetches = h->writes_back = False;
}

/* Refuses, or drops with a warning, what a simulation of cache use lacks. */
static void check_use(HierarchyConfig* h)
{
   if (h->l2.size) refuse_together("--L2", "--cacheuse=yes");
   if (cg2_events_config.accesses.has_cores)
      refuse_together("--private-caches=yes", "--cacheuse=yes");
   drop_models(h);
}

/* Describes Callgrind's machine as a processor, which may have several cores.
 */
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

static void prepare_hierarchy(HierarchyConfig* h)
{
   complete_caches(h);
   if (cg2_events_config.accesses.looks_at_use) check_use(h);
   show_cache(0, &h->i1);
   show_cache(1, &h->d1);
   show_cache(2, &h->ll);
   if (!cg2_events_config.accesses.has_cores) return;
   Processor* processor = new_processor();
   describe_hierarchy(h, processor);
   cg2_events_config.accesses.processor = processor;
}

/*--- Described machines -------------------------------------------------*/

/* Refuses options that say what the description of a machine says. */
static void check_machine_alone(const HierarchyConfig* h)
{
   const struct {
      Bool is_given;
      const HChar* option;
   } others[] = {{h->i1.size > 0, "--I1"},
                 {h->d1.size > 0, "--D1"},
                 {h->l2.size > 0, "--L2"},
                 {h->ll.size > 0, "--LL"},
                 {cg2_events_config.accesses.looks_at_use, "--cacheuse=yes"},
                 {h->writes_back, "--simulate-wb=yes"},
                 {h->prefetches, "--simulate-hwpref=yes"}};
   for (UInt i = 0; i < sizeof others / sizeof *others; i++)
      if (others[i].is_given) refuse_together(others[i].option, "--machine");
}

/* Reads the description of the machine, or ends the run with one line. */
static void read_machine(const HChar* machine, Processor* p)
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
   if (!cg2_description_parse(text, p, error, &line)) {
      VG_(umsg)("%s:%u: %s\n", path, line, error);
      VG_(exit)(1);
   }
   if (!p->name[0]) VG_(snprintf)(p->name, PROCESSOR_NAME, "%s", machine);
   VG_(free)(text);
   VG_(free)(path);
}

/* Puts the machine into the header of the profile. */
static void show_machine(const Processor* p)
{
   UInt last = cg2_processor_cache(p, p->n_levels - 1, False);
   show_cache(0, &p->caches[cg2_processor_cache(p, 0, True)].geometry);
   show_cache(1, &p->caches[cg2_processor_cache(p, 0, False)].geometry);
   show_cache(2, &p->caches[last].geometry);
   HChar text[PROCESSOR_NAME + 32];
   VG_(sprintf)(text, "Machine: %s", p->name);
   cg2_dump_describe(text);
   if (!cg2_events_config.mispredictions.is_on) return;
   UInt n = VG_(sprintf)(text, "Branch predictor: ");
   cg2_processor_predictor_name(&p->predictor, text + n);
   cg2_dump_describe(text);
}

static void prepare_machine(void)
{
   check_machine_alone(&cg2_events_config.accesses.hierarchy);
   Processor* processor = new_processor();
   read_machine(cg2_run_config.machine, processor);
   show_machine(processor);
   cg2_events_config.accesses.processor = processor;
   cg2_events_config.mispredictions.processor = processor;
}

/*--- Events -------------------------------------------------------------*/

/* Switches the caches on where data objects are asked for and nothing looks at
 * accesses to data. */
static void look_at_data(AccessesConfig* config)
{
   Bool is_looked_at = config->has_caches || config->sweeps.of[SWEEP_D];
   if (cg2_touches_config.mode == DATA_NO || is_looked_at) return;
   config->has_caches = True;
   if (VG_(clo_verbosity) > 0)
      VG_(umsg)("--data needs a simulation of accesses to data, so "
                "--cache-sim=yes is switched on\n");
}

/* Decides what is simulated. A sweep of the last level needs the caches before
 * it, as it sees only their misses. */
static void choose_simulation(void)
{
   AccessesConfig* config = &cg2_events_config.accesses;
   const Sweeps* sweeps = &config->sweeps;
   if (sweeps->of[SWEEP_LL]) config->has_caches = True;
   look_at_data(config);
   config->looks_at_use &= config->has_caches;
   config->is_on =
      config->has_caches || sweeps->of[SWEEP_I] || sweeps->of[SWEEP_D];
}

/* Refuses sweeps where nobody knows what their caches would be asked for: with
 * described machines, and with several cores. */
static void check_sweeps(void)
{
   const AccessesConfig* config = &cg2_events_config.accesses;
   if (config->looks_at_use && config->sweeps.of[SWEEP_LL])
      refuse_together("--cache-sweep=LL", "--cacheuse=yes");
   for (UInt i = 0; i < SWEEP_CACHES; i++)
      if (config->sweeps.of[i] && config->processor)
         refuse_together("--cache-sweep", cg2_run_config.machine
                                             ? "--machine"
                                             : "--private-caches=yes");
}

/* Warns of pools where nobody asks for data objects. */
static void check_pools(void)
{
   if (cg2_touches_config.mode == DATA_NO && cg2_allocators_config.pools.n)
      VG_(umsg)("warning: --data-alloc has no effect without --data\n");
}

static void add_access_events(void)
{
   if (cg2_path_is_on() && cg2_events_config.accesses.looks_at_use)
      refuse_together("--contexts=full", "--cacheuse=yes");
   choose_simulation();
   if (!cg2_events_config.accesses.is_on) return;
   if (cg2_run_config.machine)
      prepare_machine();
   else if (cg2_events_config.accesses.has_caches)
      prepare_hierarchy(&cg2_events_config.accesses.hierarchy);
   check_sweeps();
   cg2_accesses_start();
   cg2_freshmemory_begin();
}

/* Refuses a value of --scheduling-quantum, an option of Valgrind that tools are
 * not told of, with which a counter could overflow between two stops of a
 * thread. On a 32-bit host the clock is such a counter, too. */
static void check_quantum(void)
{
   static const HChar option[] = "--scheduling-quantum=";
   Bool is_short = sizeof(UWord) == 4;
   if (!is_short && !cg2_accesses_has_clock() && !cg2_events.pairs.n) return;
   const HChar* value = cg2_arguments_value(option);
   if (!value || VG_(strtoll10)(value, NULL) <= ACCESSES_QUANTUM_MAX) return;
   VG_(umsg)("%s%s is too much to count, expected at most %d blocks\n", option,
             value, ACCESSES_QUANTUM_MAX);
   VG_(exit)(1);
}

/* Adds the events beside Ir, in the order that Callgrind's columns have. */
static void add_events(void)
{
   add_access_events();
   check_pools();
   if (cg2_events_config.mispredictions.is_on) cg2_mispredictions_start();
   if (cg2_events_config.accesses.looks_at_use) cg2_accesses_start_use();
   cg2_eventcode_start();
   cg2_roundcode_start();
   check_quantum();
   if (cg2_touches_config.mode != DATA_NO) cg2_heap_start();
   cg2_allocs_start();
   cg2_allocators_start();
   cg2_syscalls_start();
}

/*--- Repeatable runs ----------------------------------------------------*/

/* The processor that a repeatable run is told of where --cpu says nothing. */
static const HChar repeatable_cpu[] = "avx2";

/* Refuses what would not be repeatable, and chooses what must be the same. */
static void prepare_repeatable(void)
{
   CpuidcodeConfig* cpu = &cg2_translate_config.cpu;
   const HChar* obstacle = cg2_repeat_obstacle();
   if (!cg2_repeat_config.is_on) return;
   if (obstacle) {
      VG_(umsg)("--repeatable=yes: %s\n", obstacle);
      VG_(exit)(1);
   }
   if (!cg2_arguments_value("--cpu=")) {
      cpu->chosen = repeatable_cpu;
      cg2_cpu_named(repeatable_cpu, &cpu->cpu);
   }
}

/*--- Layout -------------------------------------------------------------*/

/* Says in the profile which layout was chosen. */
static void describe_layout(void)
{
   HChar text[40];
   if (!cg2_events_config.accesses.layout) return;
   VG_(sprintf)(text, "Layout: %llu", cg2_events_config.accesses.layout);
   cg2_dump_describe(text);
}

/*--- All ----------------------------------------------------------------*/

/* A profile has at least one position: the source line, if nothing is chosen.
 */
static void choose_positions(PositionConfig* config)
{
   for (UInt s = 0; s < N_SUBPOSITIONS; s++)
      if (config->has[s]) return;
   VG_(umsg)("Using source line as position.\n");
   config->has[POSITION_LINE] = True;
}

/* Resets the options of Valgrind with which a block would be counted wrongly.
 */
static void pin_valgrind_options(VexControl* vex)
{
   if (vex->iropt_unroll_thresh != 0) {
      VG_(umsg)("%s only works with --vex-iropt-unroll-thresh=0\n"
                "=> resetting it back to 0\n",
                cg2_guise_name());
      vex->iropt_unroll_thresh = 0;
   }
   if (vex->guest_chase) {
      VG_(umsg)("%s only works with --vex-guest-chase=no\n"
                "=> resetting it back to 'no'\n",
                cg2_guise_name());
      vex->guest_chase = False;
   }
}

void cg2_setup_start(void)
{
   choose_positions(&cg2_profile_config.writer.positions);
   add_events();
   describe_layout();
   cg2_engine_config.is_plain = !cg2_event_has_more() && !cg2_path_is_on();
   cg2_engine_config.starts_off = !cg2_run_config.collect_at_start;
   pin_valgrind_options(&VG_(clo_vex_control));
   prepare_repeatable();
   cg2_vec.config.is_virtual = cg2_repeat_config.is_on;
   cg2_vecblock_start();
   cg2_vec.config.is_told = cg2_vec.config.executes && cg2_cpuidcode_chosen() &&
                            cg2_cpuidcode_chosen()->class == CPU_V4;
}
