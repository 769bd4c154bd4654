#include "code/rules.h"

#include "base/arena.h"
#include "base/glob.h"
#include "base/shorten.h"

/* A rule as it was given. */
struct Rule {
   RuleKind kind;
   const HChar* pattern;
   UInt value;
   const HChar* option; /* what the command line says, for messages */
   Bool has_matched;    /* the pattern has matched a function */
};

/* Reason for a mutable file-scope object: configuration, but for what has
 * matched. */
RuleList cg2_rules = {.standard.recursion_levels = 2};

void cg2_rules_add(RuleKind kind,
                   const HChar* pattern,
                   UInt value,
                   const HChar* option)
{
   cg2_rules.all = VG_(realloc)("cg2.rules", cg2_rules.all,
                                (cg2_rules.n + 1) * sizeof *cg2_rules.all);
   cg2_rules.all[cg2_rules.n++] = (Rule){kind, pattern, value, option, False};
}

Bool cg2_rules_any(void)
{
   return cg2_rules.n > 0;
}

/* Changes the rules of a function as a rule says that matches it. */
static void apply(Rules* to, const Rule* rule)
{
   switch (rule->kind) {
   case RULE_RECURSION_LEVELS:
      to->recursion_levels = rule->value;
      break;
   case RULE_CALLERS:
      to->n_callers = rule->value;
      break;
   case RULE_GROUP:
      to->group = rule->value;
      break;
   case RULE_SKIP:
   case RULE_SKIP_OBJECT:
      to->is_skipped = True;
      break;
   case RULE_POP_ON_JUMP:
      to->pops_on_jump = True;
      break;
   case RULE_DUMP_BEFORE:
      to->dump_before = True;
      break;
   case RULE_DUMP_AFTER:
      to->dump_after = True;
      break;
   case RULE_ZERO_BEFORE:
      to->zero_before = True;
      break;
   case RULE_TOGGLE_COLLECT:
      to->toggles_collect = True;
      break;
   case RULE_ALLOCATOR:
      to->allocator = rule->value;
      break;
   case RULE_HANDS_ON:
      to->hands_on = True;
      break;
   }
   to->is_watched = to->dump_before || to->dump_after || to->zero_before ||
                    to->toggles_collect || to->allocator;
}

const Rules* cg2_rules_again(const Rules* known, const HChar* object)
{
   Rule* last = &cg2_rules.all[cg2_rules.n - 1];
   tl_assert(last->kind == RULE_SKIP_OBJECT);
   if (!cg2_glob_matches(last->pattern, object)) return known;
   last->has_matched = True;
   if (known->is_skipped) return known;
   Rules* own = cg2_arena_new(sizeof *own);
   *own = *known;
   apply(own, last);
   return own;
}

/*--- The forms of a name ------------------------------------------------*/

typedef struct Forms {
   const HChar *whole, *mangled, *object;
   HChar* bare;            /* without parameters */
   HChar* said;            /* as lists show it */
   HChar* said_parameters; /* the same with parameters */
} Forms;

/* Where the parameters begin that a function's name ends with, as C++
 * functions' do; its length, if there are none. Behind them may be `const` or
 * the like. */
static SizeT parameters_at(const HChar* name)
{
   SizeT n = VG_(strlen)(name), at = n;
   for (; at > 0 && name[at - 1] != ')'; at--)
      if (name[at - 1] == '>' || name[at - 1] == ':') return n;
   for (UInt depth = 0; at > 0; at--) {
      if (name[at - 1] == ')') depth++;
      if (name[at - 1] == '(' && --depth == 0) return at == 1 ? n : at - 1;
   }
   return n;
}

static HChar* without_parameters(const HChar* name)
{
   HChar* bare = VG_(strdup)("cg2.bare", name);
   bare[parameters_at(name)] = '\0';
   return bare;
}

static HChar* say(const HChar* name, Saying saying)
{
   SizeT n = VG_(strlen)(name);
   HChar* said = VG_(malloc)("cg2.said", n + 1);
   said[cg2_shorten_name(name, n, saying, said)] = '\0';
   return said;
}

/* What is shown for code without a symbol, whose name is its offset. */
static HChar* say_offset(const HChar* name, const HChar* object)
{
   const HChar* slash = VG_(strrchr)(object, '/');
   const HChar* base = slash && slash[1] ? slash + 1 : object;
   const HChar* digits = name + 2;
   while (digits[0] == '0' && digits[1])
      digits++;
   HChar* said =
      VG_(malloc)("cg2.said", VG_(strlen)(base) + VG_(strlen)(digits) + 4);
   VG_(sprintf)(said, "%s+0x%s", base, digits);
   return said;
}

static Forms
forms_of(const HChar* name, const HChar* mangled, const HChar* object)
{
   Bool is_offset = !mangled && VG_(strncmp)(name, "0x", 2) == 0;
   return (Forms){
      .whole = name,
      .mangled = mangled,
      .object = object,
      .bare = without_parameters(name),
      .said = is_offset ? say_offset(name, object) : say(name, SAY_NAME),
      .said_parameters = say(name, SAY_PARAMETERS),
   };
}

static void free_forms(Forms* forms)
{
   VG_(free)(forms->bare);
   VG_(free)(forms->said);
   VG_(free)(forms->said_parameters);
}

/*--- Matching -----------------------------------------------------------*/

static Bool has_parenthesis(const HChar* pattern)
{
   while (*pattern && *pattern != '(')
      pattern++;
   return *pattern == '(';
}

/* Most rules are about other names, which the first characters tell. */
static Bool is_match(const HChar* pattern, const HChar* name)
{
   Bool may_match = *pattern == *name || *pattern == '*' || *pattern == '?' ||
                    *pattern == '\\';
   return may_match && cg2_glob_matches(pattern, name);
}

/* Whether a pattern is of mangled names like this one: `*` alone is of none. */
static Bool is_mangled_like(const HChar* pattern, const HChar* mangled)
{
   return mangled && pattern[0] == '_' && pattern[1] &&
          pattern[1] == mangled[1];
}

/* Whether a rule is about a function. */
static Bool matches(const Rule* rule, const Forms* forms)
{
   const HChar* pattern = rule->pattern;
   if (rule->kind == RULE_SKIP_OBJECT)
      return cg2_glob_matches(pattern, forms->object);
   return is_match(pattern, forms->whole) || is_match(pattern, forms->said) ||
          is_match(pattern, forms->said_parameters) ||
          (!has_parenthesis(pattern) && is_match(pattern, forms->bare)) ||
          (is_mangled_like(pattern, forms->mangled) &&
           is_match(pattern, forms->mangled));
}

const Rules*
cg2_rules_of(const HChar* name, const HChar* mangled, const HChar* object)
{
   if (cg2_rules.n == 0) return &cg2_rules.standard;
   Rules* own = NULL;
   Forms forms = forms_of(name, mangled, object);
   for (UInt i = 0; i < cg2_rules.n; i++) {
      Rule* rule = &cg2_rules.all[i];
      if (!matches(rule, &forms)) continue;
      rule->has_matched = True;
      if (!own) {
         own = cg2_arena_new(sizeof *own);
         *own = cg2_rules.standard;
      }
      apply(own, rule);
   }
   free_forms(&forms);
   return own ? own : &cg2_rules.standard;
}

void cg2_rules_unmatched(void (*print)(const HChar* option,
                                       const HChar* pattern,
                                       Bool is_of_object))
{
   for (UInt i = 0; i < cg2_rules.n; i++) {
      const Rule* rule = &cg2_rules.all[i];
      if (rule->has_matched || !rule->option) continue;
      print(rule->option, rule->pattern, rule->kind == RULE_SKIP_OBJECT);
   }
}
