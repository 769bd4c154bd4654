/* What options say about the files that are written. */
#ifndef CG2_PROFILECONFIG_H
#define CG2_PROFILECONFIG_H

#include "profile/callgrind/scribe.h"

typedef struct ProfileConfig {
   WriterConfig writer;
   const HChar* caches[3]; /* as in WriterHeader */
   Bool is_combined;       /* all parts of a process are in one file */
   Bool keeps_all; /* no program overwrites the files of another: there are
                      OUT.exec1 and OUT.pid77 */
   const HChar* summary; /* the summary's name, with %p, %n and %q{VAR}; NULL:
                            no summary is wanted */
} ProfileConfig;

/* Filled before the first translation, then constant. */
extern ProfileConfig cg2_profile_config;

#endif
