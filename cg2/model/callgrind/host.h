/* The host machine: the caches of the processor that cg2 runs on, as
 * Callgrind's machine needs them. They are simulated if the user names no
 * others. */
#ifndef CG2_HOST_H
#define CG2_HOST_H

#include "arch/hostcaches.h"
#include "model/cache/geometry.h"

typedef struct HostMachine {
   Geometry i1, d1;
   Geometry l2; /* size 0: there are two levels, the second is the last */
   Geometry ll;
   const HChar* source; /* a name of what said so, for users */
   Bool is_assumed;     /* nothing said so: a usual machine */
} HostMachine;

/* A function like cg2_hostcaches_ask(). */
typedef Bool (*HostAsk)(UInt source, HostCaches* caches);

/* Writes to `machine` what the first source says that names code and data of
 * the first level and a further level, all of which can be simulated. */
void cg2_host_read(HostAsk ask, HostMachine* machine);

/* Writes the machine that this runs on. */
void cg2_host_machine(HostMachine* machine);

#endif
