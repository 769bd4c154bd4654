/* Files in memory, which libcg2profile reads and writes as any others; and what
 * ends a run whose result is wrong. */
#ifndef MEMFILE_H
#define MEMFILE_H

#include "cg2profile.h"

#include <stdbool.h>

typedef struct Content {
   char* text;
   size_t size;
} Content;

enum { MEMFILES = 4 };

/* The path of file number `i`, whose content it becomes. */
const char* memfile_make(unsigned i, const void* content, size_t size);

/* What the library writes of a profile; the caller frees the text. */
Content memfile_written(const cg2p_profile* profile, unsigned form);

/* Forgets what was written to standard output. */
void memfile_clear_output(void);

bool is_same_content(Content a, Content b);

_Noreturn void fail(const char* what);

/* An error of the library is one line that can be printed. */
void check_error(const cg2p_error* error);

#endif
