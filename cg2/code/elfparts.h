/* The parts that an ELF file of this word size consists of: its header, its
 * segments, its sections with their names, and any bytes of it.
 *
 * A file may say anything: what does not lie in it is not there.
 *
 * Source: System V ABI, "Object Files". */
#ifndef CG2_ELFPARTS_H
#define CG2_ELFPARTS_H

#include "base/vg.h"

#include <elf.h>

#if VG_WORDSIZE == 8
typedef Elf64_Ehdr ElfHeader;
typedef Elf64_Phdr ElfSegment;
typedef Elf64_Shdr ElfSection;
typedef Elf64_Sym ElfSymbol;
#else
typedef Elf32_Ehdr ElfHeader;
typedef Elf32_Phdr ElfSegment;
typedef Elf32_Shdr ElfSection;
typedef Elf32_Sym ElfSymbol;
#endif

/* An open file. Who opens it closes it, which frees the rest. */
typedef struct ElfParts {
   Int fd;
   ULong size;                /* bytes of the file */
   ULong changed, changed_ns; /* its last modification: seconds since 1970, and
                                 nanoseconds */
   ElfHeader header;
   ElfSegment* segments; /* header.e_phnum, at least one */
   ElfSection* sections; /* NULL: none, or they have no names */
   UInt n_sections;
   HChar* names; /* of the sections; ends with a 0 */
} ElfParts;

/* Opens a file. False: there is no readable ELF file of this word size that has
 * segments, and nothing is open. */
Bool cg2_elfparts_open(ElfParts* parts, const HChar* path);
void cg2_elfparts_close(ElfParts* parts);

/* `size` bytes at `offset` of the file, to be freed; NULL if they are not
 * there, or none are asked for. */
void* cg2_elfparts_read(const ElfParts* parts, ULong offset, ULong size);

/* The text of a section that consists of texts, which ends with a 0; to be
 * freed; or NULL. */
HChar* cg2_elfparts_read_texts(const ElfParts* parts,
                               const ElfSection* section);

/* The name of a section; "" if it has none. */
const HChar* cg2_elfparts_name(const ElfParts* parts,
                               const ElfSection* section);

#endif
