/* The catalog: files that describe processors. Those that come with the tool
 * lie in the directory cg2-machines beside it, and are known by name: skylake
 * is the file cg2-machines/skylake.machine. */
#ifndef CG2_CATALOG_H
#define CG2_CATALOG_H

#include "base/vg.h"

enum { CATALOG_FILE_MAX = 1 << 20 }; /* bytes of a file */

/* The path of the file that `machine` means: `machine` is a path if a slash or
 * a point is in it, else a name. The caller frees the result. */
HChar* cg2_catalog_path(const HChar* machine);

/* The text of a file, with a NUL; the caller frees it. NULL: it cannot be read,
 * and `why` says why. */
HChar* cg2_catalog_read(const HChar* path, const HChar** why);

/* Calls `say` for each name that comes with the tool, in order. Returns how
 * many they are. */
UInt cg2_catalog_list(void (*say)(const HChar* name));

#endif
