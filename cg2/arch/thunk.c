#include "arch/thunk.h"

#include "arch/thunkcode.h"
#include "pub_tool_aspacemgr.h"

enum { POOL_BYTES = 64 * 1024 };

/* The memory that thunks are written to. Reason for a mutable file-scope
 * object: thunks stay, and the next one is behind them. */
static struct {
   UChar *next, *end; /* where the next thunk will be, and where none fits */
   Bool is_refused;   /* Valgrind's memory holds no code */
} pool;

/* Makes room for so many bytes at `next`, unless there is room. */
static void make_room(UInt bytes)
{
   tl_assert(bytes <= POOL_BYTES);
   if (pool.next + bytes <= pool.end || pool.is_refused) return;
   pool.next = VG_(malloc)("cg2.thunk", POOL_BYTES + THUNK_BYTES);
   pool.end = pool.next + POOL_BYTES;
   const NSegment* segment = VG_(am_find_nsegment)((Addr)pool.next);
   pool.is_refused = !segment || !segment->hasX;
}

/* The room is for one thunk more, which is written to be compared with one of
 * the earlier run. */
ThunkRun cg2_thunk_begin(void* before, UInt n)
{
   if (n) make_room((n + 1) * THUNK_BYTES);
   return (ThunkRun){.start = before ? before : pool.next, .again = before};
}

void* cg2_thunk_keep(const UChar* code, UInt size)
{
   enum { ALIGNMENT = 16 };
   UInt whole = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
   make_room(whole);
   if (pool.is_refused) return NULL;
   UChar* kept = pool.next;
   VG_(memcpy)(kept, code, size);
   pool.next += whole;
   return kept;
}

/* An earlier run may be shorter than this one. What lies behind it are other
 * thunks, or the rest of the pool, and a thunk's length more. */
void* cg2_thunk_code(ThunkRun* run, void* function, UWord first, UWord second)
{
   if (pool.is_refused) return NULL;
   UChar* code = pool.next;
   UChar* behind = cg2_thunkcode_write(code, function, first, second);
   if (run->again && !VG_(memcmp)(run->again, code, behind - code)) {
      code = run->again;
      run->again += behind - pool.next;
      return code;
   }
   if (run->again) *run = (ThunkRun){NULL, NULL};
   pool.next = behind;
   return code;
}
