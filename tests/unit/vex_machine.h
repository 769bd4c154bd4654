/* A machine that runs blocks of real machine code as Valgrind does: VEX
 * translates the block, cg2_instrument writes the counting into it, VEX's
 * sanity check looks at the result, and VEX's back end makes code of it, which
 * is executed. The engine is the tool's; its probes and accesses are written
 * down first.
 *
 *    machine_start();
 *    machine_code(0x10, "\x90\xc3");          nop; ret
 *    machine_run(0x10);
 *    CHECK_TEXT(machine.log, "return 1 sp+0 -> 1234\n");
 *
 * The code lies in one object, in four parts that are PART_BYTES large:
 *
 *    PART_F     the function f
 *    PART_G     the function g
 *    PART_FREE  code without symbol or unwind table, as a JIT compiler's
 *    PART_STUBS the stubs (.plt)
 */
#ifndef VEX_MACHINE_H
#define VEX_MACHINE_H

#include "base/vg.h"
#define HOST_VG_H /* check.h finds its types in Valgrind's own headers */
#include "check.h"

#include "engine/thread.h"
#include "translate/instrument.h"

enum {
   PART_BYTES = 4096,
   PART_F = 0,
   PART_G = PART_BYTES,
   PART_FREE = 2 * PART_BYTES,
   PART_STUBS = 3 * PART_BYTES,
   CODE_BYTES = 4 * PART_BYTES,
   DATA_BYTES = 4096,
   LOG_BYTES = 4096,
};

typedef struct TestMachine {
   HChar log[LOG_BYTES]; /* a line for each probe and access that the blocks
                            called, since machine_clear() */
   UChar* code;          /* where the guest's code lies */
   UChar* data;          /* memory of the guest, at a page's start */
   UChar* stack; /* what the guest's stack pointer is at the start; there
                    is room on both sides */
   Addr next;    /* where the last block that ran goes on */
   Block* block; /* that block */
} TestMachine;
extern TestMachine machine;

/* The registers of the guest that tests set. */
typedef enum Register { REG_AX, REG_BX, REG_CX, REG_DI } Register;

/* Starts VEX and the engine: thread 1 runs. Events and options of the modules
 * are set before. */
void machine_start(void);

/* Puts code at an offset: the bytes of a string. */
#define machine_code(offset, bytes)                                            \
   machine_put((offset), (bytes), sizeof(bytes) - 1)
void machine_put(UInt offset, const void* bytes, UInt n);

void machine_set(Register reg, UWord value);
UWord machine_get(Register reg);

/* Runs the block at an offset. The next one runs as if control had come from
 * this. */
void machine_run(UInt offset);

/* Empties the log. */
void machine_clear(void);

/* How often an event was counted for the thread since the start. */
ULong machine_total(UInt event);
/* Number `i` of the cells of the last block: those of segments come first. */
ULong machine_cell(UInt i);

#endif
