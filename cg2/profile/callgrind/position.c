#include "profile/callgrind/position.h"

const PositionColumn cg2_position_columns[N_SUBPOSITIONS] = {
   [POSITION_INSTR] = {"instr", .is_hex = True},
   [POSITION_BLOCK] = {"bb", .is_hex = True},
   [POSITION_LINE] = {"line", .is_hex = False},
};

/* Makes the subpositions 0 that the configuration leaves out. */
static inline void hide_others(const PositionConfig* config, Position* at)
{
   for (UInt s = 0; s < N_SUBPOSITIONS; s++)
      if (!config->has[s]) at->of[s] = 0;
}

Position cg2_position_of_instr(const PositionConfig* config,
                               const Block* block,
                               UInt instr)
{
   const SourceLine* source = &block->lines[instr];
   Position at = {
      .file = cg2_code.file_names.by_number[source->file],
      .of = {[POSITION_INSTR] = block->offset + cg2_block_instrs(block)[instr],
             [POSITION_BLOCK] = block->offset,
             [POSITION_LINE] = source->line},
   };
   hide_others(config, &at);
   return at;
}

Position cg2_position_of_entry(const PositionConfig* config,
                               const Function* function)
{
   Position at = {
      .file = function->file,
      .of = {[POSITION_INSTR] = function->offset,
             [POSITION_BLOCK] = function->offset,
             [POSITION_LINE] = function->line},
   };
   hide_others(config, &at);
   return at;
}

static Int compare_words(ULong a, ULong b)
{
   return a < b ? -1 : a > b;
}

static Int compare_files(const Name* a, const Name* b, const Name* own)
{
   if (a == b) return 0;
   if (a == own) return -1;
   if (b == own) return 1;
   return VG_(strcmp)(a->text, b->text);
}

Int cg2_position_compare(const Position* a, const Position* b, const Name* own)
{
   Int order = 0;
   UInt s = 0;
   for (; !order && s < FIRST_POSITION_IN_FILE; s++)
      order = compare_words(a->of[s], b->of[s]);
   if (!order) order = compare_files(a->file, b->file, own);
   for (; !order && s < N_SUBPOSITIONS; s++)
      order = compare_words(a->of[s], b->of[s]);
   return order;
}

/* Reason for a mutable file-scope object: see cg2_position_compare_sorted. */
static const Name* sort_own;

void cg2_position_begin_sort(const Name* own)
{
   sort_own = own;
}

Int cg2_position_compare_sorted(const Position* a, const Position* b)
{
   return cg2_position_compare(a, b, sort_own);
}
