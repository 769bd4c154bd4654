/* Cache files: what Linux says about the caches of a processor, in sysfs.
 *
 * There is a directory for each cache, index0 and so on, with a file for each
 * fact. What the firmware does not say has no file, or no cache has a
 * directory. */
#ifndef CG2_CACHEFILES_H
#define CG2_CACHEFILES_H

#include "base/vg.h"

/* The directory of the first processor's caches. */
#define CACHEFILES "/sys/devices/system/cpu/cpu0/cache"

/* The facts of a cache; empty or 0: there is no such file, or it has something
 * else in it. */
typedef struct CacheFacts {
   HChar type[32]; /* Data, Instruction or Unified */
   UInt level;     /* from 1 */
   ULong size;     /* bytes */
   UInt ways;      /* lines in a set */
   UInt line;      /* bytes */
} CacheFacts;

/* Writes the facts of cache number `index`, from 0, of a directory like
 * CACHEFILES. False: it has not so many caches. */
Bool cg2_cachefiles_read(const HChar* directory, UInt index, CacheFacts* facts);

#endif
