/* The catalog: files that describe processors. Those that come with the tool
 * lie in the directory cg2-machines beside it, and are known by name. */
#ifndef CG2_CATALOG_H
#define CG2_CATALOG_H

#include "base/vg.h"

enum { CATALOG_FILE_MAX = 1 << 20 }; /* bytes */

/* The path of the file that `machine` is: it is one if a slash or a point is in
 * it, else a name. To be freed. */
HChar* cg2_catalog_path(const HChar* machine);

/* What is in the file, with a NUL; to be freed. NULL if it cannot be read; then
 * `why` says why not. */
HChar* cg2_catalog_read(const HChar* path, const HChar** why);

/* Calls `say` for each name that comes with the tool, in order; the answer is
 * how many they are. */
UInt cg2_catalog_list(void (*say)(const HChar* name));

#endif
