/* Is this jump a call?
 *
 * A jump is a call, a *tail call*, if it leads
 *
 *   - to another object,
 *   - to a stub from other code, or through a stub, or
 *   - to the first instruction of a function that is not the one that jumps.
 *
 * After any other jump the function that runs goes on at the target: inside the
 * function, also at its first instruction (a loop may begin there); in the
 * function's .cold half; in the middle of another function; in code without a
 * symbol; and from stub to stub, on the way to the dynamic linker's resolver.
 *
 * The question is asked in five places, and each knows the facts from another
 * side: cg2_symbols_leaves and write_fixed_jump (instrument) when a block is
 * translated, home_to_stay_in (probe) before an exit remembers where it leads,
 * cg2_transfer_classify when control has arrived, and view when a profile is
 * written. A place that cannot know which function will run when the jump is
 * taken leaves `to_itself` False, and learns whether the jump may be a call. */
#ifndef CG2_JUMP_H
#define CG2_JUMP_H

#include "code/block.h"

typedef struct Jump {
   Bool to_object; /* The target is in another object. */
   Bool to_stub;   /* The target is a stub and the jump is not made by one, or
                      the target was reached through a stub. */
   Bool to_entry;  /* The target is the first instruction of a symbol. */
   Bool to_itself; /* The target is code of the function that jumps. */
} Jump;

static inline Bool cg2_jump_is_call(const Jump* jump)
{
   return jump->to_object || jump->to_stub ||
          (jump->to_entry && !jump->to_itself);
}

/* The facts of a jump between two blocks, whichever function runs `from`. */
static inline Jump cg2_jump_between(const Block* from, const Block* to)
{
   return (Jump){.to_object = to->object != from->object,
                 .to_stub = to->is_among_stubs && !from->is_among_stubs,
                 .to_entry = to->is_entry};
}

#endif
