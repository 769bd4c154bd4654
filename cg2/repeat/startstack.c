#include "repeat/startstack.h"

#include "arch/kernelcall.h"
#include "repeat/chance.h"
#include "repeat/environment.h"
#include "repeat/repeatconfig.h"
#include "repeat/users.h"

/* Source: Valgrind's core, which exports it to no tool. */
extern Bool VG_(extend_stack)(ThreadId tid, Addr address);

/* Source: Linux, uapi/linux/auxvec.h. */
enum {
   AT_END = 0,
   AT_IGNORED = 1,
   AT_USER = 11, /* and the effective user, group, effective group */
   AT_LAST_GROUP = 14,
   AT_PLATFORM = 15,
   AT_RANDOM = 25,
   AT_PROGRAM = 31
};

/* The entries that a program gets, in this order. */
static const UWord entries[] = {3,  4,  5,  6,         7,         8,
                                9,  11, 12, 13,        14,        AT_PLATFORM,
                                16, 17, 23, AT_RANDOM, AT_PROGRAM};
enum { N_ENTRIES = sizeof entries / sizeof *entries };

enum {
   ALIGNMENT = 64,    /* of each text, so that its cost is its own */
   POINTERS = 0x4000, /* bytes: room for pointers, and a multiple of it */
   ROOM = 0x20000,    /* the same for all */
   RANDOM_BYTES = 16
};

/* The old stack, as words of the program; the variables become those that the
 * program gets. */
typedef struct Old {
   UWord n_args;
   UWord *args, *variables, *auxiliary;
   UWord n_variables;
} Old;

static Old read_old(Addr sp)
{
   UWord* words = (UWord*)sp;
   Old old = {.n_args = words[0], .args = words + 1};
   old.variables = old.args + old.n_args + 1;
   for (old.auxiliary = old.variables; *old.auxiliary;)
      old.auxiliary++;
   old.auxiliary++;
   return old;
}

/* The caller frees the list. */
static void choose_variables(Old* old)
{
   old->variables = cg2_repeat_config.inherited
                       ? cg2_environment_inherit(old->variables)
                       : cg2_environment_choose(old->variables);
   while (old->variables[old->n_variables])
      old->n_variables++;
}

static SizeT round_up(SizeT n, SizeT unit)
{
   return (n + unit - 1) / unit * unit;
}

static SizeT text_size(UWord text)
{
   return round_up(VG_(strlen)((const HChar*)text) + 1, ALIGNMENT);
}

/* Bytes of all texts, and what else comes behind the pointers. */
static SizeT texts_size(const Old* old)
{
   SizeT n = RANDOM_BYTES + 4 * ALIGNMENT;
   for (UWord i = 0; i < old->n_args; i++)
      n += text_size(old->args[i]);
   for (UWord i = 0; i < old->n_variables; i++)
      n += text_size(old->variables[i]);
   for (const UWord* a = old->auxiliary; a[0] != AT_END; a += 2)
      if (a[0] == AT_PROGRAM || a[0] == AT_PLATFORM) n += text_size(a[1]);
   return n;
}

static SizeT pointers_size(const Old* old)
{
   SizeT words =
      1 + old->n_args + 1 + old->n_variables + 1 + 2 * (N_ENTRIES + 1);
   return round_up(words * sizeof(UWord), POINTERS);
}

/*--- Building -----------------------------------------------------------*/

/* Copies a text to *to, which moves on; where it lies. */
static UWord copy_text(Addr* to, UWord text)
{
   Addr at = *to;
   VG_(strcpy)((HChar*)at, (const HChar*)text);
   *to += text_size(text);
   return at;
}

static UWord* copy_texts(Addr* to, UWord* pointers, const UWord* texts)
{
   for (; *texts; texts++)
      *pointers++ = copy_text(to, *texts);
   *pointers++ = 0;
   return pointers;
}

static UWord owner(UWord type, UWord id)
{
   return type < AT_USER + 2 ? cg2_users_user(id) : cg2_users_group(id);
}

static UWord random_bytes(Addr* to)
{
   Addr at = *to;
   cg2_chance_fill((void*)at, RANDOM_BYTES);
   *to += ALIGNMENT;
   return at;
}

/* The value of an entry; *type becomes AT_IGNORED if the kernel has none. */
static UWord value_of(const Old* old, UWord* type, Addr* to)
{
   const UWord* a = old->auxiliary;
   while (a[0] != AT_END && a[0] != *type)
      a += 2;
   if (*type == AT_RANDOM) return random_bytes(to);
   if (a[0] == AT_END) {
      *type = AT_IGNORED;
      return 0;
   }
   if (*type >= AT_USER && *type <= AT_LAST_GROUP) return owner(*type, a[1]);
   Bool is_text = *type == AT_PLATFORM || *type == AT_PROGRAM;
   return is_text ? copy_text(to, a[1]) : a[1];
}

static void write_auxiliary(UWord* word, const Old* old, Addr* to)
{
   for (UInt i = 0; i < N_ENTRIES; i++, word += 2) {
      word[0] = entries[i];
      word[1] = value_of(old, &word[0], to);
   }
   word[0] = word[1] = AT_END;
}

/* The order of texts: those that are the same in most environments first. */
static void write_all(Addr sp, const Old* old)
{
   UWord* word = (UWord*)sp;
   UWord* auxiliary = word + 1 + old->n_args + 1 + old->n_variables + 1;
   Addr texts = sp + pointers_size(old);
   *word++ = old->n_args;
   write_auxiliary(auxiliary, old, &texts);
   word = copy_texts(&texts, word, old->args);
   copy_texts(&texts, word, old->variables);
}

/*--- The old stack ------------------------------------------------------*/

static Addr later_end(Addr end, UWord text)
{
   Addr behind = text + VG_(strlen)((const HChar*)text) + 1;
   return behind > end ? behind : end;
}

/* Behind the last text; `variables` are all that there were. */
static Addr end_of(const Old* old, const UWord* variables)
{
   Addr end = (Addr)old->auxiliary;
   for (UWord i = 0; i < old->n_args; i++)
      end = later_end(end, old->args[i]);
   for (; *variables; variables++)
      end = later_end(end, *variables);
   for (const UWord* a = old->auxiliary; a[0] != AT_END; a += 2) {
      if (a[0] == AT_PROGRAM || a[0] == AT_PLATFORM) end = later_end(end, a[1]);
      if (a[0] == AT_RANDOM && a[1] + RANDOM_BYTES > end)
         end = a[1] + RANDOM_BYTES;
   }
   return end;
}

/* The page that ends the stack is the program's highest. The new stack lies at
 * the same distance from it, whatever up to ROOM bytes there were of the old.
 */
void cg2_startstack_build(ThreadId tid)
{
   Addr old_sp = VG_(get_SP)(tid);
   Old old = read_old(old_sp);
   Addr old_end = end_of(&old, old.variables);
   choose_variables(&old);
   SizeT size = round_up(pointers_size(&old) + texts_size(&old), ROOM);
   Addr sp = round_up(old_end, ROOM) - 2 * ROOM - size;
   while (sp + size > old_sp)
      sp -= ROOM;
   if (!VG_(extend_stack)(tid, sp)) {
      VG_(umsg)("--repeatable=yes: the stack has no room for %lu bytes more; "
                "expected a larger limit (ulimit -s)\n",
                (UWord)size);
      VG_(exit)(1);
   }
   write_all(sp, &old);
   /* Collectors of garbage look for pointers in all of the stack. */
   VG_(memset)((void*)old_sp, 0, old_end - old_sp);
   VG_(free)(old.variables);
   cg2_kernelcall_set_sp(tid, sp);
}
