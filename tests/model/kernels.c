/* Kernels whose misses can be derived on paper. A line is always 64 bytes, 8
 * doubles; arrays begin at lines; "others" of a use are the distinct lines that
 * are touched between the use of the same line before it and this one: with
 * least recently used replacement and one set of M ways it is a hit if and only
 * if there are fewer than M. */
#include "check.h"
#include "model/callgrind/cacheuse.h"
#include "reference.h"

enum { LINE = 64, DOUBLE = 8, PER_LINE = LINE / DOUBLE };

/* What happened since `begin`. */
static struct {
   ULong reads, writes;           /* misses of the first level */
   ULong last_reads, last_writes; /* misses of the last level */
   ULong dirty;
} seen;

static void begin(Geometry d1, Geometry ll, Bool writes_back)
{
   HierarchyConfig config = {
      .i1 = {32768, 8, 64}, .d1 = d1, .ll = ll, .writes_back = writes_back};
   cg2_hierarchy_init(&config);
   seen.reads = seen.writes = seen.last_reads = seen.last_writes = 0;
   seen.dirty = 0;
}

static void load(Addr addr)
{
   UInt outcome = cg2_hierarchy_data(addr, DOUBLE, False);
   seen.reads += (outcome & OUTCOME_L1_MISS) != 0;
   seen.last_reads += (outcome & OUTCOME_LL_MISS) != 0;
   seen.dirty += (outcome & OUTCOME_DIRTY) != 0;
}

static void store(Addr addr)
{
   UInt outcome = cg2_hierarchy_data(addr, DOUBLE, True);
   seen.writes += (outcome & OUTCOME_L1_MISS) != 0;
   seen.last_writes += (outcome & OUTCOME_LL_MISS) != 0;
   seen.dirty += (outcome & OUTCOME_DIRTY) != 0;
}

static const Geometry large = {8 << 20, 16, LINE};

/* A cache of one set of `ways`. */
static Geometry full(UInt ways)
{
   return (Geometry){(ULong)ways * LINE, ways, LINE};
}

/*--- Streams ------------------------------------------------------------*/

static void stream(Addr array, ULong lines)
{
   for (ULong i = 0; i < lines * PER_LINE; i++)
      load(array + i * DOUBLE);
}

/* The first pass misses once for each line. In each later one a set's lines all
 * hit if the set has ways for them; else they all miss, as the line that is
 * needed next is always the oldest. With S sets of W ways, of S * W + k lines
 * (k <= S) those of k sets miss, W + 1 each. */
static void test_streams(void)
{
   static const Geometry caches[] = {{32768, 8, 64},
                                     {49152, 12, 64},
                                     {4096, 1, 64},
                                     {9 * 5 * 64, 5, 64},
                                     {11 * 20 * 64, 20, 64}};
   for (UInt c = 0; c < sizeof caches / sizeof *caches; c++) {
      ULong sets = cg2_geometry_sets(&caches[c]), ways = caches[c].ways;
      ULong extras[] = {0, 1, sets / 2, sets};
      for (UInt e = 0; e < 4; e++) {
         ULong lines = sets * ways + extras[e];
         begin(caches[c], large, False);
         stream(64 << 20, lines);
         CHECK_EQ(seen.reads, lines);
         for (UInt pass = 1; pass <= 3; pass++) {
            stream(64 << 20, lines);
            CHECK_EQ(seen.reads, lines + pass * extras[e] * (ways + 1));
         }
         CHECK_EQ(seen.last_reads, lines);
      }
   }
}

/* Last levels that are no power of two hold all that fits. */
static void test_odd_sizes(void)
{
   static const Geometry caches[] = {
      {5 << 20, 20, 64}, {12 << 20, 24, 64}, {36 << 20, 18, 64}};
   for (UInt c = 0; c < sizeof caches / sizeof *caches; c++) {
      ULong lines = caches[c].size / LINE;
      begin((Geometry){32768, 8, 64}, caches[c], False);
      for (UInt pass = 0; pass < 2; pass++)
         for (ULong i = 0; i < lines; i++)
            load((1 << 30) + i * LINE);
      CHECK_EQ(seen.reads, 2 * lines);
      CHECK_EQ(seen.last_reads, lines);
      /* If there is one line more, all lines of its set miss. */
      load((1 << 30) + lines * LINE);
      for (ULong i = 0; i <= lines; i++)
         load((1 << 30) + i * LINE);
      CHECK_EQ(seen.last_reads, lines + 1 + caches[c].ways + 1);
   }
}

/* A last level of L lines, written over from end to end twice in arrays of 2 L:
 * each line misses. The first L misses evict nothing, all others a line that
 * was written. */
static void test_written_back(void)
{
   Geometry ll = {1 << 20, 16, LINE};
   ULong lines = ll.size / LINE;
   begin((Geometry){32768, 8, 64}, ll, True);
   for (UInt pass = 0; pass < 2; pass++)
      for (ULong i = 0; i < 2 * lines * PER_LINE; i++)
         store((64 << 20) + i * DOUBLE);
   CHECK_EQ(seen.writes, 4 * lines);
   CHECK_EQ(seen.last_writes, 4 * lines);
   CHECK_EQ(seen.dirty, 3 * lines);
   /* Reads evict the L dirty ones that are left, and then clean ones. */
   for (ULong i = 0; i < 2 * lines; i++)
      load((512 << 20) + i * LINE);
   CHECK_EQ(seen.last_reads, 2 * lines);
   CHECK_EQ(seen.dirty, 4 * lines);
}

/*--- A pointer chase ----------------------------------------------------*/

/* Around and around a ring of N lines in an order of chance. Each set sees its
 * own lines in the same order each time: as in a stream they all hit, or, with
 * one more than there are ways, all miss. */
static void test_chase(void)
{
   enum { SETS = 64, WAYS = 8, MOST = SETS * (WAYS + 1) };
   static UInt ring[MOST];
   for (UInt extra = 0; extra <= 1; extra++) {
      UInt lines = SETS * (WAYS + extra);
      Chance chance = {31 + extra};
      for (UInt i = 0; i < lines; i++)
         ring[i] = i;
      for (UInt i = lines - 1; i > 0; i--) {
         UInt j = chance_below(&chance, i + 1), kept = ring[i];
         ring[i] = ring[j];
         ring[j] = kept;
      }
      begin((Geometry){SETS * WAYS * LINE, WAYS, LINE}, large, False);
      for (UInt step = 0; step < 10 * lines; step++)
         load((64 << 20) + ring[step % lines] * LINE);
      CHECK_EQ(seen.reads, extra ? 10 * lines : lines);
   }
}

/*--- Matrix multiplication ----------------------------------------------*/

static void multiply(ULong n, Addr a, Addr b, Addr c)
{
   for (ULong i = 0; i < n; i++)
      for (ULong j = 0; j < n; j++) {
         for (ULong k = 0; k < n; k++) {
            load(a + (i * n + k) * DOUBLE);
            load(b + (k * n + j) * DOUBLE);
         }
         store(c + (i * n + j) * DOUBLE);
      }
}

/* n a multiple of 8. One round of j touches n/8 lines of A, n of B, one of C.
 *
 * B[k][j], others since B[k][j-1] in the same line: n-1 of B, n/8 of A, 1 of C.
 * C[i][j], others since C[i][j-1]: n of B, n/8 of A.
 * A[i][k] at k % 8 == 0, others since the round before, at k+7: n-7 of B, n/8-1
 * of A, 1 of C; within 8 rounds of k there are only two others or fewer.
 *
 * M > n + n/8: all of these hit. What is left to miss are A's lines once for
 * each i, that is n*n/8; B's once for each i and group of 8 j, as B itself, n/8
 * times n lines, does not fit: n*n*n/8; C's n*n/8.
 *
 * M <= n + n/8 - 7: all miss: B n*n*n, A n*n*n/8, C n*n. */
static void test_multiplication(void)
{
   for (ULong n = 16; n <= 48; n += 8) {
      Addr a = 64 << 20, b = a + n * n * DOUBLE, c = b + n * n * DOUBLE;
      begin(full(n + n / 8 + 1), large, False);
      multiply(n, a, b, c);
      CHECK_EQ(seen.reads, n * n / 8 + n * n * n / 8);
      CHECK_EQ(seen.writes, n * n / 8);
      CHECK_EQ(seen.last_reads, 2 * n * n / 8);
      CHECK_EQ(seen.last_writes, n * n / 8);
      begin(full(n + n / 8 - 7), large, False);
      multiply(n, a, b, c);
      CHECK_EQ(seen.reads, n * n * n + n * n * n / 8);
      CHECK_EQ(seen.writes, n * n);
   }
}

/*--- A stencil ----------------------------------------------------------*/

static void sweep(ULong rows, ULong n, Addr in, Addr out)
{
   for (ULong i = 1; i + 1 < rows; i++)
      for (ULong j = 1; j + 1 < n; j++) {
         load(in + ((i - 1) * n + j) * DOUBLE);
         load(in + (i * n + j - 1) * DOUBLE);
         load(in + (i * n + j) * DOUBLE);
         load(in + (i * n + j + 1) * DOUBLE);
         load(in + ((i + 1) * n + j) * DOUBLE);
         store(out + (i * n + j) * DOUBLE);
      }
}

/* Rows of N lines. Within a row there are never more than 8 others. A line of
 * `in` is used in up to three rows of `out`; between two of these rows there
 * are others of four rows (three of `in`, one of `out`), at least 4 N - 4 and,
 * as two rows of `out` are begun, at most 5 N.
 *
 * M > 5 N: each line of `in` misses once. M <= 2 N: once for each row of `out`
 * that it is used for; each of these uses three whole rows. A line of `out` is
 * used for one row. */
static void test_stencil(void)
{
   enum { ROWS = 20, N = 16 };
   Addr in = 64 << 20, out = 128 << 20;
   begin(full(5 * N + 1), large, False);
   sweep(ROWS, N * PER_LINE, in, out);
   CHECK_EQ(seen.reads, ROWS * N);
   CHECK_EQ(seen.writes, (ROWS - 2) * N);
   begin(full(2 * N), large, False);
   sweep(ROWS, N * PER_LINE, in, out);
   CHECK_EQ(seen.reads, (ROWS - 2) * 3 * N);
   CHECK_EQ(seen.writes, (ROWS - 2) * N);
   CHECK_EQ(seen.last_reads, ROWS * N);
}

/*--- Empty caches -------------------------------------------------------*/

static ULong lines_charged;

static void count_line(Loader loader, UInt level, ULong cost, ULong lost)
{
   (void)loader, (void)level;
   CHECK_EQ(cost, 1000);
   CHECK_EQ(lost, LINE - DOUBLE);
   lines_charged++;
}

/* Nothing is a hit in an empty cache, at whatever address, from the first on:
 * N lines are N misses of both levels. */
static void test_empty(void)
{
   enum { LINES = 512 };
   for (UInt writes_back = False; writes_back <= True; writes_back++) {
      begin((Geometry){32768, 8, 64}, large, writes_back);
      for (UInt i = 0; i < LINES; i++)
         load(i * LINE);
      CHECK_EQ(seen.reads, LINES);
      CHECK_EQ(seen.last_reads, LINES);
      CHECK_EQ(seen.dirty, 0);
   }
   HierarchyConfig config = {
      .i1 = {32768, 8, 64}, .d1 = {32768, 8, 64}, .ll = large};
   cg2_cacheuse_init(&config, count_line);
   UInt outcomes = 0;
   for (UInt i = 0; i < LINES; i++)
      outcomes +=
         cg2_cacheuse_data(i * LINE, DOUBLE, (Loader){&lines_charged, 0});
   CHECK_EQ(outcomes, LINES * (OUTCOME_L1_MISS + OUTCOME_LL_MISS));
   cg2_cacheuse_finish();
   CHECK_EQ(lines_charged, 2 * LINES);
}

int main(int n, char** names)
{
   static const Test tests[] = {
      {"streams", test_streams},
      {"odd sizes", test_odd_sizes},
      {"written back", test_written_back},
      {"chase", test_chase},
      {"multiplication", test_multiplication},
      {"stencil", test_stencil},
      {"empty", test_empty},
   };
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
