/* What each spot takes of a core, by its table. */
#ifndef CG2P_WORK_H
#define CG2P_WORK_H

#include "cycles/controlgraph.h"
#include "cycles/core.h"
#include "cycles/rates.h"

/* How a spot's result comes about. */
typedef enum WorkKind {
   WORK_EXECUTES,
   WORK_MOVES,  /* as its source, at once */
   WORK_IS_FREE /* at once */
} WorkKind;

/* What a spot does with the stack pointer. */
typedef enum WorkStack {
   STACK_IS_LEFT,
   STACK_MOVES, /* by a push, a pop, a call or a return */
   STACK_IS_USED
} WorkStack;

/* Where the code of a spot lies. */
typedef struct WorkPlace {
   uint64_t line; /* the number of its line of code, and of the object; not 0 */
   uint8_t ways;  /* that the line takes once it is decoded; 0: too many */
   bool crosses;  /* a fused pair lies across lines of code */
   bool begins_line;     /* the one before it is in another line of code */
   bool begins_decoding; /* or ends in other bytes that are decoded at once */
   bool is_split;        /* its opcode does not lie where it ends */
   bool touches_border;  /* it, or the jump that it is fused with, reaches the
                            end of a line or the next one */
} WorkPlace;

typedef struct Work {
   const CoreUse* uses;
   uint64_t repeats; /* cycles more, as of repeated copies */
   WorkPlace place;
   uint16_t n_uses, slots, latency, divider;
   uint8_t load_latency,
      chase_latency; /* the second after a load of its base */
   uint8_t kind;     /* a WorkKind */
   uint8_t stack;    /* a WorkStack */
   uint8_t more;     /* slots, from dispatch on */
   bool is_fused;    /* with the branch behind it */
   bool is_standard; /* the table does not have its form */
   bool is_load;     /* it writes a general register with what it loads */
} Work;

typedef struct Workload {
   Work* of;
   RateTable rates;
   uint64_t n_repeated;  /* Ir of repeated instructions */
   uint64_t n_standard;  /* Ir of forms that the table does not have */
   uint64_t n_uncovered; /* Ir without code */
} Workload;

void cg2p_work_find(Workload* workload,
                    Failure* failure,
                    const ControlGraph* graph,
                    const Gathering* gathering,
                    const cg2p_core* core);
void cg2p_work_free(Workload* workload);

#endif
