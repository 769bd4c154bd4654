#include "arch/thunk.h"

#include "pub_tool_aspacemgr.h"

enum { POOL_BYTES = 64 * 1024, THUNK_BYTES = 32 };

/* Source: Intel's manual, volume 2: "mov r32, imm32" is B8 plus the register,
 * and clears the upper half of a 64-bit one; "mov r64, imm64" has REX.W in
 * front; "jmp *%eax" is FF E0. The two arguments are in rdi and rsi, or, of 32
 * bits, in eax and edx. */
#if defined(VGA_amd64)
enum { FIRST = 7, SECOND = 6, SCRATCH = 0 };
#elif defined(VGA_x86)
enum { FIRST = 0, SECOND = 2, SCRATCH = 1 };
#endif

#if defined(VGA_amd64) || defined(VGA_x86)

/* Reason for mutable file-scope objects: where the next code will be, the end
 * of the memory for it, and whether such memory holds none. */
static UChar *next, *end;
static Bool is_refused;

static void put(UChar byte)
{
   *next++ = byte;
}

static void put_word(UWord word, UInt bytes)
{
   for (UInt i = 0; i < bytes; i++)
      put(word >> 8 * i);
}

static void put_move(UInt to, UWord word)
{
   Bool is_long = word != (UInt)word;
   if (is_long) put(0x48);
   put(0xb8 + to);
   put_word(word, is_long ? 8 : 4);
}

static void put_jump(const void* function)
{
   put_move(SCRATCH, (UWord)function);
   put(0xff);
   put(0xe0 + SCRATCH);
}

/* Room for one thunk, at `next`. */
static Bool has_room(void)
{
   if (next + THUNK_BYTES <= end || is_refused) return !is_refused;
   next = VG_(malloc)("cg2.thunk", POOL_BYTES);
   end = next + POOL_BYTES;
   const NSegment* segment = VG_(am_find_nsegment)((Addr)next);
   is_refused = !segment || !segment->hasX;
   return !is_refused;
}

static void* make(void* function, UWord first, UWord second)
{
   if (!has_room()) return NULL;
   void* code = next;
   if (first) put_move(FIRST, first);
   put_move(SECOND, second);
   put_jump(function);
   return code;
}

#else

static void* make(void* function, UWord first, UWord second)
{
   (void)function, (void)first, (void)second;
   return NULL;
}

#endif

void* cg2_thunk_code(Thunk* thunk, void* function, UWord first, UWord second)
{
   if (!thunk->code || thunk->first != first || thunk->second != second)
      *thunk = (Thunk){make(function, first, second), first, second};
   return thunk->code;
}
