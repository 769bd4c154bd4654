#include "engine/backtrace.h"

#include "arch/guest.h"
#include "arch/guestmemory.h"
#include "code/symbols.h"
#include "engine/arrival.h"
#include "engine/callee.h"
#include "engine/unknown.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_stacktrace.h"

/* How many calls are looked for. Nobody calls the function of the outermost
 * call that is found. */
enum { DEPTH_MAX = 10000 };

/*--- Where a call is ----------------------------------------------------*/

/* The call instruction that returns to `behind`; if none is recognised, the
 * address of its last byte, which is as good for finding the source line. */
static Addr call_before(Addr behind)
{
   UChar code[GUEST_CALL_MAX];
   SizeT n = cg2_guestmemory_read(code, behind - sizeof code, sizeof code);
   UInt length =
      n == sizeof code ? cg2_guest_call_length(code + sizeof code) : 0;
   return behind - (length ? length : 1);
}

/* The function that runs at the place. */
static Function* function_of(const CodePlace* place)
{
   return place->home ? place->home
                      : cg2_code_function_at(place->object, place->offset);
}

/* The exit of a block that has nothing but the call which returns to `behind`.
 * The block counts nothing. */
static Exit* exit_of_call(Addr behind)
{
   static const UShort instr = 0, segment = 1;
   Addr address = call_before(behind);
   CodePlace place = cg2_symbols_find(address);
   BlockShape shape = {.object = place.object,
                       .offset = place.offset,
                       .address = address,
                       .n_instrs = 1,
                       .n_segments = 1,
                       .n_exits = 1,
                       .instrs = &instr,
                       .segments = &segment};
   Block* block = cg2_block_find(&shape);
   if (!block) {
      Function* home = function_of(&place);
      block = cg2_block_add(&shape, place.function, home);
      block->address = address;
      cg2_context_grow_cells(home);
   }
   Exit* exit = &cg2_block_exits(block)[0];
   exit->block = block;
   exit->kind = EXIT_CALL;
   exit->behind = exit->return_address = behind;
   return exit;
}

/*--- Frames -------------------------------------------------------------*/

/* Pushes the function at `ip`, which nobody called; the stack begins at `sp`.
 */
static void push_root(Addr ip, Addr sp)
{
   CodePlace place = cg2_symbols_find(ip);
   Context* root = cg2_callee_separate_context(function_of(&place), NULL);
   cg2_now.stack.start = sp;
   cg2_stack_grow(&cg2_now.stack);
   cg2_stack_push(&cg2_now.stack, cg2_graph_root(root), ~(Addr)0, 0,
                  cg2_now.account.total.of);
}

/* Pushes the function at `ip`. The function on top called it, and it will
 * return to `behind`, an address that stands at `sp`. A call that was a frame
 * before is counted already. */
static void push_call(Addr ip, Addr behind, Addr sp)
{
   CodePlace place = cg2_symbols_find(ip);
   Exit* exit = exit_of_call(behind);
   Function* function = function_of(&place);
   cg2_arrival_found(function);
   Arc* arc = cg2_unknown_arc(function, sp);
   Bool is_counted = arc != NULL;
   if (!arc)
      arc = cg2_graph_open(exit, cg2_thread_context(),
                           cg2_callee_separate_context(function, exit));
   cg2_stack_grow(&cg2_now.stack);
   cg2_stack_push(&cg2_now.stack, arc, sp,
                  cg2_arrival_return_address(exit, function),
                  cg2_now.account.total.of);
   arc->count -= is_counted;
   if (cg2_path_is_on()) cg2_now.stack.top->step->count -= is_counted;
}

/* How many of the addresses, from the innermost, are code. The unwinder does
 * not know where a program starts and goes on into its arguments. */
static UInt count_code(const Addr* ips, UInt n)
{
   UInt i = 0;
   while (i < n && VG_(am_is_valid_for_client)(ips[i], 1, VKI_PROT_EXEC))
      i++;
   return i;
}

/* The unwinder knows the address of a call's last byte for outer frames. */
void cg2_backtrace_push(void)
{
   SizeT size = DEPTH_MAX * sizeof(Addr);
   Addr* ips = VG_(malloc)("cg2.backtrace", size);
   Addr* sps = VG_(malloc)("cg2.backtrace", size);
   UInt n = VG_(get_StackTrace)(cg2_now.tid, ips, DEPTH_MAX, sps, NULL, 0);
   n = count_code(ips, n);
   if (n) push_root(ips[n - 1], sps[n - 1]);
   for (UInt i = n; i > 1; i--)
      push_call(ips[i - 2], ips[i - 1] + 1, cg2_guest_entry(sps[i - 1]));
   cg2_thread_refresh();
   VG_(free)(ips);
   VG_(free)(sps);
}
