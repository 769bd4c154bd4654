#include "arch/guest.h"
#include "check.h"

#include <string.h>

typedef struct Example {
   const char* code; /* without zeros */
   Int distance;
} Example;

static void test_branches(void)
{
   static const Example examples[] = {
      {"\x75\xfc", -4},
      {"\x70\x7f", 127},
      {"\x7f\x80", -128},
      {"\xe2\xfd", -3},
      {"\xe3\x01", 1},
      {"\x67\xe3\x01", 1},
      {"\x3e\x75\xef", -17},
      {"\x2e\x75\xef", -17},
      {"\xf2\x74\x05", 5},
      {"\x0f\x84\x04\x03\x02\x01", 0x01020304},
      {"\x0f\x8f\xff\xff\xff\xff", -1},
      {"\xf2\x0f\x85\x01\xff\xff\xff", -255},
   };
   for (UInt i = 0; i < sizeof examples / sizeof *examples; i++) {
      const char* code = examples[i].code;
      Int distance = 0;
      CHECK(
         cg2_guest_is_conditional((const UChar*)code, strlen(code), &distance));
      CHECK_EQ(distance, examples[i].distance);
   }
}

static void test_others(void)
{
   static const char* const examples[] = {
      "\xeb\xfc",                         /* jmp */
      "\xe9\x01\x01\x01\x01",             /* jmp */
      "\xff\xe2",                         /* jmp *%rdx */
      "\xf3\xaa",                         /* rep stosb */
      "\xf2\xae",                         /* repne scasb */
      "\x90",                             /* nop */
      "\xc3",                             /* ret */
      "\x0f\x44\xd0",                     /* cmovz */
      "\x0f\x94\xc0",                     /* setz */
      "\x0f\x1f\x81\x01\x01\x01",         /* a longer nop */
      "\x66\x0f\x84\x75\x01\x01\x01\x01", /* no instruction */
      "\x3e",                             /* nor is this */
   };
   for (UInt i = 0; i < sizeof examples / sizeof *examples; i++) {
      Int distance = 0;
      CHECK(!cg2_guest_is_conditional((const UChar*)examples[i],
                                      strlen(examples[i]), &distance));
   }
}

static void check_repeated(const char* code, Bool is_repeated)
{
   CHECK_EQ(cg2_guest_is_repeated((const UChar*)code, strlen(code)),
            is_repeated);
}

static void test_repeated(void)
{
   check_repeated("\xf3\xaa", True);                  /* rep stosb */
   check_repeated("\xf3\x48\xab", sizeof(Addr) == 8); /* rep stosq */
   check_repeated("\xf3\x66\xa5", True);              /* rep movsw */
   check_repeated("\x66\xf3\xa5", True);
   check_repeated("\x67\xf3\xa4", True);      /* rep movsb, 32 bits */
   check_repeated("\xf2\xae", True);          /* repne scasb */
   check_repeated("\xf3\xa6", True);          /* repe cmpsb */
   check_repeated("\xf3\xad", True);          /* rep lodsl */
   check_repeated("\xaa", False);             /* stosb */
   check_repeated("\xf3\x90", False);         /* pause */
   check_repeated("\xf3\xc3", False);         /* rep ret */
   check_repeated("\xe2\xfe", False);         /* loop . */
   check_repeated("\xf3\x0f\x10\xaa", False); /* movss */
   check_repeated("\xf3", False);
   check_repeated("", False);
}

/* The code in front of `behind`, at the end of what may be looked at. */
static UInt call_length(const char* code, SizeT n)
{
   UChar bytes[32];
   memset(bytes, 0x90, sizeof bytes);
   memcpy(bytes + sizeof bytes - n, code, n);
   return cg2_guest_call_length(bytes + sizeof bytes);
}

static void test_calls(void)
{
   static const struct {
      const char* code;
      UInt length;
   } examples[] = {
      {"\xe8\x01\x02\x03\x04", 5},         /* call */
      {"\xff\xd0", 2},                     /* call *%rax */
      {"\xff\x53\x10", 3},                 /* call *16(%rbx) */
      {"\xff\x54\x24\x08", 4},             /* call *8(%rsp) */
      {"\xff\x15\x01\x02\x03\x04", 6},     /* call *symbol(%rip) */
      {"\xff\x94\xc3\x01\x02\x03\x04", 7}, /* call *n(%rbx,%rax,8) */
   };
   for (UInt i = 0; i < sizeof examples / sizeof *examples; i++)
      CHECK_EQ(call_length(examples[i].code, examples[i].length),
               examples[i].length);
   /* A prefix could be the last byte of the instruction before. */
   CHECK_EQ(call_length("\x41\xff\xd0", 3), 2);
   CHECK_EQ(call_length("\x90\x90", 2), 0);
   CHECK_EQ(call_length("\xff\xe0", 2), 0); /* jmp *%rax */
   CHECK_EQ(call_length("\xeb\xfe", 2), 0);
}

static void test_stub_sections(void)
{
   static const char* const stubs[] = {".plt", ".plt.sec", ".plt.got", ".iplt"};
   static const char* const others[] = {".text", ".pl", ".plts", ".got.plt",
                                        ""};
   for (UInt i = 0; i < sizeof stubs / sizeof *stubs; i++)
      CHECK(cg2_guest_is_stub_section(stubs[i]));
   for (UInt i = 0; i < sizeof others / sizeof *others; i++)
      CHECK(!cg2_guest_is_stub_section(others[i]));
}

/* A call pushes a word, so its caller's entry lies above. */
static void test_entries(void)
{
   Addr sp = 0x1000, entry = cg2_guest_entry(sp);
   CHECK_EQ(entry, sp - sizeof(Addr));
   CHECK(cg2_guest_has_left(entry, sp, False)); /* returned */
   CHECK(!cg2_guest_has_left(entry, entry, False));
   CHECK(cg2_guest_has_left(entry, entry, True)); /* another call there */
   CHECK(!cg2_guest_has_left(entry, entry - 1, True));
   CHECK(!cg2_guest_has_left(entry, cg2_guest_entry(entry), True));
}

/* What a trampoline at `code` leads to, with the distance made an address. */
static Addr leads_to(const UChar* code, UInt length)
{
   static UChar room[GUEST_TRAMPOLINE_MAX];
   memset(room, 0x90, sizeof room);
   memcpy(room, code, length);
   Addr target = cg2_guest_trampoline_target(room);
   return target && sizeof(Addr) == 4 ? target - (Addr)room : target;
}

#define LEADS_TO(...)                                                          \
   leads_to((const UChar[]){__VA_ARGS__}, sizeof((const UChar[]){__VA_ARGS__}))
#define R11_64   0x49, 0xbb, 8, 7, 6, 5, 4, 3, 2, 1
#define R11_32   0x41, 0xbb, 8, 7, 6, 0x85
#define R10_64   0x49, 0xba, 0, 0, 0, 0, 0, 0, 0, 0
#define R10_32   0x41, 0xba, 0, 0, 0, 0
#define JUMP_R11 0x49, 0xff, 0xe3
#define MARK     0xf3, 0x0f, 0x1e, 0xfa
#define DISTANCE 4, 3, 2, 1

/* Two registers are loaded, in 64 bits or in 32, and the jump is to the first;
 * with 32-bit words one is, and the jump is by a distance. */
static void test_trampolines(void)
{
   Bool is_64 = sizeof(Addr) == 8;
   Addr target = (Addr)0x0102030405060708ULL;
   Addr wide = is_64 ? target : 0, low = is_64 ? 0x85060708 : 0;
   CHECK_EQ(LEADS_TO(R11_64, R10_64, JUMP_R11), wide);
   CHECK_EQ(LEADS_TO(R11_32, R10_64, JUMP_R11), low);
   CHECK_EQ(LEADS_TO(R11_32, R10_32, JUMP_R11), low);
   CHECK_EQ(LEADS_TO(MARK, R11_64, R10_64, JUMP_R11), wide);
   CHECK_EQ(LEADS_TO(R10_64, R11_64, JUMP_R11), 0);
   CHECK_EQ(LEADS_TO(R11_64, R10_64, 0x49, 0xff, 0xe2), 0);
   CHECK_EQ(LEADS_TO(R11_64, JUMP_R11), 0);
   Addr near = is_64 ? 0 : 0x01020304 + 10;
   CHECK_EQ(LEADS_TO(0xb9, 0, 0, 0, 0, 0xe9, DISTANCE), near);
   CHECK_EQ(LEADS_TO(0xb8, 0, 0, 0, 0, 0xe9, DISTANCE), near);
   CHECK_EQ(LEADS_TO(0x68, 0, 0, 0, 0, 0xe9, DISTANCE), near);
   CHECK_EQ(LEADS_TO(MARK, 0xb9, 0, 0, 0, 0, 0xe9, DISTANCE),
            near ? near + 4 : 0);
   CHECK_EQ(LEADS_TO(0xb9, 0, 0, 0, 0, 0xe8, DISTANCE), 0);
   CHECK_EQ(LEADS_TO(0xba, 0, 0, 0, 0, 0xe9, DISTANCE), 0);
}

int main(int n, char** names)
{
   static const Test tests[] = {
      {"branches", test_branches},           {"others", test_others},
      {"repeated", test_repeated},           {"calls", test_calls},
      {"stub_sections", test_stub_sections}, {"entries", test_entries},
      {"trampolines", test_trampolines},
   };
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
