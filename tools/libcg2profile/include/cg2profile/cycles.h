/* Where the time goes: an estimate of cycles from exact counts. A profile with
 * addresses and jumps says how often control went along each edge of a program.
 * The program is walked at random by these counts, and the walk is timed in a
 * model of a processor's core. Each instruction gets its exact count times what
 * it cost in the walk on average, divided among causes.
 *
 *    cg2p_core* core = cg2p_core_open("zen4.core", &error);
 *    cg2p_cycles* cycles = cg2p_cycles_new(profile, core, &error);
 *    for (size_t i = 0; i < cg2p_cycles_object_count(cycles); i++)
 *       ...cg2p_cycles_add(cycles, i, what machine code says)
 *    cg2p_profile* made = cg2p_cycles_end(cycles, seed, &error);
 *    ...cg2p_cycles_bounds(cycles, &n)
 *    cg2p_cycles_free(cycles);
 *    cg2p_core_free(core);
 *
 * The events that are added, in cycles:
 *
 *    CyRet    what retiring at the core's full width takes
 *    CyFe     the front end: fetching and decoding
 *    CyBr     branches that were predicted wrong
 *    CyDep    the latency of a chain of instructions, hits in level 1 included
 *    CyPort   ports and buffers that are busy
 *    CyDiv    the divider
 *    CyFwd    loads that wait for a store, or cannot get its data at once
 *    CyL1     data that level 1 does not have and level 2 has
 *    CyL2     data that the last level has
 *    CyLL     data that only memory has
 *    CyTLB    translation of addresses
 *
 * and `event: Cyc` is their sum. "desc: Estimated cycles" of a part says what
 * they are: an estimate. The same profile, table and seed give the same bytes.
 */
#ifndef CG2PROFILE_CYCLES_H
#define CG2PROFILE_CYCLES_H

#include "feedback.h"
#include "profile.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*--- What an instruction does -------------------------------------------*/

/* Registers have numbers: of x86-64 0-15 general ones, 16-47 vectors, 48 the
 * carry, 49 the other flags, 51-58 masks, 59 ip, 60-67 those of the x87 and of
 * MMX; of aarch64 0-30 general ones, 31 sp, 32-63 vectors, 64 flags, 65 pc. */
enum { CG2P_NO_REGISTER = 255, CG2P_REGISTERS = 72 };

/* How its result follows from what it reads. */
typedef enum cg2p_value_rule {
   CG2P_VALUE_OTHER,
   CG2P_VALUE_COPY,     /* destination = source */
   CG2P_VALUE_ADD,      /* destination = source + immediate */
   CG2P_VALUE_CONSTANT, /* destination = immediate */
   CG2P_VALUE_ADDRESS,  /* destination = the access's address, as of lea */
   CG2P_VALUE_LOAD,     /* destination = what it loads, and nothing more */
   CG2P_VALUE_NONE,     /* it has no result */
} cg2p_value_rule;

/* An access to memory. */
typedef struct cg2p_access {
   int64_t displacement; /* with ip, if the address has it */
   uint8_t base, index;  /* registers, before the instruction */
   uint8_t scale;        /* of the index */
   uint8_t size;         /* in bytes; 0: there is none */
   uint8_t segment;      /* 1: of a thread's own memory */
   uint8_t loads, stores;
} cg2p_access;

/* What a core may do without executing it. */
typedef enum cg2p_move_kind {
   CG2P_NO_MOVE,
   CG2P_MOVES,  /* one register to another, 32 bits or more */
   CG2P_ZEROES, /* the idiom that makes a register 0 */
   CG2P_SETS,   /* an immediate to a register */
   CG2P_IDLES,  /* nothing; it only takes a slot */
} cg2p_move_kind;

typedef struct cg2p_operation {
   const char* form; /* its mnemonic and kinds of operands: "add r64,r64", with
                        m64 for memory; "": not known. It stays as long as the
                        operations */
   cg2p_step step;
   cg2p_access access, access2; /* the second one of movs, of push m */
   int64_t rule_immediate;
   uint8_t rule; /* a cg2p_value_rule */
   uint8_t rule_source, rule_destination;
   uint8_t n_address, address[3]; /* registers that addresses need */
   uint8_t n_reads, reads[6];     /* others that it reads, flags included */
   uint8_t n_writes, writes[5];
   uint8_t is_move;     /* a cg2p_move_kind */
   uint8_t fuses;       /* 1: it may fuse with the branch behind it */
   uint8_t is_vector;   /* 1: its result, or what it stores, is a vector, or of
                           the x87 */
   uint8_t adds_floats; /* 1: it adds or subtracts numbers with fractions */
} cg2p_operation;

/*--- A processor's table ------------------------------------------------*/

typedef struct cg2p_core cg2p_core;

/* Reads a table, a file of cg2/machines/NAME.core. NULL: *error says why not.
 * The caller frees it. */
CG2P_API cg2p_core* cg2p_core_open(const char* path, cg2p_error* error);
/* What the processor is called, as "AMD Zen 4". */
CG2P_API const char* cg2p_core_name(const cg2p_core* core);
/* The name of the .machine that belongs to it; "": none. */
CG2P_API const char* cg2p_core_machine(const cg2p_core* core);
/* Whose code it executes: "x86-64" or "aarch64". */
CG2P_API const char* cg2p_core_code(const cg2p_core* core);
/* The errors that were measured, as "loop=8 chase=12 flat=9", in %; "": it was
 * never measured. */
CG2P_API const char* cg2p_core_measured(const cg2p_core* core);
CG2P_API void cg2p_core_free(cg2p_core* core);

/*--- The estimate -------------------------------------------------------*/

typedef struct cg2p_cycles cg2p_cycles;

/* Begins an estimate; profile and core have to stay until it is freed. The
 * profile needs CG2P_LINES, addresses, jumps and the event Ir. NULL: *error
 * says why not. The caller frees it. */
CG2P_API cg2p_cycles* cg2p_cycles_new(const cg2p_profile* profile,
                                      const cg2p_core* core,
                                      cg2p_error* error);
/* How many objects have instructions in the profile. */
CG2P_API size_t cg2p_cycles_object_count(const cg2p_cycles* cycles);
/* The name of one, a number. */
CG2P_API uint32_t cg2p_cycles_object_name(const cg2p_cycles* cycles,
                                          size_t object);
/* The addresses of an object's instructions that ran, rising; *n: how many. */
CG2P_API const uint64_t*
cg2p_cycles_addresses(const cg2p_cycles* cycles, size_t object, size_t* n);
/* Adds what machine code says of an object, an operation for each address; they
 * have to stay until the estimate is freed. An object without this is not
 * covered: its instructions get what others cost on average. */
CG2P_API void cg2p_cycles_add(cg2p_cycles* cycles,
                              size_t object,
                              const cg2p_operation* operations);
/* The profile with the events above, after the others. The walk depends on
 * `seed`, which is 0 but in tests. NULL: *error says why not. The caller frees
 * the profile. */
CG2P_API cg2p_profile*
cg2p_cycles_end(cg2p_cycles* cycles, uint64_t seed, cg2p_error* error);

/* What bounds a loop, per iteration, in cycles. */
typedef struct cg2p_bound {
   uint32_t object;       /* a number of an object of the estimate */
   uint64_t first, last;  /* addresses of its first and last instruction */
   uint64_t iterations;   /* how often it ran */
   double cycles;         /* that an iteration takes, by the estimate */
   double chain;          /* the longest chain from one to the next */
   double ports, width;   /* what ports and the core's width allow */
   size_t n_links;        /* of the chain, in its order */
   const uint64_t* links; /* their addresses */
} cg2p_bound;

/* After cg2p_cycles_end: what bounds the loops that cost most, the dearest
 * first; *n: how many. They stay as long as the estimate. */
CG2P_API const cg2p_bound* cg2p_cycles_bounds(const cg2p_cycles* cycles,
                                              size_t* n);
CG2P_API void cg2p_cycles_free(cg2p_cycles* cycles);

#ifdef __cplusplus
}
#endif
#endif
