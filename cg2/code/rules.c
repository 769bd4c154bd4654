#include "code/rules.h"

#include "base/arena.h"

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
   if (!VG_(string_match)(last->pattern, object)) return known;
   last->has_matched = True;
   if (known->is_skipped) return known;
   Rules* own = cg2_arena_new(sizeof *own);
   *own = *known;
   apply(own, last);
   return own;
}

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

static Bool has_parenthesis(const HChar* pattern)
{
   while (*pattern && *pattern != '(')
      pattern++;
   return *pattern == '(';
}

/* Whether a pattern may match a name, as far as the first characters tell. Most
 * rules are about other names. */
static inline Bool may_match(const HChar* pattern, const HChar* name)
{
   return *pattern == *name || *pattern == '*' || *pattern == '?' ||
          *pattern == '\\';
}

/* Whether a rule is about a function: `bare` is its name without parameters. */
static Bool matches(const Rule* rule,
                    const HChar* name,
                    const HChar* bare,
                    const HChar* object)
{
   if (rule->kind == RULE_SKIP_OBJECT)
      return VG_(string_match)(rule->pattern, object);
   if (!may_match(rule->pattern, name)) return False;
   return VG_(string_match)(rule->pattern, name) ||
          (!has_parenthesis(rule->pattern) &&
           VG_(string_match)(rule->pattern, bare));
}

const Rules* cg2_rules_of(const HChar* name, const HChar* object)
{
   if (cg2_rules.n == 0) return &cg2_rules.standard;
   Rules* own = NULL;
   HChar* bare = VG_(strdup)("cg2.bare", name);
   bare[parameters_at(name)] = '\0';
   for (UInt i = 0; i < cg2_rules.n; i++) {
      Rule* rule = &cg2_rules.all[i];
      if (!matches(rule, name, bare, object)) continue;
      rule->has_matched = True;
      if (!own) {
         own = cg2_arena_new(sizeof *own);
         *own = cg2_rules.standard;
      }
      apply(own, rule);
   }
   VG_(free)(bare);
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
