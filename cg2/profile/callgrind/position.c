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

static Int compare_files(const Position* a,
                         const Position* b,
                         Bool a_is_own,
                         Bool b_is_own)
{
   if (a->file == b->file) return 0;
   if (a_is_own) return -1;
   if (b_is_own) return 1;
   return VG_(strcmp)(a->file->text, b->file->text);
}

static inline Int
compare(const Position* a, const Position* b, Bool a_is_own, Bool b_is_own)
{
   Int order = 0;
   UInt s = 0;
   for (; !order && s < FIRST_POSITION_IN_FILE; s++)
      order = compare_words(a->of[s], b->of[s]);
   if (!order) order = compare_files(a, b, a_is_own, b_is_own);
   for (; !order && s < N_SUBPOSITIONS; s++)
      order = compare_words(a->of[s], b->of[s]);
   return order;
}

Int cg2_position_compare(const Position* a, const Position* b, const Name* own)
{
   return compare(a, b, a->file == own, b->file == own);
}

Int cg2_position_compare_marked(const Position* a, const Position* b)
{
   return compare(a, b, a->is_own, b->is_own);
}
