#include "base/arena.h"
#include "check.h"

static Bool is_zero(const UChar* p, SizeT n)
{
   for (SizeT i = 0; i < n; i++)
      if (p[i]) return False;
   return True;
}

/* Records of all sizes: zero, aligned, and apart: each keeps what was written
 * while the others were made. */
static void test_records(void)
{
   enum { N = 4000 };
   static UChar* records[N];
   for (UInt i = 0; i < N; i++) {
      SizeT size = 1 + i * 7 % 401;
      records[i] = cg2_arena_new(size);
      CHECK_EQ((UWord)records[i] % 8, 0);
      CHECK(is_zero(records[i], size));
      VG_(memset)(records[i], i, size);
   }
   for (UInt i = 0; i < N; i++)
      for (SizeT j = 0; j <= i * 7 % 401; j++)
         if (records[i][j] != (UChar)i) CHECK(!"a record was overwritten");
}

/* Small records share pieces of memory; a large one has its own, and the small
 * ones go on where they were. */
static void test_chunks(void)
{
   UChar* first = cg2_arena_new(24);
   Long before = host.n_allocated;
   UChar* big = cg2_arena_new(1000 * 1000);
   CHECK(is_zero(big, 1000 * 1000));
   CHECK_EQ(host.n_allocated, before + 1);
   UChar* second = cg2_arena_new(24);
   CHECK_EQ(second - first, 24);
   for (UInt i = 0; i < 1000; i++)
      cg2_arena_new(1);
   CHECK_EQ(host.n_allocated, before + 1);
   for (UInt i = 0; i < 100 * 1000; i++)
      cg2_arena_new(32);
   CHECK(host.n_allocated - before < 100);
}

int main(int n, char** names)
{
   static const Test tests[] = {
      {"records", test_records},
      {"chunks", test_chunks},
   };
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
