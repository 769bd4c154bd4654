/* Where a profile is written: a file, which appears when it is complete; or
 * standard output.
 *
 * Until then it is a file beside the wanted one that nobody has made before,
 * whose name nobody can guess and ends in ".PID-XXXXXXXX.unfinished". A file
 * that cannot be replaced, such as one that is mounted alone, is written in
 * place. */
#ifndef CG2P_OUTPUT_H
#define CG2P_OUTPUT_H

#include "base/memory.h"

typedef struct Output {
   Failure* failure;
   char* name;       /* the wanted file's, if it gets it at the end, or NULL */
   char* unfinished; /* its name while it is written; NULL: none */
   int fd;           /* -1: closed */
   void* packer;     /* zlib's, if the text is packed */
   char* text;       /* that is not written yet */
   size_t n;
   unsigned char* packed;
} Output;

/* What failures call `path`. */
const char* cg2p_output_name(const char* path);

/* Opens `path` ("-": standard output) to be written, with gzip if it ends in
 * ".gz". */
void cg2p_output_open(Output* output, Failure* failure, const char* path);
/* The same, with gzip whatever the name, faster and a little larger. */
void cg2p_output_open_packed(Output* output,
                             Failure* failure,
                             const char* path);

void cg2p_output_text(Output* output, const char* text, size_t length);
void cg2p_output_string(Output* output, const char* text);
void cg2p_output_decimal(Output* output, uint64_t number);
void cg2p_output_hexadecimal(Output* output, uint64_t number);

static inline void cg2p_output_letter(Output* output, char letter)
{
   cg2p_output_text(output, &letter, 1);
}

/* Writes what is left, and gives the file its name. */
void cg2p_output_finish(Output* output);
/* Closes the file, which goes if it is not finished, and frees what was made;
 * may be called again. */
void cg2p_output_close(Output* output);

#endif
