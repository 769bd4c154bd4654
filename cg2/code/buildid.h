/* The build-id of an ELF file: what its linker has put into it that tells it
 * from any other. A separate debug file has the id of the file that it is of.
 *
 * Source: GNU ld's manual, --build-id. */
#ifndef CG2_BUILDID_H
#define CG2_BUILDID_H

#include "code/elfparts.h"

enum { BUILD_ID_MAX = 64, BUILD_ID_TEXT = 2 * BUILD_ID_MAX + 1 };

typedef struct BuildId {
   UChar bytes[BUILD_ID_MAX];
   UInt n; /* 0: the file has none */
} BuildId;

/* What an open file says. */
BuildId cg2_buildid_read(const ElfParts* parts);

/* Writes the id as it is usually shown, two digits a byte. */
void cg2_buildid_print(const BuildId* id, HChar text[BUILD_ID_TEXT]);

#endif
