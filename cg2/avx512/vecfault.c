#include "avx512/vecfault.h"

#include "arch/guest.h"
#include "avx512/vecconfig.h"

#if defined(GUEST_HAS_AVX512)

#include "arch/guestmemory.h"
#include "avx512/vecdecode.h"
#include "avx512/vecir.h"
#include "pub_tool_machine.h"

/* The guest state and its two shadows. */
enum { N_STATES = 3, STATE = sizeof(VexGuestAMD64State) };

static void take(ThreadId tid, UChar* state)
{
   for (Int i = 0; i < N_STATES; i++)
      VG_(get_shadow_regs_area)(tid, state + i * STATE, i, 0, STATE);
}

static void give(ThreadId tid, const UChar* state)
{
   for (Int i = 0; i < N_STATES; i++)
      VG_(set_shadow_regs_area)(tid, i, 0, STATE, state + i * STATE);
}

static ULong word_at(const UChar* state, Int offset)
{
   ULong word;
   VG_(memcpy)(&word, state + offset, sizeof word);
   return word;
}

/* Where byte `at` of a vector is. */
static Int place_in(UInt v, UInt at)
{
   const VecState* s = &cg2_vecir_state;
   return v < 16 && at >= VEC_HALF
             ? cg2_vecstate_upper(s, v) + (Int)at - VEC_HALF
             : cg2_vecstate_vector(s, v) + (Int)at;
}

static Long index_of(const UChar* state, const VecMemory* memory, UInt i)
{
   UInt bytes = memory->index_bytes;
   ULong word = 0;
   VG_(memcpy)(&word, state + place_in(memory->vector, i * bytes), bytes);
   return bytes == 4 ? (Int)word : (Long)word;
}

/* The address of element `i`. */
static Addr address_of(const UChar* state, const VecMemory* memory, UInt i)
{
   const VecState* s = &cg2_vecir_state;
   ULong sum = memory->displacement;
   if (memory->base != VEC_NONE)
      sum += word_at(state, cg2_vecstate_word(s, memory->base));
   sum += (ULong)index_of(state, memory, i) << memory->scale;
   if (memory->is_short) sum = (UInt)sum;
   if (memory->segment == VEC_FLAT) return sum;
   return sum + word_at(state, memory->segment == VEC_FS ? s->fs : s->gs);
}

/* Moves element `i`, which may have been moved. False: it is not there. */
static Bool do_element(UChar* state, const VecMemory* memory, UInt v, UInt i)
{
   UChar* element = state + place_in(v, i * memory->size);
   Addr address = address_of(state, memory, i);
   UChar read[8];
   if (memory->is_written)
      return cg2_guestmemory_write(address, element, memory->size);
   if (cg2_guestmemory_read(read, address, memory->size) != memory->size)
      return False;
   VG_(memcpy)(element, read, memory->size);
   return True;
}

/* Clears a vector behind so many bytes. */
static void clear_behind(UChar* state, UInt v, UInt bytes)
{
   for (; bytes < VEC_WHOLE; bytes += 16)
      VG_(memset)(state + place_in(v, bytes), 0, 16);
}

/* How many bytes a vector of indices, or of elements, has: the longer one. */
static UInt length_of(const VecMemory* memory)
{
   UInt wider =
      memory->size > memory->index_bytes ? memory->size : memory->index_bytes;
   return memory->n_elements * wider;
}

/* `v` is the vector whose elements are gathered or scattered. What is behind a
 * shorter vector is cleared with the first element, as Cascade Lake does. */
static void do_elements(UChar* state, const VecMemory* memory, UInt v)
{
   UChar* at = state + cg2_vecstate_mask(&cg2_vecir_state, memory->mask);
   const ULong wanted = word_at(at, 0);
   ULong mask = wanted;
   for (UInt i = 0; i < memory->n_elements; i++) {
      if (!(mask >> i & 1)) continue;
      if (!do_element(state, memory, v, i)) break;
      mask &= ~((ULong)1 << i);
   }
   if (mask != wanted && !memory->is_written)
      clear_behind(state, v, length_of(memory));
   VG_(memcpy)(at, &mask, sizeof mask);
}

static Bool is_fault(Int signal)
{
   return signal == VKI_SIGSEGV || signal == VKI_SIGBUS;
}

/* Whether machine code executes the instruction that the thread is at. */
static Bool find(ThreadId tid, VecInstr* instr)
{
   UChar code[VEC_LENGTH_MAX];
   UInt n = cg2_guestmemory_read(code, VG_(get_IP)(tid), sizeof code);
   return cg2_vecdecode_read(code, n, instr);
}

void cg2_vecfault_complete(ThreadId tid, Int signal)
{
   UChar state[N_STATES * STATE];
   VecInstr instr;
   if (!cg2_vec.has_begun || !is_fault(signal) || !find(tid, &instr)) return;
   if (!instr.has_memory || instr.memory.vector == VEC_NONE) return;
   take(tid, state);
   do_elements(state, &instr.memory, instr.moved);
   give(tid, state);
}

/*--- MXCSR, and the address of SIGFPE -----------------------------------*/

/* The kernel itself sends a signal for what the processor says. Source: Linux,
 * asm-generic/siginfo.h. */
static Bool is_of_processor(const vki_siginfo_t* info)
{
   enum { SI_KERNEL = 0x80 };
   return info->si_code > 0 && info->si_code < SI_KERNEL;
}

/* Machine code is interrupted by faults alone. MXCSR is the program's in it if
 * the scratch says so. */
static void keep_raised(ThreadId tid, const struct vki_ucontext* context)
{
   enum { RAISED = 0x3f };
   UChar state[N_STATES * STATE];
   take(tid, state);
   UInt* loaded = (UInt*)(state + cg2_vecir_state.scratch);
   UInt* kept = (UInt*)(state + cg2_vecir_state.mxcsr);
   if (!*loaded) return;
   *kept |= context->uc_mcontext.fpstate->mxcsr & RAISED;
   *loaded = 0;
   give(tid, state);
}

void cg2_vecfault_tell(ThreadId tid, vki_siginfo_t* info, const void* context)
{
   const struct vki_ucontext* c = context;
   VecInstr instr;
   if (!cg2_vec.has_begun || !is_of_processor(info)) return;
   if (c && c->uc_mcontext.fpstate) keep_raised(tid, c);
   if (info->si_signo == VKI_SIGFPE && find(tid, &instr))
      info->_sifields._sigfault._addr = (void*)VG_(get_IP)(tid);
}

void cg2_vecfault_begin_handler(ThreadId tid)
{
   static const UChar plain[sizeof(ULong)];
   const Int at = cg2_vecir_state.mxcsr;
   if (!cg2_vec.config.executes) return;
   VG_(set_shadow_regs_area)(tid, at / STATE, at % STATE, sizeof plain, plain);
}

#else

void cg2_vecfault_complete(ThreadId tid, Int signal)
{
   (void)tid, (void)signal;
}

void cg2_vecfault_tell(ThreadId tid, vki_siginfo_t* info, const void* context)
{
   (void)tid, (void)info, (void)context;
}

void cg2_vecfault_begin_handler(ThreadId tid)
{
   (void)tid;
}

#endif
