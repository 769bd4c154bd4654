/* What the command line says about functions, by patterns of their names.
 *
 * A pattern is matched against the whole name as it is shown: `*` stands for
 * any characters, `?` for one. Of several rules for one thing that match, the
 * one given last counts. */
#ifndef CG2_RULES_H
#define CG2_RULES_H

#include "vg.h"

typedef struct Rules {
   UInt recursion_levels;                     /* kept apart; at least 1 */
   Bool dump_before, dump_after, zero_before; /* when it is first entered, when
                                                 it is last left */
   Bool toggles_collect; /* collection is the other way round inside it */
   Bool is_watched;      /* any of the above */
} Rules;

typedef enum RuleKind {
   RULE_RECURSION_LEVELS,
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

/* The rules of the function `name`. Valid until exit. */
const Rules* cg2_rules_of(const HChar* name);

/* Calls `print` for the option of each pattern that has matched no function. */
void cg2_rules_unmatched(void (*print)(const HChar* option));

#endif
