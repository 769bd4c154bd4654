/* What instructions do with control, by machine code. */
#include "dwarf/object.h"
#include "machine/control.h"
#include "machine/image.h"

#include <capstone/capstone.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 15 };           /* bytes of an instruction */
enum { TAIL = 4 };               /* bytes of a number at its end */
enum { SLOTS_OF_KNOWN = 16384 }; /* a power of 2 */

/* An instruction where it stands. */
typedef struct Encoded {
   const uint8_t* bytes;  /* at least LONGEST + 1 can be read */
   uint64_t length, next; /* next: the address behind it */
} Encoded;

/* What instructions do that were taken apart. Those that differ by the number
 * alone with which they end do the same; but for the target, which is that
 * number behind the instruction. */
typedef struct KnownStep {
   uint64_t low, high; /* its bytes without the tail; the last: both lengths */
   cg2p_step step;
} KnownStep;

/* The instructions that are taken apart. */
typedef struct StepWalk {
   cg2d_object* object;
   Failure* failure;
   csh handle;
   cs_insn* instruction;
   const uint8_t* bytes; /* from the address `low` on */
   uint64_t low;
   size_t length;
   KnownStep* known; /* each in the slot of its bytes, the last that came */
} StepWalk;

static cg2p_step step_at(StepWalk* walk, uint64_t address)
{
   uint64_t at = address - walk->low;
   if (at >= walk->length) return (cg2p_step){.kind = CG2P_GOES_ON};
   const uint8_t* bytes = walk->bytes + at;
   size_t left = walk->length - at;
   if (!cs_disasm_iter(walk->handle, &bytes, &left, &address,
                       walk->instruction))
      return (cg2p_step){.kind = CG2P_GOES_ON};
   return cg2d_control_of_x86(walk->handle, walk->instruction);
}

/*--- What is known ------------------------------------------------------*/

/* The slot of an instruction without its tail. The bytes of one are never the
 * first bytes of another. */
static KnownStep*
slot_of(StepWalk* walk, const Encoded* own, unsigned tail, KnownStep* asked)
{
   enum { WORD = sizeof asked->low };
   unsigned n = own->length - tail;
   memcpy(&asked->low, own->bytes, WORD);
   memcpy(&asked->high, own->bytes + WORD, WORD);
   asked->low &= n < WORD ? ((uint64_t)1 << 8 * n) - 1 : UINT64_MAX;
   asked->high &= n > WORD ? ((uint64_t)1 << 8 * (n - WORD)) - 1 : 0;
   asked->high |= (uint64_t)(own->length << 4 | tail) << 56;
   uint64_t keys[] = {asked->low, asked->high};
   return &walk->known[cg2p_hash_numbers(keys, 2) % SLOTS_OF_KNOWN];
}

/* Where an instruction leads that ends with how far. */
static uint64_t
target_of(const StepWalk* walk, const Encoded* own, unsigned tail)
{
   const uint8_t* end = own->bytes + own->length;
   int32_t distance = (int8_t)end[-1];
   if (tail) memcpy(&distance, end - TAIL, TAIL);
   uint64_t target = own->next + distance;
   return walk->object->word == 8 ? target : (uint32_t)target;
}

static bool
find_known(StepWalk* walk, const Encoded* own, unsigned tail, cg2p_step* step)
{
   KnownStep asked;
   if (own->length <= tail) return false;
   const KnownStep* known = slot_of(walk, own, tail, &asked);
   if (known->low != asked.low || known->high != asked.high) return false;
   *step = known->step;
   if (step->target) step->target = target_of(walk, own, tail);
   return true;
}

/* Whether the instruction that was taken apart last ends with bytes that are
 * numbers alone, and so neither say what it is nor how long. */
static bool has_tail(const StepWalk* walk)
{
   const cs_insn* last = walk->instruction;
   const cs_x86_encoding* found = &last->detail->x86.encoding;
   unsigned end = last->size;
   if (found->imm_size && found->imm_offset + found->imm_size == end)
      end = found->imm_offset;
   if (found->disp_size && found->disp_offset + found->disp_size == end)
      end = found->disp_offset;
   return last->size - end >= TAIL;
}

static void keep(StepWalk* walk, const Encoded* own, cg2p_step step)
{
   KnownStep asked;
   if (step.length != own->length) return;
   unsigned tail = has_tail(walk) ? TAIL : 0;
   if (step.target && step.target != target_of(walk, own, tail)) return;
   KnownStep* known = slot_of(walk, own, tail, &asked);
   asked.step = step;
   *known = asked;
}

/* The instruction at an address, in front of that at the next one if nothing
 * lies between: what has been taken apart need not be again. */
static cg2p_step step_before(StepWalk* walk, uint64_t address, uint64_t next)
{
   uint64_t at = address - walk->low, length = next - address;
   if (length > LONGEST || at + LONGEST + 1 > walk->length)
      return step_at(walk, address);
   Encoded own = {walk->bytes + at, length, next};
   cg2p_step step;
   if (find_known(walk, &own, TAIL, &step) || find_known(walk, &own, 0, &step))
      return step;
   step = step_at(walk, address);
   keep(walk, &own, step);
   return step;
}

/*--- The whole ----------------------------------------------------------*/

static bool open_walk(StepWalk* walk)
{
   cs_mode mode = walk->object->word == 8 ? CS_MODE_64 : CS_MODE_32;
   if (cs_open(CS_ARCH_X86, mode, &walk->handle) != CS_ERR_OK) return false;
   cs_option(walk->handle, CS_OPT_DETAIL, CS_OPT_ON);
   walk->instruction = cs_malloc(walk->handle);
   return walk->instruction;
}

static uint64_t base_of(cg2d_object* object)
{
   GElf_Addr bias;
   GElf_Phdr segment;
   size_t n = 0;
   Elf* elf = dwfl_module_getelf(object->module, &bias);
   if (elf) elf_getphdrnum(elf, &n);
   for (size_t i = 0; i < n; i++)
      if (gelf_getphdr(elf, i, &segment) && segment.p_type == PT_LOAD)
         return segment.p_vaddr - segment.p_offset;
   return 0;
}

static bool
find_steps(StepWalk* walk, const uint64_t* addresses, size_t n, cg2p_code* code)
{
   if (setjmp(walk->failure->caught)) return false;
   cg2p_step* steps = cg2p_arena_add(&walk->object->arena, walk->failure,
                                     (n + 1) * sizeof *steps);
   walk->known = cg2p_arena_add(&walk->object->arena, walk->failure,
                                SLOTS_OF_KNOWN * sizeof *walk->known);
   if (!open_walk(walk)) cg2p_failure_memory(walk->failure, 0);
   walk->low = n ? addresses[0] : 0;
   walk->bytes = cg2d_image_bytes_at(walk->object, walk->low,
                                     n ? addresses[n - 1] + LONGEST + 1 : 0,
                                     &walk->length);
   for (size_t i = 0; i < n; i++)
      steps[i] = i + 1 < n ? step_before(walk, addresses[i], addresses[i + 1])
                           : step_at(walk, addresses[i]);
   *code = (cg2p_code){steps, base_of(walk->object)};
   return true;
}

int cg2d_object_steps(cg2d_object* object,
                      const uint64_t* addresses,
                      size_t n,
                      cg2p_code* code,
                      cg2p_error* error)
{
   Failure failure = {.path = object->path, .error = error};
   StepWalk walk = {.object = object, .failure = &failure};
   if (!cg2d_object_is_x86(object)) {
      cg2p_failure_say(error, CG2D_NO_DEBUG, object->path,
                       "its machine code is of another processor; expected "
                       "x86 or amd64");
      return -1;
   }
   bool is_done = find_steps(&walk, addresses, n, code);
   if (walk.instruction) cs_free(walk.instruction, 1);
   if (walk.handle) cs_close(&walk.handle);
   return is_done ? 0 : -1;
}
