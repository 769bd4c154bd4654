#include "arch/hostcaches.h"
#include "check.h"
#include "model/callgrind/host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* What a processor answers; all other leaves are 0. */
typedef struct Answer {
   UInt leaf, subleaf;
   UInt registers[4];
} Answer;

static const Answer* answers;
static UInt n_answers;

static void query(UInt leaf, UInt subleaf, UInt* registers)
{
   for (UInt r = 0; r < 4; r++)
      registers[r] = 0;
   for (UInt i = 0; i < n_answers; i++)
      if (answers[i].leaf == leaf && answers[i].subleaf == subleaf)
         for (UInt r = 0; r < 4; r++)
            registers[r] = answers[i].registers[r];
}

static Bool ask(UInt source, HostCaches* caches)
{
   return cg2_hostcaches_read(query, source, caches);
}

#define READ(from, caches)                                                     \
   (answers = (from), n_answers = sizeof(from) / sizeof *(from),               \
    cg2_host_read(ask, (caches)))

static void check_cache(const Geometry* cache, const char* expected)
{
   HChar description[GEOMETRY_TEXT];
   cg2_geometry_describe(cache, description);
   CHECK_TEXT(description, expected);
}

/* Core i7-8700: L3 of 12 MiB. */
static const Answer coffee_lake[] = {
   {0, 0, {0x16, 0x756e6547, 0x6c65746e, 0x49656e69}},
   {2, 0, {0x76036301, 0x00f0b5ff, 0, 0x00c30000}},
   {4, 0, {0x1c004121, 0x01c0003f, 0x3f, 0}},
   {4, 1, {0x1c004122, 0x01c0003f, 0x3f, 0}},
   {4, 2, {0x1c004143, 0x00c0003f, 0x3ff, 0}},
   {4, 3, {0x1c03c163, 0x03c0003f, 0x2fff, 6}},
   {0x80000000, 0, {0x80000008, 0, 0, 0}},
   {0x80000006, 0, {0, 0, 0x01006040, 0}},
};

/* EPYC of the fourth generation: leaf 0x80000006 names 9 as the third level's
 * ways, which means that leaf 0x8000001d knows. */
static const Answer genoa[] = {
   {0, 0, {0x1c, 0x68747541, 0x444d4163, 0x69746e65}},
   {0x80000000, 0, {0x80000021, 0x68747541, 0x444d4163, 0x69746e65}},
   {0x80000001, 0, {0x00a10f11, 0x40000000, 0x004003f3, 0x2fd3fbff}},
   {0x80000005, 0, {0xff48ff40, 0xff48ff40, 0x20080140, 0x20080140}},
   {0x80000006, 0, {0x5c002200, 0x6c004200, 0x04006140, 0x0a009140}},
   {0x8000001d, 0, {0x00000121, 0x01c0003f, 0x0000003f, 0}},
   {0x8000001d, 1, {0x00000122, 0x01c0003f, 0x0000003f, 0}},
   {0x8000001d, 2, {0x00000143, 0x01c0003f, 0x000007ff, 2}},
   {0x8000001d, 3, {0x00004163, 0x03c0003f, 0x00007fff, 1}},
};

/* Athlon 64: two levels, no list. */
static const Answer athlon[] = {
   {0, 0, {1, 0x68747541, 0x444d4163, 0x69746e65}},
   {0x80000000, 0, {0x80000018, 0x68747541, 0x444d4163, 0x69746e65}},
   {0x80000005, 0, {0xff08ff08, 0xff20ff20, 0x40020140, 0x40020140}},
   {0x80000006, 0, {0, 0x42004200, 0x04008140, 0}},
};

/* Pentium M: one byte for each cache, and others. */
static const Answer pentium_m[] = {
   {0, 0, {2, 0x756e6547, 0x6c65746e, 0x49656e69}},
   {2, 0, {0x02b3b001, 0x000000f0, 0, 0x2c04307d}},
};

static void test_leaf_4(void)
{
   HostMachine caches;
   READ(coffee_lake, &caches);
   CHECK_TEXT(caches.source, "CPUID leaf 4");
   CHECK(!caches.is_assumed);
   check_cache(&caches.i1, "32768 B, 64 B, 8-way associative");
   check_cache(&caches.d1, "32768 B, 64 B, 8-way associative");
   check_cache(&caches.l2, "262144 B, 64 B, 4-way associative");
   check_cache(&caches.ll, "12582912 B, 64 B, 16-way associative");
   CHECK_EQ(cg2_geometry_sets(&caches.ll), 12288);
}

static void test_leaf_1d(void)
{
   HostMachine caches;
   READ(genoa, &caches);
   CHECK_TEXT(caches.source, "CPUID leaf 0x8000001D");
   check_cache(&caches.i1, "32768 B, 64 B, 8-way associative");
   check_cache(&caches.d1, "32768 B, 64 B, 8-way associative");
   check_cache(&caches.l2, "1048576 B, 64 B, 8-way associative");
   check_cache(&caches.ll, "33554432 B, 64 B, 16-way associative");
}

static void test_leaves_5_6(void)
{
   HostMachine caches;
   READ(athlon, &caches);
   CHECK_TEXT(caches.source, "CPUID leaves 0x80000005 and 0x80000006");
   check_cache(&caches.i1, "65536 B, 64 B, 2-way associative");
   check_cache(&caches.d1, "65536 B, 64 B, 2-way associative");
   check_cache(&caches.ll, "1048576 B, 64 B, 16-way associative");
   CHECK_EQ(caches.l2.size, 0);
}

static void test_leaf_2(void)
{
   HostMachine caches;
   READ(pentium_m, &caches);
   CHECK_TEXT(caches.source, "CPUID leaf 2");
   check_cache(&caches.i1, "32768 B, 64 B, 8-way associative");
   check_cache(&caches.d1, "32768 B, 64 B, 8-way associative");
   check_cache(&caches.ll, "2097152 B, 64 B, 8-way associative");
   CHECK_EQ(caches.l2.size, 0);
}

/* Nothing, too little, or nonsense is said. */
static void test_assumed(void)
{
   static const Answer silent[] = {{0, 0, {0, 0, 0, 0}}};
   static const Answer partial[] = {{0, 0, {4, 0, 0, 0}},
                                    {4, 0, {0x121, 0x01c0003f, 0x3f, 0}},
                                    {2, 0, {0x2c000001, 0, 0, 0}}};
   static const Answer odd[] = {
      {0, 0, {4, 0, 0, 0}},
      {4, 0, {0x121, 0x01c00030, 0x3f, 0}}, /* lines of 49 bytes */
      {4, 1, {0x122, 0x01c0003f, 0x3f, 0}},
      {4, 2, {0x143, 0x00c0003f, 0x3ff, 0}}};
   HostMachine caches[3];
   READ(silent, &caches[0]);
   READ(partial, &caches[1]);
   READ(odd, &caches[2]);
   for (UInt i = 0; i < 3; i++) {
      CHECK_TEXT(caches[i].source, "assumed");
      CHECK(caches[i].is_assumed);
      check_cache(&caches[i].i1, "32768 B, 64 B, 8-way associative");
      check_cache(&caches[i].d1, "32768 B, 64 B, 8-way associative");
      check_cache(&caches[i].ll, "8388608 B, 64 B, 16-way associative");
      CHECK_EQ(caches[i].l2.size, 0);
   }
}

/*--- Linux's files ------------------------------------------------------*/

/* Files about a cache, in the order of `facts`; NULL: there is none. */
typedef const char* CacheTexts[5];
static const char* const facts[] = {
   "type", "level", "size", "ways_of_associativity", "coherency_line_size"};

/* Reason for a mutable file-scope object: what from_files() reads. */
static char caches_directory[128];

static void
write_file(const char* directory, const char* name, const char* text)
{
   char path[256];
   snprintf(path, sizeof path, "%s/%s", directory, name);
   FILE* file = fopen(path, "w");
   CHECK(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

static Bool from_files(UInt source, HostCaches* caches)
{
   return cg2_hostcaches_list(caches_directory, source, caches);
}

/* Reads `n` caches that Linux tells of so. */
static void read_files(const CacheTexts* caches, UInt n, HostMachine* machine)
{
   snprintf(caches_directory, sizeof caches_directory, "%s/cachesXXXXXX",
            check_directory());
   CHECK(mkdtemp(caches_directory));
   for (UInt i = 0; i < n; i++) {
      char directory[200];
      snprintf(directory, sizeof directory, "%s/index%u", caches_directory, i);
      CHECK_EQ(mkdir(directory, 0700), 0);
      for (UInt f = 0; f < 5; f++)
         if (caches[i][f]) write_file(directory, facts[f], caches[i][f]);
   }
   cg2_host_read(from_files, machine);
}

/* Graviton2, of Neoverse N1. */
static const CacheTexts graviton2[] = {
   {"Data\n", "1\n", "64K\n", "4\n", "64\n"},
   {"Instruction\n", "1\n", "64K\n", "4\n", "64\n"},
   {"Unified\n", "2\n", "1024K\n", "8\n", "64\n"},
   {"Unified\n", "3\n", "32M\n", "16\n", "64\n"},
};

static void test_files(void)
{
   HostMachine caches;
   read_files(graviton2, 4, &caches);
   CHECK_TEXT(caches.source, "sysfs");
   CHECK(!caches.is_assumed);
   check_cache(&caches.i1, "65536 B, 64 B, 4-way associative");
   check_cache(&caches.d1, "65536 B, 64 B, 4-way associative");
   check_cache(&caches.l2, "1048576 B, 64 B, 8-way associative");
   check_cache(&caches.ll, "33554432 B, 64 B, 16-way associative");
   read_files(graviton2, 3, &caches);
   check_cache(&caches.ll, "1048576 B, 64 B, 8-way associative");
   CHECK_EQ(caches.l2.size, 0);
}

/* No cache, only the first level, a fact that is missing or is nonsense. */
static void test_files_lack(void)
{
   for (UInt n = 0; n < 3; n++) {
      HostMachine caches;
      read_files(graviton2, n, &caches);
      CHECK(caches.is_assumed);
   }
   static const char* const wrong[] = {NULL, "", "\n", "x\n", "64 K\n"};
   for (UInt fact = 0; fact < 5; fact++)
      for (UInt i = 0; i < sizeof wrong / sizeof *wrong; i++) {
         CacheTexts texts[3];
         HostMachine caches;
         memcpy(texts, graviton2, sizeof texts);
         texts[2][fact] = wrong[i];
         read_files(texts, 3, &caches);
         CHECK(caches.is_assumed);
      }
}

/* Whatever processor this is, its caches can be simulated. */
static void test_here(void)
{
   HostMachine caches;
   HChar error[GEOMETRY_TEXT];
   cg2_host_machine(&caches);
   CHECK(cg2_geometry_check(&caches.i1, error));
   CHECK(cg2_geometry_check(&caches.d1, error));
   CHECK(cg2_geometry_check(&caches.ll, error));
   CHECK(!caches.l2.size || cg2_geometry_check(&caches.l2, error));
}

int main(int n, char** names)
{
   static const Test tests[] = {
      {"leaf 4", test_leaf_4},
      {"leaf 0x8000001d", test_leaf_1d},
      {"leaves 5 and 6", test_leaves_5_6},
      {"leaf 2", test_leaf_2},
      {"assumed", test_assumed},
      {"files", test_files},
      {"files_lack", test_files_lack},
      {"here", test_here},
   };
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
