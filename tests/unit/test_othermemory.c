#include "check.h"
#include "data/counting/othermemory.h"
#include "data/static/statics.h"
#include "guest.h"

#include <string.h>

enum { FILE_AT = 0x100000, BRK = 0x200000, HEAP = 0x300000, SHARED = 0x400000 };

/* A stack as the kernel leaves it: two arguments, a variable, the auxiliary
 * vector. */
static UWord stack[64];
enum { SP = 40 }; /* word of `stack` */

static Region regions[] = {
   {FILE_AT, FILE_AT + 0x3000, REGION_FILE, "/lib/data", 0x1000},
   {FILE_AT + 0x5000, FILE_AT + 0x6000, REGION_FILE, "/lib/data", 0x8000},
   {FILE_AT + 0x6000, FILE_AT + 0x7000, REGION_FILE, NULL, 0},
   {HEAP, HEAP + 0x8000, REGION_ANONYMOUS, NULL, 0},
   {SHARED, SHARED + 0x1000, REGION_SHARED, NULL, 0},
   {0, 0, REGION_ANONYMOUS, NULL, 0}, /* the stack */
};
enum { N_REGIONS = sizeof regions / sizeof *regions };

static void begin(void)
{
   static UWord words[] = {2, 1, 1, 0, 1, 0, 16, 77, 3, BRK, 0, 0};
   memcpy(stack + SP, words, sizeof words);
   regions[N_REGIONS - 1].start = (Addr)stack;
   regions[N_REGIONS - 1].end = (Addr)(stack + 64);
   guest.regions = regions;
   guest.n_regions = N_REGIONS;
   guest.stack_thread = 1;
   cg2_othermemory_begin((Addr)(stack + SP));
}

static DataObject*
check_piece(Addr address, Addr start, Addr end, Addr origin, const char* name)
{
   DataPiece p;
   CHECK(cg2_othermemory_find(address, &p));
   CHECK_EQ(p.start, start);
   CHECK_EQ(p.end, end);
   CHECK_EQ(p.origin, origin);
   CHECK_TEXT(p.object->name, name);
   CHECK_EQ(p.object->kind, DATA_OTHER);
   CHECK(!p.object->object);
   return p.object;
}

/* A byte of memory that may get another owner at any time. */
static DataObject* check_byte(Addr address, Addr origin, const char* name)
{
   return check_piece(address, address, address + 1, origin, name);
}

/* All that is mapped of a file is one object, with the file's offsets. */
static void test_files(void)
{
   begin();
   DataObject* one = check_piece(FILE_AT, FILE_AT, FILE_AT + 0x3000,
                                 FILE_AT - 0x1000, "file /lib/data");
   DataObject* two =
      check_piece(FILE_AT + 0x5800, FILE_AT + 0x5000, FILE_AT + 0x6000,
                  FILE_AT + 0x5000 - 0x8000, "file /lib/data");
   CHECK(one == two);
   check_piece(FILE_AT + 0x6fff, FILE_AT + 0x6000, FILE_AT + 0x7000,
               FILE_AT + 0x6000, "file");
}

static void test_stack(void)
{
   begin();
   Addr start = (Addr)stack, sp = (Addr)(stack + SP), end = (Addr)(stack + 64);
   check_piece(sp, sp, end, sp, "arguments and environment");
   check_piece(end - 1, sp, end, sp, "arguments and environment");
   check_byte(sp - 1, start, "stack of thread 1");
}

static void test_rest(void)
{
   begin();
   check_byte(HEAP + 5, HEAP, "anonymous");
   check_piece(SHARED, SHARED, SHARED + 0x1000, SHARED, "shared memory");
   check_piece(0x9001234, 0x9001000, 0x9002000, 0x9001000, "unknown");
}

/* A region that has become another one is looked at again. */
static void test_changed(void)
{
   begin();
   DataObject* before = check_byte(HEAP + 7, HEAP, "anonymous");
   regions[3].end += 0x1000;
   DataObject* after = check_byte(HEAP, HEAP, "anonymous");
   CHECK(before == after);
   regions[3].kind = REGION_SHARED;
   check_piece(HEAP, HEAP, HEAP + 0x9000, HEAP, "shared memory");
}

/* The memory that grows, which the core may have in one region with what lies
 * in front of it. */
static void test_brk(void)
{
   Addr start = regions[3].start + 0x1000;
   begin();
   cg2_othermemory_note_brk(start);
   cg2_othermemory_note_brk(start + 0x2000);
   check_byte(start + 9, start, "brk");
   check_byte(start - 1, regions[3].start, "anonymous");
}

int main(int n, char** names)
{
   static const Test tests[] = {
      {"files", test_files},     {"stack", test_stack}, {"rest", test_rest},
      {"changed", test_changed}, {"brk", test_brk},
   };
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
