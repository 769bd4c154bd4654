/* Runs the simulator on what a program did, and prints what each of its
 * instructions cost.
 *
 *    replay I1 D1 LL [wb] [hwpref]    a trace of Lackey's on stdin
 *    replay I1 D1 LL cacheuse         the same trace
 *    replay branches                  a list of branches
 *    replay branches KIND BITS HISTORY    the same list; conditional branches
 *                                     by the slow model of a described
 *                                     predictor, and by tage's all others, too
 *
 * Caches are SIZE,WAYS,LINE. A line of the trace is `I address,size`, `L`, `S`
 * or `M`, addresses in hexadecimal; all others are skipped. An instruction that
 * modifies memory writes it; what comes after a line `last` is done, but not
 * counted. A line of the list is `c address taken`, `i address target` for a
 * computed target, `r address target` for a return, or `k address behind` for a
 * call that comes back there.
 *
 * The output has a line for each instruction: its address, then the columns as
 * Callgrind has them. */
#include "model/callgrind/branch.h"
#include "model/callgrind/cacheuse.h"
#include "reference_predictor.h"

#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
   IR,
   DR,
   DW,
   I1MR,
   D1MR,
   D1MW,
   ILMR,
   DLMR,
   DLMW,
   COLUMNS_PLAIN,
   ILDMR = COLUMNS_PLAIN,
   DLDMR,
   DLDMW,
   COLUMNS_WRITTEN_BACK,
   ACCOST1 = COLUMNS_PLAIN,
   SPLOSS1,
   ACCOST2,
   SPLOSS2,
   COLUMNS_USE,
   BC = 0,
   BCM,
   BI,
   BIM,
   COLUMNS_BRANCHES,
   BRM = COLUMNS_BRANCHES,
   COLUMNS_FOLLOWED,
   COLUMNS_MAX = COLUMNS_USE
};

typedef struct Instruction {
   Addr addr;
   ULong counts[COLUMNS_MAX];
} Instruction;

static void* instructions; /* of tsearch */
static UInt n_columns = COLUMNS_PLAIN;
static Bool is_use;

static int compare(const void* a, const void* b)
{
   Addr one = ((const Instruction*)a)->addr;
   Addr other = ((const Instruction*)b)->addr;
   return one < other ? -1 : one > other;
}

static Instruction* instruction_at(Addr addr)
{
   static Instruction* fresh;
   if (!fresh) fresh = calloc(1, sizeof *fresh);
   fresh->addr = addr;
   Instruction* found = *(Instruction**)tsearch(fresh, &instructions, compare);
   if (found == fresh) fresh = NULL;
   return found;
}

static void print(const void* node, VISIT visit, int depth)
{
   (void)depth;
   if (visit != postorder && visit != leaf) return;
   const Instruction* instruction = *(Instruction* const*)node;
   printf("%lx", instruction->addr);
   for (UInt i = 0; i < n_columns; i++)
      printf(" %llu", instruction->counts[i]);
   printf("\n");
}

static void charge(Loader loader, UInt level, ULong cost, ULong lost)
{
   Instruction* instruction = loader.place;
   instruction->counts[level == 1 ? ACCOST1 : ACCOST2] += cost;
   instruction->counts[level == 1 ? SPLOSS1 : SPLOSS2] += lost;
}

/*--- Accesses -----------------------------------------------------------*/

static UInt make_access(UInt column, Addr addr, UInt size, Loader loader)
{
   UInt max = cg2_hierarchy_data_max();
   if (column != IR && size > max) size = max;
   if (is_use)
      return column == IR ? cg2_cacheuse_fetch(addr, size, loader)
                          : cg2_cacheuse_data(addr, size, loader);
   if (column == IR) return cg2_hierarchy_fetch(addr, size);
   return cg2_hierarchy_data(addr, size, column != DR);
}

static void
count_access(Instruction* instruction, UInt column, Addr addr, UInt size)
{
   UInt outcome = make_access(column, addr, size, (Loader){instruction, 0});
   instruction->counts[column]++;
   if (outcome & OUTCOME_L1_MISS) instruction->counts[column + I1MR]++;
   if (outcome & OUTCOME_LL_MISS) instruction->counts[column + ILMR]++;
   if (outcome & OUTCOME_DIRTY) instruction->counts[column + ILDMR]++;
}

/* What a line of the trace says; False: nothing. There are hundreds of
 * thousands of lines, and sscanf() takes longer than the simulator. */
static Bool parse_access(const char* line, char* kind, Addr* addr, UInt* size)
{
   while (*line == ' ')
      line++;
   *kind = *line;
   if (!*kind || !strchr("ILSM", *kind) || line[1] != ' ') return False;
   char *behind, *end;
   *addr = strtoul(line + 1, &behind, 16);
   if (behind == line + 1 || *behind != ',') return False;
   *size = strtoul(behind + 1, &end, 10);
   return end != behind + 1;
}

static void replay_trace(void)
{
   char line[256], kind;
   Addr addr;
   UInt size;
   Bool is_last = False;
   static Instruction uncounted;
   Instruction* instruction = NULL;
   while (fgets(line, sizeof line, stdin)) {
      if (strcmp(line, "last\n") == 0) is_last = True;
      if (!parse_access(line, &kind, &addr, &size)) continue;
      if (kind == 'I')
         instruction = is_last ? &uncounted : instruction_at(addr);
      UInt column = kind == 'I' ? IR : kind == 'L' ? DR : DW;
      if (instruction) count_access(instruction, column, addr, size);
   }
}

/* Predicts what a line of the list is, where nobody but tage knows of it. */
static void replay_followed(char kind, Addr addr, Addr what)
{
   if (n_columns != COLUMNS_FOLLOWED) return;
   if (kind == 'k')
      reference_predictor_call(what);
   else if (reference_predictor_return(what))
      instruction_at(addr)->counts[BRM]++;
}

static void replay_branches(Bool (*predict)(Addr branch, Bool is_taken))
{
   Bool (*predict_target)(Addr addr, Addr target) =
      n_columns == COLUMNS_FOLLOWED ? reference_predictor_indirect
                                    : cg2_branch_indirect;
   char line[256], kind;
   Addr addr, what;
   while (fgets(line, sizeof line, stdin)) {
      if (sscanf(line, "%c %lx %lx", &kind, &addr, &what) != 3) continue;
      if (kind == 'k' || kind == 'r') {
         replay_followed(kind, addr, what);
         continue;
      }
      ULong* counts = instruction_at(addr)->counts;
      if (kind == 'c') {
         counts[BC]++;
         counts[BCM] += predict(addr, what);
      } else {
         counts[BI]++;
         counts[BIM] += predict_target(addr, what);
      }
   }
}

/*--- The command --------------------------------------------------------*/

static void parse(const char* text, Geometry* geometry)
{
   HChar error[GEOMETRY_TEXT];
   if (cg2_geometry_parse(text, geometry, error)) return;
   fprintf(stderr, "replay: %s: %s\n", text, error);
   exit(2);
}

static void init_caches(int n, char** args)
{
   HierarchyConfig config = {.l2 = {0, 0, 0}};
   parse(args[1], &config.i1);
   parse(args[2], &config.d1);
   parse(args[3], &config.ll);
   for (int i = 4; i < n; i++) {
      if (strcmp(args[i], "wb") == 0) config.writes_back = True;
      if (strcmp(args[i], "hwpref") == 0) config.prefetches = True;
      if (strcmp(args[i], "cacheuse") == 0) is_use = True;
   }
   if (config.writes_back) n_columns = COLUMNS_WRITTEN_BACK;
   cg2_hierarchy_init(&config);
   if (!is_use) return;
   n_columns = COLUMNS_USE;
   cg2_cacheuse_init(&config, charge);
}

static void init_predictor(char** args)
{
   static const char* const kinds[] = {[PREDICT_GSHARE] = "gshare",
                                       [PREDICT_PERCEPTRON] = "perceptron",
                                       [PREDICT_TAGE] = "tage"};
   UInt kind = PREDICT_GSHARE;
   while (kind <= PREDICT_TAGE && strcmp(args[0], kinds[kind]) != 0)
      kind++;
   if (kind > PREDICT_TAGE) {
      fprintf(stderr, "replay: %s: no predictor\n", args[0]);
      exit(2);
   }
   PredictorConfig config = {kind, atoi(args[1]), atoi(args[2])};
   if (kind == PREDICT_TAGE) n_columns = COLUMNS_FOLLOWED;
   reference_predictor_init(&config);
}

int main(int n, char** args)
{
   if ((n == 2 || n == 5) && strcmp(args[1], "branches") == 0) {
      n_columns = COLUMNS_BRANCHES;
      if (n == 5) init_predictor(args + 2);
      replay_branches(n == 5 ? reference_predictor_conditional
                             : cg2_branch_conditional);
   } else if (n >= 4) {
      init_caches(n, args);
      replay_trace();
      if (is_use) cg2_cacheuse_finish();
   } else {
      fprintf(stderr, "usage: replay I1 D1 LL [wb] [hwpref] [cacheuse]\n"
                      "       replay branches [KIND BITS HISTORY]\n");
      return 2;
   }
   twalk(instructions, print);
   return 0;
}
