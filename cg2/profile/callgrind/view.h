/* A context as a profile shows it: what was counted becomes items.
 *
 * cg2_view_fill collects the items of a context from the cells of its blocks,
 * its arcs and leaps, and from the skipped functions that it pays for. The
 * lines of all blocks must be resolved. */
#ifndef CG2_VIEW_H
#define CG2_VIEW_H

#include "profile/callgrind/items.h"

/* All zero but for `positions` is ready to be filled. */
typedef struct View {
   PositionConfig positions;
   const Context* context;  /* the context that was filled in last */
   Items items;             /* of that context, sorted */
   const Context** skipped; /* contexts of skipped functions, by payer; NULL
                               until looked for */
   UInt n_skipped;
} View;

/* Makes the items those of `context`. */
void cg2_view_fill(View* view, const Context* context);

void cg2_view_free(View* view);

/* What the context has cost, but for stubs on the way of its calls. */
Cost cg2_view_self_cost(const Context* context);

/* Whether an arc is shown as a call. */
Bool cg2_view_shows_call(const Arc* arc);

#endif
