#include "cycles/aliases.h"

#include <string.h>

void cg2p_aliases_forget(Aliases* aliases, uint64_t now)
{
   memset(aliases, 0, sizeof *aliases);
   aliases->kinds[0].at = aliases->kinds[1].at = now;
}

static void advance(AliasCounters* counters, uint64_t now)
{
   if (now <= counters->at) return;
   bool is_next = now == counters->at + 1;
   counters->used_before[1] =
      is_next ? counters->used_before[0] : counters->used;
   counters->used_before[0] = counters->used;
   counters->eliminated_before = is_next ? counters->eliminated : 0;
   counters->eliminated = 0;
   counters->at = now;
}

/* A register has another value than those with which it shared one. */
static void leave(Aliases* aliases, uint8_t number)
{
   uint8_t value = aliases->value[number];
   if (!value) return;
   bool is_vector = aliases->is_vector[value];
   aliases->value[number] = 0;
   if (--aliases->sharers[value] > is_vector) return;
   aliases->kinds[is_vector].used--;
   aliases->sharers[value] = 0;
   for (int i = 0; i < CG2P_REGISTERS; i++)
      if (aliases->value[i] == value) aliases->value[i] = 0;
}

void cg2p_aliases_write(Aliases* aliases, const cg2p_operation* operation)
{
   for (int i = 0; i < operation->n_writes; i++)
      if (operation->writes[i] < CG2P_REGISTERS)
         leave(aliases, operation->writes[i]);
}

/* A number that no value has. There is one: each value has a register. */
static uint8_t free_value(const Aliases* aliases)
{
   uint8_t value = 1;
   while (value < CG2P_REGISTERS && aliases->sharers[value])
      value++;
   return value;
}

static void share(Aliases* aliases, uint8_t from, uint8_t to, bool is_vector)
{
   leave(aliases, to);
   uint8_t value = aliases->value[from];
   if (!value) {
      value = free_value(aliases);
      aliases->sharers[value] = 1;
      aliases->is_vector[value] = is_vector;
      aliases->value[from] = value;
      aliases->kinds[is_vector].used++;
   }
   aliases->sharers[value]++;
   aliases->value[to] = value;
}

bool cg2p_aliases_eliminate(Aliases* aliases,
                            const cg2p_operation* move,
                            uint64_t now,
                            uint64_t counters)
{
   uint8_t from = move->reads[0], to = move->writes[0];
   AliasCounters* kind = &aliases->kinds[move->is_vector];
   if (!counters) return true;
   if (from >= CG2P_REGISTERS || to >= CG2P_REGISTERS || from == to)
      return false;
   advance(kind, now);
   uint64_t busy =
      kind->eliminated + kind->eliminated_before + kind->used_before[1];
   if (busy >= counters) return false;
   kind->eliminated++;
   share(aliases, from, to, move->is_vector);
   return true;
}
