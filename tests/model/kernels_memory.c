/* Kernels whose misses in described machines can be derived on paper. A line is
 * 64 bytes; caches have one set unless it is said. */
#include "check.h"
#include "model/described/description.h"
#include "model/described/memory.h"

#include <stdio.h>
#include <string.h>

enum { LINE = 64, PAGE = 4096, DOUBLE = 8 };

static Processor processor;
static UInt now; /* the time of the access that was made last */

/* [bit of an outcome]: accesses of any kind that had it, since `begin`. */
static ULong seen[16];

static void begin(const char* text)
{
   HChar error[PROCESSOR_TEXT];
   UInt line;
   Bool is_right = cg2_description_parse(text, &processor, error, &line);
   if (!is_right) printf("line %u: %s\n", line, error);
   CHECK(is_right);
   cg2_memorysetup_init(&processor, False);
   for (UInt bit = 0; bit < 16; bit++)
      seen[bit] = 0;
}

static void make(AccessKind kind, Addr addr, UInt size, Addr instr)
{
   now += ACCESS_TICKS;
   UInt outcome = cg2_memory_access(kind, addr, size, instr, now);
   for (UInt bit = 0; bit < 16; bit++)
      seen[bit] += outcome >> bit & 1;
}

static void load(Addr addr)
{
   make(ACCESS_READ, addr, DOUBLE, 0x1000);
}

static void store(Addr addr)
{
   make(ACCESS_WRITE, addr, DOUBLE, 0x2000);
}

#define I1 "cache I1 size=64K ways=16\n"

/*--- Replacement --------------------------------------------------------*/

/* Source: Belady, Nelson and Shedler, An anomaly in space-time characteristics
 * of certain programs running in a paging machine, 1969: with this string FIFO
 * faults 9 times with 3 frames, and 10 times with 4. LRU: 10 and 8. */
static void test_anomaly(void)
{
   static const UInt string[] = {1, 2, 3, 4, 1, 2, 5, 1, 2, 3, 4, 5};
   static const struct {
      const char* text;
      UInt faults;
   } machines[] = {
      {I1 "cache D1 size=192 ways=3 replacement=fifo", 9},
      {I1 "cache D1 size=256 ways=4 replacement=fifo", 10},
      {I1 "cache D1 size=192 ways=3", 10},
      {I1 "cache D1 size=256 ways=4", 8},
   };
   for (UInt m = 0; m < 4; m++) {
      begin(machines[m].text);
      for (UInt i = 0; i < sizeof string / sizeof *string; i++)
         load(string[i] * LINE);
      CHECK_EQ(seen[0], machines[m].faults);
   }
}

/* 8 ways. Four hot lines, touched twice, are expected soon (0); four that are
 * scanned fill the other ways (2). The next one ages all by one, scanned ones
 * to 3, hot ones to 1, and takes the first at 3; so do three more. The next
 * ages hot ones to 2, and three more follow. After 12 lines in all the hot ones
 * are there; the 13th ages all to 3 and takes the first way, a hot one's. LRU
 * forgets the hot ones with the fifth. */
static void test_scan(void)
{
   for (UInt n = 11; n <= 13; n++) {
      begin(I1 "cache D1 size=512 ways=8 replacement=srrip");
      for (UInt i = 0; i < 8; i++)
         load(i % 4 * LINE);
      for (UInt i = 0; i < n; i++)
         load((100 + i) * LINE);
      CHECK_EQ(seen[0], 4 + n);
      load(0);
      CHECK_EQ(seen[0], 4 + n + (n == 13));
   }
   begin(I1 "cache D1 size=512 ways=8");
   for (UInt i = 0; i < 8; i++)
      load(i % 4 * LINE);
   for (UInt i = 0; i < 5; i++)
      load((100 + i) * LINE);
   load(0);
   CHECK_EQ(seen[0], 4 + 5 + 1);
}

/* A tree over 4 ways, filled by A B C D in this order: touched last are, of
 * each half, B and D, and the right half, so A is next. Touched again, A points
 * to the right half, where C is older: the tree takes C, LRU would take B. */
static void test_tree(void)
{
   enum { A, B, C, D, E };
   for (UInt is_tree = 0; is_tree < 2; is_tree++) {
      begin(is_tree ? I1 "cache D1 size=256 ways=4 replacement=plru"
                    : I1 "cache D1 size=256 ways=4");
      for (UInt i = A; i <= D; i++)
         load(i * LINE);
      load(A * LINE);
      load(E * LINE);
      CHECK_EQ(seen[0], 5);
      load(B * LINE);
      CHECK_EQ(seen[0], is_tree ? 5 : 6);
   }
}

/* N lines in a cache of N ways stay there, whatever is replaced how; with
 * random replacement a stream of N + 1 hits sometimes, with LRU and FIFO
 * never. */
static void test_random(void)
{
   enum { WAYS = 16, ROUNDS = 1000 };
   begin(I1 "cache D1 size=1K ways=16 replacement=random seed=5");
   for (UInt i = 0; i < WAYS * ROUNDS; i++)
      load(i % WAYS * LINE);
   CHECK_EQ(seen[0], WAYS);
   begin(I1 "cache D1 size=1K ways=16 replacement=random seed=5");
   for (UInt i = 0; i < (WAYS + 1) * ROUNDS; i++)
      load(i % (WAYS + 1) * LINE);
   /* In equilibrium a line that misses with chance m meets 16 m others that do
    * before it is used again, each of which leaves it with chance 15/16:
    * 1 - m = (15/16)^(16 m), which m = 0.12 solves: 17000 * 0.12 = 2040. */
   CHECK(seen[0] > 1700 && seen[0] < 2400);
}

/*--- Levels -------------------------------------------------------------*/

static void round_of(UInt lines, UInt rounds)
{
   for (UInt r = 0; r < rounds; r++)
      for (UInt i = 0; i < lines; i++)
         load(i * LINE);
}

/* An exclusive second level of 12 lines adds to the first one's 4: a ring of 16
 * misses both only once, one of 17 always, as both together are one LRU stack.
 * Otherwise 12 are all there are: a ring of 13 always misses. */
static void test_exclusive(void)
{
   static const char exclusive[] = I1 "cache D1 size=256 ways=4\n"
                                      "cache L2 size=768 ways=12 "
                                      "inclusion=exclusive";
   static const char plain[] = I1 "cache D1 size=256 ways=4\n"
                                  "cache L2 size=768 ways=12";
   begin(exclusive);
   round_of(16, 10);
   CHECK_EQ(seen[0], 160);
   CHECK_EQ(seen[1], 16);
   begin(exclusive);
   round_of(17, 10);
   CHECK_EQ(seen[1], 170);
   begin(plain);
   round_of(12, 10);
   CHECK_EQ(seen[1], 12);
   begin(plain);
   round_of(13, 10);
   CHECK_EQ(seen[1], 130);
}

/* A hot line, and a stream past it. The first level always has it used last but
 * one, and hits; so the second level, of 8 lines, never hears of it again and
 * replaces it after 8 others. If it is inclusive, the first level then loses
 * it: of each 8 lines of the stream one makes the hot line miss. */
static void test_inclusive(void)
{
   enum { STREAM = 800 };
   for (UInt is_inclusive = 0; is_inclusive < 2; is_inclusive++) {
      begin(is_inclusive ? I1 "cache D1 size=256 ways=4\n"
                              "cache L2 size=512 ways=8 inclusion=inclusive"
                         : I1 "cache D1 size=256 ways=4\n"
                              "cache L2 size=512 ways=8");
      for (UInt i = 0; i < STREAM; i++) {
         load(0);
         load((1000 + i) * LINE);
      }
      CHECK_EQ(seen[0], STREAM + (is_inclusive ? STREAM / 8 : 1));
   }
}

/* Source: Jouppi, Improving Direct-Mapped Cache Performance by the Addition of
 * a Small Fully-Associative Cache and Prefetch Buffers, 1990: a victim cache of
 * n lines takes the conflicts of n + 1 lines of one set away. */
static void test_victims(void)
{
   begin(I1 "cache D1 size=4K ways=1 victims=3");
   for (UInt i = 0; i < 400; i++)
      load(i % 4 * 4096);
   CHECK_EQ(seen[0], 4);
   begin(I1 "cache D1 size=4K ways=1 victims=3");
   for (UInt i = 0; i < 500; i++)
      load(i % 5 * 4096);
   CHECK_EQ(seen[0], 500);
}

/* Written over from end to end, N lines in a second level of M: the first level
 * of 4 passes a line on, dirty, 4 lines after it was loaded, so all that the
 * second one evicts are; it does with each of its misses but the first M.
 * Written through, and without allocation, nothing is ever written back, and
 * all stores miss. */
static void test_writing(void)
{
   enum { N = 100, M = 32 };
   begin(I1 "cache D1 size=256 ways=4\ncache L2 size=2K ways=32");
   for (UInt i = 0; i < N; i++)
      store(i * LINE);
   CHECK_EQ(seen[0], N);
   CHECK_EQ(seen[1], N);
   CHECK_EQ(seen[2], N - M);
   begin(I1 "cache D1 size=256 ways=4 write=through allocate=no\n"
            "cache L2 size=2K ways=32 write=through");
   for (UInt i = 0; i < 2 * N; i++)
      store(i / 2 * LINE);
   CHECK_EQ(seen[0], 2 * N);
   CHECK_EQ(seen[1], N); /* the second store to a line finds it here */
   CHECK_EQ(seen[2], 0);
}

/*--- TLBs, prefetchers --------------------------------------------------*/

/* A ring of N pages: N fit all, N + 1 miss always. The second level sees the
 * misses of the first. */
static void test_tlbs(void)
{
   static const char text[] = I1 "cache D1 size=64K ways=16\n"
                                 "tlb I1 entries=4 ways=full\n"
                                 "tlb D1 entries=8 ways=full\n"
                                 "tlb L2 entries=32 ways=full";
   static const UInt pages[] = {8, 9, 32, 33};
   static const UInt misses[][2] = {{8, 8}, {90, 9}, {320, 32}, {330, 330}};
   for (UInt i = 0; i < 4; i++) {
      begin(text);
      for (UInt k = 0; k < 10 * pages[i]; k++)
         load(k % pages[i] * PAGE + k % 8 * LINE);
      CHECK_EQ(seen[1], misses[i][0]);
      CHECK_EQ(seen[2], misses[i][1]);
   }
}

/* Each line's first use loads the next one, up to the end of the page: the
 * first of each page misses. */
static void test_next_line(void)
{
   enum { PAGES = 50, PER_PAGE = PAGE / LINE };
   begin(I1 "cache D1 size=32K ways=8 prefetch=next");
   for (UInt i = 0; i < PAGES * PER_PAGE; i++)
      for (UInt k = 0; k < LINE / DOUBLE; k++)
         load((1 << 20) + i * LINE + k * DOUBLE);
   CHECK_EQ(seen[0], PAGES);
}

/* Every second line. The first three accesses say how far a step goes, and the
 * fourth that it is so again; from then on only the first of a page misses,
 * as nothing is loaded beyond a page. */
static void test_stride(void)
{
   enum { PAGES = 50, PER_PAGE = PAGE / LINE / 2 };
   begin(I1 "cache D1 size=32K ways=8 prefetch=stride entries=16");
   for (UInt i = 0; i < PAGES * PER_PAGE; i++)
      load((1 << 20) + i * 2 * LINE);
   CHECK_EQ(seen[0], 4 + PAGES - 1);
}

/* Downwards, one line after the other: the first begins a stream, two move it;
 * the third loads the next one, whose first use moves it on. */
static void test_stream(void)
{
   enum { PAGES = 50, PER_PAGE = PAGE / LINE };
   begin(I1 "cache D1 size=32K ways=8\n"
            "cache L2 size=256K ways=8 prefetch=stream");
   for (UInt i = PAGES * PER_PAGE; i > 0; i--)
      load((1 << 20) + (i - 1) * LINE);
   CHECK_EQ(seen[0], PAGES * PER_PAGE);
   CHECK_EQ(seen[1], 3 + PAGES - 1);
}

/* Pages from the last to the first, in which every second line is read, as they
 * lie or the other way round. Of the first page that is read, the first line
 * misses, and the second, if it is not where the direction at first would have
 * it; of the others the first line does: they go on in the same direction. A
 * quarter of 8 lines, which are loaded at first, has the next one. */
static void test_page(void)
{
   enum { PAGES = 50, PER_PAGE = PAGE / LINE / 2 };
   for (UInt is_down = 0; is_down < 2; is_down++) {
      begin(I1 "cache D1 size=32K ways=8\n"
               "cache L2 size=256K ways=8 prefetch=page degree=8 entries=16");
      for (UInt page = PAGES; page > 0; page--)
         for (UInt i = 0; i < PER_PAGE; i++)
            load((1 << 20) + page * PAGE +
                 2 * LINE * (is_down ? PER_PAGE - 1 - i : i));
      CHECK_EQ(seen[0], PAGES * PER_PAGE);
      CHECK_EQ(seen[1], PAGES + is_down);
   }
}

/* Every seventh line moves a page by more than four lines: so a quarter of 12
 * lines is loaded each time, and the seventh is none of these. Behind three
 * lines in a row all 12 are loaded, and the page stays as it is. */
static void test_page_near(void)
{
   static const UInt lines[] = {0, 7, 14, 21, 22, 23, 30, 35, 47};
   static const UInt misses[] = {1, 2, 3, 4, 4, 4, 4, 4, 4};
   begin(I1 "cache D1 size=32K ways=8\n"
            "cache L2 size=256K ways=8 prefetch=page degree=12 entries=16");
   for (UInt i = 0; i < sizeof lines / sizeof *lines; i++) {
      load((1 << 20) + lines[i] * LINE);
      CHECK_EQ(seen[1], misses[i]);
   }
}

/*--- A matrix -----------------------------------------------------------*/

/* The matrices of kernels.c in a cache that does not allocate when it is
 * written: C is never there, so each store misses. */
static void test_multiplication(void)
{
   for (ULong n = 16; n <= 48; n += 8) {
      char text[200];
      ULong ways = n + n / 8 + 1;
      Addr a = 64 << 20, b = a + n * n * DOUBLE, c = b + n * n * DOUBLE;
      sprintf(text,
              I1 "cache D1 size=%llu ways=%llu allocate=no write=through\n",
              ways * LINE, ways);
      begin(text);
      for (ULong i = 0; i < n; i++)
         for (ULong j = 0; j < n; j++) {
            for (ULong k = 0; k < n; k++) {
               load(a + (i * n + k) * DOUBLE);
               load(b + (k * n + j) * DOUBLE);
            }
            store(c + (i * n + j) * DOUBLE);
         }
      CHECK_EQ(seen[0], n * n / 8 + n * n * n / 8 + n * n);
   }
}

/*--- Cores --------------------------------------------------------------*/

/* Two cores write their own half of a line in turn: each write but the first
 * takes it from the other, and from the third on misses for that reason. In
 * lines of their own, nothing of this. */
static void test_sharing(void)
{
   enum { ROUNDS = 100, MISS = 1, LAST = 2, DIRTY = 4, LOST = 8, TAKES = 16 };
   for (UInt apart = 0; apart < 2; apart++) {
      begin(I1 "cache D1 size=4K ways=4\ncache L2 size=64K ways=4\n");
      cg2_memorysetup_init(&processor, True);
      for (UInt i = 0; i < 2 * ROUNDS; i++) {
         cg2_memorysetup_machine.run_on(i % 2);
         store(4096 + i % 2 * (apart ? LINE : LINE / 2));
      }
      CHECK_EQ(seen[0], apart ? 2 : 2 * ROUNDS);
      CHECK_EQ(seen[1], apart ? 2 : 1);
      CHECK_EQ(seen[2], 0);
      CHECK_EQ(seen[3], apart ? 0 : 2 * ROUNDS - 2);
      CHECK_EQ(seen[4], apart ? 0 : 2 * ROUNDS - 1);
   }
}

/*--- Lines that were prefetched -----------------------------------------*/

/* Which bit of reads is the first that says that a line was prefetched. */
static UInt first_prefetched(void)
{
   MachineEvent events[MEMORY_EVENTS_MAX];
   UInt n = cg2_memoryevents_describe(&processor, False, ACCESS_READ, events);
   UInt bit = 0;
   while (bit < n && !strstr(events[bit].title, "prefetched"))
      bit++;
   return bit;
}

/* An array of 50 lines, of a page, is read line by line, twice. The prefetcher
 * of the first level knows the stride with the fourth line, and brings the 46
 * others, from memory; the second time they are there. One of the second level
 * knows the stream with the third, and brings 47. With both, the first level's
 * takes over what the second's brought: each line counts once. Without any, 50
 * miss: what is prefetched is what would have missed. */
static void test_prefetched(void)
{
#define D1 "cache D1 size=32K ways=8 "
#define L2 "\ncache L2 size=256K ways=8 "
   static const struct {
      const char* text;
      UInt misses[2];     /* of D1 and L2 */
      UInt prefetched[2]; /* D1pr and DLpr, if there are such columns */
   } machines[] = {
      {I1 D1 L2, {50, 50}, {0, 0}},
      {I1 D1 "prefetch=stride entries=16" L2, {4, 4}, {46, 46}},
      {I1 D1 L2 "prefetch=stream", {50, 3}, {0, 47}},
      {I1 D1 "prefetch=stride entries=16" L2 "prefetch=stream",
       {4, 3},
       {46, 47}},
   };
   for (UInt m = 0; m < 4; m++) {
      begin(machines[m].text);
      for (UInt round = 0; round < 2; round++)
         for (UInt i = 0; i < 50; i++)
            load(i * LINE);
      UInt bit = first_prefetched(), has_first = m % 2;
      CHECK_EQ(seen[0], machines[m].misses[0]);
      CHECK_EQ(seen[1], machines[m].misses[1]);
      if (has_first) CHECK_EQ(seen[bit], machines[m].prefetched[0]);
      if (m) CHECK_EQ(seen[bit + has_first], machines[m].prefetched[1]);
   }
#undef D1
#undef L2
}

int main(int n, char** names)
{
   static const Test tests[] = {
      {"anomaly", test_anomaly},
      {"scan", test_scan},
      {"tree", test_tree},
      {"random", test_random},
      {"exclusive", test_exclusive},
      {"inclusive", test_inclusive},
      {"victims", test_victims},
      {"writing", test_writing},
      {"tlbs", test_tlbs},
      {"next line", test_next_line},
      {"stride", test_stride},
      {"stream", test_stream},
      {"matrix", test_multiplication},
      {"sharing", test_sharing},
      {"page", test_page},
      {"page, near", test_page_near},
      {"prefetched", test_prefetched},
   };
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
