/* What the command line, and later the program, says about functions, by
 * patterns of their names.
 *
 * A pattern is matched against the whole name as it is shown: `*` stands for
 * any characters, `?` for one. Of several rules for one thing that match, the
 * one given last counts. */
#ifndef CG2_RULES_H
#define CG2_RULES_H

#include "base/vg.h"

typedef struct Rules {
   UInt recursion_levels; /* kept apart; at least 1 */
   UInt n_callers;        /* kept apart */
   UInt group;            /* of functions that count as one among callers; 0:
                             none */
   Bool is_skipped;       /* its costs are its caller's, at the call */
   Bool pops_on_jump;     /* a jump out of it is a return and a call */
   Bool skips_direct_recursion; /* a call by itself is none */
   Bool dump_before;            /* when it is first entered */
   Bool dump_after;             /* when it is last left */
   Bool zero_before;
   Bool toggles_collect; /* collection is the other way round inside it */
   Bool is_watched;      /* any of the last four */
} Rules;

typedef enum RuleKind {
   RULE_RECURSION_LEVELS,
   RULE_CALLERS,
   RULE_GROUP,
   RULE_SKIP,
   RULE_SKIP_OBJECT, /* the pattern is of the object's name */
   RULE_POP_ON_JUMP,
   RULE_DUMP_BEFORE,
   RULE_DUMP_AFTER,
   RULE_ZERO_BEFORE,
   RULE_TOGGLE_COLLECT,
} RuleKind;

/* Those of a function that no pattern matches. Filled before the first
 * translation, then constant. */
extern Rules cg2_rules_default;

/* `option` is the command line's, for messages. Both strings must stay. */
void cg2_rules_add(RuleKind kind,
                   const HChar* pattern,
                   UInt value,
                   const HChar* option);

/* What `known`, the rules of a function in `object`, are since the last rule
 * was added, which is one to skip an object. Valid until exit. */
const Rules* cg2_rules_again(const Rules* known, const HChar* object);

/* The rules of the function `name` in `object`. Valid until exit. */
const Rules* cg2_rules_of(const HChar* name, const HChar* object);

/* Calls `print` for the option of each pattern that has matched no function. */
void cg2_rules_unmatched(void (*print)(const HChar* option));

#endif
