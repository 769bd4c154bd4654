/* The heap of a program that runs in turn: who allocates, frees, and asks. */
#include "arch/guest.h"
#include "check.h"
#include "data/heap/allocators.h"
#include "data/heap/allocsites.h"
#include "data/heap/heap.h"
#include "data/heap/pools.h"
#include "engine/arrival.h"
#include "fixture.h"

static const UInt* version;

enum { MEMORY = 0x20000000 };

static Routine allocator, resizer, freer, pool, pool_freer, mapper, strdup_;

static void entering(const Function* function, const Exit* exit)
{
   if (function->rules->allocator) cg2_allocators_entering(function, exit);
}

static void begin(void)
{
   HChar error[POOLS_TEXT];
   cg2_engine_config.left = cg2_allocators_left;
   cg2_engine_config.entering = entering;
   CHECK(cg2_pools_add(&cg2_allocators_config.pools, "", "get,size=2,free=put",
                       error));
   cg2_heap_start();
   cg2_allocators_start();
   make_code();
   allocator = guest_routine(app, "malloc");
   resizer = guest_routine(app, "realloc");
   freer = guest_routine(app, "free");
   pool = guest_routine(app, "get");
   pool_freer = guest_routine(app, "put");
   mapper = guest_routine(app, "mmap");
   strdup_ = guest_routine(app, "strdup");
   guest_position(root.call, 1, "/src/root.c", 12);
   guest_position(f.call, 1, "f.c", 34);
   start();
}

/* `by` calls a function that returns `result`. */
static void call(const Routine* by, const Routine* what, UWord result)
{
   guest_call(by, what);
   guest.result = result;
   guest_return(what, by);
}

static void allocate(const Routine* by, Addr start, SizeT size)
{
   guest.arguments[0] = size;
   call(by, &allocator, start);
}

static void release(const Routine* by, const Routine* how, Addr start)
{
   guest.arguments[0] = start;
   call(by, how, 0);
}

/* The object that an address belongs to, by name; "": none. */
static const HChar* name_at(Addr address)
{
   DataPiece piece;
   return cg2_heap_find(address, &piece, &version) ? piece.object->name : "";
}

static void test_names(void)
{
   begin();
   allocate(&root, MEMORY, 16);
   CHECK_TEXT(name_at(MEMORY + 15), "root.c:12 (root)");
   CHECK_TEXT(name_at(MEMORY + 16), "");
   guest_call(&root, &g);
   allocate(&g, MEMORY + 32, 16);
   Addr offset = g.call->offset + INSTR_BYTES;
   HChar name[64];
   VG_(sprintf)(name, "app+0x%lx (g)", offset);
   CHECK_TEXT(name_at(MEMORY + 32), name);
}

/* The nearest line before the call in the function's own file. */
static void test_inlined(void)
{
   begin();
   guest_position(root.call, 0, "guest.c", 5);
   guest_position(root.call, 1, "vector.h", 600);
   allocate(&root, MEMORY, 16);
   CHECK_TEXT(name_at(MEMORY), "guest.c:5 (root)");
}

static void test_callers(void)
{
   cg2_allocators_config.n_callers = 3;
   begin();
   guest_call(&root, &f);
   allocate(&f, MEMORY, 16);
   CHECK_TEXT(name_at(MEMORY), "f.c:34 (f) < root.c:12 (root)");
   guest_call(&f, &g);
   guest_call(&g, &strdup_);
   allocate(&strdup_, MEMORY, 16);
   HChar name[64];
   VG_(sprintf)(name, "app+0x%lx (g) < f.c:34 (f) < root.c:12 (root)",
                g.call->offset + INSTR_BYTES);
   CHECK_TEXT(name_at(MEMORY), name);
}

static void test_counts(void)
{
   begin();
   for (UInt i = 0; i < 5; i++)
      allocate(&root, MEMORY + i * 64, 10 + i);
   allocate(&root, 0, 1000);
   DataPiece piece;
   CHECK(cg2_heap_find(MEMORY, &piece, &version));
   CHECK_EQ(piece.object->kind, DATA_HEAP);
   CHECK_EQ(piece.object->n_blocks, 5);
   CHECK_EQ(piece.object->n_bytes, 60);
   CHECK(piece.object->object == app);
}

/* A block is gone when what frees it is entered. */
static void test_free(void)
{
   begin();
   allocate(&root, MEMORY, 16);
   guest.arguments[0] = MEMORY + 1;
   guest_call(&root, &freer);
   CHECK_TEXT(name_at(MEMORY), "root.c:12 (root)");
   guest_return(&freer, &root);
   guest.arguments[0] = MEMORY;
   guest_call(&root, &freer);
   CHECK_TEXT(name_at(MEMORY), "");
   guest_return(&freer, &root);
   release(&root, &freer, 0);
}

static void resize(const Routine* by, Addr old, SizeT size, Addr start)
{
   guest.arguments[0] = old;
   guest.arguments[1] = size;
   guest_call(by, &resizer);
   CHECK_TEXT(name_at(old), "");
   guest.result = start;
   guest_return(&resizer, by);
}

static void test_realloc(void)
{
   begin();
   allocate(&root, MEMORY, 16);
   guest_call(&root, &f);
   resize(&f, MEMORY, 32, MEMORY + 0x1000);
   CHECK_TEXT(name_at(MEMORY), "");
   CHECK_TEXT(name_at(MEMORY + 0x101f), "f.c:34 (f)");
   guest_return(&f, &root);
   resize(&root, MEMORY + 0x1000, 64, MEMORY + 0x1000); /* in place */
   CHECK_TEXT(name_at(MEMORY + 0x103f), "root.c:12 (root)");
   guest_call(&root, &f);
   resize(&f, MEMORY + 0x1000, 128, 0); /* refused */
   CHECK_TEXT(name_at(MEMORY + 0x103f), "root.c:12 (root)");
   CHECK_TEXT(name_at(MEMORY + 0x1040), "");
   resize(&f, MEMORY + 0x1000, 0, 0); /* freed */
   CHECK_TEXT(name_at(MEMORY + 0x1000), "");
}

/* A block that another thread gets while one exchanges it is the other's. */
static void test_exchanged(void)
{
   begin();
   allocate(&root, MEMORY, 16);
   guest.arguments[0] = MEMORY;
   guest.arguments[1] = 32;
   guest_call(&root, &resizer);
   Addr sp = guest.sp;
   guest_switch(2, 2 * STACK);
   guest_run(f.entry);
   allocate(&f, MEMORY, 16);
   guest_switch(1, sp);
   guest.result = MEMORY + 0x1000;
   guest_return(&resizer, &root);
   CHECK_TEXT(name_at(MEMORY), "f.c:34 (f)");
   CHECK_TEXT(name_at(MEMORY + 0x1000), "root.c:12 (root)");
}

/* A pool's chunk wins over the block that the pool has asked for, which the
 * same line has and which is not counted. */
static void test_pool(void)
{
   begin();
   guest.arguments[1] = 24;
   guest_call(&root, &pool);
   allocate(&pool, MEMORY, 4096);
   guest.result = MEMORY + 16;
   guest_return(&pool, &root);
   DataPiece piece;
   CHECK(cg2_heap_find(MEMORY + 20, &piece, &version));
   CHECK_EQ(piece.origin, MEMORY + 16);
   CHECK_EQ(piece.end, MEMORY + 40);
   CHECK_TEXT(piece.object->name, "root.c:12 (root)");
   CHECK_EQ(piece.object->n_blocks, 1);
   CHECK_EQ(piece.object->n_bytes, 24);
   release(&root, &pool_freer, MEMORY + 16);
   CHECK(cg2_heap_find(MEMORY + 20, &piece, &version));
   CHECK_EQ(piece.origin, MEMORY);
}

static void test_maps(void)
{
   begin();
   UWord map[] = {0, 0x10000, 3, 0x22, ~(UWord)0, 0};
   UWord unmap[] = {MEMORY + 0x1000, 0x1000};
   DataPiece piece;
   guest_call(&root, &mapper);
   CHECK(cg2_heap_wants(GUEST_SYSCALL_MMAP));
   CHECK(!cg2_heap_wants(GUEST_SYSCALL_EXECVE));
   cg2_heap_note_syscall(GUEST_SYSCALL_MMAP, map, MEMORY);
   CHECK(!cg2_heap_find(MEMORY, &piece, &version));
   CHECK(cg2_heap_find_map(MEMORY, &piece, &version));
   CHECK_TEXT(piece.object->name, "root.c:12 (root)");
   CHECK_EQ(piece.end, MEMORY + 0x10000);
   CHECK_EQ(piece.object->n_blocks, 0);
   cg2_heap_note_syscall(GUEST_SYSCALL_MUNMAP, unmap, 0);
   CHECK(!cg2_heap_find_map(MEMORY + 0x1000, &piece, &version));
   CHECK(cg2_heap_find_map(MEMORY + 0x2000, &piece, &version));
   UWord move[] = {MEMORY, 0x1000, 0x2000, 1};
   cg2_heap_note_syscall(GUEST_SYSCALL_MREMAP, move, MEMORY + 0x100000);
   CHECK(!cg2_heap_find_map(MEMORY, &piece, &version));
   CHECK(cg2_heap_find_map(MEMORY + 0x101fff, &piece, &version));
   CHECK_TEXT(piece.object->name, "root.c:12 (root)");
}

/* What is mapped over a map of a file, as .bss is, is no memory of the heap. */
static void test_maps_of_files(void)
{
   begin();
   UWord file[] = {0, 0x10000, 3, 0x2, 3, 0};
   UWord bss[] = {MEMORY + 0x1000, 0x1000, 3, 0x32, ~(UWord)0, 0};
   UWord other[] = {MEMORY + 0x100000, 0x1000, 3, 0x32, ~(UWord)0, 0};
   DataPiece piece;
   cg2_heap_note_syscall(GUEST_SYSCALL_MMAP, file, MEMORY);
   cg2_heap_note_syscall(GUEST_SYSCALL_MMAP, bss, bss[0]);
   cg2_heap_note_syscall(GUEST_SYSCALL_MMAP, other, other[0]);
   CHECK(!cg2_heap_find_map(MEMORY, &piece, &version));
   CHECK(!cg2_heap_find_map(bss[0], &piece, &version));
   CHECK(cg2_heap_find_map(other[0], &piece, &version));
}

int main(int n, char** names)
{
   static const Test tests[] = {
      {"names", test_names},         {"inlined", test_inlined},
      {"callers", test_callers},     {"counts", test_counts},
      {"free", test_free},           {"realloc", test_realloc},
      {"exchanged", test_exchanged}, {"pool", test_pool},
      {"maps", test_maps},           {"maps_of_files", test_maps_of_files}};
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
