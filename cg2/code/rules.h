/* What the command line, and later the program, says about functions, by
 * patterns of their names.
 *
 * A function's name has several forms, and a pattern means the function if it
 * matches one of them, `*` being any characters and `?` one:
 *
 *    void a::f<int>(int)   the whole name
 *    void a::f<int>        without parameters: if the pattern has no
 * parenthesis a::f<int>             as lists show it (shorten.h) a::f<int>(int)
 * as lists show it where others are shown alike _ZN1a1fIiEEvT_        mangled:
 * if the pattern begins with the same two characters libx.so+0x12730       code
 * without a symbol, as lists show it
 *
 * Of several rules for one thing that match, the one given last counts. */
#ifndef CG2_RULES_H
#define CG2_RULES_H

#include "base/vg.h"

/* The rules of one function. */
typedef struct Rules {
   UInt recursion_levels; /* levels that are kept apart; at least 1 */
   UInt n_callers;        /* callers that contexts are kept apart by */
   UInt group;            /* number of the functions that count as the same
                             function among callers; 0: no group */
   Bool is_skipped;       /* the costs of the function are its caller's, at the
                             call */
   Bool pops_on_jump; /* a jump out of the function is a return and a call */
   Bool skips_direct_recursion; /* a call of the function by itself is not
                                   shown */
   Bool dump_before; /* a part is written when the first frame is entered */
   Bool dump_after;  /* a part is written when the last frame is left */
   Bool zero_before; /* costs start from zero when the first frame is entered */
   Bool toggles_collect; /* inside the function, collection is switched to the
                            opposite */
   UInt allocator;       /* the number of an allocator; 0: it is none */
   Bool is_watched;      /* any of the last five */
   Bool hands_on;        /* the function hands memory on to its caller that it
                            has from an allocator */
} Rules;

typedef enum RuleKind {
   RULE_RECURSION_LEVELS,
   RULE_CALLERS,
   RULE_GROUP,
   RULE_SKIP,
   RULE_SKIP_OBJECT, /* the only kind whose pattern is of an object's name */
   RULE_POP_ON_JUMP,
   RULE_DUMP_BEFORE,
   RULE_DUMP_AFTER,
   RULE_ZERO_BEFORE,
   RULE_TOGGLE_COLLECT,
   RULE_ALLOCATOR, /* with the number of the allocator */
   RULE_HANDS_ON,
} RuleKind;

typedef struct Rule Rule;

typedef struct RuleList {
   Rules standard; /* of a function that no pattern matches. Filled before the
                      first translation, then constant. */
   Rule* all;      /* in the order of the command line, then of requests */
   UInt n;
} RuleList;

extern RuleList cg2_rules;

/* Adds a rule for all functions whose name the pattern matches. `value` is for
 * the kinds with a number. `option` is what the command line says, for
 * messages; NULL: it says nothing. The two strings must stay valid. */
void cg2_rules_add(RuleKind kind,
                   const HChar* pattern,
                   UInt value,
                   const HChar* option);

/* Whether there are rules. */
Bool cg2_rules_any(void);

/* The rules that a function of `object` has now, if it had the rules `known`
 * before the last rule was added, which is one to skip an object. Valid until
 * exit. */
const Rules* cg2_rules_again(const Rules* known, const HChar* object);

/* The rules of the function `name` in `object`; `mangled` is NULL if it has no
 * symbol. Valid until exit. */
const Rules*
cg2_rules_of(const HChar* name, const HChar* mangled, const HChar* object);

/* Calls `print` for each pattern that has matched nothing, with its option,
 * itself, and whether it is of objects' names. */
void cg2_rules_unmatched(void (*print)(const HChar* option,
                                       const HChar* pattern,
                                       Bool is_of_object));

#endif
