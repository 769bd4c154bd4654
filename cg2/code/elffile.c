#include "code/elffile.h"

#include "arch/guest.h"
#include "code/linetable.h"
#include "code/unwind.h"

#include <elf.h>

#if VG_WORDSIZE == 8
typedef Elf64_Ehdr Ehdr;
typedef Elf64_Phdr Phdr;
typedef Elf64_Shdr Shdr;
enum { ELF_CLASS = ELFCLASS64 };
#else
typedef Elf32_Ehdr Ehdr;
typedef Elf32_Phdr Phdr;
typedef Elf32_Shdr Shdr;
enum { ELF_CLASS = ELFCLASS32 };
#endif

/* Reason for a mutable file-scope object: configuration. */
Bool cg2_elffile_reads_lines = True;

enum { TABLE_BYTES_MAX = 64 * 1024 * 1024 };

/* `size` bytes at `offset` of the file, to be freed; NULL if they are not
 * there. */
static void* read_part(Int fd, Off64T offset, SizeT size)
{
   if (size == 0 || size > TABLE_BYTES_MAX) return NULL;
   if (VG_(lseek)(fd, offset, VKI_SEEK_SET) != offset) return NULL;
   HChar* part = VG_(malloc)("cg2.elffile", size);
   if (VG_(read)(fd, part, size) == (Int)size) return part;
   VG_(free)(part);
   return NULL;
}

/* Whether the header is of an ELF file of this word size. */
static Bool is_ours(const Ehdr* header)
{
   return VG_(memcmp)(header->e_ident, ELFMAG, SELFMAG) == 0 &&
          header->e_ident[EI_CLASS] == ELF_CLASS &&
          header->e_phentsize == sizeof(Phdr);
}

/* From the lowest to the highest executable address. */
static Range code_range(const Phdr* segments, UInt n)
{
   Range code = {~(Addr)0, 0};
   for (UInt i = 0; i < n; i++) {
      const Phdr* s = &segments[i];
      if (s->p_type != PT_LOAD || !(s->p_flags & PF_X)) continue;
      if (s->p_vaddr < code.start) code.start = s->p_vaddr;
      if (s->p_vaddr + s->p_memsz > code.end)
         code.end = s->p_vaddr + s->p_memsz;
   }
   return code;
}

/* Where the file has what is loaded at `address`: *size bytes at *offset, up to
 * the end of the segment. False if no segment has the address. */
static Bool find_part(
   const Phdr* segments, UInt n, Addr address, Off64T* offset, SizeT* size)
{
   for (UInt i = 0; i < n; i++) {
      const Phdr* s = &segments[i];
      if (s->p_type != PT_LOAD || address < s->p_vaddr ||
          address - s->p_vaddr >= s->p_filesz)
         continue;
      *offset = s->p_offset + (address - s->p_vaddr);
      *size = s->p_filesz - (address - s->p_vaddr);
      return True;
   }
   return False;
}

/* Reads the unwind ranges, whose header was found. */
static void read_frames(
   Object* object, Int fd, const Phdr* segments, UInt n, const Piece* header)
{
   Piece frames = {.address = cg2_unwind_frames(header)};
   Off64T offset;
   if (!find_part(segments, n, frames.address, &offset, &frames.size)) return;
   void* bytes = read_part(fd, offset, frames.size);
   if (!bytes) return;
   frames.bytes = bytes;
   cg2_unwind_read(object, header, &frames);
   VG_(free)(bytes);
}

static void read_unwind(Object* object, Int fd, const Phdr* segments, UInt n)
{
   for (UInt i = 0; i < n; i++) {
      const Phdr* s = &segments[i];
      if (s->p_type != PT_GNU_EH_FRAME) continue;
      void* bytes = read_part(fd, s->p_offset, s->p_filesz);
      if (!bytes) return;
      Piece header = {
         .bytes = bytes, .size = s->p_filesz, .address = s->p_vaddr};
      read_frames(object, fd, segments, n, &header);
      VG_(free)(bytes);
      return;
   }
}

/* Adds the sections that have the names of stub sections. */
static void add_stubs(Object* object,
                      const Shdr* sections,
                      UInt n,
                      const HChar* names,
                      SizeT n_names)
{
   for (UInt i = 0; i < n && object->n_stubs < STUB_RANGES_MAX; i++) {
      const Shdr* s = &sections[i];
      if (s->sh_name >= n_names || !(s->sh_flags & SHF_EXECINSTR)) continue;
      const HChar* name = names + s->sh_name;
      if (cg2_guest_is_stub_section(name))
         object->stubs[object->n_stubs++] =
            (Range){s->sh_addr, s->sh_addr + s->sh_size};
   }
}

/* The text of a section of names, which ends with a 0; to be freed; or NULL. */
static HChar* read_names(Int fd, const Shdr* section)
{
   HChar* names = read_part(fd, section->sh_offset, section->sh_size);
   if (names) names[section->sh_size - 1] = '\0';
   return names;
}

/*--- Lines --------------------------------------------------------------*/

/* The bytes of the unit of .debug_line at `offset` of the file, or 0. */
static ULong unit_size(Int fd, Off64T offset)
{
   UInt* length = read_part(fd, offset, 3 * sizeof *length);
   if (!length) return 0;
   ULong size = length[0] != ~0U ? 4 + (ULong)length[0]
                                 : 12 + ((ULong)length[2] << 32 | length[1]);
   VG_(free)(length);
   return size;
}

/* Reads the units of a section, each by itself: all together may have more
 * bytes than one would read at once. */
static void read_units(Object* object, Int fd, const Shdr* section)
{
   ULong at = 0, size = 0;
   for (; at < section->sh_size; at += size) {
      size = unit_size(fd, section->sh_offset + at);
      if (size <= sizeof(UInt) || size > section->sh_size - at) return;
      UChar* unit = read_part(fd, section->sh_offset + at, size);
      if (!unit) return;
      cg2_linetable_read(object, unit, size);
      VG_(free)(unit);
   }
}

/* Reads the line table of an object whose unwind ranges are known, unless the
 * table is compressed. */
static void read_lines(Object* object,
                       Int fd,
                       const Shdr* sections,
                       UInt n,
                       const HChar* names,
                       SizeT n_names)
{
   for (UInt i = 0; i < n; i++) {
      const Shdr* s = &sections[i];
      if (s->sh_name >= n_names || s->sh_flags & SHF_COMPRESSED) continue;
      if (s->sh_type == SHT_PROGBITS &&
          VG_(strcmp)(names + s->sh_name, ".debug_line") == 0)
         read_units(object, fd, s);
   }
}

/*--- Sections -----------------------------------------------------------*/

static void read_sections(Object* object, Int fd, const Ehdr* header)
{
   UInt n = header->e_shnum, names_at = header->e_shstrndx;
   if (header->e_shentsize != sizeof(Shdr)) return;
   Shdr* sections = read_part(fd, header->e_shoff, n * sizeof(Shdr));
   if (!sections) return;
   HChar* names = names_at < n ? read_names(fd, &sections[names_at]) : NULL;
   if (names) {
      SizeT n_names = sections[names_at].sh_size;
      add_stubs(object, sections, n, names, n_names);
      if (cg2_elffile_reads_lines && object->n_unwind)
         read_lines(object, fd, sections, n, names, n_names);
      VG_(free)(names);
   }
   VG_(free)(sections);
}

/* Fills in the executable segments and unwind ranges. False if there is no
 * code.
 */
static Bool read_segments(Object* object, Int fd, const Ehdr* header)
{
   UInt n = header->e_phnum;
   Phdr* segments = read_part(fd, header->e_phoff, n * sizeof(Phdr));
   if (!segments) return False;
   Range code = code_range(segments, n);
   Bool has_code = code.start < code.end;
   if (has_code) {
      object->code = code;
      read_unwind(object, fd, segments, n);
   }
   VG_(free)(segments);
   return has_code;
}

static Bool read_file(Object* object, Int fd)
{
   Ehdr header;
   if (VG_(read)(fd, &header, sizeof header) != sizeof header ||
       !is_ours(&header) || !read_segments(object, fd, &header))
      return False;
   object->entry = header.e_entry;
   read_sections(object, fd, &header);
   return True;
}

Bool cg2_elffile_read(Object* object)
{
   Int fd = VG_(fd_open)(object->name->text, VKI_O_RDONLY, 0);
   if (fd < 0) return False;
   Bool ok = read_file(object, fd);
   VG_(close)(fd);
   return ok;
}
