#include "graph_of_bytes.h"

#include "guest.h"

enum { N_OBJECTS = 3, N_FUNCTIONS = 5, N_BLOCKS = 4, N_LEVELS = 2 };

static Object* objects[N_OBJECTS];
static Function* functions[N_FUNCTIONS];
static Block* blocks[N_FUNCTIONS][N_BLOCKS];
static Context* contexts[N_FUNCTIONS][N_LEVELS];

/*--- The fixed set ------------------------------------------------------*/

static void make_function(UInt f)
{
   HChar name[] = {'?', '0' + f, '\0'};
   functions[f] = guest_function(objects[f % N_OBJECTS], name);
   blocks[f][0] = guest_block_with_side(functions[f], 2, 3, EXIT_NONE);
   blocks[f][1] = guest_block(functions[f], 2, EXIT_CALL);
   blocks[f][2] = guest_block(functions[f], 1, EXIT_RETURN);
   blocks[f][3] = guest_block_with_side(functions[f], 1, 1, EXIT_JUMP);
   for (UInt level = 0; level < N_LEVELS; level++)
      contexts[f][level] =
         cg2_context_get(functions[f], level,
                         cg2_context_separation((Separation){.thread = 0}));
}

static void make_all(void)
{
   cg2_rules.standard.recursion_levels = N_LEVELS;
   for (UInt o = 0; o < N_OBJECTS; o++)
      objects[o] = guest_object("?");
   for (UInt f = 0; f < N_FUNCTIONS; f++)
      make_function(f);
}

/*--- Bytes --------------------------------------------------------------*/

UInt bytes_take(Bytes* bytes)
{
   if (!bytes->n) return 0;
   bytes->n--;
   return *bytes->next++;
}

/* Often small, up to 2^40: sums must not wrap around. */
static ULong take_number(Bytes* bytes)
{
   UInt byte = bytes_take(bytes);
   if (byte < 0xf0) return byte;
   ULong n = 0;
   for (UInt i = 0; i < 2 + (byte & 3); i++)
      n = n << 8 | bytes_take(bytes);
   return n;
}

/* From one to three characters, so that there are not too many of them. */
static const Name* take_name(Bytes* bytes, Names* names, Bool plain)
{
   static const UChar wild[] = "(1)f=:+-*#/'\\ <\xc3";
   HChar text[4] = "";
   UInt n = 1 + bytes_take(bytes) % 3;
   for (UInt i = 0; i < n; i++) {
      UInt byte = bytes_take(bytes) % 16;
      text[i] = plain ? 'a' + byte : wild[byte];
   }
   return cg2_names_intern(names, text);
}

static const Name* take_file(Bytes* bytes, Bool plain)
{
   return take_name(bytes, &cg2_code.file_names, plain);
}

static void
take_positions(Bytes* bytes, Block* block, const Function* f, Bool plain)
{
   UInt line = 0;
   for (UInt i = 0; i < block->n_instrs; i++) {
      UInt how = bytes_take(bytes);
      if (how & 1) line = take_number(bytes);
      if (how & 2) line += how >> 3;
      const Name* file = how & 4 ? take_file(bytes, plain) : f->file;
      guest_position(block, i, file->text, line);
   }
}

/*--- The graph ----------------------------------------------------------*/

static void take_code(Bytes* bytes, Bool plain)
{
   for (UInt o = 0; o < N_OBJECTS; o++)
      objects[o]->name = take_name(bytes, &cg2_code.object_names, plain);
   for (UInt f = 0; f < N_FUNCTIONS; f++) {
      Function* function = functions[f];
      function->name = take_name(bytes, &cg2_code.function_names, plain);
      function->file = take_file(bytes, plain);
      function->line = take_number(bytes);
      for (UInt level = 0; level < N_LEVELS; level++)
         contexts[f][level]->name =
            take_name(bytes, &cg2_code.function_names, plain);
   }
}

static Context* take_context(Bytes* bytes)
{
   UInt byte = bytes_take(bytes);
   return contexts[byte % N_FUNCTIONS][byte / N_FUNCTIONS % N_LEVELS];
}

static Block* take_block(Bytes* bytes, Bool plain)
{
   UInt byte = bytes_take(bytes);
   UInt f = byte % N_FUNCTIONS;
   Block* block = blocks[f][byte / N_FUNCTIONS % N_BLOCKS];
   take_positions(bytes, block, functions[f], plain);
   return block;
}

static void take_executions(Bytes* bytes, Bool plain)
{
   Context* context = take_context(bytes);
   Block* block = take_block(bytes, plain);
   Cells* cells = cg2_context_cells(context, block->home);
   for (UInt s = 0; s < block->n_segments; s++)
      cells->counts[block->slot + s] += take_number(bytes);
   cg2_context_skipped(context)[EVENT_IR] += bytes_take(bytes) & 1;
}

static void take_calls(Bytes* bytes, Bool plain)
{
   Context* caller = take_context(bytes);
   Context* callee = take_context(bytes);
   Block* block = take_block(bytes, plain);
   if (!block->n_exits) return;
   Exit* exit = &cg2_block_exits(block)[bytes_take(bytes) % block->n_exits];
   if (bytes_take(bytes) % 8 == 0)
      cg2_arc_skipped(cg2_graph_lost(exit, caller))[EVENT_IR] +=
         take_number(bytes);
   else {
      Arc* arc = cg2_graph_arc(exit, caller, callee, callee->function->blocks);
      arc->count += bytes_take(bytes);
      if (arc->count) arc->inclusive[EVENT_IR] += take_number(bytes);
      cg2_arc_skipped(arc)[EVENT_IR] += bytes_take(bytes) & 3;
   }
}

static void place_all(void)
{
   for (UInt f = 0; f < N_FUNCTIONS; f++)
      for (UInt b = 0; b < N_BLOCKS; b++)
         for (UInt i = 0; i < blocks[f][b]->n_instrs; i++)
            guest_position(blocks[f][b], i, "???", 0);
}

void graph_of_bytes(Bytes* bytes, Bool plain)
{
   if (!objects[0]) make_all();
   cg2_graph_zero(0);
   place_all();
   take_code(bytes, plain);
   while (bytes->n)
      if (bytes_take(bytes) & 1)
         take_calls(bytes, plain);
      else
         take_executions(bytes, plain);
}

/*--- What a profile says of it ------------------------------------------*/

/* At the function's beginning. */
static Fact fact_of(const PositionConfig* config, const Context* context)
{
   const Function* f = context->function;
   return (Fact){.object = f->object->name->text,
                 .file = f->file->text,
                 .function = context->name->text,
                 .at_file = f->file->text,
                 .at_instr = config->has[POSITION_INSTR] ? f->offset : 0,
                 .at_line = config->has[POSITION_LINE] ? f->line : 0,
                 .callee_object = "",
                 .callee_file = "",
                 .callee = ""};
}

static Fact fact_at(const PositionConfig* config,
                    const Context* context,
                    const Block* block,
                    UInt instr)
{
   const SourceLine* p = &block->lines[instr];
   Addr address = block->offset + cg2_block_instrs(block)[instr];
   Fact fact = fact_of(config, context);
   fact.at_file = cg2_code.file_names.by_number[p->file]->text;
   fact.at_instr = config->has[POSITION_INSTR] ? address : 0;
   fact.at_line = config->has[POSITION_LINE] ? p->line : 0;
   return fact;
}

static ULong add_executions(const PositionConfig* config,
                            const Context* context,
                            const Block* block,
                            Facts* facts)
{
   ULong sum = 0;
   UInt instr = 0;
   for (UInt s = 0; s < block->n_segments; s++) {
      ULong count = guest_count(context, block, s);
      UInt end = instr + cg2_block_segments(block)[s];
      if (count == 0) instr = end;
      for (; instr < end; instr++) {
         Fact fact = fact_at(config, context, block, instr);
         fact.cost = count;
         facts_add(facts, &fact);
         sum += count;
      }
   }
   return sum;
}

static ULong
add_calls(const PositionConfig* config, const Arc* arc, Facts* facts)
{
   const Exit* exit = arc->exit;
   if (!arc->count && cg2_cost_is_zero(cg2_arc_skipped(arc))) return 0;
   Fact fact = fact_at(config, cg2_arc_caller(arc), exit->block, exit->instr);
   fact.cost = cg2_arc_skipped(arc)[EVENT_IR];
   facts_add(facts, &fact);
   if (!arc->callee) return fact.cost;
   const Function* f = arc->callee->function;
   fact.callee_object = f->object->name->text;
   fact.callee_file = f->file->text;
   fact.callee = arc->callee->name->text;
   fact.target_instr = config->has[POSITION_INSTR] ? f->offset : 0;
   fact.target_line = config->has[POSITION_LINE] ? f->line : 0;
   fact.count = arc->count;
   fact.cost = arc->inclusive[EVENT_IR];
   if (arc->count) facts_add(facts, &fact);
   return cg2_arc_skipped(arc)[EVENT_IR];
}

static ULong
add_context(const PositionConfig* config, const Context* context, Facts* facts)
{
   Fact skipped = fact_of(config, context);
   skipped.cost = context->skipped ? context->skipped[EVENT_IR] : 0;
   facts_add(facts, &skipped);
   ULong sum = skipped.cost;
   for (UInt home = 0; home < N_FUNCTIONS; home++)
      for (UInt b = 0; b < N_BLOCKS; b++)
         sum += add_executions(config, context, blocks[home][b], facts);
   for (const Arc* arc = context->arcs; arc; arc = arc->next_of_caller)
      sum += add_calls(config, arc, facts);
   return sum;
}

ULong graph_facts(const PositionConfig* config, Facts* facts)
{
   ULong sum = 0;
   for (UInt f = 0; f < N_FUNCTIONS; f++)
      for (UInt level = 0; level < N_LEVELS; level++)
         sum += add_context(config, contexts[f][level], facts);
   facts_merge(facts);
   return sum;
}
