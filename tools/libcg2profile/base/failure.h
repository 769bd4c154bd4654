/* What goes wrong ends the operation at once: the place that notices it says
 * what, where and what was expected, and jumps to the public function that
 * runs the operation, which frees what the operation has made. */
#ifndef CG2P_FAILURE_H
#define CG2P_FAILURE_H

#include "cg2profile.h"

#include <setjmp.h>
#include <stdarg.h>

/* The way out of an operation that runs. */
typedef struct Failure {
   jmp_buf caught;    /* set by the public function */
   const char* path;  /* of the file that is read or written; borrowed */
   cg2p_error* error; /* the caller's; filled before the jump */
} Failure;

/* Ends the operation: the file says something wrong in line `line`, counted
 * from 1. The message is what printf makes of `format`; bytes of the file that
 * cannot be printed are escaped. */
_Noreturn void
cg2p_failure_at(Failure* failure, uint64_t line, const char* format, ...)
   __attribute__((format(printf, 3, 4)));

/* The same, with the arguments in a list. */
_Noreturn void cg2p_failure_at_list(Failure* failure,
                                    uint64_t line,
                                    const char* format,
                                    va_list arguments);

/* The same: the file is cut off. */
_Noreturn void
cg2p_failure_cut_off(Failure* failure, uint64_t line, const char* format, ...)
   __attribute__((format(printf, 3, 4)));

/* Ends the operation: a call of the system failed with `code`, as in errno. */
_Noreturn void cg2p_failure_system(Failure* failure, int code);

/* Ends the operation: there is no memory for `bytes` more. */
_Noreturn void cg2p_failure_memory(Failure* failure, size_t bytes);

/* Says what is wrong with the file `path`, where nothing has begun yet. */
void cg2p_failure_say(cg2p_error* error,
                      cg2p_error_kind kind,
                      const char* path,
                      const char* message);

/* Says that there is no memory to begin with. */
void cg2p_failure_say_no_memory(cg2p_error* error, const char* path);

/* A piece of a file as a message shows it: at most 60 characters, what cannot
 * be printed escaped. The result
 * lies in `room`, which has SHOWN_ROOM bytes. */
enum { SHOWN_ROOM = 512 };
const char* cg2p_failure_shown(char* room, const char* text, size_t length);

/* Words, with blanks between, as many as `room`, of `size` bytes, has room
 * for. */
const char* cg2p_failure_listed(char* room,
                                size_t size,
                                const char* const* words,
                                uint32_t n);

#endif
