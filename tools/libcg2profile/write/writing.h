/* A profile that is being written: what the writers of functions and of paths
 * share. */
#ifndef CG2P_WRITING_H
#define CG2P_WRITING_H

#include "base/keys.h"
#include "base/output.h"
#include "profile/order.h"

typedef enum NameKind { NAME_OBJECT, NAME_FILE, KINDS } NameKind;

typedef struct Writer {
   Failure failure;
   Output output;
   const cg2p_profile* profile;
   const Part* part;
   unsigned form;        /* CG2P_FULL_NAMES, CG2P_FULL_POSITIONS */
   uint32_t* ids[KINDS]; /* of names in this part; 0: none yet */
   uint32_t n_ids[KINDS];
   uint32_t* function_ids; /* of functions: those of one name are several */
   uint32_t n_function_ids;
   Order order;         /* of the function that is written */
   uint32_t* functions; /* sorted */
   Rows rows;
   uint32_t object, file; /* of the last ob= and of the last fl=, fi= or fe= */
   bool has_last;         /* the function has a line already: */
   Place last;
   Arena scratch; /* what the writer of paths needs, */
   Keys keys;     /* and the functions that it numbers */
} Writer;

static inline void cg2p_writing_put(Writer* writer, const char* text)
{
   cg2p_output_string(&writer->output, text);
}

static inline void cg2p_writing_end_line(Writer* writer)
{
   cg2p_output_letter(&writer->output, '\n');
}

/* Writes a number as an id is written. */
void cg2p_writing_id(Writer* writer, uint32_t id);
void cg2p_writing_text_of(Writer* writer, uint32_t name);
/* Writes a line `spec=name`, which may define *id as the next after *n. */
void cg2p_writing_name(
   Writer* writer, const char* spec, uint32_t* id, uint32_t* n, uint32_t name);
/* Writes a line `spec=name`, which may define the name's id. */
void cg2p_writing_spec(Writer* writer,
                       const char* spec,
                       NameKind kind,
                       uint32_t name);
void cg2p_writing_place(Writer* writer, const Place* place);
/* Writes costs without the zeros at their end, each behind a blank, but the
 * first `least`. */
void cg2p_writing_costs(Writer* writer, const uint64_t* cost, uint32_t least);

#endif
