#include "code/rules.h"

#include "base/arena.h"

/* A rule as it was given. */
typedef struct Rule {
   RuleKind kind;
   const HChar* pattern;
   UInt value;
   const HChar* option; /* what the command line says, for messages */
   Bool has_matched;    /* the pattern has matched a function */
} Rule;

/* Reason for a mutable file-scope object: configuration. */
Rules cg2_rules_default = {.recursion_levels = 2};

/* All rules, in the order of the command line, then of requests. Reason for a
 * mutable file-scope object: configuration, but for what has matched. */
static struct {
   Rule* all;
   UInt n;
} rules;

void cg2_rules_add(RuleKind kind,
                   const HChar* pattern,
                   UInt value,
                   const HChar* option)
{
   rules.all =
      VG_(realloc)("cg2.rules", rules.all, (rules.n + 1) * sizeof *rules.all);
   rules.all[rules.n++] = (Rule){kind, pattern, value, option, False};
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
   }
   to->is_watched = to->dump_before || to->dump_after || to->zero_before ||
                    to->toggles_collect;
}

const Rules* cg2_rules_again(const Rules* known, const HChar* object)
{
   Rule* last = &rules.all[rules.n - 1];
   tl_assert(last->kind == RULE_SKIP_OBJECT);
   if (!VG_(string_match)(last->pattern, object)) return known;
   last->has_matched = True;
   if (known->is_skipped) return known;
   Rules* own = cg2_arena_new(sizeof *own);
   *own = *known;
   apply(own, last);
   return own;
}

const Rules* cg2_rules_of(const HChar* name, const HChar* object)
{
   Rules* own = NULL;
   for (UInt i = 0; i < rules.n; i++) {
      Rule* rule = &rules.all[i];
      const HChar* text = rule->kind == RULE_SKIP_OBJECT ? object : name;
      if (!VG_(string_match)(rule->pattern, text)) continue;
      rule->has_matched = True;
      if (!own) {
         own = cg2_arena_new(sizeof *own);
         *own = cg2_rules_default;
      }
      apply(own, rule);
   }
   return own ? own : &cg2_rules_default;
}

void cg2_rules_unmatched(void (*print)(const HChar* option))
{
   for (UInt i = 0; i < rules.n; i++)
      if (!rules.all[i].has_matched) print(rules.all[i].option);
}
