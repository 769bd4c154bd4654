#include "base/arena.h"
#include "base/table.h"
#include "check.h"

typedef struct Record {
   TableNode node;
   UInt key;
} Record;

static void add(Table* table, UInt key, ULong hash)
{
   Record* record = cg2_arena_new(sizeof *record);
   record->key = key;
   cg2_table_add(table, &record->node, hash);
}

static UInt count(const Table* table, ULong hash)
{
   UInt n = 0;
   for (TableNode* node = cg2_table_first(table, hash); node;
        node = cg2_table_next(node))
      n++;
   return n;
}

static void test_empty(void)
{
   Table table = {0};
   CHECK(!cg2_table_first(&table, 0));
   CHECK(!cg2_table_first(&table, ~0ULL));
}

/* Through many growths, each record is found by its hash, once, and no other.
 */
static void test_growth(void)
{
   enum { N = 100 * 1000 };
   Table table = {0};
   for (UInt i = 0; i < N; i++)
      add(&table, i, cg2_hash_word(0, i));
   CHECK_EQ(table.n_nodes, N);
   CHECK_EQ(table.n_buckets & (table.n_buckets - 1), 0);
   CHECK(table.n_nodes <= 2 * table.n_buckets);
   for (UInt i = 0; i < N; i++) {
      TableNode* node = cg2_table_first(&table, cg2_hash_word(0, i));
      CHECK_EQ(((Record*)node)->key, i);
      CHECK(!cg2_table_next(node));
   }
   for (UInt i = N; i < 2 * N; i++)
      CHECK(!cg2_table_first(&table, cg2_hash_word(0, i)));
   CHECK_EQ(host.n_allocated, (N * sizeof(Record) + 65535) / 65536 + 1);
}

/* Different records of one hash are all met; those of a hash that falls into
 * the same bucket are not. */
static void test_same_hash(void)
{
   Table table = {0};
   for (UInt i = 0; i < 10; i++) {
      add(&table, i, 5);
      add(&table, i, 5 + (1ULL << 40));
   }
   add(&table, 99, 6);
   UInt seen = 0;
   for (TableNode* node = cg2_table_first(&table, 5); node;
        node = cg2_table_next(node)) {
      CHECK_EQ(node->hash, 5);
      seen |= 1U << ((Record*)node)->key;
   }
   CHECK_EQ(seen, 0x3ff);
   CHECK_EQ(count(&table, 5), 10);
   CHECK_EQ(count(&table, 5 + (1ULL << 40)), 10);
   CHECK_EQ(count(&table, 6), 1);
   CHECK_EQ(count(&table, 5 + (1ULL << 41)), 0);
}

/* A removed record is not found, its neighbours are; it may come back. */
static void test_remove(void)
{
   enum { N = 1000 };
   static Record records[N];
   Table table = {0};
   for (UInt i = 0; i < N; i++)
      cg2_table_add(&table, &records[i].node, i / 4);
   for (UInt i = 0; i < N; i += 4)
      for (UInt j = 0; j < 4; j++) {
         cg2_table_remove(&table, &records[i + (i / 4 + j) % 4].node);
         CHECK_EQ(count(&table, i / 4), 3 - j);
         CHECK_EQ(table.n_nodes, N - i - j - 1);
      }
   CHECK(!cg2_table_first(&table, 0));
   cg2_table_add(&table, &records[7].node, 7);
   CHECK(cg2_table_first(&table, 7) == &records[7].node);
   CHECK_EQ(count(&table, 7), 1);
}

/* Through growths in between. */
static void test_remove_and_grow(void)
{
   enum { N = 5000 };
   static Record records[N];
   Table table = {0};
   for (UInt i = 0; i < N; i++) {
      cg2_table_add(&table, &records[i].node, cg2_hash_word(0, i));
      if (i % 3 == 2) cg2_table_remove(&table, &records[i - 1].node);
   }
   for (UInt i = 0; i < N; i++)
      CHECK_EQ(count(&table, cg2_hash_word(0, i)), i % 3 != 1 || i == N - 1);
}

/* Every word counts, and so does their order. */
static void test_hashes(void)
{
   CHECK(cg2_hash_word(0, 1) != cg2_hash_word(0, 2));
   CHECK(cg2_hash_word(cg2_hash_word(0, 1), 2) !=
         cg2_hash_word(cg2_hash_word(0, 2), 1));
   CHECK(cg2_hash_word(0, 1) != cg2_hash_word(0, 1ULL << 63));
   CHECK(cg2_hash_string(0, "ab") != cg2_hash_string(0, "ba"));
   CHECK(cg2_hash_string(0, "a") != cg2_hash_string(0, "a "));
   CHECK_EQ(cg2_hash_string(0, "main"), cg2_hash_string(0, "main"));
}

/* How full the fullest of 4096 buckets is. */
static UInt n_in_bucket[4096];

static void put(ULong hash)
{
   n_in_bucket[hash & 4095]++;
}

static UInt fullest(void)
{
   UInt most = 0;
   for (UInt i = 0; i < 4096; i++) {
      if (n_in_bucket[i] > most) most = n_in_bucket[i];
      n_in_bucket[i] = 0;
   }
   return most;
}

/* The keys of the engine's tables, which differ in few bits, spread: of 2^16,
 * 16 to a bucket, none gets four times its share. */
static void test_spread(void)
{
   enum { N = 65536 };
   for (UInt i = 0; i < N; i++)
      put(cg2_hash_word(0, 0x400000 + 16 * i));
   CHECK(fullest() < 64);
   /* Offsets in an object. */
   for (UInt i = 0; i < N; i++)
      put(cg2_hash_word(cg2_hash_word(0, 0x1002b80f40), 0x1000 + 5 * i));
   CHECK(fullest() < 64);
   /* Arcs: from one call site to many contexts, from many sites to one. */
   for (UInt i = 0; i < N; i++) {
      ULong site = cg2_hash_word(cg2_hash_word(0, 0x1002a00000), 0x1002b00000);
      put(cg2_hash_word(site, 0x1002c00000 + 88 * i));
   }
   CHECK(fullest() < 64);
   for (UInt i = 0; i < N; i++) {
      ULong site = cg2_hash_word(0, 0x1002a00000 + 24 * i);
      site = cg2_hash_word(site, 0x1002b00000 + 88 * (i / 4));
      put(cg2_hash_word(site, 0x1002c00000));
   }
   CHECK(fullest() < 64);
   for (UInt i = 0; i < N; i++) {
      HChar text[] = {'f',
                      '0' + (i & 15),
                      '0' + (i >> 4 & 15),
                      '0' + (i >> 8 & 15),
                      '0' + (i >> 12),
                      '\0'};
      put(cg2_hash_string(0, text));
   }
   CHECK(fullest() < 64);
}

int main(int n, char** names)
{
   static const Test tests[] = {
      {"empty", test_empty},
      {"growth", test_growth},
      {"same_hash", test_same_hash},
      {"remove", test_remove},
      {"remove_and_grow", test_remove_and_grow},
      {"hashes", test_hashes},
      {"spread", test_spread},
   };
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
