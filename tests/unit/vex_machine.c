#include "vex_machine.h"

#include "avx512/vecblock.h"

#include "arch/thunk.h"
#include "code/code.h"
#include "code/symbols.h"
#include "data/counting/owner.h"
#include "engine/probe.h"
#include "engine/threads.h"
#include "events/accesses.h"
#include "layout/units.h"
#include "libvex.h"
#include "libvex_guest_offsets.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

TestMachine machine;

/*--- Valgrind -----------------------------------------------------------*/

/* What has the same shape in tests/unit/host_vg.c is renamed by the linker; see
 * test_vex.py. */

__attribute__((noreturn)) void
host_assert_failed(const HChar* expression, const HChar* file, Int line);

void VG_(assert_fail)(Bool is_core,
                      const HChar* expression,
                      const HChar* file,
                      Int line,
                      const HChar* function,
                      const HChar* format,
                      ...)
{
   (void)is_core, (void)function, (void)format;
   host_assert_failed(expression, file, line);
}

void* VG_(fnptr_to_fnentry)(void* function)
{
   return function;
}

/*--- The program --------------------------------------------------------*/

static Object* object;
static Function *f, *g;

static Function* add_function(const HChar* text, Addr offset)
{
   const Name* name = cg2_names_intern(&cg2_code.function_names, text);
   return cg2_code_named_function(
      &(Symbol){.object = object,
                .offset = offset,
                .mangled = name,
                .shown = name,
                .file = cg2_names_intern(&cg2_code.file_names, "program.c"),
                .line = 1});
}

CodePlace cg2_symbols_find(Addr address)
{
   Addr offset = address - (Addr)machine.code;
   Addr part = offset / PART_BYTES * PART_BYTES;
   CodePlace place = {.object = object, .offset = offset};
   place.is_stub = part == PART_STUBS;
   if (part > PART_G) return place;
   place.function = place.home = part == PART_F ? f : g;
   place.home_range = (Range){part, part + PART_BYTES};
   place.is_entry = offset == part;
   return place;
}

Jump cg2_symbols_jump(const CodePlace* from, const CodePlace* to)
{
   return (Jump){.to_object = to->object != from->object,
                 .to_stub = to->is_stub,
                 .to_entry = to->is_entry};
}

Bool cg2_symbols_leaves(const CodePlace* from, Addr address, Addr target)
{
   (void)address;
   CodePlace to = cg2_symbols_find(target);
   Jump jump = cg2_symbols_jump(from, &to);
   jump.to_itself = to.function == from->function;
   return to.home != from->home || cg2_jump_is_call(&jump);
}

/* No thunks: calls of accesses are direct. */
/* No layout is chosen, so nothing asks. */
LayoutUnit cg2_units_find(Addr address)
{
   return (LayoutUnit){address, address, False};
}

LayoutUnit cg2_units_find_map(Addr address)
{
   return cg2_units_find(address);
}

ThunkRun cg2_thunk_begin(void* before, UInt n)
{
   (void)before, (void)n;
   return (ThunkRun){NULL, NULL};
}

void* cg2_thunk_code(ThunkRun* run, void* function, UWord first, UWord second)
{
   (void)run, (void)function, (void)first, (void)second;
   return NULL;
}

/*--- What is written down -----------------------------------------------*/

__attribute__((format(printf, 1, 2))) static void note(const char* format, ...)
{
   SizeT n = strlen(machine.log);
   va_list args;
   va_start(args, format);
   vsnprintf(machine.log + n, LOG_BYTES - n, format, args);
   va_end(args);
}

void machine_clear(void)
{
   machine.log[0] = '\0';
}

static void note_exit(const char* what, const Exit* exit, Addr sp)
{
   note("%s %u sp%+ld", what, exit->instr, (long)(sp - (Addr)machine.stack));
}

static void note_target(Addr target)
{
   note(" -> %lx\n", target - (Addr)machine.code);
}

/* The linker lets generated code call the function that begins with __wrap_,
 * and that one the tool's. */
#define WRAPPED(n, type, name, ...)                                            \
   VG_REGPARM(n) type __real_##name(__VA_ARGS__);                              \
   VG_REGPARM(n) type __wrap_##name(__VA_ARGS__);                              \
   VG_REGPARM(n) type __wrap_##name(__VA_ARGS__)

WRAPPED(2, void, cg2_probe_call, Exit* exit, Addr sp, void* guest)
{
   note_exit("call", exit, sp);
   note_target(exit->target);
   __real_cg2_probe_call(exit, sp, guest);
}

WRAPPED(
   3, void, cg2_probe_call_to, Exit* exit, Addr sp, Addr target, void* guest)
{
   note_exit("call_to", exit, sp);
   note_target(target);
   __real_cg2_probe_call_to(exit, sp, target, guest);
}

WRAPPED(2, void, cg2_probe_jump, Exit* exit, Addr sp, void* guest)
{
   note_exit("jump", exit, sp);
   note_target(exit->target);
   __real_cg2_probe_jump(exit, sp, guest);
}

WRAPPED(
   3, void, cg2_probe_jump_to, Exit* exit, Addr sp, Addr target, void* guest)
{
   note_exit("jump_to", exit, sp);
   note_target(target);
   __real_cg2_probe_jump_to(exit, sp, target, guest);
}

WRAPPED(
   3, void, cg2_probe_return, Exit* exit, Addr sp, Addr target, void* guest)
{
   note_exit("return", exit, sp);
   note_target(target);
   __real_cg2_probe_return(exit, sp, target, guest);
}

WRAPPED(3,
        void,
        cg2_probe_stay,
        Exit* exit,
        Addr sp,
        const Function* home,
        void* guest)
{
   note_exit("stay", exit, sp);
   note(" to %s", home ? home->name->text : "?");
   note_target(exit->target);
   __real_cg2_probe_stay(exit, sp, home, guest);
}

WRAPPED(3,
        void,
        cg2_probe_stub,
        Addr sp,
        Addr target,
        const Block* stub,
        void* guest)
{
   note("stub sp%+ld", (long)(sp - (Addr)machine.stack));
   note_target(target);
   __real_cg2_probe_stub(sp, target, stub, guest);
}

WRAPPED(2, void, cg2_probe_leap, const Exit* exit, Addr target, void* guest)
{
   note("leap %u", exit->instr);
   note_target(target);
   __real_cg2_probe_leap(exit, target, guest);
}

WRAPPED(2, void, cg2_probe_count, UWord event, UWord n, void* guest)
{
   note("count %s %ld\n", cg2_event_name(event), (long)n);
   __real_cg2_probe_count(event, n, guest);
}

WRAPPED(1, void, cg2_probe_enter, Block* block, void* guest)
{
   note("enter %lx\n", block->offset);
   __real_cg2_probe_enter(block, guest);
}

static void note_access(const Access* access, Addr address)
{
   static const char kinds[] = "IRW";
   Bool is_code = access->kind == ACCESS_FETCH;
   Addr base = (Addr)(is_code ? machine.code : machine.data);
   note("%c%u %lx\n", kinds[access->kind], access->size, address - base);
}

WRAPPED(
   2, void, cg2_accesses_make, const Access* access, Addr address, void* guest)
{
   note_access(access, address);
   __real_cg2_accesses_make(access, address, guest);
}

AccessCall __real_cg2_accesses_marked_call(const Access* access);

static VG_REGPARM(2) void make_marked(Addr address, UWord word)
{
   const Access* access = (const Access*)word;
   AccessCall call = __real_cg2_accesses_marked_call(access);
   VG_REGPARM(2) void (*make)(Addr, UWord) = call.function;
   note_access(access, address);
   make(address, call.word);
}

AccessCall __wrap_cg2_accesses_marked_call(const Access* access);
AccessCall __wrap_cg2_accesses_marked_call(const Access* access)
{
   return (AccessCall){make_marked, (UWord)access};
}

AccessCall __real_cg2_accesses_marked_calls(const Access* first);

static VG_REGPARM(2) void make_together(Addr address, UWord word)
{
   const Access* first = (const Access*)word;
   AccessCall call = __real_cg2_accesses_marked_calls(first);
   VG_REGPARM(2) void (*make)(Addr, UWord) = call.function;
   note("together %u:\n", first->n_together);
   for (UInt i = 0; i < first->n_together; i++)
      note_access(&first[i], address + first[i].offset);
   make(address, call.word);
}

AccessCall __wrap_cg2_accesses_marked_calls(const Access* first);
AccessCall __wrap_cg2_accesses_marked_calls(const Access* first)
{
   return (AccessCall){make_together, (UWord)first};
}

/*--- The guest state ----------------------------------------------------*/

/* The guest state, its two shadows, and VEX's room for spills: see libvex.h. */
static struct {
   VexGuestArchState guest __attribute__((aligned(16)));
   VexGuestArchState shadows[2];
   UChar spills[LibVEX_N_SPILL_BYTES];
} state;

#ifdef VGA_amd64
static const VexArch processor = VexArchAMD64;
enum { CAPABILITIES = VEX_HWCAPS_AMD64_CX16 };
static const Int registers[] = {OFFSET_amd64_RAX, OFFSET_amd64_RBX,
                                OFFSET_amd64_RCX, OFFSET_amd64_RDI};
static const VexGuestLayout layout = {.total_sizeB = sizeof(VexGuestArchState),
                                      .offset_SP = OFFSET_amd64_RSP,
                                      .sizeof_SP = 8,
                                      .offset_FP = OFFSET_amd64_RBP,
                                      .sizeof_FP = 8,
                                      .offset_IP = OFFSET_amd64_RIP,
                                      .sizeof_IP = 8};
#else
static const VexArch processor = VexArchX86;
enum {
   CAPABILITIES =
      VEX_HWCAPS_X86_MMXEXT | VEX_HWCAPS_X86_SSE1 | VEX_HWCAPS_X86_SSE2
};
static const Int registers[] = {OFFSET_x86_EAX, OFFSET_x86_EBX, OFFSET_x86_ECX,
                                OFFSET_x86_EDI};
static const VexGuestLayout layout = {.total_sizeB = sizeof(VexGuestArchState),
                                      .offset_SP = OFFSET_x86_ESP,
                                      .sizeof_SP = 4,
                                      .offset_FP = OFFSET_x86_EBP,
                                      .sizeof_FP = 4,
                                      .offset_IP = OFFSET_x86_EIP,
                                      .sizeof_IP = 4};
#endif

static UWord* guest_word(Int offset)
{
   return (UWord*)((UChar*)&state.guest + offset);
}

void machine_set(Register reg, UWord value)
{
   *guest_word(registers[reg]) = value;
}

UWord machine_get(Register reg)
{
   return *guest_word(registers[reg]);
}

/* Goes to generated code with the guest state in the register that VEX has for
 * that; the code leaves by a jump to machine_left. */
void machine_enter(void* code, void* guest);
extern const UChar machine_left[];

#ifdef VGA_amd64
__asm__("machine_enter:\n"
        "   push %rbx\n   push %rbp\n   push %r12\n   push %r13\n"
        "   push %r14\n   push %r15\n   sub $8, %rsp\n"
        "   mov %rsi, %rbp\n"
        "   jmp *%rdi\n"
        "machine_left:\n"
        "   add $8, %rsp\n   pop %r15\n   pop %r14\n   pop %r13\n"
        "   pop %r12\n   pop %rbp\n   pop %rbx\n"
        "   ret\n");
#else
__asm__("machine_enter:\n"
        "   push %ebx\n   push %ebp\n   push %esi\n   push %edi\n"
        "   sub $12, %esp\n"
        "   mov 36(%esp), %ebp\n"
        "   jmp *32(%esp)\n"
        "machine_left:\n"
        "   add $12, %esp\n   pop %edi\n   pop %esi\n   pop %ebp\n"
        "   pop %ebx\n"
        "   ret\n");
#endif

/*--- VEX ----------------------------------------------------------------*/

enum { HOST_BYTES = 1 << 16 };
static UChar* host_code;

static __attribute__((noreturn)) void give_up(void)
{
   abort();
}

static void print(const HChar* text, SizeT n)
{
   fwrite(text, 1, n, stderr);
}

static Bool no_chase(void* closure, Addr address)
{
   (void)closure, (void)address;
   return False;
}

static UInt no_check(void* closure,
                     VexRegisterUpdates* control,
                     const VexGuestExtents* extents)
{
   (void)closure, (void)control, (void)extents;
   return 0;
}

static IRSB* instrument(void* closure,
                        IRSB* in,
                        const VexGuestLayout* vex_layout,
                        const VexGuestExtents* extents,
                        const VexArchInfo* arch,
                        IRType guest_type,
                        IRType host_type)
{
   return cg2_instrument(closure, in, vex_layout, extents, arch, guest_type,
                         host_type);
}

static void translate(Addr address)
{
   VgCallbackClosure closure = {address, address, 1};
   VexGuestExtents extents;
   Int used;
   VexArchInfo arch;
   VexAbiInfo abi;
   LibVEX_default_VexArchInfo(&arch);
   LibVEX_default_VexAbiInfo(&abi);
   arch.endness = VexEndnessLE;
   arch.hwcaps = CAPABILITIES;
   abi.guest_stack_redzone_size = sizeof(Addr) == 8 ? 128 : 0;
   VexTranslateArgs args = {.arch_guest = processor,
                            .archinfo_guest = arch,
                            .arch_host = processor,
                            .archinfo_host = arch,
                            .abiinfo_both = abi,
                            .callback_opaque = &closure,
                            .guest_bytes = (const UChar*)address,
                            .guest_bytes_addr = address,
                            .chase_into_ok = no_chase,
                            .guest_extents = &extents,
                            .host_bytes = host_code,
                            .host_bytes_size = HOST_BYTES,
                            .host_bytes_used = &used,
                            .instrument1 = instrument,
                            .needs_self_check = no_check,
                            .disp_cp_xassisted = machine_left};
   VexTranslateResult result = LibVEX_Translate(&args);
   CHECK(result.status == VexTransOK);
}

static void start_vex(void)
{
   VexControl control;
   LibVEX_default_VexControl(&control);
   control.iropt_unroll_thresh = 0;
   control.guest_chase = False;
   LibVEX_Init(give_up, print, 1, &control);
}

/*--- Running ------------------------------------------------------------*/

static void* new_memory(SizeT size, Int protection)
{
   void* p = mmap(NULL, size, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   CHECK(p != MAP_FAILED);
   return p;
}

void machine_start(void)
{
   const Int data = PROT_READ | PROT_WRITE;
   machine.code = new_memory(CODE_BYTES, data);
   machine.data = new_memory(DATA_BYTES, data);
   machine.stack = (UChar*)new_memory(2 * DATA_BYTES, data) + DATA_BYTES;
   host_code = new_memory(HOST_BYTES, data | PROT_EXEC);
   start_vex();
   object = cg2_code_add_object(
      cg2_names_intern(&cg2_code.object_names, "/program"), 1);
   f = add_function("f", PART_F);
   g = add_function("g", PART_G);
   cg2_threads_switch(1);
#ifdef VGA_amd64
   LibVEX_GuestAMD64_initialise(&state.guest);
#else
   LibVEX_GuestX86_initialise(&state.guest);
#endif
   *guest_word(layout.offset_SP) = (UWord)machine.stack;
}

void machine_put(UInt offset, const void* bytes, UInt n)
{
   memcpy(machine.code + offset, bytes, n);
}

/* Runs a block as the core and run/hooks do: Registers are in the first shadow
 * while generated code runs. */
static void execute(void)
{
   state.guest.host_EvC_COUNTER = 1000;
   state.guest.host_EvC_FAILADDR = (UWord)machine_left;
   memcpy(&state.shadows[0], &cg2_now.regs, sizeof(Registers));
   machine_enter(host_code, &state);
   memcpy(&cg2_now.regs, &state.shadows[0], sizeof(Registers));
   cg2_thread_complete(&cg2_now.regs);
}

void machine_run(UInt offset)
{
   Addr address = (Addr)machine.code + offset;
   *guest_word(layout.offset_IP) = address;
   cg2_block_remove_translation(address);
   translate(address);
   machine.block = cg2_block_translated(address);
   execute();
   machine.next = *guest_word(layout.offset_IP);
}

Addr VG_(get_SP)(ThreadId tid)
{
   (void)tid;
   return *guest_word(layout.offset_SP);
}

/* No block calls an allocator. */
UWord cg2_callvalues_argument(UInt tid, UInt i)
{
   (void)tid;
   return i;
}

UWord cg2_callvalues_result(UInt tid)
{
   return tid;
}

UWord cg2_callvalues_word(Addr address)
{
   return address;
}

/* No access is charged to a data object. */
Owners cg2_owners;

void cg2_owner_change(void)
{
   cg2_owners.generation++;
}

DataPiece cg2_owner_find(Addr address, const UInt** version)
{
   (void)version;
   return (DataPiece){.start = address};
}

void cg2_symbols_resolve(Block* block)
{
   (void)block;
}

/* The blocks have nothing that VEX does not know. */
void cg2_vecblock_rewrite(IRSB* block, VexGuestExtents* extents)
{
   (void)block, (void)extents;
}

ULong machine_total(UInt event)
{
   return cg2_account_expense(&cg2_now.account).of[event];
}

ULong machine_cell(UInt i)
{
   return cg2_now.regs.cells[machine.block->slot + i];
}
