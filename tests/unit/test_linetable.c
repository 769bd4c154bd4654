#include "check.h"
#include "code/linetable.h"

#include <stdlib.h>
#include <string.h>

/*--- A unit made by hand ------------------------------------------------*/

enum {
   START = 0x4000,
   SECOND = 0x4040,
   END = 0x4080,
   LINE_BASE = -5,
   LINE_RANGE = 14,
   OPCODE_BASE = 13
};

typedef struct Bytes {
   UChar of[512];
   UInt n;
} Bytes;

static void put(Bytes* b, ULong value, UInt n)
{
   for (UInt i = 0; i < n; i++)
      b->of[b->n++] = value >> 8 * i;
}

static void put_address(Bytes* b, Addr address)
{
   put(b, 0, 1);
   put(b, 1 + sizeof address, 1);
   put(b, 2, 1);
   put(b, address, sizeof address);
}

/* A row of the next `n` bytes of code, `lines` further down. */
static void put_row(Bytes* b, UInt n, Int lines)
{
   put(b, OPCODE_BASE + n * LINE_RANGE + (lines - LINE_BASE), 1);
}

static void put_file(Bytes* b, UInt file)
{
   put(b, 4, 1);
   put(b, file, 1);
}

static void put_end(Bytes* b)
{
   put(b, 0, 1);
   put(b, 1, 1);
   put(b, 1, 1);
}

/* Two functions. Of the first, line 10 of file 1, the first instruction is from
 * file 2; the second is in file 2 altogether. */
static void put_program(Bytes* b)
{
   put_address(b, START);
   put(b, 3, 1); /* to line 10 */
   put(b, 9, 1);
   put(b, 1, 1);
   put_file(b, 2);
   put_row(b, 0, 3);
   put_file(b, 1);
   put_row(b, 4, -2);
   put_file(b, 2);
   put(b, 2, 1); /* to the second function */
   put(b, SECOND - START - 4, 1);
   put(b, 1, 1);
   put(b, 10, 1); /* opcodes that change nothing here */
   put(b, 12, 1);
   put(b, 0x81, 1);
   put(b, 0x01, 1);
   put_row(b, 0, 1);
   put(b, 8, 1); /* 17 bytes of code further */
   put_row(b, 2, 1);
   put(b, 9, 1); /* to the end */
   put(b, END - SECOND - 19, 2);
   put_end(b);
}

typedef struct Kind {
   UInt version, offset_size;
} Kind;

static Bytes new_unit(Kind kind)
{
   static const UChar operands[] = {0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1};
   Bytes program = {.n = 0}, header = {.n = 0}, unit = {.n = 0};
   put_program(&program);
   put(&header, 1, 1);
   if (kind.version >= 4) put(&header, 1, 1);
   put(&header, 1, 1);
   put(&header, (UChar)LINE_BASE, 1);
   put(&header, LINE_RANGE, 1);
   put(&header, OPCODE_BASE, 1);
   memcpy(header.of + header.n, operands, sizeof operands);
   header.n += sizeof operands;
   put(&header, 0x6261, 4); /* names, which nobody reads */
   UInt n =
      2 + (kind.version >= 5 ? 2 : 0) + kind.offset_size + header.n + program.n;
   if (kind.offset_size == 8) put(&unit, ~0U, 4);
   put(&unit, n, kind.offset_size);
   put(&unit, kind.version, 2);
   if (kind.version >= 5) put(&unit, sizeof(Addr), 2);
   put(&unit, header.n, kind.offset_size);
   memcpy(unit.of + unit.n, header.of, header.n);
   unit.n += header.n;
   memcpy(unit.of + unit.n, program.of, program.n);
   unit.n += program.n;
   return unit;
}

static Object new_object(void)
{
   static UnwindRange ranges[] = {{.start = START, .end = SECOND},
                                  {.start = SECOND, .end = END}};
   return (Object){.code = {0x1000, 0x9000}, .unwind = ranges, .n_unwind = 2};
}

/* Reads a copy of the bytes, so that a sanitizer sees what is beside them. */
static Object read_bytes(const UChar* bytes, UInt n)
{
   Object object = new_object();
   UChar* copy = malloc(n ? n : 1);
   memcpy(copy, bytes, n);
   cg2_linetable_read(&object, copy, n);
   free(copy);
   return object;
}

static const Kind usual = {.version = 5, .offset_size = 4};

/* Where a byte string of the unit is. */
static UChar* find(Bytes* unit, const char* text, UInt n)
{
   for (UInt i = 0; i + n <= unit->n; i++)
      if (memcmp(unit->of + i, text, n) == 0) return unit->of + i;
   abort();
}

/*--- What is read -------------------------------------------------------*/

static void check_opening(const Object* object, Addr witness, UInt line)
{
   const Opening* opening = cg2_linetable_opening(object, START);
   CHECK(opening);
   if (!opening) return;
   CHECK_EQ(opening->witness, witness);
   CHECK_EQ(opening->line, line);
   CHECK(!cg2_linetable_opening(object, SECOND));
   CHECK(!cg2_linetable_opening(object, START + 1));
   CHECK(!cg2_linetable_opening(object, END));
}

static void test_versions(void)
{
   for (UInt version = 2; version <= 5; version++)
      for (UInt size = 4; size <= 8; size += 4) {
         Bytes unit = new_unit((Kind){version, size});
         Object object = read_bytes(unit.of, unit.n);
         check_opening(&object, START + 4, 10);
      }
   for (UInt version = 0; version <= 9; version += version == 1 ? 5 : 1) {
      Bytes unit = new_unit((Kind){version, 4});
      Object object = read_bytes(unit.of, unit.n);
      CHECK(!cg2_linetable_opening(&object, START));
   }
}

/* A row at an address at which no function begins says nothing. */
static void test_elsewhere(void)
{
   Bytes unit = new_unit(usual);
   Object object = new_object();
   UnwindRange ranges[] = {{.start = START - 1, .end = SECOND}};
   object.unwind = ranges;
   object.n_unwind = 1;
   cg2_linetable_read(&object, unit.of, unit.n);
   CHECK(!object.openings);
}

/* Without an instruction of its own, the file has no witness. */
static void test_no_witness(void)
{
   Bytes unit = new_unit(usual);
   UChar* file = find(&unit, "\4\1", 2);
   file[1] = 2;
   Object object = read_bytes(unit.of, unit.n);
   CHECK(!cg2_linetable_opening(&object, START));
   /* Nor has one in code that is not the object's. */
   unit = new_unit(usual);
   object = new_object();
   object.code = (Range){START + 5, END};
   cg2_linetable_read(&object, unit.of, unit.n);
   CHECK(!cg2_linetable_opening(&object, START));
}

/* Code that the linker threw away begins at 0. */
static void test_dead(void)
{
   Bytes unit = new_unit(usual);
   Object object = new_object();
   UnwindRange ranges[] = {{.start = 0, .end = 0x40}};
   object.code = (Range){0, 0x9000};
   object.unwind = ranges;
   object.n_unwind = 1;
   UChar text[3 + sizeof(Addr)] = {0, 1 + sizeof(Addr), 2, START & 0xff,
                                   START >> 8};
   memset(find(&unit, (char*)text, sizeof text) + 3, 0, sizeof(Addr));
   cg2_linetable_read(&object, unit.of, unit.n);
   CHECK(!object.openings);
}

/*--- What is broken -----------------------------------------------------*/

static void test_truncated(void)
{
   Bytes unit = new_unit(usual);
   UInt n_found = 0;
   for (UInt n = 0; n <= unit.n; n++) {
      Object object = read_bytes(unit.of, n);
      n_found += cg2_linetable_opening(&object, START) != NULL;
   }
   CHECK(n_found > 0 && n_found < unit.n / 2);
}

static void test_rubbish(void)
{
   UInt random = 1;
   for (UInt i = 0; i < 20000; i++) {
      Bytes unit = new_unit((Kind){2 + i % 4, i & 8 ? 8 : 4});
      for (UInt j = 0; j < 1 + i % 3; j++) {
         random = random * 1664525 + 1013904223;
         unit.of[(random >> 8) % unit.n] = random >> 24;
      }
      Object object = read_bytes(unit.of, unit.n);
      const Opening* opening = cg2_linetable_opening(&object, START);
      CHECK(!opening || (opening->witness >= object.code.start &&
                         opening->witness < object.code.end));
   }
}

int main(int n, char** names)
{
   static const Test tests[] = {
      {"versions", test_versions},     {"elsewhere", test_elsewhere},
      {"no_witness", test_no_witness}, {"dead", test_dead},
      {"truncated", test_truncated},   {"rubbish", test_rubbish},
   };
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
