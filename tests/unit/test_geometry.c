#include "check.h"
#include "model/cache/geometry.h"

#include <string.h>

typedef struct Refused {
   const char *text, *error;
} Refused;

static void test_accepted(void)
{
   static const struct {
      const char* text;
      ULong size, sets;
      UInt ways, line;
      const char* description;
   } accepted[] = {
      {"32768,8,64", 32768, 64, 8, 64, "32768 B, 64 B, 8-way associative"},
      {"16,1,16", 16, 1, 1, 16, "16 B, 16 B, direct-mapped"},
      {"4096,1,4096", 4096, 1, 1, 4096, "4096 B, 4096 B, direct-mapped"},
      {"5242880,20,64", 5 << 20, 4096, 20, 64,
       "5242880 B, 64 B, 20-way associative"},
      {"37748736,18,64", 36 << 20, 32768, 18, 64,
       "37748736 B, 64 B, 18-way associative"},
      {"576,3,64", 576, 3, 3, 64, "576 B, 64 B, 3-way associative"},
      {"65536,1024,64", 65536, 1, 1024, 64,
       "65536 B, 64 B, 1024-way associative"},
      {"4294967296,16,64", 1ULL << 32, 1 << 22, 16, 64,
       "4294967296 B, 64 B, 16-way associative"},
   };
   for (UInt i = 0; i < sizeof accepted / sizeof *accepted; i++) {
      Geometry geometry;
      HChar error[GEOMETRY_TEXT] = "", description[GEOMETRY_TEXT];
      CHECK(cg2_geometry_parse(accepted[i].text, &geometry, error));
      CHECK_TEXT(error, "");
      CHECK_EQ(geometry.size, accepted[i].size);
      CHECK_EQ(geometry.ways, accepted[i].ways);
      CHECK_EQ(geometry.line, accepted[i].line);
      CHECK_EQ(cg2_geometry_sets(&geometry), accepted[i].sets);
      CHECK(cg2_geometry_check(&geometry, error));
      cg2_geometry_describe(&geometry, description);
      CHECK_TEXT(description, accepted[i].description);
   }
}

#define EXPECTED                                                               \
   "expected <size>,<ways>,<line size> in bytes, ways, bytes, such as "        \
   "32768,8,64"

static void test_refused(void)
{
   static const Refused refused[] = {
      {"", EXPECTED},
      {"32768", EXPECTED},
      {"32768,8", EXPECTED},
      {"32768,8,", EXPECTED},
      {",8,64", EXPECTED},
      {"32768,8,64,", EXPECTED},
      {"32768,8,64,1", EXPECTED},
      {"32k,8,64", EXPECTED},
      {"32768, 8, 64", EXPECTED},
      {"-32768,8,64", EXPECTED},
      {"0x8000,8,64", EXPECTED},
      {"32768,8,48", "a line has 16 to 4096 bytes, a power of two; not 48"},
      {"32768,8,8", "a line has 16 to 4096 bytes, a power of two; not 8"},
      {"32768,8,0", "a line has 16 to 4096 bytes, a power of two; not 0"},
      {"65536,8,8192", "a line has 16 to 4096 bytes, a power of two; not 8192"},
      {"0,8,64", "a cache has from one line, here 64, to 4294967296 bytes"},
      {"63,1,64", "a cache has from one line, here 64, to 4294967296 bytes"},
      {"4294967360,1,64", "the largest number is 4294967296"},
      {"99999999999999999999999999,1,64", "the largest number is 4294967296"},
      {"32768,0,64", "32768 bytes are lines for 1 to 512 ways, not for 0"},
      {"32768,513,64", "32768 bytes are lines for 1 to 512 ways, not for 513"},
      {"32768,18446744073709551617,64", "the largest number is 4294967296"},
      {"33000,8,64",
       "the size is no multiple of 8 * 64 bytes, as 32768 and 33280 are"},
      {"100,1,64",
       "the size is no multiple of 1 * 64 bytes, as 64 and 128 are"},
   };
   for (UInt i = 0; i < sizeof refused / sizeof *refused; i++) {
      Geometry geometry = {1, 2, 3};
      HChar error[GEOMETRY_TEXT] = "";
      CHECK(!cg2_geometry_parse(refused[i].text, &geometry, error));
      CHECK_TEXT(error, refused[i].error);
      CHECK(!strchr(error, '\n'));
      CHECK_EQ(geometry.size, 1);
   }
}

/* What a processor might say that no option can. */
static void test_impossible(void)
{
   HChar error[GEOMETRY_TEXT];
   CHECK(!cg2_geometry_check(&(Geometry){0, 0, 0}, error));
   CHECK(!cg2_geometry_check(&(Geometry){~0ULL, 1, 64}, error));
   CHECK(!cg2_geometry_check(&(Geometry){64, ~0U, 64}, error));
   CHECK(!cg2_geometry_check(&(Geometry){64, 1, ~0U}, error));
}

int main(int n, char** names)
{
   static const Test tests[] = {
      {"accepted", test_accepted},
      {"refused", test_refused},
      {"impossible", test_impossible},
   };
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
