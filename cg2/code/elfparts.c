#include "code/elfparts.h"

enum {
   ELF_CLASS = VG_WORDSIZE == 8 ? ELFCLASS64 : ELFCLASS32,
   BYTES_MAX = 1 << 30 /* that are read at once */
};

void* cg2_elfparts_read(const ElfParts* parts, ULong offset, ULong size)
{
   if (size == 0 || size > BYTES_MAX || offset > parts->size ||
       size > parts->size - offset ||
       VG_(lseek)(parts->fd, offset, VKI_SEEK_SET) != (Off64T)offset)
      return NULL;
   HChar* bytes = VG_(malloc)("cg2.elfparts", size);
   if (VG_(read)(parts->fd, bytes, size) == (Int)size) return bytes;
   VG_(free)(bytes);
   return NULL;
}

HChar* cg2_elfparts_read_texts(const ElfParts* parts, const ElfSection* section)
{
   HChar* texts =
      cg2_elfparts_read(parts, section->sh_offset, section->sh_size);
   if (texts) texts[section->sh_size - 1] = '\0';
   return texts;
}

const HChar* cg2_elfparts_name(const ElfParts* parts, const ElfSection* section)
{
   const ElfSection* names = &parts->sections[parts->header.e_shstrndx];
   return section->sh_name < names->sh_size ? parts->names + section->sh_name
                                            : "";
}

/*--- Opening ------------------------------------------------------------*/

/* Whether the header is of an ELF file of this word size. */
static Bool is_ours(const ElfHeader* header)
{
   return VG_(memcmp)(header->e_ident, ELFMAG, SELFMAG) == 0 &&
          header->e_ident[EI_CLASS] == ELF_CLASS &&
          header->e_phentsize == sizeof(ElfSegment);
}

/* Reads the sections, if they are there and have names. */
static void read_sections(ElfParts* parts)
{
   const ElfHeader* h = &parts->header;
   if (h->e_shentsize != sizeof(ElfSection) || h->e_shstrndx >= h->e_shnum)
      return;
   ElfSection* sections = cg2_elfparts_read(
      parts, h->e_shoff, (ULong)h->e_shnum * sizeof *sections);
   if (!sections) return;
   parts->names = cg2_elfparts_read_texts(parts, &sections[h->e_shstrndx]);
   if (parts->names) {
      parts->sections = sections;
      parts->n_sections = h->e_shnum;
   } else {
      VG_(free)(sections);
   }
}

static Bool read_parts(ElfParts* parts)
{
   struct vg_stat st;
   ElfHeader* h = &parts->header;
   if (VG_(fstat)(parts->fd, &st) != 0 ||
       VG_(read)(parts->fd, h, sizeof *h) != sizeof *h || !is_ours(h))
      return False;
   parts->size = st.size;
   parts->changed = st.mtime;
   parts->changed_ns = st.mtime_nsec;
   parts->segments = cg2_elfparts_read(
      parts, h->e_phoff, (ULong)h->e_phnum * sizeof *parts->segments);
   if (!parts->segments) return False;
   read_sections(parts);
   return True;
}

Bool cg2_elfparts_open(ElfParts* parts, const HChar* path)
{
   *parts = (ElfParts){.fd = VG_(fd_open)(path, VKI_O_RDONLY, 0)};
   if (parts->fd < 0) return False;
   if (read_parts(parts)) return True;
   VG_(close)(parts->fd);
   return False;
}

void cg2_elfparts_close(ElfParts* parts)
{
   VG_(free)(parts->segments);
   if (parts->sections) VG_(free)(parts->sections);
   if (parts->names) VG_(free)(parts->names);
   VG_(close)(parts->fd);
}
