#include "translate/instrument.h"

#include "arch/guest.h"
#include "code/symbols.h"
#include "engine/arrival.h"
#include "engine/plain.h"
#include "engine/threads.h"
#include "events/allocs.h"
#include "events/mispredictions.h"
#include "events/syscalls.h"
#include "pub_tool_machine.h"
#include "translate/accesscode.h"
#include "translate/branchcode.h"
#include "translate/cpuidcode.h"
#include "translate/eventcode.h"

/* Reason for a mutable file-scope object: switched by the program or its user.
 */
Bool cg2_instrument_is_on = True;

/* Reason for a mutable file-scope object: configuration. */
InstrumentConfig cg2_instrument_config = {.skip_stubs = True};

enum {
   INSTRS_MAX = BLOCK_INSTRS_MAX,
   EXITS_MAX = INSTRS_MAX + 1,
   SEGMENTS_MAX = 2 * INSTRS_MAX + 2, /* an instruction has two side exits */
   AT_END = -1
};

/* A block on its way from IR to IR. */
typedef struct Translation {
   IRSB* in;
   Emitter emit;
   const VexGuestLayout* layout;
   Int first;    /* number of the first statement that is an IMark */
   Addr address; /* of the first instruction */
   CodePlace place;
   UShort instrs[INSTRS_MAX];     /* as cg2_block_instrs */
   UShort segments[SEGMENTS_MAX]; /* as cg2_block_segments */
   Int targets[SEGMENTS_MAX];     /* as cg2_block_targets */
   BlockEvents* events;
   AccessSites* sites; /* if accesses are simulated; else none */
   Branches* branches; /* if branches are simulated; else none */
   struct {
      Int stmt;     /* number of the side exit; AT_END for the last exit */
      Addr target;  /* where the exit always leads, or 0 */
      UShort instr; /* index of its instruction */
      UShort kind;  /* ExitKind */
      UShort end;   /* bytes from the block's start to behind its instruction */
   } exits[EXITS_MAX];
   UInt n_instrs, n_segments, n_exits, n_targets;
   /* While the block is read: */
   UInt end;    /* bytes from the block's start to behind the last instruction
                   that was read */
   Where here;  /* where the next statement stands */
   Bool begins; /* What is counted here begins a segment: it stands behind a
                   side exit, or is the first of the block. */
   /* While the block is written: */
   UInt n_counted;   /* segments that are counted already */
   UInt n_looked_at; /* sites whose accesses are made already */
   UInt n_predicted; /* branches that are predicted already */
   Block* block;
   Bool is_stub;    /* The block is part of a stub, and those are skipped. */
   Bool has_jumps;  /* Jumps of the block are collected. */
   Bool is_guarded; /* The block looks itself, in this translation, whether its
                       cells count. */
   Clock clock;
   ThunkRun thunks; /* that the accesses call */
   IRExpr* sp; /* what the block put into the stack pointer last, or NULL */
} Translation;

/*--- Reading the block --------------------------------------------------*/

static Bool find_first_instr(Translation* t)
{
   for (t->first = 0; t->first < t->in->stmts_used; t->first++) {
      const IRStmt* s = t->in->stmts[t->first];
      if (s->tag != Ist_IMark) continue;
      t->address = s->Ist.IMark.addr;
      t->place = cg2_symbols_find(t->address);
      return True;
   }
   return False;
}

static void add_exit(Translation* t, Int stmt, ExitKind kind, Addr target)
{
   tl_assert(t->n_exits < EXITS_MAX);
   t->exits[t->n_exits].stmt = stmt;
   t->exits[t->n_exits].target = target;
   t->exits[t->n_exits].instr = t->n_instrs - 1;
   t->exits[t->n_exits].kind = kind;
   t->exits[t->n_exits].end = t->end;
   t->n_exits++;
}

/* Adds the exit that a conditional branch is, if it leads out of the function.
 */
static void read_side_exit(Translation* t, Int stmt)
{
   Addr target = cg2_emit_address(t->in->stmts[stmt]->Ist.Exit.dst);
   if (cg2_symbols_leaves(&t->place, t->address, target))
      add_exit(t, stmt, EXIT_JUMP, target);
}

static Addr address_behind(const Translation* t)
{
   return t->address + t->end;
}

/* Whether a call of `target` calls nothing: it goes on behind itself, inside
 * its function, and does so to push the program counter. What becomes of that
 * word does not matter: a return to it is a jump. Behind a function's last call
 * (of a function that does not return) another function may begin, though. */
static Bool only_pushes_counter(const Translation* t, Addr target)
{
   return target == address_behind(t) &&
          !cg2_symbols_leaves(&t->place, t->address, target);
}

/* How control leaves the end: as VEX says, but for jumps that VEX takes for
 * calls. */
static IRJumpKind last_jump_kind(const Translation* t)
{
   Addr instr = t->address + t->instrs[t->n_instrs - 1];
   IRJumpKind kind = t->in->jumpkind;
   Bool is_jump = kind == Ijk_Call && cg2_guest_only_jumps((const UChar*)instr);
   return is_jump ? Ijk_Boring : kind;
}

static void read_last_exit(Translation* t)
{
   const IRExpr* next = t->in->next;
   Bool is_fixed = next->tag == Iex_Const;
   Addr target = is_fixed ? cg2_emit_address(next->Iex.Const.con) : 0;
   switch (last_jump_kind(t)) {
   case Ijk_Call:
   case Ijk_NoRedir: /* how a wrapper calls what it wraps */
      if (!only_pushes_counter(t, target))
         add_exit(t, AT_END, EXIT_CALL, target);
      break;
   case Ijk_Ret:
      add_exit(t, AT_END, EXIT_RETURN, target);
      break;
   default:
      if (!is_fixed || cg2_symbols_leaves(&t->place, t->address, target))
         add_exit(t, AT_END, EXIT_JUMP, target);
   }
}

static void add_segment(Translation* t)
{
   tl_assert(t->n_segments < SEGMENTS_MAX);
   t->segments[t->n_segments++] = 0;
   cg2_sites_part(t->sites);
}

/* Something is counted here: begins a segment if there is none for that. */
static void reach_segment(Translation* t)
{
   if (!t->begins) return;
   add_segment(t);
   t->begins = False;
   tl_assert(t->here.late <= EVENT_LATE_MAX);
}

static void read_instr(Translation* t, const IRStmt* s)
{
   tl_assert(t->n_instrs < INSTRS_MAX);
   reach_segment(t);
   t->here = (Where){.instr = t->n_instrs, .late = 0};
   UShort offset = s->Ist.IMark.addr - t->address;
   t->instrs[t->n_instrs++] = offset;
   t->end = offset + s->Ist.IMark.len;
   t->segments[t->n_segments - 1]++;
}

static Bool is_skipped(const CodePlace* place)
{
   return place->is_stub && cg2_instrument_config.skip_stubs;
}

static Bool has_side_exit(const Translation* t)
{
   for (Int i = t->first; i < t->in->stmts_used; i++)
      if (t->in->stmts[i]->tag == Ist_Exit) return True;
   return False;
}

/* Notes where the last segment's jump leads. A jump to the next instruction is
 * no jump. */
static void add_target(Translation* t, Bool is_jump, Addr target)
{
   PtrdiffT distance = target - t->address;
   Bool is_target =
      is_jump && target != address_behind(t) && distance == (Int)distance;
   t->targets[t->n_targets++] = is_target ? (Int)distance : NO_TARGET;
}

static void read_jump(Translation* t, const IRStmt* exit)
{
   add_target(t, exit->Ist.Exit.jk == Ijk_Boring,
              cg2_emit_address(exit->Ist.Exit.dst));
}

/* Counts a conditional branch, or an instruction that may repeat itself, as
 * others also when VEX knows what it will do. */
static void read_known_jump(Translation* t, Addr next)
{
   Addr instr = t->address + t->instrs[t->n_instrs - 1];
   Addr behind = address_behind(t);
   Int distance = 0;
   Bool is_branch =
      cg2_guest_is_conditional((const UChar*)instr, behind - instr, &distance);
   if (!is_branch && next != instr) return;
   add_target(t, next == behind, behind + distance);
   add_segment(t);
}

static void read_last_jump(Translation* t)
{
   const IRExpr* next = t->in->next;
   Bool jumps = last_jump_kind(t) == Ijk_Boring && next->tag == Iex_Const;
   Addr target = jumps ? cg2_emit_address(next->Iex.Const.con) : 0;
   if (jumps && t->segments[t->n_segments - 1]) read_known_jump(t, target);
   add_target(t, jumps, target);
}

static Bool ends_in_syscall(const Translation* t)
{
   return t->in->jumpkind >= Ijk_Sys_syscall &&
          t->in->jumpkind <= Ijk_Sys_sysenter;
}

/* Reads what happens in statement number `i` beside instructions. `last_byte`
 * is as cg2_sites_read takes it. */
static void read_events(Translation* t, Int i, Addr last_byte)
{
   UInt n_before = t->sites->n;
   if (cg2_accesses_config.is_on)
      cg2_sites_read(t->sites, t->in, i, t->here, last_byte);
   if (t->sites->n > n_before) reach_segment(t);
   if (!t->is_stub && cg2_eventcode_read(t->events, t->in->stmts[i], t->here))
      reach_segment(t);
}

/* Reads statement number `i`, or the end, as a branch. */
static void read_branch(Translation* t, Int i)
{
   BranchSite site = {.stmt = i,
                      .where = t->here,
                      .address = t->address + t->instrs[t->here.instr],
                      .behind = address_behind(t)};
   if (cg2_mispredictions_config.is_on &&
       cg2_branchcode_read(t->branches, t->in, site))
      reach_segment(t);
}

static void pass_side_exit(Translation* t)
{
   if (!t->begins) t->here.late++;
   t->begins = True;
}

static void read_exit(Translation* t, Int i)
{
   read_branch(t, i);
   read_side_exit(t, i);
   pass_side_exit(t);
   if (!t->has_jumps) return;
   read_jump(t, t->in->stmts[i]);
   reach_segment(t);
}

/* Lets the exits have the events that are charged to an exit: those of cache
 * use, for what a stub loads that it leads to, and allocations. */
static void note_events_of_exits(Translation* t)
{
   for (UInt i = 0; i < t->n_exits; i++) {
      if (cg2_accesses_config.looks_at_use)
         cg2_sites_note_use(t->exits[i].instr, t->events);
      if (t->exits[i].kind != EXIT_RETURN)
         cg2_allocs_note(t->events, t->exits[i].instr);
   }
}

static void read_end(Translation* t)
{
   read_branch(t, BRANCH_AT_END);
   if (cg2_accesses_config.is_on) {
      cg2_sites_join(t->sites);
      cg2_sites_note(t->sites, t->is_stub, t->events);
   }
   cg2_branchcode_note(t->branches, t->is_stub, t->events);
   if (t->has_jumps) read_last_jump(t);
   if (t->is_stub) return;
   if (ends_in_syscall(t)) cg2_syscalls_note(t->events, t->n_instrs - 1);
   read_last_exit(t);
   note_events_of_exits(t);
}

static void read_block(Translation* t)
{
   t->is_stub = is_skipped(&t->place) && !has_side_exit(t);
   t->has_jumps = cg2_instrument_config.collect_jumps && !t->is_stub;
   t->begins = True;
   for (Int i = t->first; i < t->in->stmts_used; i++) {
      const IRStmt* s = t->in->stmts[i];
      Addr last_byte = t->address + t->end - 1;
      if (s->tag == Ist_IMark) read_instr(t, s);
      if (s->tag == Ist_Exit) read_exit(t, i);
      read_events(t, i, last_byte);
   }
   read_end(t);
}

/* Whether a fixed target has the same home for as long as this translation
 * exists: it lies in the same object. */
static Bool stays_in_object(const Translation* t, const CodePlace* to)
{
   return t->place.home && to->home && to->object == t->place.object;
}

/*--- The block's record -------------------------------------------------*/

/* Whether a function may have its slots among those of the code at a place. A
 * stub's are kept apart from those of the code that jumps there. */
static Bool may_be_home(const Function* function, const CodePlace* place)
{
   return function->object == place->object &&
          (!place->is_stub ||
           cg2_code_is_stub(function->object, function->offset));
}

/* The home of code that no unwind range tells the function of. Any function
 * would do; best is the one that will run there. */
static Function* choose_home(const CodePlace* place)
{
   const Context* context = cg2_thread_expect();
   if (context && may_be_home(context->function, place))
      return context->function;
   return cg2_code_function_at(place->object, place->offset);
}

/* Whether the code at `behind` has the home of this block. If a call is the
 * last that an unwind range has, it has not. */
static Bool is_at_home(const Translation* t, Addr behind)
{
   const Range* range = &t->place.home_range;
   Addr offset = t->place.offset + (behind - t->address);
   return (offset >= range->start && offset < range->end) ||
          cg2_symbols_find(behind).home == t->place.home;
}

static void fill_exit(const Translation* t, UInt i, Exit* exit, Block* block)
{
   Addr behind = t->address + t->exits[i].end;
   exit->block = block;
   cg2_exit_forget(exit); /* the code may have been moved, or rewritten */
   exit->home = NULL;
   exit->instr = t->exits[i].instr;
   exit->kind = t->exits[i].kind;
   exit->behind = exit->kind == EXIT_CALL ? behind : 0;
   exit->return_address = exit->behind && is_at_home(t, behind) ? behind : 0;
   exit->target = t->exits[i].target;
   exit->is_fixed = exit->target != 0;
}

static void find_or_add_block(Translation* t)
{
   BlockShape shape = {.object = t->place.object,
                       .offset = t->place.offset,
                       .address = t->address,
                       .n_instrs = t->n_instrs,
                       .n_segments = t->n_segments,
                       .n_exits = t->n_exits,
                       .n_targets = t->n_targets,
                       .n_events = t->events->n,
                       .targets = t->targets,
                       .events = t->events->of,
                       .instrs = t->instrs,
                       .segments = t->segments};
   Block* b = cg2_block_find(&shape);
   if (!b) {
      Function* home = t->is_stub      ? NULL
                       : t->place.home ? t->place.home
                                       : choose_home(&t->place);
      b = cg2_block_add(&shape, t->place.function, home);
      b->is_entry = t->place.is_entry;
      b->is_stub = t->is_stub;
      b->is_guarded = !t->is_stub && !t->place.home;
      if (home) cg2_context_grow_cells(home);
      cg2_thread_refresh();
   }
   b->address = t->address;
   if (cg2_accesses_config.is_on) cg2_sites_place(t->sites, b);
   for (UInt i = 0; i < t->n_exits; i++)
      fill_exit(t, i, &cg2_block_exits(b)[i], b);
   t->block = b;
}

/* Makes the block known as what is translated at `address`. Where the core
 * redirects, and where it goes round a redirection, an address may have another
 * translation than the one that is known: then control must look when it gets
 * there. */
static void announce(Translation* t, Addr address)
{
   Bool is_known = cg2_block_translated(address) != NULL;
   Bool is_redirected = address != t->address;
   t->is_guarded =
      t->block->is_guarded || (!t->is_stub && (is_known || is_redirected));
   if (!is_known && !is_redirected)
      cg2_block_add_translation(address, t->block);
}

/*--- Writing IR ---------------------------------------------------------*/

/* if (cg2_now.current->home != mine) cg2_probe_enter(block); */
static void write_guard(Translation* t)
{
   Emitter* e = &t->emit;
   IRExpr* current =
      cg2_emit_load(e, e->host_word, cg2_emit_pointer(&cg2_now.current), 0);
   IRExpr* home =
      cg2_emit_load(e, e->host_word, current, offsetof(Cells, home));
   cg2_emit_probe(e, CG2_PROBE(cg2_probe_enter),
                  mkIRExprVec_2(cg2_emit_pointer(t->block), IRExpr_GSPTR()),
                  cg2_emit_differ(e, home, cg2_emit_pointer(t->block->home)));
}

/* if (until_dump == 0) cg2_probe_due(); until_dump--; */
static void write_dump(Translation* t)
{
   Int offset = CG2_REGISTER(until_dump);
   IRExpr* left = cg2_emit_get(&t->emit, Ity_I64, offset);
   IRExpr* none = cg2_emit_number(0);
   cg2_emit_probe(
      &t->emit, CG2_PROBE(cg2_probe_due), mkIRExprVec_1(IRExpr_GSPTR()),
      cg2_emit_assign(&t->emit, Ity_I1, IRExpr_Binop(Iop_CmpEQ64, left, none)));
   cg2_emit_put(&t->emit, offset,
                cg2_emit_plus(&t->emit, cg2_emit_get(&t->emit, Ity_I64, offset),
                              cg2_emit_number(~0ULL)));
}

static UInt segment_at(const Translation* t, Where where)
{
   UInt s = 0, end = t->segments[0];
   while (where.instr >= end)
      end += t->segments[++s];
   return s + where.late;
}

/* Whether an event has a field, and the block, each time that it runs, counts
 * no more of the event than there is room for. */
static Bool fits_counter(const Translation* t, UInt event)
{
   UInt n = 0;
   if (cg2_event_field(event).counter == COUNTER_CLOCK) return False;
   for (UInt i = 0; i < t->events->n; i++)
      if (t->events->of[i].event == event) n += t->events->of[i].times;
   return n <= EVENT_PAIR_TIMES;
}

/* Writes what counts the events that happen each time that a segment is
 * executed. */
static void write_events(Translation* t, UInt segment)
{
   UInt n[EVENTS_MAX] = {0};
   for (UInt i = 0; i < t->events->n; i++) {
      const BlockEvent* e = &t->events->of[i];
      Where where = {e->instr, e->late};
      if (segment_at(t, where) == segment) n[e->event] += e->times;
   }
   Counters counters = {{0}};
   for (UInt e = 0; e < cg2_event_count; e++) {
      if (!n[e]) continue;
      EventField field = cg2_event_field(e);
      if (fits_counter(t, e))
         counters.of[field.counter] += (ULong)n[e] << field.bit;
      else
         cg2_emit_total(&t->emit, e, mkIRExpr_HWord(n[e]));
   }
   tl_assert(counters.of[COUNTER_CLOCK] == 0);
   for (UInt i = 0; i < COUNTERS_MAX; i++)
      if (counters.of[i])
         cg2_emit_count(&t->emit, cg2_emit_counter(i),
                        cg2_emit_number(counters.of[i]));
}

/* How many of the accesses that are not made yet are in a segment. */
static UInt count_accesses(const Translation* t, UInt segment)
{
   UInt i = t->n_looked_at;
   while (i < t->sites->n && segment_at(t, t->sites->of[i].where) == segment)
      i++;
   return i - t->n_looked_at;
}

static void write_instrs(Translation* t, UInt segment)
{
   UInt n = t->segments[segment];
   UInt accesses = t->clock.gives_times ? count_accesses(t, segment) : 0;
   if (n || accesses) cg2_clock_advance(&t->emit, &t->clock, n, accesses);
}

static void write_count(Translation* t, UInt segment)
{
   Emitter* e = &t->emit;
   write_instrs(t, segment);
   if (t->events->n) write_events(t, segment);
   if (!t->is_stub)
      cg2_emit_cell(e, t->block->slot + segment, cg2_emit_number(1));
}

/* Writes what counts the segments up to the one at `where`, but for those that
 * are counted already. */
static void count_up_to(Translation* t, Where where)
{
   UInt segment = segment_at(t, where);
   while (t->n_counted <= segment)
      write_count(t, t->n_counted++);
}

static IRExpr* sp(Translation* t)
{
   if (!t->sp)
      t->sp =
         cg2_emit_assign(&t->emit, t->emit.guest_word,
                         IRExpr_Get(t->layout->offset_SP, t->emit.guest_word));
   return t->sp;
}

/* The name of a probe of transfers and the probe, as two arguments. */
#define TRANSFER(name)                                                         \
   "cg2_probe_" #name, cg2_probe_config.is_plain ? (void*)cg2_plain_##name     \
                                                 : (void*)cg2_probe_##name

/* Calls the probe of an exit. `where` is its last argument, or NULL. */
static void write_transfer(Translation* t,
                           const HChar* name,
                           void* probe,
                           const Exit* exit,
                           IRExpr* where,
                           IRExpr* guard)
{
   IRExpr* guest = IRExpr_GSPTR();
   IRExpr** args =
      where ? mkIRExprVec_4(cg2_emit_pointer(exit), sp(t), where, guest)
            : mkIRExprVec_3(cg2_emit_pointer(exit), sp(t), guest);
   cg2_emit_probe(&t->emit, name, probe, args, guard);
}

/* Writes a jump whose target is not known before: most go to the same home. */
static void write_computed_jump(Translation* t, Exit* exit)
{
   const Range* range = &t->place.home_range;
   PtrdiffT bias = t->address - t->place.offset;
   Bool is_64 = t->emit.host_word == Ity_I64;
   IRExpr* inside =
      cg2_emit_assign(&t->emit, t->emit.host_word,
                      IRExpr_Binop(is_64 ? Iop_Sub64 : Iop_Sub32, t->in->next,
                                   mkIRExpr_HWord(range->start + bias)));
   IRExpr* leaves = cg2_emit_assign(
      &t->emit, Ity_I1,
      IRExpr_Binop(is_64 ? Iop_CmpLE64U : Iop_CmpLE32U,
                   mkIRExpr_HWord(range->end - range->start), inside));
   write_transfer(t, TRANSFER(jump_to), exit, t->in->next, leaves);
}

/* Leaves word for cg2_probe_stub how control came to the stub. */
static void write_exit(Translation* t, const Exit* exit)
{
   cg2_emit_put(&t->emit, CG2_REGISTER(exit), cg2_emit_pointer(exit));
   cg2_emit_put(&t->emit, CG2_REGISTER(sp), sp(t));
}

static void write_fixed_jump(Translation* t, UInt i, IRExpr* guard)
{
   Exit* exit = &cg2_block_exits(t->block)[i];
   Addr target = t->exits[i].target;
   CodePlace to = cg2_symbols_find(target);
   Jump jump = cg2_symbols_jump(&t->place, &to);
   if (is_skipped(&to))
      write_exit(t, exit);
   else if (!stays_in_object(t, &to))
      write_transfer(t, TRANSFER(jump_to), exit, mkIRExpr_HWord(target), guard);
   else if (cg2_jump_is_call(&jump))
      write_transfer(t, TRANSFER(jump), exit, NULL, guard);
   else
      write_transfer(t, CG2_PROBE(cg2_probe_stay), exit,
                     cg2_emit_pointer(to.home), guard);
}

static void write_call(Translation* t, UInt i)
{
   Exit* exit = &cg2_block_exits(t->block)[i];
   if (t->in->next->tag == Iex_Const) {
      CodePlace to = cg2_symbols_find(t->exits[i].target);
      if (is_skipped(&to)) {
         write_exit(t, exit);
         return;
      }
      if (stays_in_object(t, &to)) {
         write_transfer(t, TRANSFER(call), exit, NULL, NULL);
         return;
      }
   }
   write_transfer(t, TRANSFER(call_to), exit, t->in->next, NULL);
}

/* Behind a system call, which may be the program's last, control only arrives
 * when the thread runs on. */
static void write_late_exit(Translation* t, const Exit* exit)
{
   write_exit(t, exit);
   cg2_emit_store(&t->emit, cg2_emit_pointer(&cg2_now.current), 0,
                  cg2_emit_pointer(&cg2_left));
}

static void write_last_exit(Translation* t, UInt i)
{
   Exit* exit = &cg2_block_exits(t->block)[i];
   if (ends_in_syscall(t)) {
      write_late_exit(t, exit);
      return;
   }
   switch (exit->kind) {
   case EXIT_CALL:
      write_call(t, i);
      break;
   case EXIT_RETURN:
      write_transfer(t, TRANSFER(return ), exit, t->in->next, NULL);
      break;
   default:
      if (t->in->next->tag == Iex_Const) {
         write_fixed_jump(t, i, NULL);
         break;
      }
      if (t->has_jumps)
         cg2_emit_probe(
            &t->emit, CG2_PROBE(cg2_probe_leap),
            mkIRExprVec_3(cg2_emit_pointer(exit), t->in->next, IRExpr_GSPTR()),
            NULL);
      write_computed_jump(t, exit);
   }
}

/* Checks, once, that probes find the registers, where nobody tells them. */
static void write_check_of_state(Translation* t)
{
   if (GUESTSTATE_IS_PASSED || !cg2_gueststate_wants_check()) return;
   Int offset = CG2_REGISTER(cells);
   cg2_emit_probe(
      &t->emit, CG2_PROBE(cg2_gueststate_check),
      mkIRExprVec_3(mkIRExpr_HWord(offset),
                    cg2_emit_get(&t->emit, t->emit.host_word, offset),
                    IRExpr_GSPTR()),
      NULL);
}

static void write_begin(Translation* t)
{
   write_check_of_state(t);
   if (t->is_guarded) write_guard(t);
   if (cg2_probe_config.dump_every) write_dump(t);
   if (cg2_instrument_config.check_cells && !t->is_stub)
      cg2_emit_probe(&t->emit, CG2_PROBE(cg2_probe_check),
                     mkIRExprVec_2(cg2_emit_pointer(t->block), IRExpr_GSPTR()),
                     NULL);
}

/* Writes the accesses of statement number `i`. */
static void write_refs(Translation* t, Int i)
{
   const AccessSites* sites = t->sites;
   for (; t->n_looked_at < sites->n && sites->of[t->n_looked_at].stmt == i;
        t->n_looked_at++) {
      const AccessSite* site = &sites->of[t->n_looked_at];
      count_up_to(t, site->where);
      cg2_accesscode_write(&t->emit, sites, t->n_looked_at, &t->clock,
                           &t->thunks);
   }
}

/* Writes the branch that statement number `i`, or the end, is. */
static void write_branch(Translation* t, Int i)
{
   const Branches* branches = t->branches;
   if (t->n_predicted == branches->n) return;
   const BranchSite* site = &branches->of[t->n_predicted];
   if (site->stmt != i) return;
   count_up_to(t, site->where);
   cg2_branchcode_write(&t->emit, site, t->block);
   t->n_predicted++;
}

static void write_side_exit(Translation* t, Int i, UInt* exit)
{
   IRStmt* s = t->in->stmts[i];
   write_branch(t, i);
   if (*exit < t->n_exits && t->exits[*exit].stmt == i)
      write_fixed_jump(t, (*exit)++, s->Ist.Exit.guard);
   addStmtToIRSB(t->emit.out, s);
   if (t->has_jumps) write_count(t, t->n_counted++);
}

static void write_end(Translation* t, UInt exit)
{
   while (t->n_counted < t->n_segments)
      write_count(t, t->n_counted++);
   write_branch(t, BRANCH_AT_END);
   if (t->events->n && ends_in_syscall(t))
      cg2_emit_put(&t->emit, CG2_REGISTER(block), cg2_emit_pointer(t->block));
   if (t->is_stub)
      cg2_emit_probe(&t->emit, TRANSFER(stub),
                     mkIRExprVec_4(sp(t), t->in->next,
                                   cg2_emit_pointer(t->block), IRExpr_GSPTR()),
                     NULL);
   else if (exit < t->n_exits)
      write_last_exit(t, exit);
}

static void write_block(Translation* t)
{
   UInt instr = 0, exit = 0;
   t->thunks = cg2_thunk_begin(t->block->thunks, t->sites->n);
   write_begin(t);
   for (Int i = t->first; i < t->in->stmts_used; i++) {
      IRStmt* s = t->in->stmts[i];
      if (s->tag == Ist_IMark) count_up_to(t, (Where){.instr = instr++});
      write_refs(t, i);
      if (s->tag == Ist_Put && s->Ist.Put.offset == t->layout->offset_SP)
         t->sp = s->Ist.Put.data;
      if (s->tag == Ist_Exit)
         write_side_exit(t, i, &exit);
      else
         addStmtToIRSB(t->emit.out, s);
   }
   write_end(t, exit);
   t->block->thunks = t->thunks.start;
}

IRSB* cg2_instrument(VgCallbackClosure* closure,
                     IRSB* in,
                     const VexGuestLayout* layout,
                     const VexGuestExtents* extents,
                     const VexArchInfo* arch,
                     IRType guest_word,
                     IRType host_word)
{
   (void)extents;
   BlockEvents events;
   AccessSites sites;
   Branches branches;
   events.n = branches.n = 0; /* all else of these is large, and not read */
   cg2_cpuidcode_rewrite(in, arch->hwcaps);
   cg2_sites_init(&sites, in);
   Translation t = {.in = in,
                    .events = &events,
                    .sites = &sites,
                    .branches = &branches,
                    .layout = layout,
                    .clock.gives_times = cg2_accesses_has_clock(),
                    .emit = {NULL, guest_word, host_word}};
   if (!cg2_instrument_is_on || !find_first_instr(&t)) return in;
   read_block(&t);
   find_or_add_block(&t);
   announce(&t, closure->nraddr);
   if (!t.is_guarded && !t.is_stub && !cg2_thread_has_arrived() &&
       !cg2_now.is_unknown && cg2_threads_is_running(closure->tid))
      cg2_arrival_at(t.block); /* what control was on its way to */
   t.emit.out = deepCopyIRSBExceptStmts(in);
   for (Int i = 0; i < t.first; i++)
      addStmtToIRSB(t.emit.out, in->stmts[i]);
   write_block(&t);
   return t.emit.out;
}
