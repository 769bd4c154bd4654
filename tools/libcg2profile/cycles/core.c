/* Reads tables of processors, files *.core: lines of a keyword and words, most
 * of them key=value. */
#include "cycles/core.h"
#include "base/input.h"
#include "base/text.h"
#include "cycles/corewords.h"
#include "cycles/recent.h"

#include <stdlib.h>
#include <string.h>

/*--- Numbers ------------------------------------------------------------*/

typedef enum NumberKind { NUMBER_PLAIN, NUMBER_GRAINS, NUMBER_YES } NumberKind;

/* A key whose value is a number. */
typedef struct NumberKey {
   const char *line, *key;
   NumberKind kind;
   uint64_t least, most;
   size_t offset;
} NumberKey;

enum { BUFFER_MAX = 1024, LATENCY_MAX = 2000, SLOTS_MAX = 32 };

#define NUMBER(line, key, kind, least, most, field)                            \
   {                                                                           \
      line, key, kind, least, most, offsetof(CoreNumbers, field)               \
   }
#define PLAIN(line, key, least, most, field)                                   \
   NUMBER(line, key, NUMBER_PLAIN, least, most, field)
#define GRAINS(line, key, field)                                               \
   NUMBER(line, key, NUMBER_GRAINS, 0, 1000, field)
#define YES(line, key, field) NUMBER(line, key, NUMBER_YES, 0, 1, field)

static const NumberKey number_keys[] = {
   PLAIN("pipeline", "width", 1, SLOTS_MAX, sizes.width),
   PLAIN("pipeline", "fetch", 1, SLOTS_MAX, sizes.fetch),
   PLAIN("pipeline", "queue", 8, BUFFER_MAX, sizes.queue),
   PLAIN("pipeline", "retire", 1, SLOTS_MAX, sizes.retire),
   PLAIN("pipeline", "reorder", 16, BUFFER_MAX, sizes.reorder),
   PLAIN("pipeline", "scheduler", 8, BUFFER_MAX, sizes.scheduler),
   PLAIN("pipeline", "loads", 4, BUFFER_MAX, sizes.loads),
   PLAIN("pipeline", "stores", 4, BUFFER_MAX, sizes.stores),
   PLAIN("pipeline", "refill", 1, 100, sizes.refill),
   PLAIN("pipeline", "indexed", 0, SLOTS_MAX, sizes.indexed),
   YES("pipeline", "turns", sizes.turns),
   YES("pipeline", "spread", sizes.spread),
   PLAIN("pipeline", "results", 0, 1, sizes.results),
   PLAIN("fetch", "taken", 0, 100, fetching.taken),
   PLAIN("fetch", "jumps", 0, 8, fetching.jumps),
   PLAIN("fetch", "indirect", 0, 100, fetching.indirect),
   PLAIN("fetch", "return", 0, 100, fetching.returns),
   PLAIN("fetch", "several", 0, 100, fetching.several),
   PLAIN("fetch", "away", 0, 100, fetching.away),
   YES("fetch", "decoupled", fetching.decoupled),
   YES("fetch", "cross", fetching.cross),
   PLAIN("fetch", "line", 0, 4096, fetching.line),
   PLAIN("fetch", "lines", 0, 16, fetching.lines),
   PLAIN("fetch", "ahead", 0, AHEAD_MAX, fetching.ahead),
   GRAINS("fetch", "code", fetching.code),
   PLAIN("fetch", "far", 0, 100, fetching.far),
   PLAIN("fetch", "near", 0, 1 << 16, fetching.near),
   PLAIN("fetch", "beyond", 0, 100, fetching.beyond),
   PLAIN("decode", "sets", 0, 4096, decoding.sets),
   PLAIN("decode", "ways", 0, RECENT_WAYS_MAX, decoding.ways),
   PLAIN("decode", "slots", 0, 64, decoding.slots),
   PLAIN("decode", "most", 0, RECENT_WAYS_MAX, decoding.most),
   PLAIN("decode", "bytes", 0, 4096, decoding.bytes),
   PLAIN("decode", "width", 0, SLOTS_MAX, decoding.width),
   YES("decode", "borders", decoding.borders),
   PLAIN("decode", "late", 0, 100, decoding.late),
   YES("decode", "stays", decoding.stays),
   PLAIN("memory", "load", 1, 100, memory.load),
   PLAIN("memory", "vector", 1, 100, memory.vector),
   PLAIN("memory", "wide", 1, 100, memory.wide),
   PLAIN("memory", "chase", 0, 100, memory.chase),
   PLAIN("memory", "complex", 0, 100, memory.complex),
   PLAIN("memory", "L2", 1, LATENCY_MAX, memory.level2),
   PLAIN("memory", "L3", 1, LATENCY_MAX, memory.level3),
   PLAIN("memory", "memory", 1, LATENCY_MAX, memory.memory),
   PLAIN("memory", "fills", 1, BUFFER_MAX, memory.fills),
   PLAIN("memory", "superqueue", 1, BUFFER_MAX, memory.superqueue),
   PLAIN("memory", "set", 0, LATENCY_MAX, memory.set),
   PLAIN("memory", "dirty", 0, LATENCY_MAX, memory.dirty),
   PLAIN("memory", "tlb", 0, LATENCY_MAX, memory.tlb),
   PLAIN("memory", "walk", 0, LATENCY_MAX, memory.walk),
   PLAIN("memory", "walkers", 1, 64, memory.walkers),
   GRAINS("bandwidth", "L2", links[0]),
   GRAINS("bandwidth", "L3", links[1]),
   GRAINS("bandwidth", "memory", links[2]),
   PLAIN("forward", "latency", 0, 100, forwarding.latency),
   PLAIN("forward", "fast", 0, 100, forwarding.fast),
   PLAIN("forward", "failed", 0, LATENCY_MAX, forwarding.failed),
   PLAIN("forward", "vector", 0, 100, forwarding.vector),
   YES("forward", "learned", forwarding.learned),
   YES("eliminate", "moves", eliminated.moves),
   YES("eliminate", "immediates", eliminated.immediates),
   YES("eliminate", "zero", eliminated.zeroes),
   YES("eliminate", "vectors", eliminated.vectors),
   PLAIN("eliminate", "counters", 0, 64, eliminated.counters),
   YES("eliminate", "stack", eliminated.stack),
   PLAIN("floats", "forward", 0, 100, floats),
   PLAIN("repeat", "start", 0, LATENCY_MAX, repeats.start),
   PLAIN("repeat", "bytes", 1, BUFFER_MAX, repeats.bytes),
   GRAINS("repeat", "other", repeats.other),
};
enum { NUMBER_KEYS = sizeof number_keys / sizeof *number_keys };

/* What holds where the table says nothing: measured of recent processors. */
static const CoreNumbers usual = {
   .repeats = {.start = 20, .bytes = 61, .other = 24}};

static uint64_t read_of_kind(CoreWords* words, const NumberKey* key, Text value)
{
   switch (key->kind) {
   case NUMBER_YES:
      return cg2p_corewords_yes(words, key->key, value);
   case NUMBER_GRAINS:
      return cg2p_corewords_grains(words, key->key, value, key->most);
   default:
      return cg2p_corewords_number(words, key->key, value, key->least,
                                   key->most);
   }
}

static const NumberKey* find_number(Text line, Text key)
{
   for (int i = 0; i < NUMBER_KEYS; i++)
      if (cg2p_corewords_is(line, number_keys[i].line) &&
          cg2p_corewords_is(key, number_keys[i].key))
         return &number_keys[i];
   return NULL;
}

/* Reads a line of numbers. */
static void read_numbers(cg2p_core* core, CoreWords* words, Text line)
{
   Text key, value;
   while (cg2p_corewords_pair(words, &key, &value)) {
      const NumberKey* known = find_number(line, key);
      if (!known) cg2p_corewords_refuse(words, key, "a key of this line");
      uint64_t* number = (uint64_t*)((char*)&core->numbers + known->offset);
      *number = read_of_kind(words, known, value);
   }
}

/*--- Ports --------------------------------------------------------------*/

static void add_group(cg2p_core* core, Text name, uint32_t ports)
{
   core->groups.of =
      cg2p_memory_grow(&core->failure, core->groups.of, &core->groups.room,
                       core->groups.n + 1, sizeof *core->groups.of);
   core->groups.of[core->groups.n++] =
      (CoreGroup){cg2p_arena_text(&core->texts, &core->failure, name.start,
                                  cg2p_text_length(name)),
                  ports};
}

/* The ports that a group or a port has. */
static uint32_t ports_of(const cg2p_core* core, CoreWords* words, Text name)
{
   for (size_t i = core->groups.n; i-- > 0;)
      if (cg2p_corewords_is(name, core->groups.of[i].name))
         return core->groups.of[i].ports;
   cg2p_corewords_refuse(words, name, "a port or a group of a line above");
}

static void read_ports(cg2p_core* core, CoreWords* words)
{
   Text name;
   if (core->groups.n)
      cg2p_corewords_refuse(words, words->line, "one line of ports");
   while (cg2p_corewords_next(words, &name)) {
      if (core->groups.n_ports == PORTS_MAX)
         cg2p_corewords_refuse(words, name, "32 ports at most");
      add_group(core, name, 1u << core->groups.n_ports++);
   }
}

static void read_group(cg2p_core* core, CoreWords* words)
{
   Text name, port;
   uint32_t ports = 0;
   if (!cg2p_corewords_next(words, &name) ||
       !cg2p_corewords_next(words, &port) || !cg2p_corewords_is(port, "="))
      cg2p_corewords_refuse(words, words->line, "group NAME = PORT ...");
   while (cg2p_corewords_next(words, &port))
      ports |= ports_of(core, words, port);
   if (!ports) cg2p_corewords_refuse(words, words->line, "ports of the group");
   add_group(core, name, ports);
}

/* Reads ENTRIES = PORT ... */
static void read_scheduler(cg2p_core* core, CoreWords* words)
{
   Text entries, port;
   CoreScheduler own = {0};
   if (!cg2p_corewords_next(words, &entries) ||
       !cg2p_corewords_next(words, &port) || !cg2p_corewords_is(port, "="))
      cg2p_corewords_refuse(words, words->line, "scheduler ENTRIES = PORT ...");
   own.entries =
      cg2p_corewords_number(words, "scheduler", entries, 1, BUFFER_MAX);
   while (cg2p_corewords_next(words, &port))
      own.ports |= ports_of(core, words, port);
   for (size_t i = 0; i < core->schedulers.n; i++)
      if (core->schedulers.of[i].ports & own.ports)
         cg2p_corewords_refuse(words, words->line, "ports of one scheduler");
   if (!own.ports)
      cg2p_corewords_refuse(words, words->line, "ports of the scheduler");
   core->schedulers.of[core->schedulers.n++] = own;
}

/* Gives each port that is in no scheduler one without limit. */
static void add_schedulers(cg2p_core* core)
{
   uint32_t known = 0;
   for (size_t i = 0; i < core->schedulers.n; i++)
      known |= core->schedulers.of[i].ports;
   for (size_t port = 0; port < core->groups.n_ports; port++)
      if (!(known >> port & 1))
         core->schedulers.of[core->schedulers.n++] =
            (CoreScheduler){(uint32_t)1 << port, UINT32_MAX};
}

static void read_access(cg2p_core* core, CoreWords* words)
{
   const struct {
      const char* key;
      uint32_t* ports;
   } keys[] = {{"load", &core->access.load},
               {"vector-load", &core->access.vector_load},
               {"store-address", &core->access.store_address},
               {"indexed-store-address", &core->access.indexed},
               {"store-data", &core->access.store_data},
               {"vector-store-data", &core->access.vector_store}};
   enum { KEYS = sizeof keys / sizeof *keys };
   Text key, value;
   while (cg2p_corewords_pair(words, &key, &value)) {
      int i = 0;
      while (i < KEYS && !cg2p_corewords_is(key, keys[i].key))
         i++;
      if (i == KEYS) cg2p_corewords_refuse(words, key, "a key of this line");
      *keys[i].ports = ports_of(core, words, value);
   }
}

/*--- Operations ---------------------------------------------------------*/

/* Reads GROUP[*count][@occupied]. */
static void add_use(cg2p_core* core, CoreWords* words, Text text)
{
   CoreUse use = {.count = 1, .occupied = 1};
   Text name = text;
   name.end = cg2p_corewords_find(text, "*@");
   Text rest = {name.end, text.end};
   while (rest.start < rest.end) {
      char mark = *rest.start++;
      Text number = rest;
      number.end = cg2p_corewords_find(rest, "*@");
      uint32_t n = cg2p_corewords_number(words, "uses", number, 1, 100);
      if (mark == '*')
         use.count = n;
      else
         use.occupied = n;
      rest.start = number.end;
   }
   use.ports = ports_of(core, words, name);
   core->uses.of =
      cg2p_memory_grow(&core->failure, core->uses.of, &core->uses.room,
                       core->uses.n + 1, sizeof *core->uses.of);
   core->uses.of[core->uses.n++] = use;
}

static void read_uses(cg2p_core* core, CoreWords* words, CoreOp* op, Text value)
{
   enum { USES_MAX = 16 };
   op->first_use = core->uses.n;
   if (cg2p_corewords_is(value, "none")) value.end = value.start;
   while (value.start < value.end) {
      Text use = value;
      use.end = cg2p_corewords_find(value, ",");
      add_use(core, words, use);
      value.start = use.end + (use.end < value.end);
   }
   op->n_uses = core->uses.n - op->first_use;
   if (op->n_uses > USES_MAX)
      cg2p_corewords_refuse(words, value, "16 kinds of micro-operations");
}

static CoreOp read_op(cg2p_core* core, CoreWords* words)
{
   CoreOp op = {.latency = 1, .slots = 1};
   Text key, value;
   while (cg2p_corewords_pair(words, &key, &value)) {
      if (cg2p_corewords_is(key, "latency"))
         op.latency =
            cg2p_corewords_number(words, "latency", value, 0, LATENCY_MAX);
      else if (cg2p_corewords_is(key, "slots"))
         op.slots = cg2p_corewords_number(words, "slots", value, 0, BUFFER_MAX);
      else if (cg2p_corewords_is(key, "divider"))
         op.divider =
            cg2p_corewords_number(words, "divider", value, 0, LATENCY_MAX);
      else if (cg2p_corewords_is(key, "uses"))
         read_uses(core, words, &op, value);
      else
         cg2p_corewords_refuse(words, key, "latency, slots, divider or uses");
   }
   return op;
}

const CoreOp* cg2p_core_op(const cg2p_core* core, const char* form, size_t n)
{
   uint32_t found = cg2p_hash_find(
      &core->ops.by_form, cg2p_hash_text(form, n), i,
      !strncmp(core->ops.of[i].form, form, n) && !core->ops.of[i].form[n]);
   return found == CG2P_NONE ? NULL : &core->ops.of[found];
}

static void add_op(cg2p_core* core, CoreWords* words)
{
   Text form = cg2p_corewords_until_pair(words);
   size_t n = cg2p_text_length(form);
   if (!n) cg2p_corewords_refuse(words, words->line, "op FORM latency=...");
   if (cg2p_core_op(core, form.start, n))
      cg2p_corewords_refuse(words, form, "one line for each form");
   CoreOp op = read_op(core, words);
   op.form = cg2p_arena_text(&core->texts, &core->failure, form.start, n);
   core->ops.of =
      cg2p_memory_grow(&core->failure, core->ops.of, &core->ops.room,
                       core->ops.n + 1, sizeof *core->ops.of);
   cg2p_hash_add(&core->ops.by_form, &core->failure, cg2p_hash_text(op.form, n),
                 core->ops.n);
   core->ops.of[core->ops.n++] = op;
}

static void add_pair(cg2p_core* core, CoreFusing* to, CorePair pair)
{
   to->of = cg2p_memory_grow(&core->failure, to->of, &to->room, to->n + 1,
                             sizeof *to->of);
   to->of[to->n++] = pair;
}

static const char* word_of(cg2p_core* core, Text word)
{
   return cg2p_arena_text(&core->texts, &core->failure, word.start,
                          cg2p_text_length(word));
}

static void read_fusing(cg2p_core* core, CoreWords* words)
{
   Text word;
   while (cg2p_corewords_next(words, &word))
      add_pair(core, &core->fusing, (CorePair){word_of(core, word), NULL});
}

/* Reads MNEMONIC ... = BRANCH ... */
static void read_apart(cg2p_core* core, CoreWords* words)
{
   enum { FIRSTS = 32 };
   const char* firsts[FIRSTS];
   size_t n = 0;
   Text word;
   while (cg2p_corewords_next(words, &word) && !cg2p_corewords_is(word, "=")) {
      if (n == FIRSTS) cg2p_corewords_refuse(words, word, "32 words at most");
      firsts[n++] = word_of(core, word);
   }
   while (cg2p_corewords_next(words, &word)) {
      const char* branch = word_of(core, word);
      for (size_t i = 0; i < n; i++)
         add_pair(core, &core->apart, (CorePair){firsts[i], branch});
   }
}

static bool is_mnemonic(const char* word, const char* form)
{
   size_t n = strcspn(form, " ");
   return !strncmp(word, form, n) && !word[n];
}

static bool is_pair(const CorePair* pair, const char* form, const char* branch)
{
   if (!is_mnemonic(pair->first, form)) return false;
   if (!pair->branch || is_mnemonic(pair->branch, branch)) return true;
   size_t n = strlen(form);
   bool has_number = n > 2 && !strcmp(form + n - 2, ",i");
   return !strcmp(pair->branch, "i") && has_number && strstr(form, " m");
}

static bool
has_pair(const CoreFusing* pairs, const char* form, const char* branch)
{
   for (size_t i = 0; i < pairs->n; i++)
      if (is_pair(&pairs->of[i], form, branch)) return true;
   return false;
}

bool cg2p_core_fuses(const cg2p_core* core,
                     const char* form,
                     const char* branch)
{
   return has_pair(&core->fusing, form, branch) &&
          !has_pair(&core->apart, form, branch);
}

/*--- Lines --------------------------------------------------------------*/

static const char* rest_of(cg2p_core* core, CoreWords* words)
{
   Text rest = cg2p_corewords_rest(words);
   if (rest.start == rest.end)
      cg2p_corewords_refuse(words, words->line, "words behind this one");
   return cg2p_arena_text(&core->texts, &core->failure, rest.start,
                          cg2p_text_length(rest));
}

static bool is_of_numbers(Text word)
{
   for (int i = 0; i < NUMBER_KEYS; i++)
      if (cg2p_corewords_is(word, number_keys[i].line)) return true;
   return false;
}

static void read_line(cg2p_core* core, CoreWords* words)
{
   Text word;
   if (!cg2p_corewords_next(words, &word)) return;
   if (is_of_numbers(word))
      read_numbers(core, words, word);
   else if (cg2p_corewords_is(word, "op"))
      add_op(core, words);
   else if (cg2p_corewords_is(word, "core"))
      core->title.name = rest_of(core, words);
   else if (cg2p_corewords_is(word, "machine"))
      core->title.machine = rest_of(core, words);
   else if (cg2p_corewords_is(word, "code"))
      core->title.code = rest_of(core, words);
   else if (cg2p_corewords_is(word, "measured"))
      core->title.measured = rest_of(core, words);
   else if (cg2p_corewords_is(word, "ports"))
      read_ports(core, words);
   else if (cg2p_corewords_is(word, "group"))
      read_group(core, words);
   else if (cg2p_corewords_is(word, "scheduler"))
      read_scheduler(core, words);
   else if (cg2p_corewords_is(word, "access"))
      read_access(core, words);
   else if (cg2p_corewords_is(word, "fuse"))
      read_fusing(core, words);
   else if (cg2p_corewords_is(word, "apart"))
      read_apart(core, words);
   else if (cg2p_corewords_is(word, "default"))
      core->ops.standard = read_op(core, words);
   else if (!cg2p_corewords_is(word, "source"))
      cg2p_corewords_refuse(words, word, "a keyword of a table");
}

static void check(cg2p_core* core, uint64_t lines)
{
   const char* lacks = NULL;
   if (!core->access.load || !core->access.store_address ||
       !core->access.store_data)
      lacks = "access load=... store-address=... store-data=...";
   if (!core->ops.standard.slots) lacks = "default ...";
   for (int i = 0; i < NUMBER_KEYS; i++) {
      const NumberKey* key = &number_keys[i];
      uint64_t n = *(uint64_t*)((char*)&core->numbers + key->offset);
      if (n < key->least) lacks = key->line;
   }
   if (!core->title.name[0]) lacks = "core NAME";
   if (!core->title.code[0]) lacks = "code x86-64 or aarch64";
   if (lacks)
      cg2p_failure_at(&core->failure, lines,
                      "the table ends without a line it needs, or a key of it; "
                      "expected %s",
                      lacks);
   add_schedulers(core);
   if (!core->access.vector_load) core->access.vector_load = core->access.load;
   if (!core->access.indexed) core->access.indexed = core->access.store_address;
   if (!core->access.vector_store)
      core->access.vector_store = core->access.store_data;
}

static void read_all(cg2p_core* core, Input* input)
{
   const char *begin, *end;
   CoreWords words = {.failure = &core->failure};
   while ((end = cg2p_input_next(input, &begin)))
      while (begin < end) {
         const char* stop = memchr(begin, '\n', end - begin);
         cg2p_corewords_begin(&words, (Text){begin, stop ? stop : end});
         read_line(core, &words);
         begin = stop ? stop + 1 : end;
      }
   check(core, words.number ? words.number : 1);
}

/*--- The operation ------------------------------------------------------*/

static bool run(cg2p_core* core, Input* input)
{
   if (setjmp(core->failure.caught)) return false;
   cg2p_input_open(input, &core->failure, core->failure.path);
   read_all(core, input);
   return true;
}

cg2p_core* cg2p_core_open(const char* path, cg2p_error* error)
{
   cg2p_core* core = calloc(1, sizeof *core);
   Input* input = calloc(1, sizeof *input);
   bool is_read = false;
   if (core && input) {
      core->failure = (Failure){.path = path, .error = error};
      core->title.name = core->title.machine = core->title.code =
         core->title.measured = "";
      core->numbers = usual;
      input->fd = -1;
      is_read = run(core, input);
      cg2p_input_close(input);
   } else
      cg2p_failure_say_no_memory(error, path);
   free(input);
   if (is_read) return core;
   cg2p_core_free(core);
   return NULL;
}

const char* cg2p_core_name(const cg2p_core* core)
{
   return core->title.name;
}

const char* cg2p_core_machine(const cg2p_core* core)
{
   return core->title.machine;
}

const char* cg2p_core_code(const cg2p_core* core)
{
   return core->title.code;
}

const char* cg2p_core_measured(const cg2p_core* core)
{
   return core->title.measured;
}

void cg2p_core_free(cg2p_core* core)
{
   if (!core) return;
   free(core->groups.of);
   free(core->uses.of);
   free(core->ops.of);
   free(core->fusing.of);
   free(core->apart.of);
   cg2p_hash_free(&core->ops.by_form);
   cg2p_arena_free(&core->texts);
   free(core);
}
