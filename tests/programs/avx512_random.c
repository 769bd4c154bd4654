/* Executes random instructions of AVX-512, and says what they left.
 *
 *   avx512_random find N SEED    prints N numbers of instances that this
 *                                processor executes, with what they left
 *   avx512_random run            the same for the numbers in its input
 *   avx512_random show NUMBER    the code, and all that the instance left
 *
 * An instance is an encoding, registers, masks, flags, MXCSR and memory, all of
 * which follow from its number. Opcodes that the processor has not are found
 * out by trying. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { VECTORS = 32, MASKS = 8, WORDS = 16, DATA = 32768, CODE = 4096 };

typedef struct State {
   uint8_t vectors[VECTORS][64];
   uint64_t masks[MASKS];
   uint64_t words[WORDS];
   uint64_t flags;
   uint32_t mxcsr, plain_mxcsr;
   void* stack;
   void* code;
} State;

State state __attribute__((aligned(64)));
static uint8_t *data, *code;

void run_code(void);
void come_back(void);

/* All registers are loaded, the code is run, all are stored. */
__asm__(
   ".text\n.globl run_code, come_back\nrun_code:\n"
   "push %rbx\n push %rbp\n push %r12\n push %r13\n push %r14\n push %r15\n"
   "mov %rsp, state+2256(%rip)\n"
   "ldmxcsr state+2248(%rip)\n"
   ".irp n,0,1,2,3,4,5,6,7\n kmovq state+2048+8*\\n(%rip), %k\\n\n .endr\n"
   ".irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,"
   "26,27,28,29,30,31\n vmovdqu64 state+64*\\n(%rip), %zmm\\n\n .endr\n"
   "mov state+2112(%rip), %rax\n mov state+2120(%rip), %rcx\n"
   "mov state+2128(%rip), %rdx\n mov state+2136(%rip), %rbx\n"
   "mov state+2152(%rip), %rbp\n mov state+2160(%rip), %rsi\n"
   "mov state+2168(%rip), %rdi\n mov state+2176(%rip), %r8\n"
   "mov state+2184(%rip), %r9\n mov state+2192(%rip), %r10\n"
   "mov state+2200(%rip), %r11\n mov state+2208(%rip), %r12\n"
   "mov state+2216(%rip), %r13\n mov state+2224(%rip), %r14\n"
   "mov state+2232(%rip), %r15\n"
   "pushq state+2240(%rip)\n popfq\n"
   "jmp *state+2264(%rip)\n"
   "come_back:\n"
   "pushfq\n popq state+2240(%rip)\n"
   "mov %rax, state+2112(%rip)\n mov %rcx, state+2120(%rip)\n"
   "mov %rdx, state+2128(%rip)\n mov %rbx, state+2136(%rip)\n"
   "mov %rbp, state+2152(%rip)\n mov %rsi, state+2160(%rip)\n"
   "mov %rdi, state+2168(%rip)\n mov %r8, state+2176(%rip)\n"
   "mov %r9, state+2184(%rip)\n mov %r10, state+2192(%rip)\n"
   "mov %r11, state+2200(%rip)\n mov %r12, state+2208(%rip)\n"
   "mov %r13, state+2216(%rip)\n mov %r14, state+2224(%rip)\n"
   "mov %r15, state+2232(%rip)\n"
   ".irp n,0,1,2,3,4,5,6,7\n kmovq %k\\n, state+2048+8*\\n(%rip)\n .endr\n"
   ".irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,"
   "26,27,28,29,30,31\n vmovdqu64 %zmm\\n, state+64*\\n(%rip)\n .endr\n"
   "stmxcsr state+2248(%rip)\n ldmxcsr state+2252(%rip)\n"
   "mov state+2256(%rip), %rsp\n"
   "pop %r15\n pop %r14\n pop %r13\n pop %r12\n pop %rbp\n pop %rbx\n ret\n");

_Static_assert(sizeof(State) >= 2272 && __builtin_offsetof(State, code) == 2264,
               "the assembly above knows where the fields are");

/*--- Chance -------------------------------------------------------------*/

static uint64_t seed;

static uint64_t chance(void)
{
   seed += 0x9e3779b97f4a7c15ULL;
   uint64_t z = seed;
   z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
   z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
   return z ^ z >> 31;
}

static unsigned below(unsigned n)
{
   return chance() % n;
}

/*--- Encodings ----------------------------------------------------------*/

typedef struct Encoding {
   uint8_t bytes[32];
   unsigned n;
   int map, prefix, opcode, w, length, is_evex;
   int has_vector;   /* of indices */
   int may_be_word;  /* an operand may be a general register */
   int segment_word; /* what depends on where the segment is; -1: nothing */
} Encoding;

static int is_one_of(int opcode, const char* opcodes)
{
   return opcode && strchr(opcodes, opcode) != NULL;
}

/* Cascade Lake executes CLWB behind EVEX, too, which no manual has and no
 * assembler writes. Nobody has the opcode that takes its place. */
static int is_written(const Encoding* e)
{
   enum { CLWB = 0xae };
   return !e->is_evex || e->map != 1 || e->opcode != CLWB;
}

static void choose_opcode(Encoding* e)
{
   static const int maps[] = {1, 1, 2, 2, 2, 3};
   static const uint8_t of_masks[] = {0x41, 0x42, 0x44, 0x45, 0x46, 0x47, 0x4a,
                                      0x4b, 0x90, 0x91, 0x92, 0x93, 0x98, 0x99};
   e->is_evex = below(8) != 0;
   e->map = maps[below(6)];
   e->prefix = below(3) ? 1 : (int)below(4);
   e->opcode = below(256);
   if (!is_written(e)) e->opcode = 0xaf;
   e->w = below(2);
   e->length = below(3);
   if (!e->is_evex) {
      e->map = below(5) ? 1 : 3;
      e->opcode =
         e->map == 3 ? 0x30 + (int)below(4) : of_masks[below(sizeof of_masks)];
      e->prefix = below(4);
      e->length = below(2);
   }
   e->has_vector = e->is_evex && e->map == 2 &&
                   ((e->opcode >= 0x90 && e->opcode <= 0x93) ||
                    (e->opcode >= 0xa0 && e->opcode <= 0xa3));
   e->may_be_word =
      (e->map == 1 &&
       is_one_of(e->opcode,
                 "\x6e\x7e\x2a\x2c\x2d\x78\x79\x7b\xc4\xc5\x92\x93")) ||
      (e->map == 2 && is_one_of(e->opcode, "\x7a\x7b\x7c")) ||
      (e->map == 3 && is_one_of(e->opcode, "\x14\x15\x16\x17\x20\x22"));
}

static void put(Encoding* e, unsigned byte)
{
   e->bytes[e->n++] = byte;
}

static void put_number(Encoding* e, int64_t number, unsigned bytes)
{
   for (unsigned i = 0; i < bytes; i++)
      put(e, number >> 8 * i);
}

static void put_evex(Encoding* e)
{
   unsigned v = below(2) ? 31 : below(32);
   unsigned mask = e->has_vector ? 1 + below(7) : below(2) ? 0 : below(8);
   unsigned broadcasts = below(4) == 0;
   unsigned zeroes = mask && below(3) == 0;
   if (e->has_vector) v = 15 | below(2) << 4;
   put(e, 0x62);
   put(e, (below(16) << 4) | e->map);
   put(e, e->w << 7 | (v & 15) << 3 | 4 | e->prefix);
   put(e,
       zeroes << 7 | e->length << 5 | broadcasts << 4 | (v >> 4) << 3 | mask);
}

static void put_vex(Encoding* e)
{
   unsigned v = below(3) ? 15 : 8 + below(8);
   if (e->map == 1 && !e->w && below(2)) {
      put(e, 0xc5);
      put(e, 0x80 | v << 3 | e->length << 2 | e->prefix);
      return;
   }
   put(e, 0xc4);
   put(e, 0x80 | below(4) << 5 | e->map);
   put(e, e->w << 7 | v << 3 | e->length << 2 | e->prefix);
}

/* The general register that is a base, with its extension, which stands
 * inverted in the second byte of EVEX, the long form of VEX. */
static int extension_of(const Encoding* e, unsigned at)
{
   return e->bytes[at] == 0xc5 ? 0 : !(e->bytes[at + 1] & 0x20);
}

static int index_extension_of(const Encoding* e, unsigned at)
{
   return e->bytes[at] == 0xc5 ? 0 : !(e->bytes[at + 1] & 0x40);
}

/* The displacement of one byte counts operands, up to 64 bytes each. */
static int64_t put_displacement(Encoding* e, int mod)
{
   int64_t by = mod == 1 ? (int)below(256) - 128 : ((int)below(64) - 32) * 64;
   if (below(4) == 0) by &= ~7;
   if (mod == 1)
      put(e, by);
   else
      put_number(e, by, 4);
   return mod == 2 ? by : 0;
}

static uint64_t segment_base(void)
{
   uint64_t base;
   __asm__("mov %%fs:0, %0" : "=r"(base));
   return base;
}

/* Puts ModRM and what belongs to it; has registers point into the data. */
static void put_memory(Encoding* e, unsigned at, int mod, int segment)
{
   uint64_t middle = (uint64_t)data + DATA / 2 - (segment ? segment_base() : 0);
   unsigned reg = below(8), rm = below(8), base = 0;
   if (e->has_vector) rm = 4;
   if (mod == 0 && rm == 5 && segment) rm = 6;
   put(e, mod << 6 | reg << 3 | rm);
   if (mod == 0 && rm == 5) {
      put_number(e, (int64_t)(data + DATA / 2) - (int64_t)code - 64, 4);
      return;
   }
   if (rm == 4) {
      unsigned scale = below(4), index = below(8);
      do
         base = below(8);
      while (base == 4);
      if (mod == 0 && base == 5) base = 6;
      if (segment && index == base) index = 4;
      put(e, scale << 6 | index << 3 | base);
      index |= index_extension_of(e, at) << 3;
      if (!e->has_vector && index != 4) {
         state.words[index] = below(16) * 8;
         middle -= state.words[index] << scale;
      }
      base |= extension_of(e, at) << 3;
      if (!e->has_vector && index == base) {
         state.words[base] =
            (middle + (state.words[index] << scale)) / ((1u << scale) + 1);
         if (mod) put_displacement(e, mod);
         if (segment) e->segment_word = base;
         return;
      }
   } else
      base = rm | extension_of(e, at) << 3;
   state.words[base] = middle - (mod ? put_displacement(e, mod) : 0);
   if (segment) e->segment_word = base;
}

static void encode(Encoding* e)
{
   int mod = below(2) ? 3 : (int)below(3), segment = 0;
   memset(e, 0, sizeof *e);
   e->segment_word = -1;
   choose_opcode(e);
   if (e->has_vector && mod == 3) mod = 1;
   if (mod != 3) {
      unsigned kind = below(8);
      if (kind == 0) put(e, 0x67);
      if (kind == 1) put(e, 0x64), segment = 1;
   }
   unsigned at = e->n;
   if (e->is_evex)
      put_evex(e);
   else
      put_vex(e);
   put(e, e->opcode);
   if (mod != 3)
      put_memory(e, at, mod, segment);
   else {
      unsigned modrm = 0xc0 | below(64);
      if (e->may_be_word) modrm &= ~0x24;
      put(e, modrm);
   }
   if (e->map == 3 ||
       (e->map == 1 && ((e->opcode >= 0x70 && e->opcode <= 0x73) ||
                        is_one_of(e->opcode, "\xc2\xc4\xc5\xc6"))))
      put(e, below(256));
}

/*--- States -------------------------------------------------------------*/

static uint64_t interesting(void)
{
   static const uint64_t numbers[] = {
      0,          ~0ULL,      0x3f8000003f800000, 0x3ff0000000000000,
      0x7f800000, 0x7fc00001, 0x7ff0000000000000, 0x0000000100000001,
      0x80000000, 0x00400000, 0x7fffffff80000001, 0x4f0000004f000000};
   return below(2) ? chance() : numbers[below(12)];
}

static void fill_state(void)
{
   for (unsigned i = 0; i < VECTORS; i++)
      for (unsigned j = 0; j < 8; j++) {
         uint64_t word = interesting();
         memcpy(&state.vectors[i][8 * j], &word, 8);
      }
   for (unsigned i = 0; i < MASKS; i++)
      state.masks[i] = below(4) ? chance() : 0;
   for (unsigned i = 0; i < WORDS; i++)
      state.words[i] = chance();
   state.flags = (chance() & 0x8d5) | 0x202;
   state.mxcsr = 0x1f80 | below(4) << 13;
   state.plain_mxcsr = 0x1f80;
}

/* Vectors of indices that lie in the data, in words of 32 or 64 bits. */
static void fill_indices(void)
{
   for (unsigned i = 0; i < VECTORS; i++)
      for (unsigned j = 0; j < 8; j++) {
         uint64_t word = below(512);
         if (i & 1) word |= (uint64_t)below(512) << 32;
         memcpy(&state.vectors[i][8 * j], &word, 8);
      }
}

static void fill_data(void)
{
   uint64_t word = chance();
   for (unsigned i = 0; i < DATA; i += 8) {
      word = word * 6364136223846793005ULL + 1442695040888963407ULL;
      memcpy(data + i, &word, 8);
   }
}

static uint64_t hash_of(const void* bytes, size_t n, uint64_t hash)
{
   for (size_t i = 0; i < n; i += 8) {
      uint64_t word;
      memcpy(&word, (const uint8_t*)bytes + i, 8);
      hash = (hash ^ word) * 0x9e3779b97f4a7c15ULL;
      hash ^= hash >> 29;
   }
   return hash;
}

/*--- Instances ----------------------------------------------------------*/

static sigjmp_buf back;

/* An address that no memory can have is SIGBUS if rsp or rbp has to do with it.
 */
static void catch (int number)
{
   siglongjmp(back, number == SIGBUS ? SIGSEGV : number);
}

static void put_code(const Encoding* e)
{
   static const uint8_t jump[] = {0xff, 0x25, 0, 0, 0, 0};
   void* target = (void*)come_back;
   memcpy(code, e->bytes, e->n);
   memcpy(code + e->n, jump, sizeof jump);
   memcpy(code + e->n + sizeof jump, &target, sizeof target);
}

/* Runs an instance. Returns the signal that it got, or 0. */
static int run(uint64_t number, Encoding* e)
{
   seed = number;
   fill_state();
   encode(e);
   if (e->has_vector) fill_indices();
   fill_data();
   put_code(e);
   state.code = code;
   uint64_t address = e->segment_word < 0 ? 0 : state.words[e->segment_word];
   int got = sigsetjmp(back, 1);
   if (got == 0) run_code();
   if (e->segment_word >= 0 && state.words[e->segment_word] == address)
      state.words[e->segment_word] = 0;
   return got;
}

static uint64_t hash_of_state(void)
{
   uint64_t flags = state.flags & 0x8d5;
   uint64_t hash = hash_of(state.vectors, sizeof state.vectors, 1);
   hash = hash_of(state.masks, sizeof state.masks, hash);
   for (unsigned i = 0; i < WORDS; i++)
      if (i != 4) hash = hash_of(&state.words[i], 8, hash);
   hash = hash_of(&flags, 8, hash);
   uint64_t mxcsr = state.mxcsr;
   hash = hash_of(&mxcsr, 8, hash);
   return hash_of(data, DATA, hash);
}

static void print(uint64_t number)
{
   Encoding e;
   int got = run(number, &e);
   if (got)
      printf("%016lx signal %d\n", number, got);
   else
      printf("%016lx %016lx\n", number, hash_of_state());
}

static void find(unsigned n, uint64_t first)
{
   Encoding e;
   for (uint64_t number = first; n; number += 0x10001) {
      if (run(number, &e) == SIGILL) continue;
      print(number);
      n--;
   }
}

static void show(uint64_t number)
{
   Encoding e;
   int got = run(number, &e);
   printf("code");
   for (unsigned i = 0; i < e.n; i++)
      printf(" %02x", e.bytes[i]);
   printf("\nsignal %d flags %lx mxcsr %x\n", got, state.flags & 0x8d5,
          state.mxcsr);
   for (unsigned i = 0; i < VECTORS; i++) {
      printf("v%u ", i);
      for (unsigned j = 64; j--;)
         printf("%02x%s", state.vectors[i][j], j % 8 ? "" : " ");
      printf("\n");
   }
   for (unsigned i = 0; i < MASKS; i++)
      printf("k%u %016lx\n", i, state.masks[i]);
   for (unsigned i = 0; i < WORDS; i++)
      if (i != 4) printf("r%u %016lx\n", i, state.words[i]);
   printf("data %016lx\n", hash_of(data, DATA, 0));
}

int main(int n, char** words)
{
   static uint8_t handler_stack[65536];
   stack_t other = {.ss_sp = handler_stack, .ss_size = sizeof handler_stack};
   struct sigaction action = {.sa_handler = catch, .sa_flags = SA_ONSTACK};
   sigaltstack(&other, NULL);
   sigaction(SIGILL, &action, NULL);
   sigaction(SIGSEGV, &action, NULL);
   sigaction(SIGBUS, &action, NULL);
   sigaction(SIGFPE, &action, NULL);
   uint8_t* memory =
      mmap((void*)0x10000000, DATA + CODE, PROT_READ | PROT_WRITE | PROT_EXEC,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
   if (memory == MAP_FAILED) return 2;
   data = memory;
   code = memory + DATA;
   if (n == 4 && !strcmp(words[1], "find"))
      find(atoi(words[2]), strtoull(words[3], NULL, 0) * 0x123456789abcdefULL);
   else if (n == 3 && !strcmp(words[1], "show"))
      show(strtoull(words[2], NULL, 16));
   else {
      char line[128];
      while (fgets(line, sizeof line, stdin))
         print(strtoull(line, NULL, 16));
   }
   return 0;
}
