/* Thunks are written, and run. */
#include "arch/thunkcode.h"
#include "check.h"

#include <sys/mman.h>

static UWord seen[2];

static VG_REGPARM(2) void note(UWord first, UWord second)
{
   seen[0] = first;
   seen[1] = second;
}

typedef VG_REGPARM(2) void Code(UWord, UWord);

/* Runs a thunk with these constants, called with the arguments 77 and 78. */
static void run(UWord first, UWord second)
{
   enum { BYTES = 4096 };
   UChar* code = mmap(NULL, BYTES, PROT_READ | PROT_WRITE | PROT_EXEC,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   CHECK(code != MAP_FAILED);
   UChar* end = cg2_thunkcode_write(code, (void*)note, first, second);
   if (!end) return; /* no thunks for this processor */
   CHECK(end > code && end - code <= THUNK_BYTES);
   ((Code*)code)(77, 78);
   munmap(code, BYTES);
   CHECK_EQ(seen[0], first ? first : 77);
   CHECK_EQ(seen[1], second);
}

static void test_words(void)
{
   run(1, 2);
   run(0x12345678, 0);
   run(0xffffffff, 0xffffffff);
   run(~(UWord)0, ~(UWord)0 - 1);
   run((UWord)seen, (UWord)&seen[1]);
}

static void test_first_as_it_is(void)
{
   run(0, 2);
   run(0, ~(UWord)0);
}

int main(int n, char** names)
{
   static const Test tests[] = {
      {"words", test_words},
      {"first_as_it_is", test_first_as_it_is},
   };
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
