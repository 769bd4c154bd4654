/* Cache files: what Linux says about the caches of a processor, in sysfs.
 *
 * There is a directory for each cache, index0 and so on, with a file for each
 * fact: level, type, size, ways_of_associativity, coherency_line_size. What the
 * firmware does not say has no file, or no cache has a directory. */
#ifndef CG2_CACHEFILES_H
#define CG2_CACHEFILES_H

#include "arch/hostcaches.h"

/* The directory of the first processor's caches. */
#define CACHEFILES "/sys/devices/system/cpu/cpu0/cache"

/* Adds the caches that a directory like CACHEFILES tells of to `caches`. One
 * with a fact that is missing has 0 in its place. */
void cg2_cachefiles_read(const HChar* directory, HostCaches* caches);

#endif
