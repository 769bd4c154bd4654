/* When and where a part of the profile is written. */
#ifndef CG2_DUMP_H
#define CG2_DUMP_H

#include "writer.h"

typedef struct DumpConfig {
   const HChar* out_file;   /* pattern with %p, %n and %q{VAR} */
   const HChar* out_option; /* that gave it, for messages */
   WriterConfig writer;
} DumpConfig;

/* Filled before the first translation, then constant. */
extern DumpConfig cg2_dump_config;

/* Ends the run with one line and status 1 if the profile cannot be written
 * where the pattern says. */
void cg2_dump_check_path(void);

/* Writes all costs since the last zero. If the wanted file cannot be written
 * the profile goes to the temporary directory, which a message says. False if
 * the wanted file could not be written. *total becomes what was written. */
Bool cg2_dump_write(const HChar* trigger, Cost* total);

/* The child of a fork counts its parts anew. */
void cg2_dump_forked(void);

#endif
