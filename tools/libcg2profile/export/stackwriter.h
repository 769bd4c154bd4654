/* Stacks that are being written, in one of the formats that other programs
 * read. */
#ifndef CG2P_STACKWRITER_H
#define CG2P_STACKWRITER_H

#include "base/output.h"
#include "base/text.h"
#include "stacks/stacks.h"

typedef struct StackWriter {
   Failure failure;
   Output output;
   const cg2p_stacks* stacks;
   const cg2p_export* how;
   cg2p_display* spoken; /* what functions are called; NULL: names in full */
   Arena scratch;
   /* What a format keeps, if it needs that: */
   NameStore names;
   Keys keys, more_keys, functions;
   char* text;
   size_t text_room;
   uint64_t *numbers, *self;
   size_t numbers_room, self_room;
} StackWriter;

/* Zeroed numbers, `n` of them, that are freed with the writer. */
uint32_t* cg2p_stackwriter_numbers(StackWriter* writer, size_t n);

/* Writes text as a string of JSON, in ASCII. */
void cg2p_stackwriter_put_json(StackWriter* writer,
                               const char* text,
                               size_t length);
void cg2p_stackwriter_put_json_name(StackWriter* writer,
                                    const StoredName* name);
/* Writes what a function is called. */
void cg2p_stackwriter_put_json_function(StackWriter* writer, uint32_t function);

/* The command line without blanks around it; empty: it is not said. */
Text cg2p_stackwriter_command(const cg2p_stacks* stacks);
/* Writes what was profiled as a string of JSON: the command line, or else the
 * profile's file. */
void cg2p_stackwriter_put_program(StackWriter* writer);

static inline void cg2p_stackwriter_put(StackWriter* writer, const char* text)
{
   cg2p_output_string(&writer->output, text);
}

static inline void cg2p_stackwriter_put_number(StackWriter* writer,
                                               uint64_t number)
{
   cg2p_output_decimal(&writer->output, number);
}

/* What a function is called in the file; stays with the writer. */
Text cg2p_stackwriter_shown_name(const StackWriter* writer, uint32_t function);

/* A name of the profile. */
static inline const StoredName* cg2p_stackwriter_name(const StackWriter* writer,
                                                      uint32_t number)
{
   return &writer->stacks->profile->names.of[number];
}

/* Finds what each stack costs itself. */
void cg2p_stackwriter_find_self(StackWriter* writer);

/* A stack's cost in an event: its own, which has to be found before; and with
 * all that it calls. */
static inline uint64_t
cg2p_stackwriter_self(const StackWriter* writer, uint32_t stack, uint32_t event)
{
   return writer->self[(size_t)stack * writer->stacks->part->n_events + event];
}

static inline uint64_t cg2p_stackwriter_inclusive(const cg2p_stacks* stacks,
                                                  uint32_t stack,
                                                  uint32_t event)
{
   return stacks->inclusive[(size_t)stack * stacks->part->n_events + event];
}

/* Whether a stack costs anything itself. */
static inline bool cg2p_stackwriter_has_self(const StackWriter* writer,
                                             uint32_t stack)
{
   for (uint32_t i = 0; i < writer->stacks->part->n_events; i++)
      if (cg2p_stackwriter_self(writer, stack, i)) return true;
   return false;
}

#endif
