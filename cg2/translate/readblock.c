#include "translate/readblock.h"

#include "arch/guest.h"
#include "events/allocs.h"
#include "events/eventsconfig.h"
#include "events/syscalls.h"
#include "translate/emit.h"
#include "translate/eventcode.h"

enum { AT_END = READ_EXIT_AT_END };

/* A block while it is read. */
typedef struct BlockReader {
   ReadBlock* to;
   UInt end;    /* bytes from the block's start to behind the last instruction
                   that was read */
   Where here;  /* where the next statement stands */
   Bool begins; /* What is counted here begins a segment: it stands behind a
                   side exit, or is the first of the block. */
} BlockReader;

static Bool find_first_instr(ReadBlock* b)
{
   for (b->first = 0; b->first < b->in->stmts_used; b->first++) {
      const IRStmt* s = b->in->stmts[b->first];
      if (s->tag != Ist_IMark) continue;
      b->address = s->Ist.IMark.addr;
      b->place = cg2_symbols_find(b->address);
      return True;
   }
   return False;
}

static void add_exit(const BlockReader* r, Int stmt, ExitKind kind, Addr target)
{
   ReadBlock* b = r->to;
   tl_assert(b->n_exits < EXITS_MAX);
   b->exits[b->n_exits++] = (ReadExit){.stmt = stmt,
                                       .target = target,
                                       .instr = b->shape.n_instrs - 1,
                                       .kind = kind,
                                       .end = r->end};
}

/* Adds the exit that a conditional branch is, if it leads out of the function.
 */
static void read_side_exit(BlockReader* r, Int stmt)
{
   Addr target = cg2_emit_address(r->to->in->stmts[stmt]->Ist.Exit.dst);
   if (cg2_symbols_leaves(&r->to->place, r->to->address, target))
      add_exit(r, stmt, EXIT_JUMP, target);
}

static Addr address_behind(const BlockReader* r)
{
   return r->to->address + r->end;
}

/* Whether a call of `target` calls nothing: it goes on behind itself, inside
 * its function, and does so to push the program counter. What becomes of that
 * word does not matter: a return to it is a jump. Behind a function's last call
 * (of a function that does not return) another function may begin, though. */
static Bool only_pushes_counter(const BlockReader* r, Addr target)
{
   return target == address_behind(r) &&
          !cg2_symbols_leaves(&r->to->place, r->to->address, target);
}

/* How control leaves the end: as VEX says, but for jumps that VEX takes for
 * calls. */
static IRJumpKind last_jump_kind(const BlockReader* r)
{
   Addr instr = r->to->address + r->to->shape.instrs[r->to->shape.n_instrs - 1];
   IRJumpKind kind = r->to->in->jumpkind;
   Bool is_jump = kind == Ijk_Call && cg2_guest_only_jumps((const UChar*)instr);
   return is_jump ? Ijk_Boring : kind;
}

static void read_last_exit(BlockReader* r)
{
   const IRExpr* next = r->to->in->next;
   Bool is_fixed = next->tag == Iex_Const;
   Addr target = is_fixed ? cg2_emit_address(next->Iex.Const.con) : 0;
   switch (last_jump_kind(r)) {
   case Ijk_Call:
   case Ijk_NoRedir: /* how a wrapper calls what it wraps */
      if (!only_pushes_counter(r, target))
         add_exit(r, AT_END, EXIT_CALL, target);
      break;
   case Ijk_Ret:
      add_exit(r, AT_END, EXIT_RETURN, target);
      break;
   default:
      if (!is_fixed ||
          cg2_symbols_leaves(&r->to->place, r->to->address, target))
         add_exit(r, AT_END, EXIT_JUMP, target);
   }
}

static void add_segment(BlockReader* r)
{
   tl_assert(r->to->shape.n_segments < SEGMENTS_MAX);
   r->to->shape.segments[r->to->shape.n_segments++] = 0;
   cg2_sites_part(r->to->sites);
}

/* Something is counted here: begins a segment if there is none for that. */
static void reach_segment(BlockReader* r)
{
   if (!r->begins) return;
   add_segment(r);
   r->begins = False;
   tl_assert(r->here.late <= EVENT_LATE_MAX);
}

static void read_instr(BlockReader* r, const IRStmt* s)
{
   tl_assert(r->to->shape.n_instrs < INSTRS_MAX);
   reach_segment(r);
   r->here = (Where){.instr = r->to->shape.n_instrs, .late = 0};
   UShort offset = s->Ist.IMark.addr - r->to->address;
   r->to->shape.instrs[r->to->shape.n_instrs++] = offset;
   r->end = offset + s->Ist.IMark.len;
   r->to->shape.segments[r->to->shape.n_segments - 1]++;
}

static Bool has_side_exit(const ReadBlock* b)
{
   for (Int i = b->first; i < b->in->stmts_used; i++)
      if (b->in->stmts[i]->tag == Ist_Exit) return True;
   return False;
}

/* Notes where the last segment's jump leads. A jump to the next instruction is
 * no jump. */
static void add_target(BlockReader* r, Bool is_jump, Addr target)
{
   PtrdiffT distance = target - r->to->address;
   Bool is_target =
      is_jump && target != address_behind(r) && distance == (Int)distance;
   r->to->shape.targets[r->to->shape.n_targets++] =
      is_target ? (Int)distance : NO_TARGET;
}

static void read_jump(BlockReader* r, const IRStmt* exit)
{
   add_target(r, exit->Ist.Exit.jk == Ijk_Boring,
              cg2_emit_address(exit->Ist.Exit.dst));
}

/* Counts a conditional branch, or an instruction that may repeat itself, as
 * others also when VEX knows what it will do. */
static void read_known_jump(BlockReader* r, Addr next)
{
   Addr instr = r->to->address + r->to->shape.instrs[r->to->shape.n_instrs - 1];
   Addr behind = address_behind(r);
   Int distance = 0;
   Bool is_branch =
      cg2_guest_is_conditional((const UChar*)instr, behind - instr, &distance);
   if (!is_branch && next != instr) return;
   add_target(r, next == behind, behind + distance);
   add_segment(r);
}

static void read_last_jump(BlockReader* r)
{
   const IRExpr* next = r->to->in->next;
   Bool jumps = last_jump_kind(r) == Ijk_Boring && next->tag == Iex_Const;
   Addr target = jumps ? cg2_emit_address(next->Iex.Const.con) : 0;
   if (jumps && r->to->shape.segments[r->to->shape.n_segments - 1])
      read_known_jump(r, target);
   add_target(r, jumps, target);
}

/* Reads what happens in statement number `i` beside instructions. `last_byte`
 * is as cg2_sites_read takes it. */
static void read_events(BlockReader* r, Int i, Addr last_byte)
{
   UInt n_before = r->to->sites->n;
   if (cg2_events_config.accesses.is_on)
      cg2_sites_read(r->to->sites, r->to->in, i, r->here, last_byte);
   if (r->to->sites->n > n_before) reach_segment(r);
   if (!r->to->is_stub &&
       cg2_eventcode_read(r->to->events, r->to->in->stmts[i], r->here))
      reach_segment(r);
}

/* Reads statement number `i`, or the end, as a branch. */
static void read_branch(BlockReader* r, Int i)
{
   BranchSite site = {.stmt = i,
                      .where = r->here,
                      .address =
                         r->to->address + r->to->shape.instrs[r->here.instr],
                      .behind = address_behind(r)};
   if (cg2_events_config.mispredictions.is_on &&
       cg2_branchcode_read(r->to->branches, r->to->in, site))
      reach_segment(r);
}

/* Notes if a jump to `target` is a round of an instruction that repeats itself.
 * True: the round is to be counted. */
static Bool meet_round(BlockReader* r, Addr target)
{
   UShort instr = r->to->shape.instrs[r->here.instr];
   Addr address = r->to->address + instr;
   if (target != address || r->to->is_stub ||
       !cg2_guest_is_repeated((const UChar*)address, r->end - instr))
      return False;
   r->to->repeats = True;
   return cg2_roundcode_is_on();
}

/* Reads a side exit as one by which its instruction repeats itself. */
static void read_round(BlockReader* r, const IRStmt* exit)
{
   if (!meet_round(r, cg2_emit_address(exit->Ist.Exit.dst))) return;
   r->to->round = cg2_roundcode_read_exit(r->to->events, exit, r->here);
   reach_segment(r);
}

/* Reads the end as one by which the last instruction repeats itself. */
static void read_last_round(BlockReader* r)
{
   const IRExpr* next = r->to->in->next;
   if (next->tag != Iex_Const ||
       !meet_round(r, cg2_emit_address(next->Iex.Const.con)))
      return;
   cg2_roundcode_read_end(r->to->events, r->here);
   reach_segment(r);
}

static void pass_side_exit(BlockReader* r)
{
   if (!r->begins) r->here.late++;
   r->begins = True;
}

static void read_exit(BlockReader* r, Int i)
{
   read_branch(r, i);
   read_round(r, r->to->in->stmts[i]);
   read_side_exit(r, i);
   pass_side_exit(r);
   if (!r->to->has_jumps) return;
   read_jump(r, r->to->in->stmts[i]);
   reach_segment(r);
}

/* Lets the exits have the events that are charged to an exit: those of cache
 * use, for what a stub loads that it leads to, and allocations. */
static void note_events_of_exits(BlockReader* r)
{
   for (UInt i = 0; i < r->to->n_exits; i++) {
      if (cg2_events_config.accesses.looks_at_use)
         cg2_sites_note_use(r->to->exits[i].instr, r->to->events);
      if (r->to->exits[i].kind != EXIT_RETURN)
         cg2_allocs_note(r->to->events, r->to->exits[i].instr);
   }
}

static void read_end(BlockReader* r)
{
   read_branch(r, BRANCH_AT_END);
   read_last_round(r);
   if (cg2_events_config.accesses.is_on) {
      cg2_sites_join(r->to->sites);
      cg2_sites_note(r->to->sites, r->to->is_stub, r->to->events);
   }
   cg2_branchcode_note(r->to->branches, r->to->is_stub, r->to->events);
   if (r->to->has_jumps) read_last_jump(r);
   if (r->to->is_stub) return;
   if (cg2_readblock_ends_in_syscall(r->to))
      cg2_syscalls_note(r->to->events, r->to->shape.n_instrs - 1);
   read_last_exit(r);
   note_events_of_exits(r);
}

Bool cg2_readblock_read(ReadBlock* b)
{
   BlockReader reader = {.to = b, .begins = True}, *r = &reader;
   if (!find_first_instr(b)) return False;
   b->is_stub = cg2_readblock_skips(&b->place) && !has_side_exit(b);
   b->has_jumps = cg2_translate_config.collect_jumps && !b->is_stub;
   for (Int i = b->first; i < b->in->stmts_used; i++) {
      const IRStmt* s = b->in->stmts[i];
      Addr last_byte = b->address + r->end - 1;
      if (s->tag == Ist_IMark) read_instr(r, s);
      if (s->tag == Ist_Exit) read_exit(r, i);
      read_events(r, i, last_byte);
   }
   read_end(r);
   return True;
}
