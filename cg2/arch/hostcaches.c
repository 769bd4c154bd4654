#include "arch/hostcaches.h"

#include "arch/cachefiles.h"

/* x86 processors answer CPUID. Of others the kernel knows it, if the firmware
 * has told it. */

enum { EXTENDED = 0x80000000U }; /* where the vendors' own leaves begin */

/* The last leaf of a range: of the leaves from 0 on, or from EXTENDED on. */
static UInt last_leaf(CpuidQuery query, UInt range)
{
   UInt registers[CPUID_REGISTERS];
   query(range, 0, registers);
   return registers[CPUID_EAX];
}

static void add(HostCaches* caches, HostCache cache)
{
   tl_assert(caches->n < HOST_CACHES_MAX);
   caches->of[caches->n++] = cache;
}

/*--- Leaves that list caches one by one ---------------------------------*/

/* Source: Intel's manual, volume 2, CPUID leaf 4; AMD's, volume 3, leaf
 * 0x8000001D, which has the same fields. */
static void read_listed(CpuidQuery query, UInt leaf, HostCaches* caches)
{
   enum { END, TYPES = 4 };
   static const HostCacheKind kinds[TYPES] = {
      0, HOST_CACHE_DATA, HOST_CACHE_CODE, HOST_CACHE_UNIFIED};
   for (UInt i = 0; i < HOST_CACHES_MAX; i++) {
      UInt registers[CPUID_REGISTERS];
      query(leaf, i, registers);
      UInt type = registers[CPUID_EAX] & 31,
           level = registers[CPUID_EAX] >> 5 & 7;
      if (type == END) return;
      if (type >= TYPES) continue;
      UInt line = (registers[CPUID_EBX] & 0xfff) + 1;
      UInt partitions = (registers[CPUID_EBX] >> 12 & 0x3ff) + 1;
      UInt ways = (registers[CPUID_EBX] >> 22) + 1;
      ULong sets = (ULong)registers[CPUID_ECX] + 1;
      add(caches, (HostCache){level, kinds[type],
                              sets * ways * partitions * line, ways, line});
   }
}

static void read_leaf_4(CpuidQuery query, HostCaches* caches)
{
   if (last_leaf(query, 0) >= 4) read_listed(query, 4, caches);
}

/* Source: AMD's manual, volume 3: bit 22 of ecx of leaf 0x80000001. */
static void read_leaf_1d(CpuidQuery query, HostCaches* caches)
{
   enum { FEATURES = EXTENDED + 1, HAS_LEAF_1D = 22 };
   UInt registers[CPUID_REGISTERS];
   if (last_leaf(query, EXTENDED) < EXTENDED + 0x1d) return;
   query(FEATURES, 0, registers);
   if (registers[CPUID_ECX] >> HAS_LEAF_1D & 1)
      read_listed(query, EXTENDED + 0x1d, caches);
}

/*--- A level and a kind by a short name ---------------------------------*/

typedef enum CacheName { I1, D1, L2, L3, CACHE_NAMES } CacheName;

static void
add_at(HostCaches* caches, CacheName place, ULong size, UInt ways, UInt line)
{
   static const UInt levels[CACHE_NAMES] = {1, 1, 2, 3};
   static const HostCacheKind kinds[CACHE_NAMES] = {
      HOST_CACHE_CODE, HOST_CACHE_DATA, HOST_CACHE_UNIFIED, HOST_CACHE_UNIFIED};
   add(caches, (HostCache){levels[place], kinds[place], size, ways, line});
}

/*--- Leaf 2: a byte for each cache --------------------------------------*/

/* Source: Intel's manual, volume 2, table of leaf 2's descriptors. Only older
 * processors have these bytes: newer ones say with 0xff that leaf 4 knows. */
static const struct {
   UChar descriptor;
   UChar place;
   UShort kilobytes;
   UChar ways, line;
} descriptors[] = {
   {0x06, I1, 8, 4, 32},      {0x08, I1, 16, 4, 32},
   {0x09, I1, 32, 4, 64},     {0x0a, D1, 8, 2, 32},
   {0x0c, D1, 16, 4, 32},     {0x0d, D1, 16, 4, 64},
   {0x0e, D1, 24, 6, 64},     {0x21, L2, 256, 8, 64},
   {0x22, L3, 512, 4, 64},    {0x23, L3, 1024, 8, 64},
   {0x24, L2, 1024, 16, 64},  {0x25, L3, 2048, 8, 64},
   {0x29, L3, 4096, 8, 64},   {0x2c, D1, 32, 8, 64},
   {0x30, I1, 32, 8, 64},     {0x41, L2, 128, 4, 32},
   {0x42, L2, 256, 4, 32},    {0x43, L2, 512, 4, 32},
   {0x44, L2, 1024, 4, 32},   {0x45, L2, 2048, 4, 32},
   {0x46, L3, 4096, 4, 64},   {0x47, L3, 8192, 8, 64},
   {0x48, L2, 3072, 12, 64},  {0x49, L2, 4096, 16, 64},
   {0x4a, L3, 6144, 12, 64},  {0x4b, L3, 8192, 16, 64},
   {0x4c, L3, 12288, 12, 64}, {0x4d, L3, 16384, 16, 64},
   {0x4e, L2, 6144, 24, 64},  {0x60, D1, 16, 8, 64},
   {0x66, D1, 8, 4, 64},      {0x67, D1, 16, 4, 64},
   {0x68, D1, 32, 4, 64},     {0x78, L2, 1024, 4, 64},
   {0x79, L2, 128, 8, 64},    {0x7a, L2, 256, 8, 64},
   {0x7b, L2, 512, 8, 64},    {0x7c, L2, 1024, 8, 64},
   {0x7d, L2, 2048, 8, 64},   {0x7f, L2, 512, 2, 64},
   {0x80, L2, 512, 8, 64},    {0x82, L2, 256, 8, 32},
   {0x83, L2, 512, 8, 32},    {0x84, L2, 1024, 8, 32},
   {0x85, L2, 2048, 8, 32},   {0x86, L2, 512, 4, 64},
   {0x87, L2, 1024, 8, 64},   {0xd0, L3, 512, 4, 64},
   {0xd1, L3, 1024, 4, 64},   {0xd2, L3, 2048, 4, 64},
   {0xd6, L3, 1024, 8, 64},   {0xd7, L3, 2048, 8, 64},
   {0xd8, L3, 4096, 8, 64},   {0xdc, L3, 1536, 12, 64},
   {0xdd, L3, 3072, 12, 64},  {0xde, L3, 6144, 12, 64},
   {0xe2, L3, 2048, 16, 64},  {0xe3, L3, 4096, 16, 64},
   {0xe4, L3, 8192, 16, 64},  {0xea, L3, 12288, 24, 64},
   {0xeb, L3, 18432, 24, 64}, {0xec, L3, 24576, 24, 64},
};

static void add_descriptor(HostCaches* caches, UChar descriptor)
{
   for (UInt i = 0; i < sizeof descriptors / sizeof *descriptors; i++)
      if (descriptors[i].descriptor == descriptor)
         add_at(caches, descriptors[i].place,
                1024ULL * descriptors[i].kilobytes, descriptors[i].ways,
                descriptors[i].line);
}

/* The lowest byte of eax says how often to ask: all processors say once. */
static void read_leaf_2(CpuidQuery query, HostCaches* caches)
{
   UInt registers[CPUID_REGISTERS];
   if (last_leaf(query, 0) < 2) return;
   query(2, 0, registers);
   if ((registers[CPUID_EAX] & 0xff) != 1) return;
   registers[CPUID_EAX] &= ~0xffU;
   for (UInt r = CPUID_EAX; r <= CPUID_EDX; r++) {
      if (registers[r] >> 31) continue;
      for (UInt bit = 0; bit < 32; bit += 8)
         add_descriptor(caches, registers[r] >> bit);
   }
}

/*--- AMD's older leaves -------------------------------------------------*/

/* Source: AMD's manual, volume 3, leaf 0x80000006: the ways that its codes mean
 * in the second level and below. 0: not known here, or disabled. */
static const UChar amd_ways[16] = {0,  1, 2,  3,  4,  6,  8,   0,
                                   16, 0, 32, 48, 64, 96, 128, 255};

/* 255 ways are as many as there are lines. */
static void
add_amd(HostCaches* caches, CacheName place, ULong bytes, UInt ways, UInt line)
{
   if (ways == 255 && line) ways = bytes / line;
   add_at(caches, place, ways ? bytes : 0, ways, line);
}

static void read_leaves_5_6(CpuidQuery query, HostCaches* caches)
{
   UInt registers[CPUID_REGISTERS];
   if (last_leaf(query, EXTENDED) < EXTENDED + 6) return;
   query(EXTENDED + 5, 0, registers);
   UInt data = registers[CPUID_ECX], code = registers[CPUID_EDX];
   add_amd(caches, D1, (data >> 24) * 1024ULL, data >> 16 & 255, data & 255);
   add_amd(caches, I1, (code >> 24) * 1024ULL, code >> 16 & 255, code & 255);
   query(EXTENDED + 6, 0, registers);
   UInt l2 = registers[CPUID_ECX], l3 = registers[CPUID_EDX];
   add_amd(caches, L2, (l2 >> 16) * 1024ULL, amd_ways[l2 >> 12 & 15], l2 & 255);
   add_amd(caches, L3, (l3 >> 18) * 512 * 1024ULL, amd_ways[l3 >> 12 & 15],
           l3 & 255);
}

/*--- All together -------------------------------------------------------*/

static const struct {
   const HChar* name;
   void (*read)(CpuidQuery query, HostCaches* caches);
} sources[] = {
   {"CPUID leaf 4", read_leaf_4},
   {"CPUID leaf 0x8000001D", read_leaf_1d},
   {"CPUID leaf 2", read_leaf_2},
   {"CPUID leaves 0x80000005 and 0x80000006", read_leaves_5_6},
};

Bool cg2_hostcaches_read(CpuidQuery query, UInt source, HostCaches* caches)
{
   if (source >= sizeof sources / sizeof *sources) return False;
   caches->source = sources[source].name;
   caches->n = 0;
   sources[source].read(query, caches);
   return True;
}

static HostCacheKind kind_of(const HChar* type)
{
   if (VG_(strcmp)(type, "Instruction") == 0) return HOST_CACHE_CODE;
   if (VG_(strcmp)(type, "Data") == 0) return HOST_CACHE_DATA;
   if (VG_(strcmp)(type, "Unified") == 0) return HOST_CACHE_UNIFIED;
   return 0;
}

Bool cg2_hostcaches_list(const HChar* directory,
                         UInt source,
                         HostCaches* caches)
{
   CacheFacts f;
   if (source > 0) return False;
   caches->source = "sysfs";
   caches->n = 0;
   for (UInt i = 0; i < HOST_CACHES_MAX; i++)
      if (cg2_cachefiles_read(directory, i, &f))
         add(caches,
             (HostCache){f.level, kind_of(f.type), f.size, f.ways, f.line});
   return True;
}

Bool cg2_hostcaches_ask(UInt source, HostCaches* caches)
{
#if defined(__x86_64__) || defined(__i386__)
   return cg2_hostcaches_read(cg2_cpuid_here, source, caches);
#else
   return cg2_hostcaches_list(CACHEFILES, source, caches);
#endif
}
