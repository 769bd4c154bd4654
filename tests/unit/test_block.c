#include "check.h"
#include "code/block.h"
#include "guest.h"

static const Name* object_name(const HChar* text)
{
   return cg2_names_intern(&cg2_code.object_names, text);
}

/* An object is its name and the size of its text: a file that was replaced is
 * another object. */
static void test_objects(void)
{
   const Name* libc = object_name("libc.so.6");
   CHECK(!cg2_code_find_object(libc, 100));
   Object* old = cg2_code_add_object(libc, 100);
   Object* new = cg2_code_add_object(libc, 200);
   CHECK(old != new);
   CHECK(cg2_code_find_object(libc, 100) == old);
   CHECK(cg2_code_find_object(libc, 200) == new);
   CHECK(!cg2_code_find_object(libc, 300));
   CHECK(!cg2_code_find_object(object_name("libm.so.6"), 100));
}

static void test_stubs(void)
{
   Object object = {.n_stubs = 2, .stubs = {{0x100, 0x120}, {0x200, 0x201}}};
   CHECK(!cg2_code_is_stub(&object, 0xff));
   CHECK(cg2_code_is_stub(&object, 0x100));
   CHECK(cg2_code_is_stub(&object, 0x11f));
   CHECK(!cg2_code_is_stub(&object, 0x120));
   CHECK(cg2_code_is_stub(&object, 0x200));
   CHECK(!cg2_code_is_stub(&object, 0x201));
   object.n_stubs = 1;
   CHECK(!cg2_code_is_stub(&object, 0x200));
}

/* The range of each offset: in, between, before and behind the ranges. */
static void test_unwind_ranges(void)
{
   static UnwindRange ranges[] = {
      {0x100, 0x180, 0}, {0x180, 0x200, 0}, {0x280, 0x281, 0}};
   Object object = {.unwind = ranges, .n_unwind = 3};
   for (Addr offset = 0; offset < 0x300; offset++) {
      UnwindRange* expected = NULL;
      for (UInt i = 0; i < 3; i++)
         if (offset >= ranges[i].start && offset < ranges[i].end)
            expected = &ranges[i];
      CHECK(cg2_code_unwind_range(&object, offset) == expected);
   }
   object.n_unwind = 0;
   CHECK(!cg2_code_unwind_range(&object, 0x100));
}

/* Each offset in many ranges is found in its own. */
static void test_many_unwind_ranges(void)
{
   enum { N = 1001 };
   static UnwindRange ranges[N];
   for (UInt i = 0; i < N; i++)
      ranges[i] = (UnwindRange){0x1000 + 16 * i, 0x1000 + 16 * i + 15, 0};
   Object object = {.unwind = ranges, .n_unwind = N};
   for (UInt i = 0; i < 16 * N; i++)
      CHECK(cg2_code_unwind_range(&object, 0x1000 + i) ==
            (i % 16 == 15 ? NULL : &ranges[i / 16]));
}

static Function* new_mangled(Object* object,
                             Addr offset,
                             const HChar* mangled,
                             const HChar* shown,
                             const HChar* file)
{
   return cg2_code_named_function(&(Symbol){
      .object = object,
      .offset = offset,
      .mangled = cg2_names_intern(&cg2_code.function_names, mangled),
      .shown = cg2_names_intern(&cg2_code.function_names, shown),
      .file = cg2_names_intern(&cg2_code.file_names, file),
      .line = 7,
   });
}

static Function*
new_function(Object* object, Addr offset, const HChar* name, const HChar* file)
{
   return new_mangled(object, offset, name, name, file);
}

/* Functions are numbered from 1, found by object and offset, and get as many
 * recursion levels as are configured when they are met. */
static void test_functions(void)
{
   Object* a = guest_object("a");
   Object* b = guest_object("b");
   cg2_rules.standard.recursion_levels = 3;
   Function* first = new_function(a, 0x10, "f", "f.c");
   cg2_rules_add(RULE_RECURSION_LEVELS, "f", 1, "--separate-recs1=f");
   Function* second = new_function(b, 0x10, "f", "f.c");
   CHECK_EQ(first->number, 1);
   CHECK_EQ(second->number, 2);
   CHECK_EQ(first->rules->recursion_levels, 3);
   CHECK_EQ(second->rules->recursion_levels, 1);
   CHECK_EQ(first->offset, 0x10);
   CHECK_EQ(first->reach, 0x10);
   CHECK_EQ(first->line, 7);
   CHECK_TEXT(first->name->text, "f");
   CHECK_TEXT(first->file->text, "f.c");
   CHECK(cg2_code_find_function(a, 0x10) == first);
   CHECK(cg2_code_find_function(b, 0x10) == second);
   CHECK(!cg2_code_find_function(a, 0x11));
   CHECK(cg2_code.by_number[1] == first);
   CHECK(cg2_code.by_number[2] == second);
}

/* What a profile could not tell apart is one function; what it could is not. */
static void test_same_name(void)
{
   Object* a = guest_object("a");
   Function* f = new_function(a, 0x10, "~Shape()", "shape.h");
   CHECK(new_function(a, 0x90, "~Shape()", "shape.h") == f);
   CHECK_EQ(f->offset, 0x10);
   CHECK(new_function(a, 0x90, "~Shape()", "other.h") != f);
   CHECK(new_function(a, 0x90, "Shape()", "shape.h") != f);
   CHECK(new_function(guest_object("b"), 0x10, "~Shape()", "shape.h") != f);
   CHECK_EQ(cg2_code.n_functions, 4);
}

/* Whether two symbols that are demangled alike are one function. */
static void check_alike(const HChar* a, const HChar* b, Bool is_one)
{
   Object* object = guest_object(a);
   Function* first = new_mangled(object, 0x10, a, "shown", "f.c");
   Function* second = new_mangled(object, 0x90, b, "shown", "f.c");
   CHECK_TEXT(first->name->text, "shown");
   CHECK_TEXT(second->name->text, is_one ? "shown" : b);
   CHECK_EQ(first == second, is_one);
   CHECK(new_mangled(object, 0x110, b, "shown", "f.c") == second);
   CHECK(new_mangled(object, 0x210, a, "shown", "f.c") == first);
}

/* Source: Itanium C++ ABI, 5.1.4.3, constructors and destructors. */
static void test_demangled_alike(void)
{
   check_alike("_ZN1CC1Ev", "_ZN1CC2Ev", True);
   check_alike("_ZN1CD0Ev", "_ZN1CD2Ev", True);
   check_alike("_ZN1CCI11BEi", "_ZN1CCI21BEi", True);
   check_alike("_ZZN1CC1EvENKUlvE_clEv", "_ZZN1CC2EvENKUlvE_clEv", True);
   check_alike("_ZL1fi", "_Z1fi", False);
   check_alike("_ZN1CC1Ev", "_ZN1CD1Ev", False);
   check_alike("_ZN1CC1Ev", "_ZN1CC1Evv", False);
   check_alike("_ZN1v4push17h0123456789abcdefE",
               "_ZN1v4push17h0123456789abcde0E", False);
}

/* The rules for a function that is shown mangled are those of its name. */
static void test_rules_of_mangled(void)
{
   Object* a = guest_object("a");
   cg2_rules_add(RULE_SKIP, "f(int)", 1, "--fn-skip=f(int)");
   CHECK(new_mangled(a, 0x10, "_Z1fi", "f(int)", "???")->rules->is_skipped);
   Function* second = new_mangled(a, 0x90, "_ZL1fi", "f(int)", "???");
   CHECK_TEXT(second->name->text, "_ZL1fi");
   CHECK(second->rules->is_skipped);
}

static void test_many_functions(void)
{
   enum { N = 10 * 1000 };
   Object* object = guest_object("a");
   for (UInt i = 1; i <= N; i++)
      cg2_code_function_at(object, i);
   CHECK_EQ(cg2_code.n_functions, N);
   for (UInt i = 1; i <= N; i++) {
      CHECK_EQ(cg2_code_find_function(object, i)->number, i);
      CHECK_EQ(cg2_code.by_number[i]->offset, i);
   }
}

/* Source: Callgrind names code without a symbol by its offset in 16 digits. */
static void test_unnamed(void)
{
   Object* object = guest_object("a");
   object->n_stubs = 1;
   object->stubs[0] = (Range){0x3000, 0x3010};
   Function* f = cg2_code_function_at(object, 0x1abc);
   CHECK_TEXT(f->name->text, "0x0000000000001abc");
   CHECK_TEXT(f->file->text, "???");
   CHECK_EQ(f->line, 0);
   CHECK(cg2_code_function_at(object, 0x1abc) == f);
   CHECK(cg2_code_function_at(object, 0x1abd) != f);
   CHECK_TEXT(cg2_code_function_at(object, 0x3008)->name->text,
              "0x0000000000003008 [PLT]");
   Function* named = new_function(object, 0x4000, "named", "a.c");
   CHECK(cg2_code_function_at(object, 0x4000) == named);
}

/* The first function is where the process begins if its object says so; other
 * objects' entry points, as old linkers write them, are nothing. */
static void test_start(void)
{
   Object *object = guest_object("a"), *library = guest_object("b");
   object->entry = library->entry = 0x1000;
   Function* f = cg2_code_function_at(object, 0x1000);
   CHECK_TEXT(f->name->text, "_start");
   CHECK(cg2_code_function_at(object, 0x1000) == f);
   CHECK_TEXT(cg2_code_function_at(library, 0x1000)->name->text,
              "0x0000000000001000");
}

/* The entry point counts for the first function alone. */
static void test_start_elsewhere(void)
{
   Object* object = guest_object("a");
   object->entry = 0x1000;
   CHECK_TEXT(cg2_code_function_at(object, 0x2000)->name->text,
              "0x0000000000002000");
   CHECK_TEXT(cg2_code_function_at(object, 0x1000)->name->text,
              "0x0000000000001000");
}

/* Code without a symbol becomes a function when it is called, once. */
static void test_called(void)
{
   Object* object = guest_object("a");
   Function* f = guest_function(object, "f");
   Block* entry = guest_block(f, 1, EXIT_NONE);
   Block* unnamed = guest_block_unnamed(f, 1, EXIT_NONE);
   UInt n = cg2_code.n_functions;
   CHECK(cg2_block_called(entry) == f);
   Function* g = cg2_block_called(unnamed);
   CHECK(g != f);
   CHECK_EQ(g->offset, unnamed->offset);
   CHECK(cg2_block_called(unnamed) == g);
   CHECK_EQ(cg2_code.n_functions, n + 1);
   CHECK(unnamed->home == f);
}

/*--- Blocks -------------------------------------------------------------*/

static const UShort instrs[] = {0, 3, 4, 9, 11};
static const UShort segments[] = {2, 3};

static BlockShape shape_at(Object* object, Addr offset)
{
   return (BlockShape){.object = object,
                       .offset = offset,
                       .n_instrs = 5,
                       .n_segments = 2,
                       .n_exits = 3,
                       .instrs = instrs,
                       .segments = segments};
}

static void test_block_parts(void)
{
   Object* object = guest_object("a");
   Function* f = cg2_code_function_at(object, 0x100);
   BlockShape shape = shape_at(object, 0x100);
   Block* b = cg2_block_add(&shape, f, f);
   CHECK_EQ(b->n_instrs, 5);
   CHECK_EQ(b->n_segments, 2);
   CHECK_EQ(b->n_exits, 3);
   for (UInt i = 0; i < 5; i++)
      CHECK_EQ(cg2_block_instrs(b)[i], instrs[i]);
   for (UInt i = 0; i < 2; i++)
      CHECK_EQ(cg2_block_segments(b)[i], segments[i]);
   for (UInt i = 0; i < 3; i++)
      CHECK(!cg2_block_exits(b)[i].block && !cg2_block_exits(b)[i].recent);
   /* The parts do not overlap. */
   VG_(memset)(cg2_block_exits(b), 0xff, 3 * sizeof(Exit));
   for (UInt i = 0; i < 5; i++)
      CHECK_EQ(cg2_block_instrs(b)[i], instrs[i]);
}

/* Blocks with other targets of jumps have other shapes. */
static void test_targets(void)
{
   static const Int targets[] = {-40, NO_TARGET}, others[] = {-40, 12};
   Object* object = guest_object("a");
   Function* f = cg2_code_function_at(object, 0x100);
   BlockShape shape = shape_at(object, 0x100);
   Block* without = cg2_block_add(&shape, f, f);
   shape.n_targets = 2;
   shape.targets = targets;
   CHECK(!cg2_block_find(&shape));
   Block* b = cg2_block_add(&shape, f, f);
   CHECK(cg2_block_find(&shape) == b);
   VG_(memset)(cg2_block_exits(b), 0xff, 3 * sizeof(Exit));
   for (UInt i = 0; i < 2; i++) {
      CHECK_EQ(cg2_block_targets(b)[i], targets[i]);
      CHECK_EQ(cg2_block_segments(b)[i], segments[i]);
   }
   for (UInt i = 0; i < 5; i++)
      CHECK_EQ(cg2_block_instrs(b)[i], instrs[i]);
   shape.targets = others;
   CHECK(!cg2_block_find(&shape));
   shape.n_targets = 0;
   CHECK(cg2_block_find(&shape) == without);
}

static void test_block_at(void)
{
   Object *a = guest_object("a"), *b = guest_object("b");
   Function* f = cg2_code_function_at(a, 0x100);
   BlockShape shape = shape_at(a, 0x100);
   CHECK(!cg2_block_at(a, 0x100));
   const Block* block = cg2_block_add(&shape, f, f);
   CHECK(cg2_block_at(a, 0x100) == block);
   CHECK(!cg2_block_at(a, 0x101));
   CHECK(!cg2_block_at(b, 0x100));
}

/* Slots follow each other in the home; stubs have none. */
static void test_slots(void)
{
   Object* object = guest_object("a");
   Function* f = cg2_code_function_at(object, 0x100);
   Function* g = cg2_code_function_at(object, 0x200);
   BlockShape shape = shape_at(object, 0x100);
   Block* first = cg2_block_add(&shape, f, f);
   shape.offset = 0x110;
   Block* second = cg2_block_add(&shape, f, f);
   shape.offset = 0x200;
   Block* other = cg2_block_add(&shape, g, g);
   shape.offset = 0x300;
   Block* stub = cg2_block_add(&shape, NULL, NULL);
   CHECK_EQ(first->slot, 0);
   CHECK_EQ(second->slot, 2);
   CHECK_EQ(other->slot, 0);
   CHECK_EQ(f->n_slots, 4);
   CHECK_EQ(g->n_slots, 2);
   CHECK(f->blocks == second && second->next_of_home == first);
   CHECK(!first->next_of_home);
   CHECK(!stub->home);
}

/* What is translated where; a block says whether it is at its address. */
static void test_translated(void)
{
   Object* object = guest_object("a");
   Function* f = cg2_code_function_at(object, 0x100);
   BlockShape shape = shape_at(object, 0x100);
   Block* b = cg2_block_add(&shape, f, f);
   b->address = 0x100;
   CHECK(!cg2_block_translated(0x100));
   CHECK(!b->is_live);
   cg2_block_add_translation(0x100, b);
   CHECK(cg2_block_translated(0x100) == b);
   CHECK(!cg2_block_translated(0x101));
   CHECK(b->is_live);
   cg2_block_remove_translation(0x101);
   CHECK(cg2_block_translated(0x100) == b);
   cg2_block_remove_translation(0x100);
   CHECK(!cg2_block_translated(0x100));
   CHECK(!b->is_live);
   cg2_block_remove_translation(0x100);
   CHECK(!cg2_block_translated(0x100));
}

/* A library that is loaded at two addresses at once: each has blocks of its
 * own. What is translated nowhere any more serves any address. */
static void test_loaded_twice(void)
{
   Object* object = guest_object("a");
   Function* f = cg2_code_function_at(object, 0x100);
   BlockShape shape = shape_at(object, 0x100);
   Block* b = cg2_block_add(&shape, f, f);
   b->address = 0x5100;
   shape.address = 0x9100;
   CHECK(cg2_block_find(&shape) == b);
   cg2_block_add_translation(0x5100, b);
   CHECK(!cg2_block_find(&shape));
   shape.address = 0x5100;
   CHECK(cg2_block_find(&shape) == b);
   shape.address = 0x9100;
   Block* other = cg2_block_add(&shape, f, f);
   other->address = 0x9100;
   cg2_block_add_translation(0x9100, other);
   CHECK(other != b && cg2_block_find(&shape) == other);
   cg2_block_remove_translation(0x5100);
   cg2_block_remove_translation(0x9100);
   CHECK(cg2_block_find(&shape));
}

/* A library that is loaded at two addresses, one after the other: where it was
 * does not matter to where it is. */
static void test_translated_twice(void)
{
   Object* object = guest_object("a");
   Function* f = cg2_code_function_at(object, 0x100);
   BlockShape shape = shape_at(object, 0x100);
   Block* b = cg2_block_add(&shape, f, f);
   b->address = 0x5100;
   cg2_block_add_translation(0x5100, b);
   b->address = 0x9100;
   cg2_block_add_translation(0x9100, b);
   CHECK(b->is_live);
   cg2_block_remove_translation(0x5100);
   CHECK(!cg2_block_translated(0x5100));
   CHECK(cg2_block_translated(0x9100) == b);
   CHECK(b->is_live);
}

/* Records of translations that are gone are used again. */
static void test_many_translated(void)
{
   enum { N = 1000, ROUNDS = 50 };
   Object* object = guest_object("a");
   Function* f = cg2_code_function_at(object, 0x100);
   BlockShape shape = shape_at(object, 0x100);
   Block* b = cg2_block_add(&shape, f, f);
   Long before = 0;
   for (UInt round = 0; round < ROUNDS; round++) {
      for (UInt i = 1; i <= N; i++)
         cg2_block_add_translation(16 * i, b);
      CHECK_EQ(cg2_blocks.translated.n_nodes, N);
      for (UInt i = 1; i <= N; i++)
         CHECK(cg2_block_translated(16 * i) == b);
      for (UInt i = N; i >= 1; i--)
         cg2_block_remove_translation(16 * i);
      CHECK_EQ(cg2_blocks.translated.n_nodes, 0);
      if (round == 0) before = host.n_allocated;
   }
   CHECK_EQ(host.n_allocated, before);
}

/* A block is found by exactly its shape. */
static void test_shapes(void)
{
   Object* object = guest_object("a");
   Function* f = cg2_code_function_at(object, 0x100);
   BlockShape shape = shape_at(object, 0x100), other = shape;
   CHECK(!cg2_block_find(&shape));
   Block* b = cg2_block_add(&shape, f, f);
   CHECK(cg2_block_find(&shape) == b);

   other.offset = 0x101;
   CHECK(!cg2_block_find(&other));
   other = shape_at(guest_object("b"), 0x100);
   CHECK(!cg2_block_find(&other));
   other = shape_at(object, 0x100);
   other.n_exits = 2;
   CHECK(!cg2_block_find(&other));
   other = shape_at(object, 0x100);
   other.n_instrs = 4;
   CHECK(!cg2_block_find(&other));
   static const UShort moved[] = {0, 3, 4, 9, 12};
   other = shape_at(object, 0x100);
   other.instrs = moved;
   CHECK(!cg2_block_find(&other));
   static const UShort cut[] = {3, 2};
   other = shape_at(object, 0x100);
   other.segments = cut;
   CHECK(!cg2_block_find(&other));
   other.n_segments = 1;
   CHECK(!cg2_block_find(&other));

   /* Rewritten code: both versions are kept. */
   other = shape_at(object, 0x100);
   other.instrs = moved;
   Block* rewritten = cg2_block_add(&other, f, f);
   CHECK(cg2_block_find(&other) == rewritten);
   CHECK(cg2_block_find(&shape) == b);
}

/* Kept by instruction; one of a kind is counted up, and what has a slot, or
 * comes late, is another kind. */
static void test_events(void)
{
   static BlockEvents events;
   cg2_block_note_event(&events, (BlockEvent){.instr = 2, .event = 1});
   for (UInt i = 0; i < 3; i++)
      cg2_block_note_event(&events,
                           (BlockEvent){.instr = 1, .event = 1, .times = 1});
   cg2_block_note_event(
      &events, (BlockEvent){.instr = 1, .event = 1, .times = 1, .late = 1});
   cg2_block_note_event(&events, (BlockEvent){.instr = 1, .event = 1});
   cg2_block_note_event(&events, (BlockEvent){.instr = 2, .event = 1});
   cg2_block_note_event(&events, (BlockEvent){.instr = 2, .event = 3});
   static const BlockEvent expected[] = {
      {.instr = 1, .event = 1, .times = 3},
      {.instr = 1, .event = 1, .times = 1, .late = 1},
      {.instr = 1, .event = 1},
      {.instr = 2, .event = 1},
      {.instr = 2, .event = 3},
   };
   CHECK_EQ(events.n, 5);
   for (UInt i = 0; i < 5; i++) {
      CHECK_EQ(events.of[i].instr, expected[i].instr);
      CHECK_EQ(events.of[i].event, expected[i].event);
      CHECK_EQ(events.of[i].times, expected[i].times);
      CHECK_EQ(events.of[i].late, expected[i].late);
   }
}

/* More often than an entry can say is several entries. */
static void test_frequent_event(void)
{
   enum { TIMES = 2 * EVENT_TIMES_MAX + 1 };
   static BlockEvents events;
   UInt sum = 0;
   for (UInt i = 0; i < TIMES; i++)
      cg2_block_note_event(&events,
                           (BlockEvent){.instr = 1, .event = 1, .times = 1});
   CHECK_EQ(events.n, 3);
   for (UInt i = 0; i < events.n; i++)
      sum += events.of[i].times;
   CHECK_EQ(sum, TIMES);
}

int main(int n, char** names)
{
   static const Test tests[] = {
      {"events", test_events},
      {"frequent_event", test_frequent_event},
      {"objects", test_objects},
      {"stubs", test_stubs},
      {"unwind_ranges", test_unwind_ranges},
      {"many_unwind_ranges", test_many_unwind_ranges},
      {"functions", test_functions},
      {"same_name", test_same_name},
      {"demangled_alike", test_demangled_alike},
      {"rules_of_mangled", test_rules_of_mangled},
      {"many_functions", test_many_functions},
      {"unnamed", test_unnamed},
      {"start", test_start},
      {"start_elsewhere", test_start_elsewhere},
      {"called", test_called},
      {"block_parts", test_block_parts},
      {"targets", test_targets},
      {"block_at", test_block_at},
      {"slots", test_slots},
      {"translated", test_translated},
      {"loaded_twice", test_loaded_twice},
      {"translated_twice", test_translated_twice},
      {"many_translated", test_many_translated},
      {"shapes", test_shapes},
   };
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
