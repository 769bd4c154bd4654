/* Host caches: what the processor that cg2 runs on says about its own caches.
 *
 * A processor may have several ways to say it, some of them incomplete or
 * wrong. Each is a source; sources are asked in order until one makes sense to
 * the caller. */
#ifndef CG2_HOSTCACHES_H
#define CG2_HOSTCACHES_H

#include "arch/cpuid.h"

typedef enum HostCacheKind {
   HOST_CACHE_CODE = 1,
   HOST_CACHE_DATA = 2,
   HOST_CACHE_UNIFIED = 3 /* for code and data: the sum of these */
} HostCacheKind;

typedef struct HostCache {
   UInt level; /* from 1 */
   HostCacheKind kind;
   ULong size; /* bytes; 0: the processor says that there is none */
   UInt ways;  /* lines in a set */
   UInt line;  /* bytes */
} HostCache;

enum { HOST_CACHES_MAX = 16 };

typedef struct HostCaches {
   const HChar* source; /* a name for users: "CPUID leaf 4" */
   UInt n;
   HostCache of[HOST_CACHES_MAX]; /* of caches of the same level and kind the
                                     last one counts */
} HostCaches;

/* Writes what source number `source`, from 0, says to `caches`. False: this
 * processor has no more sources. */
Bool cg2_hostcaches_ask(UInt source, HostCaches* caches);

/* Writes what source number `source` of an x86 processor with these answers
 * says to `caches`. False: there are no more sources. */
Bool cg2_hostcaches_read(CpuidQuery query, UInt source, HostCaches* caches);

/* Writes what source number `source` says to `caches` where there is but one:
 * Linux's files about caches in a directory. False: there are no more sources.
 */
Bool cg2_hostcaches_list(const HChar* directory,
                         UInt source,
                         HostCaches* caches);

#endif
