/* Which memory of the process is fresh: see model/described/freshpages.h. Where
 * the machine's kernel clears no pages, nothing is done here. */
#ifndef CG2_FRESHMEMORY_H
#define CG2_FRESHMEMORY_H

#include "base/vg.h"

/* Lets the machine, if there is one, clear what is fresh: memory that is no
 * file's. The accesses have started. */
void cg2_freshmemory_begin(void);

/* Memory is about to be unmapped. */
void cg2_freshmemory_unmapped(Addr start, SizeT size);

/* Memory has moved to `to`. All of it counts as touched, as it was mapped
 * before. */
void cg2_freshmemory_moved(Addr from, Addr to, SizeT size);

/* Nobody has seen what the program touched until now: it counts as touched. */
void cg2_freshmemory_touch_all(void);

#endif
