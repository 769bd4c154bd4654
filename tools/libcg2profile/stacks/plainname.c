#include "stacks/plainname.h"
#include "profile/level.h"

#include <stdlib.h>
#include <string.h>

/*--- Levels -------------------------------------------------------------*/

/* The number, among the short names, of a name without its level. */
static uint32_t
intern_plain(PlainNames* made, Failure* failure, const StoredName* name)
{
   Level level = cg2p_level_of(name->text, name->length);
   if (!level.length)
      return cg2p_names_intern(&made->names, failure, name->text, name->length);
   size_t rest = level.start + level.length;
   made->text = cg2p_memory_grow(failure, made->text, &made->text_room,
                                 name->length, sizeof *made->text);
   memcpy(made->text, name->text, level.start);
   memcpy(made->text + level.start, name->text + rest, name->length - rest);
   return cg2p_names_intern(&made->names, failure, made->text,
                            name->length - level.length);
}

static void find_plain(PlainNames* made,
                       Failure* failure,
                       const NameStore* names,
                       const Part* part)
{
   made->plain.width = 3;
   made->plain_of =
      cg2p_memory_allocate(failure, part->n_functions * sizeof *made->plain_of);
   for (uint32_t i = 0; i < part->n_functions; i++) {
      const cg2p_function* function = &part->functions[i];
      uint64_t key[] = {
         function->object, function->file,
         intern_plain(made, failure, &names->of[function->name])};
      made->plain_of[i] = cg2p_keys_intern(&made->plain, failure, key);
   }
}

static const StoredName* plain_name(const PlainNames* made, uint32_t plain)
{
   return &made->names.of[cg2p_keys_at(&made->plain, plain)[2]];
}

/*--- Chains -------------------------------------------------------------*/

/* Whether `chain`, from `start` to `end`, is a name, or its beginning up to an
 * apostrophe. */
static bool
begins_with(const StoredName* name, const char* start, const char* end)
{
   size_t length = end - start;
   return length <= name->length && !memcmp(name->text, start, length) &&
          (length == name->length || name->text[length] == '\'');
}

/* How many bytes at the end of a name are its caller's, with the apostrophe in
 * front; 0: none are. */
static uint32_t chain_length(const StoredName* name, const StoredName* caller)
{
   const char *end = name->text + name->length, *p = name->text;
   if (name == caller) return 0;
   while (p < end && (p = memchr(p + 1, '\'', end - p - 1)))
      if (begins_with(caller, p + 1, end)) return end - p;
   return 0;
}

static void find_chains(PlainNames* made, Failure* failure, const Calls* calls)
{
   made->chains =
      cg2p_memory_allocate(failure, made->plain.n * sizeof *made->chains);
   for (size_t i = 0; i < calls->n; i++) {
      const Call* call = &calls->of[i];
      uint32_t callee = made->plain_of[call->callee];
      if (made->chains[callee]) continue;
      made->chains[callee] =
         chain_length(plain_name(made, callee),
                      plain_name(made, made->plain_of[call->caller]));
      made->has_chains |= made->chains[callee] > 0;
   }
}

/*--- A part -------------------------------------------------------------*/

void cg2p_plainname_make(PlainNames* made,
                         Failure* failure,
                         const NameStore* names,
                         const Part* part,
                         const Calls* calls)
{
   find_plain(made, failure, names, part);
   find_chains(made, failure, calls);
   made->of =
      cg2p_memory_allocate(failure, part->n_functions * sizeof *made->of);
   for (uint32_t i = 0; i < part->n_functions; i++) {
      uint32_t plain = made->plain_of[i];
      const StoredName* name = plain_name(made, plain);
      made->of[i] = cg2p_names_intern(&made->names, failure, name->text,
                                      name->length - made->chains[plain]);
   }
}

bool cg2p_plainname_is_chain_full(const PlainNames* made,
                                  uint32_t function,
                                  uint32_t caller)
{
   const StoredName* name = plain_name(made, made->plain_of[caller]);
   return made->chains[made->plain_of[function]] == name->length + 1;
}

void cg2p_plainname_free(PlainNames* made)
{
   cg2p_names_free(&made->names);
   cg2p_keys_free(&made->plain);
   free(made->of);
   free(made->plain_of);
   free(made->chains);
   free(made->text);
}
