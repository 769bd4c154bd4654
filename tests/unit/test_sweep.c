#include "check.h"
#include "model/sweep/sweep.h"

#include <string.h>

static const HChar* described(const Sweep* sweep, UInt i)
{
   static HChar text[SWEEP_TEXT];
   cg2_sweep_describe(sweep, i, text);
   return text;
}

static void test_accepted(void)
{
   static const struct {
      const HChar *text, *first, *last;
      SweepCache cache;
      UInt n;
      ULong sets; /* of the last */
      UInt ways, line;
   } accepted[] = {
      {"D:8k..1m", "8K", "1M", SWEEP_D, 8, 1, 16384, 64},
      {"I:16K..64K", "16K", "64K", SWEEP_I, 3, 1, 1024, 64},
      {"LL:1M..1G", "1M", "1G", SWEEP_LL, 11, 1, 1 << 24, 64},
      {"D:32768", "32K", "32K", SWEEP_D, 1, 1, 512, 64},
      {"D:48k..768k,sets=64", "48Ks64", "768Ks64", SWEEP_D, 5, 64, 192, 64},
      {"D:4k..1m,ways=4", "4Kw4", "1Mw4", SWEEP_D, 9, 4096, 4, 64},
      {"D:96..960,step=96,line=32", "96Bl32", "960Bl32", SWEEP_D, 10, 1, 30,
       32},
      {"D:1k..2k,line=128,step=512,sets=2", "1Ks2l128", "2Ks2l128", SWEEP_D, 3,
       2, 8, 128},
      {"LL:3145728..5m,step=1m,sets=1024", "3Ms1024", "5Ms1024", SWEEP_LL, 3,
       1024, 80, 64},
      {"I:64,ways=1", "64Bw1", "64Bw1", SWEEP_I, 1, 1, 1, 64},
   };
   for (UInt i = 0; i < sizeof accepted / sizeof *accepted; i++) {
      Sweep s;
      HChar error[SWEEP_TEXT] = "";
      CHECK(cg2_sweep_parse(accepted[i].text, &s, error));
      CHECK_TEXT(error, "");
      CHECK_EQ(s.cache, accepted[i].cache);
      CHECK_EQ(s.n, accepted[i].n);
      CHECK_TEXT(described(&s, 0), accepted[i].first);
      CHECK_TEXT(described(&s, s.n - 1), accepted[i].last);
      CHECK_EQ(cg2_geometry_sets(&s.of[s.n - 1]), accepted[i].sets);
      CHECK_EQ(s.of[s.n - 1].ways, accepted[i].ways);
      CHECK_EQ(s.of[s.n - 1].line, accepted[i].line);
   }
}

#define EXPECTED                                                               \
   "expected I:, D: or LL:, sizes, and what else is fixed, such as D:8k..1m "  \
   "or D:32k..48k,step=4k,sets=64,line=64"
#define LARGEST "the largest number is 4294967296"

static void test_refused(void)
{
   static const struct {
      const HChar *text, *error;
   } refused[] = {
      {"", EXPECTED},
      {"8k..1m", EXPECTED},
      {"X:8k..1m", EXPECTED},
      {"D1:8k..1m", EXPECTED},
      {"D:", EXPECTED},
      {"D:8k..", EXPECTED},
      {"D:..8k", EXPECTED},
      {"D:8k-1m", EXPECTED},
      {"D:8kb..1m", EXPECTED},
      {"D:8k..1m,", EXPECTED},
      {"D:8k..1m,sets", EXPECTED},
      {"D:8k..1m,sets=", EXPECTED},
      {"D:8k..1m,sets=0", EXPECTED},
      {"D:8k..1m,sets=64,sets=64", EXPECTED},
      {"D:8k..1m,assoc=8", EXPECTED},
      {"D:0..1m", EXPECTED},
      {"D:8k..5g", LARGEST},
      {"D:8k..16k,sets=18446744073709551617g", LARGEST},
      {"D:8k..1m,sets=64,ways=8", "sets or ways can be fixed, not both"},
      {"D:8k..12k,step=4k,ways=8",
       "with ways= the sizes double: there is no step="},
      {"D:1m..8k", "there is no size from 1048576 to 8192 bytes"},
      {"D:8k..100k", "the sizes from 8192 on come to 65536 and 131072 bytes, "
                     "not to 102400"},
      {"D:8k..13k,step=2k", "the sizes from 8192 on come to 12288 and 14336 "
                            "bytes, not to 13312"},
      {"D:1k..25k,step=1k", "too many sizes: a sweep has at most 24"},
      {"D:1k..4g,line=16,step=1", "too many sizes: a sweep has at most 24"},
      {"D:8k..1m,line=48", "a line has 16 to 4096 bytes, a power of two; not "
                           "48"},
      {"D:8k..1m,line=4g", "a line has 16 to 4096 bytes, a power of two; not "
                           "4294967295"},
      {"D:32..1k", "a cache has from one line, here 64, to 4294967296 bytes"},
      {"D:100..200", "the size is no multiple of 1 * 64 bytes, as 64 and 128 "
                     "are"},
      {"D:8k..1m,sets=96",
       "8192 bytes are no multiple of 96 sets of 64 byte lines"},
      {"D:8k..16k,sets=256",
       "8192 bytes are no multiple of 256 sets of 64 byte lines"},
      {"D:8k..16k,sets=4g",
       "8192 bytes are no multiple of 4294967296 sets of 64 byte lines"},
      {"D:8k..16k,ways=3", "the size is no multiple of 3 * 64 bytes, as 8064 "
                           "and 8256 are"},
      {"D:8k..16k,ways=256",
       "8192 bytes are lines for 1 to 128 ways, not for 256"},
      {"D:8k..16k,ways=4g",
       "8192 bytes are lines for 1 to 128 ways, not for 4294967295"},
      {"LL:1g..2g", "2147483648 bytes are too large: a sweep has at most "
                    "16777216 lines"},
   };
   for (UInt i = 0; i < sizeof refused / sizeof *refused; i++) {
      Sweep s;
      HChar error[SWEEP_TEXT] = "";
      CHECK(!cg2_sweep_parse(refused[i].text, &s, error));
      CHECK_TEXT(error, refused[i].error);
      CHECK(strlen(error) < SWEEP_TEXT && !strchr(error, '\n'));
   }
}

static UInt bits_of(Sweep* s, const HChar* text, UInt first_bit)
{
   HChar error[SWEEP_TEXT];
   CHECK(cg2_sweep_parse(text, s, error));
   s->first_bit = first_bit;
   cg2_sweep_init(s);
   return ((1U << s->n) - 1) << first_bit;
}

/* An access misses where one of its lines does; each sweep has its own bits. */
static void test_access(void)
{
   Sweep two, one;
   UInt in_two = bits_of(&two, "D:64..256", 3);
   UInt in_one = bits_of(&one, "D:128,line=128,ways=1", 6);
   two.next = &one;
   CHECK_EQ(cg2_sweep_count(&two), 4);
   CHECK_EQ(in_two | in_one, 0x78);
   CHECK_EQ(cg2_sweep_access(&two, 1024, 8), in_two | in_one);
   CHECK_EQ(cg2_sweep_access(&two, 1024 + 56, 8), 0);
   CHECK_EQ(cg2_sweep_access(&two, 1024 + 60, 8), in_two); /* and 1088 */
   CHECK_EQ(cg2_sweep_access(&two, 1024, 1), 1 << 3);
   CHECK_EQ(cg2_sweep_access(&two, 1024 + 60, 8), 1 << 3);
   CHECK_EQ(cg2_sweep_access(&two, 2048, 1), in_two | in_one);
   CHECK_EQ(cg2_sweep_access(&two, 1024, 1), 3 << 3 | in_one);
   cg2_sweep_clear(&two);
   CHECK_EQ(cg2_sweep_access(&two, 1024, 1), in_two | in_one);
   CHECK_EQ(cg2_sweep_access(NULL, 1024, 8), 0);
   CHECK_EQ(cg2_sweep_count(NULL), 0);
}

int main(int n, char** names)
{
   static const Test tests[] = {
      {"accepted", test_accepted},
      {"refused", test_refused},
      {"access", test_access},
   };
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
