/* What is told the engine before the program runs: what options say, and whom
 * it calls in folders that it does not know. */
#ifndef CG2_ENGINECONFIG_H
#define CG2_ENGINECONFIG_H

#include "code/block.h"

typedef struct EngineConfig {
   Bool is_plain; /* Ir is the only event, and no paths are kept: the probes of
                     plain.h do. */
   Bool starts_off;        /* New threads do not collect. */
   Bool are_threads_apart; /* Each thread has contexts of its own. */
   Bool keeps_paths;
   Bool check_cells;  /* Each block makes sure that the cells are its own. */
   UInt paths_max;    /* how many steps of paths there may be */
   ULong dump_every;  /* blocks */
   void (*due)(void); /* Called when `dump_every` blocks have run. */
   /* Called when the first frame of a watched function is about to be pushed.
    * `exit` is where it is called; NULL: nobody calls it. */
   void (*entering)(const Function* function, const Exit* exit);
   /* Called when a frame of a watched function was found on the stack and is
    * about to be pushed. */
   void (*found)(const Function* function);
   /* Called when the last frame of a watched function has been popped. */
   void (*left)(const Function* function);
} EngineConfig;

/* Filled before the first translation, then constant. */
extern EngineConfig cg2_engine_config;

#endif
