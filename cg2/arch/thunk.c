#include "arch/thunk.h"

#include "arch/thunkcode.h"
#include "pub_tool_aspacemgr.h"

enum { POOL_BYTES = 64 * 1024 };

/* Reason for mutable file-scope objects: where the next thunk will be, the end
 * of the memory for it, and whether Valgrind's memory holds no code. */
static UChar *next, *end;
static Bool is_refused;

/* Makes room for `n` thunks at `next`, unless there is room. */
static void make_room(UInt n)
{
   tl_assert(n * THUNK_BYTES <= POOL_BYTES);
   if (next + n * THUNK_BYTES <= end || is_refused) return;
   next = VG_(malloc)("cg2.thunk", POOL_BYTES + THUNK_BYTES);
   end = next + POOL_BYTES;
   const NSegment* segment = VG_(am_find_nsegment)((Addr)next);
   is_refused = !segment || !segment->hasX;
}

/* The room is for one thunk more, which is written to be compared with one of
 * the earlier run. */
ThunkRun cg2_thunk_begin(void* before, UInt n)
{
   if (n) make_room(n + 1);
   return (ThunkRun){.start = before ? before : next, .again = before};
}

/* An earlier run may be shorter than this one. What lies behind it are other
 * thunks, or the rest of the pool, and a thunk's length more. */
void* cg2_thunk_code(ThunkRun* run, void* function, UWord first, UWord second)
{
   if (is_refused) return NULL;
   UChar* code = next;
   UChar* behind = cg2_thunkcode_write(code, function, first, second);
   if (run->again && !VG_(memcmp)(run->again, code, behind - code)) {
      code = run->again;
      run->again += behind - next;
      return code;
   }
   if (run->again) *run = (ThunkRun){NULL, NULL};
   next = behind;
   return code;
}
