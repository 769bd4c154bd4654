/* Estimates the cycles of a loop, whose instructions are words: cycles CORE
 * PROFILE SEED WORD... prints what each event of cycles is in the totals, what
 * is said of the estimate, and what bounds the loop. An error ends it. */
#include "cg2profile.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPERATIONS_MAX = 64, LENGTH = 4, NONE = CG2P_NO_REGISTER };

static cg2p_operation computes(const char* form, int from, int to)
{
   return (cg2p_operation){.form = form,
                           .access = {.base = NONE, .index = NONE},
                           .rule_source = NONE,
                           .rule_destination = NONE,
                           .n_reads = 1,
                           .reads = {from},
                           .n_writes = 1,
                           .writes = {to}};
}

static cg2p_operation accesses(bool stores, int base, int index)
{
   cg2p_operation o = computes("mov", 0, 0);
   o.access = (cg2p_access){.base = base,
                            .index = index,
                            .scale = index == NONE ? 0 : 1,
                            .size = 8,
                            .loads = !stores,
                            .stores = stores};
   o.address[o.n_address++] = base;
   o.rule = stores ? CG2P_VALUE_COPY : CG2P_VALUE_LOAD;
   if (stores)
      o.rule_source = o.n_writes = 0;
   else
      o.rule_destination = o.n_reads = 0;
   return o;
}

/* A load of the address of the next one, in a form that `scale` and
 * `displacement` tell. */
static cg2p_operation chases(int scale, int displacement)
{
   cg2p_operation o = accesses(false, 0, scale ? 7 : NONE);
   o.access.scale = scale;
   o.access.displacement = displacement;
   return o;
}

/* As a load that writes no register. */
static cg2p_operation prefetches(void)
{
   cg2p_operation o = accesses(false, 5, NONE);
   o.form = "prefetcht0 m8";
   o.rule = CG2P_VALUE_OTHER;
   o.rule_destination = NONE;
   o.n_writes = 0;
   return o;
}

static cg2p_operation copies(int to)
{
   cg2p_operation o = computes("one r64", 20, to);
   o.is_move = CG2P_MOVES;
   o.rule = CG2P_VALUE_COPY;
   o.rule_source = 20;
   o.rule_destination = to;
   return o;
}

enum { STACK_POINTER = 4 };

static cg2p_operation pushes(void)
{
   cg2p_operation o = accesses(true, STACK_POINTER, NONE);
   o.form = "push r64";
   o.access.displacement = -8;
   o.rule = CG2P_VALUE_ADD;
   o.rule_source = o.rule_destination = STACK_POINTER;
   o.rule_immediate = -8;
   o.writes[o.n_writes++] = STACK_POINTER;
   return o;
}

/* Has what was pushed in register 0. */
static cg2p_operation pops(void)
{
   cg2p_operation o = accesses(false, STACK_POINTER, NONE);
   o.form = "pop r64";
   o.rule = CG2P_VALUE_ADD;
   o.rule_source = o.rule_destination = STACK_POINTER;
   o.rule_immediate = 8;
   o.writes[o.n_writes++] = STACK_POINTER;
   return o;
}

static cg2p_operation compares(void)
{
   cg2p_operation o = computes("cmp r64,r64", 20, 21);
   o.fuses = 1;
   return o;
}

static cg2p_operation counts(int number)
{
   cg2p_operation o = computes("dec r64", number, number);
   o.rule_destination = number;
   o.fuses = 1;
   return o;
}

/* Stores again and again. */
static cg2p_operation repeats(void)
{
   cg2p_operation o = accesses(true, 5, 6);
   o.form = "rep stosq";
   return o;
}

/* Adds so many lines to where `load` and `store` go. */
static cg2p_operation steps(int lines)
{
   cg2p_operation o = computes("add r64,r64", 5, 5);
   o.rule = CG2P_VALUE_ADD;
   o.rule_source = o.rule_destination = 5;
   o.rule_immediate = 64 * lines;
   return o;
}

/* The instruction that a word with a number behind it means. */
static cg2p_operation meant(const char* word, int number)
{
   if (!strcmp(word, "imul")) return computes("imul r64,r64", 0, 0);
   if (!strcmp(word, "add")) return computes("add r64,r64", number, number);
   if (!strcmp(word, "one")) return computes("one r64", 20, number);
   if (!strcmp(word, "div")) return computes("div r64", 20, number);
   if (!strcmp(word, "new")) return computes("new r64", 20, number);
   if (!strcmp(word, "store")) return accesses(true, 5, 6);
   if (!strcmp(word, "rep")) return repeats();
   if (!strcmp(word, "load")) return accesses(false, 5, 6);
   if (!strcmp(word, "step")) return steps(number);
   if (!strcmp(word, "other")) return accesses(false, 7, 8);
   if (!strcmp(word, "prefetch")) return prefetches();
   if (!strcmp(word, "copy")) return copies(number);
   if (!strcmp(word, "push")) return pushes();
   if (!strcmp(word, "pop")) return pops();
   if (!strcmp(word, "use")) return computes("add r64,r64", STACK_POINTER, 7);
   if (!strcmp(word, "cmp")) return compares();
   if (!strcmp(word, "dec")) return counts(number);
   if (!strcmp(word, "skip") || !strcmp(word, "stub"))
      return computes("jmp i", 20, 22);
   if (!strcmp(word, "turn")) return computes("jmp r64", 20, 22);
   if (!strcmp(word, "chase")) return chases(0, 0);
   if (!strcmp(word, "indexed")) return chases(1, 0);
   if (!strcmp(word, "scaled")) return chases(number, 0);
   if (!strcmp(word, "sum")) return chases(1, 8);
   fprintf(stderr, "what is %s\n", word);
   exit(2);
}

static cg2p_operation operation_of(char* word)
{
   char* number = word + strcspn(word, "0123456789");
   int n = atoi(number);
   *number = 0;
   if (!strcmp(word, "back")) {
      cg2p_operation o = computes("jne i", 0, 0);
      o.n_reads = o.n_writes = 0;
      o.step = (cg2p_step){0x1000, LENGTH, CG2P_BRANCHES};
      return o;
   }
   cg2p_operation o = meant(word, n);
   bool jumps = !strcmp(word, "skip") || !strcmp(word, "stub");
   uint32_t kind = jumps                   ? CG2P_JUMPS
                   : !strcmp(word, "turn") ? CG2P_JUMPS_COMPUTED
                   : !strcmp(word, "rep")  ? CG2P_REPEATS
                                           : CG2P_GOES_ON;
   o.step = (cg2p_step){0, LENGTH, kind};
   return o;
}

static void* or_end(void* made, const cg2p_error* error)
{
   if (made) return made;
   puts(error->text);
   exit(1);
}

static void print(const cg2p_profile* made, const cg2p_cycles* cycles)
{
   const cg2p_part* part = cg2p_profile_part(made, 0);
   uint64_t line;
   const uint64_t* totals = cg2p_part_stated_cost(part, CG2P_TOTALS, &line);
   size_t n;
   for (uint32_t e = 0; e < cg2p_part_event_count(part); e++)
      printf("%s %llu\n", cg2p_part_event(part, e),
             (unsigned long long)totals[e]);
   const cg2p_bound* bounds = cg2p_cycles_bounds(cycles, &n);
   for (size_t i = 0; i < n; i++) {
      printf("loop %llx-%llx %.2f %.2f %.2f %.2f",
             (unsigned long long)bounds[i].first,
             (unsigned long long)bounds[i].last, bounds[i].cycles,
             bounds[i].chain, bounds[i].ports, bounds[i].width);
      for (size_t k = 0; k < bounds[i].n_links; k++)
         printf(" %llx", (unsigned long long)bounds[i].links[k]);
      puts("");
   }
}

int main(int n, char** words)
{
   cg2p_operation operations[OPERATIONS_MAX];
   cg2p_error error;
   cg2p_core* core = or_end(cg2p_core_open(words[1], &error), &error);
   cg2p_profile* profile =
      or_end(cg2p_profile_read(words[2], CG2P_LINES, 0, NULL, &error), &error);
   cg2p_cycles* cycles = or_end(cg2p_cycles_new(profile, core, &error), &error);
   for (int i = 4; i < n; i++)
      operations[i - 4] = operation_of(words[i]);
   if (n > 4) cg2p_cycles_add(cycles, 0, operations);
   cg2p_profile* made =
      or_end(cg2p_cycles_end(cycles, atoi(words[3]), &error), &error);
   print(made, cycles);
   if (!cg2p_profile_write(made, "made", 0, &error)) or_end(NULL, &error);
   cg2p_profile_free(made);
   cg2p_cycles_free(cycles);
   cg2p_profile_free(profile);
   cg2p_core_free(core);
   return 0;
}
