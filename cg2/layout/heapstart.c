#include "layout/heapstart.h"

#include "base/table.h"
#include "pub_tool_libcbase.h"

/* Source: Valgrind's core, which exports them to no tool. The page of the base
 * is mapped from the start. */
extern Addr VG_(brk_base);
extern Addr VG_(brk_limit);

/* Allocators align what they give to so many bytes. */
enum { ALIGNMENT = 16, PHASES = 4 };

void cg2_heapstart_move(ULong seed)
{
   Addr base = VG_(brk_base);
   Addr end = VG_PGROUNDUP(base + 1);
   if (VG_(brk_limit) != base) return;
   UWord steps = (end - base) / ALIGNMENT;
   if (steps == 0) return;
   /* Seeds in a row have all places within a line of the host in turn. */
   UWord lines = cg2_hash_word(0, seed) * PHASES + seed % PHASES;
   VG_(brk_limit) = base + lines % steps * ALIGNMENT;
}
