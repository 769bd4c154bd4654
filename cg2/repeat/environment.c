#include "repeat/environment.h"

#include "pub_tool_options.h"
#include "repeat/repeatconfig.h"

/* What decides which files a program is made of. Valgrind itself needs
 * LD_PRELOAD. */
static const HChar* const passing[] = {"LD_LIBRARY_PATH", "LD_PRELOAD", "PATH"};

/* What programs else look for in files that say who uses the machine, and
 * where that stands. */
static const HChar fixed[][32] = {"HOME=/nonexistent", "LOGNAME=user",
                                  "SHELL=/bin/sh", "TZ=UTC0", "USER=user"};

enum {
   N_PASSING = sizeof passing / sizeof *passing,
   N_FIXED = sizeof fixed / sizeof *fixed
};

/* Whether `variable`, or what comes before its "=", is `name`, which may be
 * followed by "=", too. */
static Bool is_named(const HChar* variable, const HChar* name)
{
   while (*name && *name != '=' && *name == *variable)
      name++, variable++;
   return (*name == '\0' || *name == '=') && *variable == '=';
}

/* The variable of that name; 0: there is none. */
static UWord find(const UWord* given, const HChar* name)
{
   for (; *given; given++)
      if (is_named((const HChar*)*given, name)) return *given;
   return 0;
}

static UWord count(const UWord* given)
{
   UWord n = 0;
   while (given[n])
      n++;
   return n;
}

/* Whether --keep-env names a variable. */
static Bool is_kept(const HChar* variable)
{
   for (UInt i = 0; i < cg2_repeat_config.n_kept; i++)
      if (is_named(variable, cg2_repeat_config.kept[i])) return True;
   return False;
}

static Bool passes(const HChar* variable)
{
   for (UInt i = 0; i < N_PASSING; i++)
      if (is_named(variable, passing[i])) return True;
   return is_kept(variable);
}

/* Valgrind's own, which it hands on to programs that it traces. */
static Bool is_valgrinds(const HChar* variable)
{
   return VG_(strncmp)(variable, "VALGRIND_", 9) == 0;
}

/*--- What is left out ---------------------------------------------------*/

/* What shells, and Debian's script that starts Valgrind, add by themselves. */
static Bool is_added(const HChar* variable)
{
   static const HChar* const names[] = {
      "PWD", "OLDPWD", "SHLVL", "_", "GLIBCPP_FORCE_NEW", "GLIBCXX_FORCE_NEW"};
   for (UInt i = 0; i < sizeof names / sizeof *names; i++)
      if (is_named(variable, names[i])) return True;
   return False;
}

static Bool is_left_out(const HChar* variable)
{
   for (UInt i = 0; i < N_FIXED; i++)
      if (is_named(variable, fixed[i])) return False;
   return !passes(variable) && !is_valgrinds(variable) && !is_added(variable);
}

static void say_name(const HChar* variable, const HChar* before)
{
   HChar* name = VG_(strdup)("cg2.environment", variable);
   HChar* end = VG_(strchr)(name, '=');
   if (end) *end = '\0';
   VG_(umsg)("%s%s", before, name);
   VG_(free)(name);
}

static void say_left_out(const UWord* given)
{
   enum { NAMED = 8 };
   UInt n = 0;
   if (VG_(clo_verbosity) == 0) return;
   for (; *given; given++) {
      const HChar* variable = (const HChar*)*given;
      if (!is_left_out(variable)) continue;
      if (n == 0) VG_(umsg)("--repeatable=yes: the program does not get");
      if (n < NAMED) say_name(variable, n ? ", " : " ");
      n++;
   }
   if (n > NAMED) VG_(umsg)(", %u more", n - NAMED);
   if (n) VG_(umsg)(" of the environment; --keep-env=NAME keeps one\n");
}

/*--- What was chosen ----------------------------------------------------*/

/* Reason for a mutable file-scope object: the program's environment. */
static struct {
   HChar* bytes; /* each text with its 0 */
   SizeT size;
} chosen_texts;

static void remember(const UWord* variables)
{
   for (const UWord* v = variables; *v; v++)
      chosen_texts.size += VG_(strlen)((const HChar*)*v) + 1;
   chosen_texts.bytes = VG_(malloc)("cg2.environment", chosen_texts.size + 1);
   HChar* to = chosen_texts.bytes;
   for (const UWord* v = variables; *v; v++) {
      VG_(strcpy)(to, (const HChar*)*v);
      to += VG_(strlen)(to) + 1;
   }
}

/*--- All ----------------------------------------------------------------*/

/* Adds a variable that there is, once. */
static void add(UWord* chosen, UWord* n, UWord variable)
{
   for (UWord i = 0; i < *n; i++)
      if (chosen[i] == variable) return;
   if (variable) chosen[(*n)++] = variable;
}

UWord* cg2_environment_choose(const UWord* given)
{
   SizeT most = N_FIXED + N_PASSING + cg2_repeat_config.n_kept + 1;
   UWord* chosen = VG_(calloc)("cg2.environment", most, sizeof *chosen);
   UWord n = 0;
   for (UInt i = 0; i < N_FIXED; i++)
      if (!is_kept(fixed[i])) add(chosen, &n, (UWord)fixed[i]);
   for (UInt i = 0; i < N_PASSING; i++)
      add(chosen, &n, find(given, passing[i]));
   for (UInt i = 0; i < cg2_repeat_config.n_kept; i++)
      add(chosen, &n, find(given, cg2_repeat_config.kept[i]));
   say_left_out(given);
   remember(chosen);
   return chosen;
}

UWord* cg2_environment_inherit(const UWord* given)
{
   UWord* chosen =
      VG_(calloc)("cg2.environment", count(given) + 1, sizeof *chosen);
   UWord n = 0;
   for (; *given; given++)
      if (!is_valgrinds((const HChar*)*given)) chosen[n++] = *given;
   remember(chosen);
   return chosen;
}

const HChar* cg2_environment_text(SizeT* size)
{
   *size = chosen_texts.size;
   return chosen_texts.bytes;
}
