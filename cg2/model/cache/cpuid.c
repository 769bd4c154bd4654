#include "model/cache/cpuid.h"

enum { EAX, EBX, ECX, EDX };
enum { EXTENDED = 0x80000000U };

/* What was found so far. A size of 0: nothing. */
typedef enum Place { PLACE_I1, PLACE_D1, PLACE_L2, PLACE_L3, PLACES } Place;
typedef Geometry Found[PLACES];

static UInt highest_leaf(CpuidQuery query, UInt range)
{
   UInt registers[4];
   query(range, 0, registers);
   return registers[EAX];
}

static Bool is_complete(Found found)
{
   HChar error[GEOMETRY_TEXT];
   Bool has_l2 = cg2_geometry_check(&found[PLACE_L2], error);
   Bool has_l3 = cg2_geometry_check(&found[PLACE_L3], error);
   return cg2_geometry_check(&found[PLACE_I1], error) &&
          cg2_geometry_check(&found[PLACE_D1], error) && (has_l2 || has_l3) &&
          (has_l2 || !found[PLACE_L2].size) &&
          (has_l3 || !found[PLACE_L3].size);
}

/*--- Leaves that list caches one by one ---------------------------------*/

/* Source: Intel's manual, volume 2, CPUID leaf 4; AMD's, volume 3, leaf
 * 0x8000001D, which has the same fields. */
static void read_listed(CpuidQuery query, UInt leaf, Found found)
{
   enum { NONE, DATA, CODE, UNIFIED, CACHES_MAX = 16 };
   for (UInt i = 0; i < CACHES_MAX; i++) {
      UInt registers[4];
      query(leaf, i, registers);
      UInt type = registers[EAX] & 31, level = registers[EAX] >> 5 & 7;
      if (type == NONE) return;
      UInt line = (registers[EBX] & 0xfff) + 1;
      UInt partitions = (registers[EBX] >> 12 & 0x3ff) + 1;
      UInt ways = (registers[EBX] >> 22) + 1;
      ULong sets = (ULong)registers[ECX] + 1;
      Geometry cache = {sets * ways * partitions * line, ways, line};
      if (level == 1 && type != CODE) found[PLACE_D1] = cache;
      if (level == 1 && type != DATA) found[PLACE_I1] = cache;
      if (level == 2 && type == UNIFIED) found[PLACE_L2] = cache;
      if (level == 3 && type == UNIFIED) found[PLACE_L3] = cache;
   }
}

static Bool read_leaf_4(CpuidQuery query, Found found)
{
   if (highest_leaf(query, 0) < 4) return False;
   read_listed(query, 4, found);
   return is_complete(found);
}

static Bool read_leaf_1d(CpuidQuery query, Found found)
{
   UInt registers[4];
   if (highest_leaf(query, EXTENDED) < EXTENDED + 0x1d) return False;
   query(EXTENDED + 1, 0, registers);
   if (!(registers[ECX] >> 22 & 1)) return False;
   read_listed(query, EXTENDED + 0x1d, found);
   return is_complete(found);
}

/*--- Leaf 2: a byte for each cache --------------------------------------*/

/* Source: Intel's manual, volume 2, table of leaf 2's descriptors. Older
 * processors' only: newer ones say with 0xff that leaf 4 knows. */
static const struct {
   UChar descriptor;
   UChar place;
   UShort kilobytes;
   UChar ways, line;
} descriptors[] = {
   {0x06, PLACE_I1, 8, 4, 32},      {0x08, PLACE_I1, 16, 4, 32},
   {0x09, PLACE_I1, 32, 4, 64},     {0x0a, PLACE_D1, 8, 2, 32},
   {0x0c, PLACE_D1, 16, 4, 32},     {0x0d, PLACE_D1, 16, 4, 64},
   {0x0e, PLACE_D1, 24, 6, 64},     {0x21, PLACE_L2, 256, 8, 64},
   {0x22, PLACE_L3, 512, 4, 64},    {0x23, PLACE_L3, 1024, 8, 64},
   {0x24, PLACE_L2, 1024, 16, 64},  {0x25, PLACE_L3, 2048, 8, 64},
   {0x29, PLACE_L3, 4096, 8, 64},   {0x2c, PLACE_D1, 32, 8, 64},
   {0x30, PLACE_I1, 32, 8, 64},     {0x41, PLACE_L2, 128, 4, 32},
   {0x42, PLACE_L2, 256, 4, 32},    {0x43, PLACE_L2, 512, 4, 32},
   {0x44, PLACE_L2, 1024, 4, 32},   {0x45, PLACE_L2, 2048, 4, 32},
   {0x46, PLACE_L3, 4096, 4, 64},   {0x47, PLACE_L3, 8192, 8, 64},
   {0x48, PLACE_L2, 3072, 12, 64},  {0x49, PLACE_L2, 4096, 16, 64},
   {0x4a, PLACE_L3, 6144, 12, 64},  {0x4b, PLACE_L3, 8192, 16, 64},
   {0x4c, PLACE_L3, 12288, 12, 64}, {0x4d, PLACE_L3, 16384, 16, 64},
   {0x4e, PLACE_L2, 6144, 24, 64},  {0x60, PLACE_D1, 16, 8, 64},
   {0x66, PLACE_D1, 8, 4, 64},      {0x67, PLACE_D1, 16, 4, 64},
   {0x68, PLACE_D1, 32, 4, 64},     {0x78, PLACE_L2, 1024, 4, 64},
   {0x79, PLACE_L2, 128, 8, 64},    {0x7a, PLACE_L2, 256, 8, 64},
   {0x7b, PLACE_L2, 512, 8, 64},    {0x7c, PLACE_L2, 1024, 8, 64},
   {0x7d, PLACE_L2, 2048, 8, 64},   {0x7f, PLACE_L2, 512, 2, 64},
   {0x80, PLACE_L2, 512, 8, 64},    {0x82, PLACE_L2, 256, 8, 32},
   {0x83, PLACE_L2, 512, 8, 32},    {0x84, PLACE_L2, 1024, 8, 32},
   {0x85, PLACE_L2, 2048, 8, 32},   {0x86, PLACE_L2, 512, 4, 64},
   {0x87, PLACE_L2, 1024, 8, 64},   {0xd0, PLACE_L3, 512, 4, 64},
   {0xd1, PLACE_L3, 1024, 4, 64},   {0xd2, PLACE_L3, 2048, 4, 64},
   {0xd6, PLACE_L3, 1024, 8, 64},   {0xd7, PLACE_L3, 2048, 8, 64},
   {0xd8, PLACE_L3, 4096, 8, 64},   {0xdc, PLACE_L3, 1536, 12, 64},
   {0xdd, PLACE_L3, 3072, 12, 64},  {0xde, PLACE_L3, 6144, 12, 64},
   {0xe2, PLACE_L3, 2048, 16, 64},  {0xe3, PLACE_L3, 4096, 16, 64},
   {0xe4, PLACE_L3, 8192, 16, 64},  {0xea, PLACE_L3, 12288, 24, 64},
   {0xeb, PLACE_L3, 18432, 24, 64}, {0xec, PLACE_L3, 24576, 24, 64},
};

static void take_descriptor(UChar descriptor, Found found)
{
   for (UInt i = 0; i < sizeof descriptors / sizeof *descriptors; i++)
      if (descriptors[i].descriptor == descriptor)
         found[descriptors[i].place] =
            (Geometry){1024ULL * descriptors[i].kilobytes, descriptors[i].ways,
                       descriptors[i].line};
}

/* The lowest byte of eax says how often to ask: all processors say once. */
static Bool read_leaf_2(CpuidQuery query, Found found)
{
   UInt registers[4];
   if (highest_leaf(query, 0) < 2) return False;
   query(2, 0, registers);
   if ((registers[EAX] & 0xff) != 1) return False;
   registers[EAX] &= ~0xffU;
   for (UInt r = EAX; r <= EDX; r++) {
      if (registers[r] >> 31) continue;
      for (UInt bit = 0; bit < 32; bit += 8)
         take_descriptor(registers[r] >> bit, found);
   }
   return is_complete(found);
}

/*--- AMD's older leaves -------------------------------------------------*/

/* Source: AMD's manual, volume 3, leaf 0x80000006: the ways that its codes mean
 * in the second level and below. 0: not known here, or disabled. */
static const UChar amd_ways[16] = {0,  1, 2,  3,  4,  6,  8,   0,
                                   16, 0, 32, 48, 64, 96, 128, 255};

/* 255 ways: as many as there are lines. */
static Geometry amd_cache(ULong bytes, UInt ways, UInt line)
{
   if (ways == 255 && line) ways = bytes / line;
   return (Geometry){ways ? bytes : 0, ways, line};
}

static Bool read_leaves_5_6(CpuidQuery query, Found found)
{
   UInt registers[4];
   if (highest_leaf(query, EXTENDED) < EXTENDED + 6) return False;
   query(EXTENDED + 5, 0, registers);
   UInt data = registers[ECX], code = registers[EDX];
   found[PLACE_D1] =
      amd_cache((data >> 24) * 1024ULL, data >> 16 & 255, data & 255);
   found[PLACE_I1] =
      amd_cache((code >> 24) * 1024ULL, code >> 16 & 255, code & 255);
   query(EXTENDED + 6, 0, registers);
   UInt l2 = registers[ECX], l3 = registers[EDX];
   found[PLACE_L2] =
      amd_cache((l2 >> 16) * 1024ULL, amd_ways[l2 >> 12 & 15], l2 & 255);
   found[PLACE_L3] =
      amd_cache((l3 >> 18) * 512 * 1024ULL, amd_ways[l3 >> 12 & 15], l3 & 255);
   return is_complete(found);
}

/*--- All together -------------------------------------------------------*/

static const struct {
   const HChar* name;
   Bool (*read)(CpuidQuery query, Found found);
} sources[] = {
   {"CPUID leaf 4", read_leaf_4},
   {"CPUID leaf 0x8000001D", read_leaf_1d},
   {"CPUID leaf 2", read_leaf_2},
   {"CPUID leaves 0x80000005 and 0x80000006", read_leaves_5_6},
};

static const CpuidCaches assumed = {.i1 = {32768, 8, 64},
                                    .d1 = {32768, 8, 64},
                                    .ll = {8388608, 16, 64},
                                    .source = "assumed",
                                    .is_assumed = True};

void cg2_cpuid_read(CpuidQuery query, CpuidCaches* caches)
{
   for (UInt i = 0; i < sizeof sources / sizeof *sources; i++) {
      Found found = {{0, 0, 0}};
      if (!sources[i].read(query, found)) continue;
      Bool has_l3 = found[PLACE_L3].size > 0;
      *caches = (CpuidCaches){.i1 = found[PLACE_I1],
                              .d1 = found[PLACE_D1],
                              .ll = found[has_l3 ? PLACE_L3 : PLACE_L2],
                              .source = sources[i].name};
      if (has_l3) caches->l2 = found[PLACE_L2];
      return;
   }
   *caches = assumed;
}

#if defined(__x86_64__) || defined(__i386__)

static void ask_processor(UInt leaf, UInt subleaf, UInt* registers)
{
   __asm__ volatile("cpuid"
                    : "=a"(registers[EAX]), "=b"(registers[EBX]),
                      "=c"(registers[ECX]), "=d"(registers[EDX])
                    : "a"(leaf), "c"(subleaf));
}

#else

static void ask_processor(UInt leaf, UInt subleaf, UInt* registers)
{
   (void)leaf, (void)subleaf;
   VG_(memset)(registers, 0, 4 * sizeof *registers);
}

#endif

void cg2_cpuid_here(CpuidCaches* caches)
{
   cg2_cpuid_read(ask_processor, caches);
}

/* Source: Intel's manual, volume 2, CPUID: bit 19 of ecx of leaf 1. */
Bool cg2_cpuid_has_sse41(void)
{
   enum { FEATURES = 1, SSE41_BIT = 19 };
   UInt registers[4];
   ask_processor(FEATURES, 0, registers);
   return registers[ECX] >> SSE41_BIT & 1;
}
