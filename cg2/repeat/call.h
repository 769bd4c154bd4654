/* A system call that the tool answers in the kernel's place, or changes the
 * answer of. */
#ifndef CG2_CALL_H
#define CG2_CALL_H

#include "arch/kernelcall.h"

typedef struct KernelRequest {
   ThreadId tid;
   KernelCall kernel;
} KernelRequest;

/* A row's function: makes the call, and returns True; or returns False, and the
 * kernel is asked. */
typedef Bool (*CallMaker)(const KernelRequest* call);
/* A row's other function: changes what the kernel has answered. */
typedef void (*CallChanger)(const KernelRequest* call);

/* Answers the call with a result, or with a negative error. */
Bool cg2_call_answer(const KernelRequest* call, Word result);

/* Answers with `result` once `n` bytes are at `to`, an address of the program,
 * which may be 0; else with EFAULT. */
Bool cg2_call_hand_out(
   const KernelRequest* call, Addr to, const void* from, SizeT n, Word result);

/* Whether the kernel has done what it was asked. */
Bool cg2_call_is_done(const KernelRequest* call);

/* Memory of the program that holds other bytes while the kernel is asked. */
enum { CALL_LOAN_MAX = 4096 + 64 };
typedef struct CallLoan {
   Addr at;
   SizeT n; /* 0: none is lent */
   UChar was[CALL_LOAN_MAX];
} CallLoan;

/* Puts `n` bytes there. False: they cannot be there, or another loan runs. */
Bool cg2_call_lend(CallLoan* loan, Addr at, const void* bytes, SizeT n);
void cg2_call_take_back(CallLoan* loan);

/* What kind of file a descriptor is. */
typedef enum FileKind { FILE_OTHER, FILE_RANDOM, FILE_PIPE } FileKind;
FileKind cg2_call_file_kind(UWord fd);

/* Whether a signal is in a set. */
Bool cg2_call_has_signal(const vki_sigset_t* set, Int signal);
/* Whether the program hears nothing of a signal. */
Bool cg2_call_ignores(Int signal);

#endif
