#include "cycles/encoding.h"

#include <stdbool.h>
#include <string.h>

static bool begins(const char* form, const char* with)
{
   return !strncmp(form, with, strlen(with));
}

/* Whether an operation has a general register that only a prefix can name. */
static bool has_high_register(const cg2p_operation* o)
{
   enum { FIRST_HIGH = 8, LAST_HIGH = 15 };
   bool found = false;
   for (int i = 0; i < o->n_reads; i++)
      found |= o->reads[i] >= FIRST_HIGH && o->reads[i] <= LAST_HIGH;
   for (int i = 0; i < o->n_writes; i++)
      found |= o->writes[i] >= FIRST_HIGH && o->writes[i] <= LAST_HIGH;
   for (int i = 0; i < o->n_address; i++)
      found |= o->address[i] >= FIRST_HIGH && o->address[i] <= LAST_HIGH;
   return found;
}

/* Whether 64 bits are what an operation has without a prefix. */
static bool is_wide_anyway(const char* form)
{
   return begins(form, "push") || begins(form, "pop ") ||
          begins(form, "call") || begins(form, "jmp") || begins(form, "ret");
}

/* Whether the opcode has an escape in front. */
static bool has_escape(const cg2p_operation* o)
{
   static const char* const escaped[] = {
      "set",        "cmov",  "movzx",   "movsx ", "imul r16,r", "imul r32,r",
      "imul r64,r", "bsf",   "bsr",     "bt",     "tzcnt",      "lzcnt",
      "popcnt",     "xadd",  "cmpxchg", "bswap",  "shld",       "shrd",
      "cpuid",      "rdtsc", "nop m"};
   enum { SHORT_BRANCH = 2 };
   if (o->form[0] == 'j' && !begins(o->form, "jmp"))
      return o->step.length > SHORT_BRANCH;
   for (size_t i = 0; i < sizeof escaped / sizeof *escaped; i++)
      if (begins(o->form, escaped[i])) return true;
   return false;
}

uint32_t cg2p_encoding_opcode(const cg2p_operation* o)
{
   enum { OF_VEX = 2, OF_SSE = 2 };
   bool is_wide = strstr(o->form, "r64") && !is_wide_anyway(o->form);
   uint32_t prefix = is_wide || has_high_register(o);
   if (o->is_vector) return o->form[0] == 'v' ? OF_VEX : OF_SSE + prefix;
   return prefix + has_escape(o);
}
