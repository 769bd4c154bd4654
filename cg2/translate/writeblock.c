#include "translate/writeblock.h"

#include "engine/plain.h"
#include "engine/threads.h"
#include "pub_tool_machine.h"
#include "translate/accesscode.h"

/* A block while it is written. */
typedef struct BlockWriter {
   const ReadBlock* from;
   Block* block;
   Bool is_guarded; /* The block looks itself whether its cells count. */
   Int offset_sp;   /* of the stack pointer in the guest state */
   Emitter emit;
   UInt n_counted;   /* segments that are counted already */
   UInt n_looked_at; /* sites whose accesses are made already */
   UInt n_predicted; /* branches that are predicted already */
   Clock clock;
   ThunkRun thunks; /* that the accesses call */
   IRExpr* sp; /* what the block put into the stack pointer last, or NULL */
} BlockWriter;

/* Whether a fixed target has the same home for as long as this translation
 * exists: it lies in the same object. */
static Bool stays_in_object(const BlockWriter* w, const CodePlace* to)
{
   return w->from->place.home && to->home &&
          to->object == w->from->place.object;
}

/* if (cg2_now.current->home != mine) cg2_probe_enter(block); */
static void write_guard(BlockWriter* w)
{
   Emitter* e = &w->emit;
   IRExpr* current =
      cg2_emit_load(e, e->host_word, cg2_emit_pointer(&cg2_now.current), 0);
   IRExpr* home =
      cg2_emit_load(e, e->host_word, current, offsetof(Cells, home));
   cg2_emit_probe(e, CG2_PROBE(cg2_probe_enter),
                  mkIRExprVec_2(cg2_emit_pointer(w->block), IRExpr_GSPTR()),
                  cg2_emit_differ(e, home, cg2_emit_pointer(w->block->home)));
}

/* if (until_dump == 0) cg2_probe_due(); until_dump--; */
static void write_dump(BlockWriter* w)
{
   Int offset = CG2_REGISTER(until_dump);
   IRExpr* left = cg2_emit_get(&w->emit, Ity_I64, offset);
   IRExpr* none = cg2_emit_number(0);
   cg2_emit_probe(
      &w->emit, CG2_PROBE(cg2_probe_due), mkIRExprVec_1(IRExpr_GSPTR()),
      cg2_emit_assign(&w->emit, Ity_I1, IRExpr_Binop(Iop_CmpEQ64, left, none)));
   cg2_emit_put(&w->emit, offset,
                cg2_emit_plus(&w->emit, cg2_emit_get(&w->emit, Ity_I64, offset),
                              cg2_emit_number(~0ULL)));
}

static UInt segment_at(const BlockWriter* w, Where where)
{
   UInt s = 0, end = w->from->shape.segments[0];
   while (where.instr >= end)
      end += w->from->shape.segments[++s];
   return s + where.late;
}

/* Whether an event has a field, and the block, each time that it runs, counts
 * no more of the event than there is room for. */
static Bool fits_counter(const BlockWriter* w, UInt event)
{
   UInt n = 0;
   if (cg2_event_field(event).counter == COUNTER_CLOCK) return False;
   for (UInt i = 0; i < w->from->events->n; i++)
      if (w->from->events->of[i].event == event)
         n += w->from->events->of[i].times;
   return n <= EVENT_PAIR_TIMES;
}

/* Writes what counts the events that happen each time that a segment is
 * executed. */
static void write_events(BlockWriter* w, UInt segment)
{
   UInt n[EVENTS_MAX] = {0};
   for (UInt i = 0; i < w->from->events->n; i++) {
      const BlockEvent* e = &w->from->events->of[i];
      Where where = {e->instr, e->late};
      if (segment_at(w, where) == segment) n[e->event] += e->times;
   }
   Counters counters = {{0}};
   for (UInt e = 0; e < cg2_events.n; e++) {
      if (!n[e]) continue;
      EventField field = cg2_event_field(e);
      if (fits_counter(w, e))
         counters.of[field.counter] += (ULong)n[e] << field.bit;
      else
         cg2_emit_total(&w->emit, e, mkIRExpr_HWord(n[e]));
   }
   tl_assert(counters.of[COUNTER_CLOCK] == 0);
   for (UInt i = 0; i < COUNTERS_MAX; i++)
      if (counters.of[i])
         cg2_emit_count(&w->emit, cg2_emit_counter(i),
                        cg2_emit_number(counters.of[i]));
}

/* How many of the accesses that are not made yet are in a segment. */
static UInt count_accesses(const BlockWriter* w, UInt segment)
{
   UInt i = w->n_looked_at;
   while (i < w->from->sites->n &&
          segment_at(w, w->from->sites->of[i].where) == segment)
      i++;
   return i - w->n_looked_at;
}

static void write_instrs(BlockWriter* w, UInt segment)
{
   UInt n = w->from->shape.segments[segment];
   UInt accesses = w->clock.gives_times ? count_accesses(w, segment) : 0;
   if (n || accesses) cg2_clock_advance(&w->emit, &w->clock, n, accesses);
}

static void write_count(BlockWriter* w, UInt segment)
{
   Emitter* e = &w->emit;
   write_instrs(w, segment);
   if (w->from->events->n) write_events(w, segment);
   if (!w->from->is_stub)
      cg2_emit_cell(e, w->block->slot + segment, cg2_emit_number(1));
}

/* Writes what counts the segments up to the one at `where`, but for those that
 * are counted already. */
static void count_up_to(BlockWriter* w, Where where)
{
   UInt segment = segment_at(w, where);
   while (w->n_counted <= segment)
      write_count(w, w->n_counted++);
}

static IRExpr* sp(BlockWriter* w)
{
   if (!w->sp)
      w->sp = cg2_emit_assign(&w->emit, w->emit.guest_word,
                              IRExpr_Get(w->offset_sp, w->emit.guest_word));
   return w->sp;
}

/* The name of a probe of transfers and the probe, as two arguments. */
#define TRANSFER(name)                                                         \
   "cg2_probe_" #name, cg2_engine_config.is_plain ? (void*)cg2_plain_##name    \
                                                  : (void*)cg2_probe_##name

/* Calls the probe of an exit. `where` is its last argument, or NULL. */
static void write_transfer(BlockWriter* w,
                           const HChar* name,
                           void* probe,
                           const Exit* exit,
                           IRExpr* where,
                           IRExpr* guard)
{
   IRExpr* guest = IRExpr_GSPTR();
   IRExpr** args =
      where ? mkIRExprVec_4(cg2_emit_pointer(exit), sp(w), where, guest)
            : mkIRExprVec_3(cg2_emit_pointer(exit), sp(w), guest);
   cg2_emit_probe(&w->emit, name, probe, args, guard);
}

/* Writes a jump whose target is not known before: most go to the same home. */
static void write_computed_jump(BlockWriter* w, Exit* exit)
{
   const Range* range = &w->from->place.home_range;
   PtrdiffT bias = w->from->address - w->from->place.offset;
   Bool is_64 = w->emit.host_word == Ity_I64;
   IRExpr* inside = cg2_emit_assign(
      &w->emit, w->emit.host_word,
      IRExpr_Binop(is_64 ? Iop_Sub64 : Iop_Sub32, w->from->in->next,
                   mkIRExpr_HWord(range->start + bias)));
   IRExpr* leaves = cg2_emit_assign(
      &w->emit, Ity_I1,
      IRExpr_Binop(is_64 ? Iop_CmpLE64U : Iop_CmpLE32U,
                   mkIRExpr_HWord(range->end - range->start), inside));
   write_transfer(w, TRANSFER(jump_to), exit, w->from->in->next, leaves);
}

/* Leaves word for cg2_probe_stub how control came to the stub. */
static void write_exit(BlockWriter* w, const Exit* exit)
{
   cg2_emit_put(&w->emit, CG2_REGISTER(exit), cg2_emit_pointer(exit));
   cg2_emit_put(&w->emit, CG2_REGISTER(sp), sp(w));
}

static void write_fixed_jump(BlockWriter* w, UInt i, IRExpr* guard)
{
   Exit* exit = &cg2_block_exits(w->block)[i];
   Addr target = w->from->exits[i].target;
   CodePlace to = cg2_symbols_find(target);
   Jump jump = cg2_symbols_jump(&w->from->place, &to);
   if (cg2_readblock_skips(&to))
      write_exit(w, exit);
   else if (!stays_in_object(w, &to))
      write_transfer(w, TRANSFER(jump_to), exit, mkIRExpr_HWord(target), guard);
   else if (cg2_jump_is_call(&jump))
      write_transfer(w, TRANSFER(jump), exit, NULL, guard);
   else
      write_transfer(w, CG2_PROBE(cg2_probe_stay), exit,
                     cg2_emit_pointer(to.home), guard);
}

static void write_call(BlockWriter* w, UInt i)
{
   Exit* exit = &cg2_block_exits(w->block)[i];
   if (w->from->in->next->tag == Iex_Const) {
      CodePlace to = cg2_symbols_find(w->from->exits[i].target);
      if (cg2_readblock_skips(&to)) {
         write_exit(w, exit);
         return;
      }
      if (stays_in_object(w, &to)) {
         write_transfer(w, TRANSFER(call), exit, NULL, NULL);
         return;
      }
   }
   write_transfer(w, TRANSFER(call_to), exit, w->from->in->next, NULL);
}

/* Behind a system call, which may be the program's last, control only arrives
 * when the thread runs on. */
static void write_late_exit(BlockWriter* w, const Exit* exit)
{
   write_exit(w, exit);
   cg2_emit_store(&w->emit, cg2_emit_pointer(&cg2_now.current), 0,
                  cg2_emit_pointer(&cg2_left));
}

static void write_last_exit(BlockWriter* w, UInt i)
{
   Exit* exit = &cg2_block_exits(w->block)[i];
   if (cg2_readblock_ends_in_syscall(w->from)) {
      write_late_exit(w, exit);
      return;
   }
   switch (exit->kind) {
   case EXIT_CALL:
      cg2_branchcode_write_call(&w->emit,
                                w->from->address + w->from->exits[i].end);
      write_call(w, i);
      break;
   case EXIT_RETURN:
      write_transfer(w, TRANSFER(return ), exit, w->from->in->next, NULL);
      break;
   default:
      if (w->from->in->next->tag == Iex_Const) {
         write_fixed_jump(w, i, NULL);
         break;
      }
      if (w->from->has_jumps)
         cg2_emit_probe(&w->emit, CG2_PROBE(cg2_probe_leap),
                        mkIRExprVec_3(cg2_emit_pointer(exit), w->from->in->next,
                                      IRExpr_GSPTR()),
                        NULL);
      write_computed_jump(w, exit);
   }
}

/* Checks, in the program's first block, that probes find the registers, where
 * nobody tells them. */
static void write_check_of_state(BlockWriter* w)
{
   if (GUESTSTATE_IS_PASSED || cg2_blocks.all.n_nodes > 1) return;
   Int offset = CG2_REGISTER(cells);
   cg2_emit_probe(
      &w->emit, CG2_PROBE(cg2_gueststate_check),
      mkIRExprVec_3(mkIRExpr_HWord(offset),
                    cg2_emit_get(&w->emit, w->emit.host_word, offset),
                    IRExpr_GSPTR()),
      NULL);
}

static void write_begin(BlockWriter* w)
{
   write_check_of_state(w);
   if (w->is_guarded) write_guard(w);
   if (cg2_engine_config.dump_every) write_dump(w);
   if (cg2_engine_config.check_cells && !w->from->is_stub)
      cg2_emit_probe(&w->emit, CG2_PROBE(cg2_probe_check),
                     mkIRExprVec_2(cg2_emit_pointer(w->block), IRExpr_GSPTR()),
                     NULL);
}

/* Writes the accesses of statement number `i`. */
static void write_refs(BlockWriter* w, Int i)
{
   const AccessSites* sites = w->from->sites;
   for (; w->n_looked_at < sites->n && sites->of[w->n_looked_at].stmt == i;
        w->n_looked_at++) {
      const AccessSite* site = &sites->of[w->n_looked_at];
      count_up_to(w, site->where);
      cg2_accesscode_write(&w->emit, sites, w->n_looked_at, &w->clock,
                           &w->thunks);
   }
}

/* Writes the branch that statement number `i`, or the end, is. */
static void write_branch(BlockWriter* w, Int i)
{
   const Branches* branches = w->from->branches;
   if (w->n_predicted == branches->n) return;
   const BranchSite* site = &branches->of[w->n_predicted];
   if (site->stmt != i) return;
   count_up_to(w, site->where);
   cg2_branchcode_write(&w->emit, site, w->block);
   w->n_predicted++;
}

/* Writes the round that a side exit is, if it leads to its own instruction. */
static void write_round(BlockWriter* w, const IRStmt* exit)
{
   const RoundSite* site = &w->from->round;
   if (site->exit != exit) return;
   count_up_to(w, site->where);
   cg2_roundcode_write(&w->emit, site, w->block);
}

static void write_side_exit(BlockWriter* w, Int i, UInt* exit)
{
   IRStmt* s = w->from->in->stmts[i];
   write_branch(w, i);
   write_round(w, s);
   if (*exit < w->from->n_exits && w->from->exits[*exit].stmt == i)
      write_fixed_jump(w, (*exit)++, s->Ist.Exit.guard);
   addStmtToIRSB(w->emit.out, s);
   if (w->from->has_jumps) write_count(w, w->n_counted++);
}

static void write_end(BlockWriter* w, UInt exit)
{
   while (w->n_counted < w->from->shape.n_segments)
      write_count(w, w->n_counted++);
   write_branch(w, BRANCH_AT_END);
   if (w->from->events->n && cg2_readblock_ends_in_syscall(w->from))
      cg2_emit_put(&w->emit, CG2_REGISTER(block), cg2_emit_pointer(w->block));
   if (w->from->is_stub)
      cg2_emit_probe(&w->emit, TRANSFER(stub),
                     mkIRExprVec_4(sp(w), w->from->in->next,
                                   cg2_emit_pointer(w->block), IRExpr_GSPTR()),
                     NULL);
   else if (exit < w->from->n_exits)
      write_last_exit(w, exit);
}

void cg2_writeblock_write(const ReadBlock* from,
                          Block* block,
                          Bool is_guarded,
                          Int offset_sp,
                          Emitter emit)
{
   UInt instr = 0, exit = 0;
   BlockWriter writer = {.from = from,
                         .block = block,
                         .is_guarded = is_guarded,
                         .offset_sp = offset_sp,
                         .emit = emit,
                         .clock.gives_times = cg2_accesses_has_clock(),
                         .thunks =
                            cg2_thunk_begin(block->thunks, from->sites->n)};
   BlockWriter* w = &writer;
   write_begin(w);
   for (Int i = from->first; i < from->in->stmts_used; i++) {
      IRStmt* s = from->in->stmts[i];
      if (s->tag == Ist_IMark) count_up_to(w, (Where){.instr = instr++});
      write_refs(w, i);
      if (s->tag == Ist_Put && s->Ist.Put.offset == offset_sp)
         w->sp = s->Ist.Put.data;
      if (s->tag == Ist_Exit)
         write_side_exit(w, i, &exit);
      else
         addStmtToIRSB(w->emit.out, s);
   }
   write_end(w, exit);
   block->thunks = w->thunks.start;
}
