/* How machine code of riscv64 and s390x is read, on these processors. The bytes
 * are those that GNU's assembler makes of what stands beside them. */
#include "arch/guest.h"
#include "check.h"

/* The distance of a conditional branch from its end; NOT_ONE: it is none. */
enum { NOT_ONE = -1000000000 };

static __attribute__((unused)) Int distance(const char* code, UInt length)
{
   Int found = 0;
   Bool is = cg2_guest_is_conditional((const UChar*)code, length, &found);
   return is ? found : NOT_ONE;
}

/* The length of the call that ends where `code`, of 8 bytes, ends. */
static __attribute__((unused)) UInt call_length(const char* code)
{
   return cg2_guest_call_length((const UChar*)code + 8);
}

#if defined(CG2_RISCV64_H)

static void test_branches(void)
{
   CHECK_EQ(distance("\x63\x88\xb5\x00", 4), 16 - 4);   /* beq a1,a1,.+16 */
   CHECK_EQ(distance("\xe3\x9e\xb5\xfe", 4), -4 - 4);   /* bne a1,a1,.-4 */
   CHECK_EQ(distance("\x63\x54\xb5\x7e", 4), 2024 - 4); /* bge a0,a1,.+2024 */
   CHECK_EQ(distance("\x01\xc5", 2), 8 - 2);            /* beqz a0,.+8 */
   CHECK_EQ(distance("\x7d\xfd", 2), -2 - 2);           /* bnez a0,.-2 */
   CHECK_EQ(distance("\x6f\x00\x00\x01", 4), NOT_ONE);  /* j .+16 */
   CHECK_EQ(distance("\x82\x80", 2), NOT_ONE);          /* ret */
}

static void test_calls(void)
{
   CHECK_EQ(call_length("\0\0\0\0\xef\x00\x00\x01"), 4); /* jal .+16 */
   CHECK_EQ(call_length("\0\0\0\0\xe7\x80\x05\x00"), 4); /* jalr a1 */
   CHECK_EQ(call_length("\0\0\0\0\x01\x00\x82\x95"), 2); /* nop; jalr a1 */
   CHECK_EQ(call_length("\0\0\0\0\x01\x00\x82\x90"), 2); /* nop; jalr ra */
   CHECK_EQ(call_length("\0\0\0\0\x01\x00\x02\x90"), 0); /* nop; ebreak */
   CHECK_EQ(call_length("\0\0\0\0\x6f\x00\x00\x01"), 0); /* j .+16 */
}

#elif defined(CG2_S390X_H)

static void test_branches(void)
{
   CHECK_EQ(distance("\xa7\x84\x00\x08", 4), 16 - 4);  /* je .+16 */
   CHECK_EQ(distance("\xa7\x74\xff\xfe", 4), -4 - 4);  /* jne .-4 */
   CHECK_EQ(distance("\xa7\xf4\x00\x08", 4), NOT_ONE); /* j .+16 */
   CHECK_EQ(distance("\xa7\x16\xff\xfe", 4), -4 - 4);  /* brct r1,.-4 */
   CHECK_EQ(distance("\xc0\x84\x00\x01\x00\x00", 6), 131072 - 6); /* jge */
   CHECK_EQ(distance("\xc0\x74\xff\xff\xff\xf8", 6), -16 - 6); /* jgne .-16 */
   CHECK_EQ(distance("\xc0\xf4\x00\x00\x00\x08", 6), NOT_ONE); /* jg .+16 */
   CHECK_EQ(distance("\xec\x12\x00\x08\x80\x64", 6), 16 - 6);  /* cgrje */
   CHECK_EQ(distance("\xec\x18\xff\xfe\x05\x7e", 6), -4 - 6);  /* cije .-4 */
   CHECK_EQ(distance("\xec\x12\x00\x08\x80\x55", 6), NOT_ONE); /* risbg */
   CHECK_EQ(distance("\x07\xfe", 2), NOT_ONE);                 /* br r14 */
}

static void test_calls(void)
{
   CHECK_EQ(call_length("\0\0\xc0\xe5\0\0\0\x08"), 6); /* brasl r14 */
   CHECK_EQ(call_length("\0\0\0\0\xa7\xe5\0\x08"), 4); /* bras r14 */
   CHECK_EQ(call_length("\0\0\0\0\x4d\xe0\x10\0"), 4); /* bas r14,0(r1) */
   CHECK_EQ(call_length("\0\0\0\0\0\0\x0d\xe1"), 2);   /* basr r14,r1 */
   CHECK_EQ(call_length("\0\0\0\0\0\0\x0d\x10"), 0);   /* basr r1,0 */
   CHECK_EQ(call_length("\0\0\0\0\0\0\x07\xfe"), 0);   /* br r14 */
}

#else

static void test_branches(void)
{
   CHECK(!cg2_guest_is_stub_section(".text"));
}

static void test_calls(void)
{
   CHECK(cg2_guest_is_stub_section(".plt"));
}

#endif

int main(int n, char** names)
{
   static const Test tests[] = {
      {"branches", test_branches},
      {"calls", test_calls},
   };
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
