/* What one ELF object did, for programs that make programs faster: how often
 * each instruction ran, and how often control went from each to each. The
 * profile has counts of instructions, calls and jumps; machine code says what
 * each instruction is.
 *
 *    cg2p_feedback* feedback = cg2p_feedback_new(profile, "/bin/app", &error);
 *    ...cg2p_feedback_add(feedback, what machine code says, &error)
 *    cg2p_feedback_write(feedback, CG2P_BOLT, "app.bolt", &error);
 *
 * transfer        control goes from an instruction to another one that is not
 *                 the next in memory
 * fall-through    control goes on to the next one
 *
 * The counts are exact, also where the cost of an instruction is not how often
 * it ran: repeated instructions of strings, and calls through a PLT, whose
 * stubs cost where they are called. How often such an instruction ran is how
 * often control came to it. Which return went where is not known: each return
 * goes outside, and what control came to from nowhere that is known, as after
 * longjmp, it came to from outside. */
#ifndef CG2PROFILE_FEEDBACK_H
#define CG2PROFILE_FEEDBACK_H

#include "profile.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What an instruction does with control. */
typedef enum cg2p_step_kind {
   CG2P_GOES_ON,  /* to the next one */
   CG2P_REPEATS,  /* itself, then goes on */
   CG2P_BRANCHES, /* to `target`, or goes on */
   CG2P_JUMPS,
   CG2P_JUMPS_COMPUTED, /* to a place that it computes */
   CG2P_CALLS,
   CG2P_CALLS_COMPUTED,
   CG2P_RETURNS,
   CG2P_STOPS, /* the program */
} cg2p_step_kind;

typedef struct cg2p_step {
   uint64_t target; /* of what is not computed; 0: none */
   uint32_t length; /* in bytes; 0: there is no such instruction */
   uint32_t kind;   /* a cg2p_step_kind */
} cg2p_step;

/* What is known of an object's machine code. */
typedef struct cg2p_code {
   const cg2p_step* steps; /* one for each address */
   uint64_t base;          /* address of its first segment */
} cg2p_code;

/* Code of a line of the source. */
typedef struct cg2p_row {
   uint64_t address, end; /* `end` is behind it */
   uint32_t file, line;   /* file: a number of cg2p_sources.files */
} cg2p_row;

/* A function that has code. */
typedef struct cg2p_routine {
   const char* name;
   uint64_t address;    /* where it begins */
   uint32_t file, line; /* that declare it */
} cg2p_routine;

/* What debug information says of an object's sources. */
typedef struct cg2p_sources {
   size_t n_files, n_rows, n_routines;
   const char* const* files;
   const cg2p_row* rows; /* by rising address */
   const cg2p_routine* routines;
} cg2p_sources;

/* The code of a function, or of a copy of it that a compiler has put into
 * another one. */
typedef struct cg2p_body {
   const char* name;   /* that of its symbol */
   uint64_t address;   /* where a function begins */
   uint32_t outer;     /* that it is in, which stands before it;
                          CG2P_NONE: a function */
   uint32_t line;      /* that declares it */
   uint32_t call_line; /* of `outer`, where the copy was put */
   uint32_t call_discriminator;
} cg2p_body;

/* What of a body an instruction is. */
typedef struct cg2p_spot {
   uint32_t body;          /* a number; CG2P_NONE: not known */
   uint32_t line;          /* 0: not known */
   uint32_t discriminator; /* which code of the line; 0: the first */
   uint32_t copies;        /* that were made of it, at least 1 */
} cg2p_spot;

typedef struct cg2p_bodies {
   size_t n_bodies;
   const cg2p_body* bodies;
   const cg2p_spot* spots; /* one for each address */
   size_t n_idle;
   const cg2p_spot* idle; /* code in functions that ran which itself did not */
} cg2p_bodies;

typedef enum cg2p_feedback_form {
   CG2P_BOLT,    /* what perf2bolt -pa reads */
   CG2P_AUTOFDO, /* what create_llvm_prof --profiler=text reads */
   CG2P_LCOV,    /* a tracefile; needs cg2p_feedback_add_sources */
   CG2P_LLVM,    /* a sample profile; needs cg2p_feedback_add_bodies */
   CG2P_GCC,     /* what gcc -fauto-profile reads; the same */
} cg2p_feedback_form;

typedef struct cg2p_feedback cg2p_feedback;

/* Adds up what a profile has of the object of this name; the profile is not
 * needed afterwards. It needs CG2P_LINES, addresses and the event Ir; all forms
 * but CG2P_LCOV need jumps, too. NULL: *error says why not. The caller frees
 * the result. */
CG2P_API cg2p_feedback* cg2p_feedback_new(const cg2p_profile* profile,
                                          const char* object,
                                          cg2p_error* error);
/* The addresses of the instructions that ran, rising; *n: how many. */
CG2P_API const uint64_t* cg2p_feedback_addresses(const cg2p_feedback* feedback,
                                                 size_t* n);
/* Adds what machine code says of these addresses, which is needed before
 * anything can be written, once; it is copied. 1: it is added; 0: *error says
 * why not, and the feedback can only be freed. */
CG2P_API int cg2p_feedback_add(cg2p_feedback* feedback,
                               const cg2p_code* code,
                               cg2p_error* error);
/* Adds what debug information says of the sources, which has to stay until the
 * feedback is freed. */
CG2P_API void cg2p_feedback_add_sources(cg2p_feedback* feedback,
                                        const cg2p_sources* sources);
/* Adds whose code the addresses are, which has to stay until the feedback is
 * freed. */
CG2P_API void cg2p_feedback_add_bodies(cg2p_feedback* feedback,
                                       const cg2p_bodies* bodies);
/* Writes the file `path`, which appears when it is complete; "-": standard
 * output. 1: it is written; 0: *error says why not. */
CG2P_API int cg2p_feedback_write(const cg2p_feedback* feedback,
                                 cg2p_feedback_form form,
                                 const char* path,
                                 cg2p_error* error);
CG2P_API void cg2p_feedback_free(cg2p_feedback* feedback);

#ifdef __cplusplus
}
#endif
#endif
