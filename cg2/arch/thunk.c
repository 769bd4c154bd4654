#include "arch/thunk.h"

#include "arch/thunkcode.h"
#include "pub_tool_aspacemgr.h"

enum { POOL_BYTES = 64 * 1024 };

/* Reason for mutable file-scope objects: where the next thunk will be, the end
 * of the memory for it, and whether Valgrind's memory holds no code. */
static UChar *next, *end;
static Bool is_refused;

/* Makes room for one thunk at `next`, unless there is room. True: code that is
 * put there can run. */
static Bool has_room(void)
{
   if (next + THUNK_BYTES <= end || is_refused) return !is_refused;
   next = VG_(malloc)("cg2.thunk", POOL_BYTES);
   end = next + POOL_BYTES;
   const NSegment* segment = VG_(am_find_nsegment)((Addr)next);
   is_refused = !segment || !segment->hasX;
   return !is_refused;
}

/* What was given before is as long as there is room for a thunk, as this is. */
void* cg2_thunk_code(void* before, void* function, UWord first, UWord second)
{
   if (!has_room()) return NULL;
   UChar* code = next;
   UChar* behind = cg2_thunkcode_write(code, function, first, second);
   is_refused = behind == NULL;
   if (is_refused) return NULL;
   if (before && !VG_(memcmp)(before, code, behind - code)) return before;
   next = behind;
   return code;
}
