#include "code/elffile.h"

#include "arch/guest.h"
#include "base/arena.h"
#include "code/buildid.h"
#include "code/elfparts.h"
#include "code/linetable.h"
#include "code/unwind.h"

/* From the lowest to the highest executable address. */
static Range code_range(const ElfParts* parts)
{
   Range code = {~(Addr)0, 0};
   for (UInt i = 0; i < parts->header.e_phnum; i++) {
      const ElfSegment* s = &parts->segments[i];
      if (s->p_type != PT_LOAD || !(s->p_flags & PF_X)) continue;
      if (s->p_vaddr < code.start) code.start = s->p_vaddr;
      if (s->p_vaddr + s->p_memsz > code.end)
         code.end = s->p_vaddr + s->p_memsz;
   }
   return code;
}

/* Where the file has what is loaded at `address`: *size bytes at *offset, up to
 * the end of the segment. False if no segment has the address. */
static Bool
find_part(const ElfParts* parts, Addr address, ULong* offset, SizeT* size)
{
   for (UInt i = 0; i < parts->header.e_phnum; i++) {
      const ElfSegment* s = &parts->segments[i];
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
static void
read_frames(Object* object, const ElfParts* parts, const ElfPiece* header)
{
   ElfPiece frames = {.address = cg2_unwind_frames(header)};
   ULong offset;
   if (!find_part(parts, frames.address, &offset, &frames.size)) return;
   void* bytes = cg2_elfparts_read(parts, offset, frames.size);
   if (!bytes) return;
   frames.bytes = bytes;
   cg2_unwind_read(object, header, &frames);
   VG_(free)(bytes);
}

static void read_unwind(Object* object, const ElfParts* parts)
{
   for (UInt i = 0; i < parts->header.e_phnum; i++) {
      const ElfSegment* s = &parts->segments[i];
      if (s->p_type != PT_GNU_EH_FRAME) continue;
      void* bytes = cg2_elfparts_read(parts, s->p_offset, s->p_filesz);
      if (!bytes) return;
      ElfPiece header = {
         .bytes = bytes, .size = s->p_filesz, .address = s->p_vaddr};
      read_frames(object, parts, &header);
      VG_(free)(bytes);
      return;
   }
}

/* Adds the sections that have the names of stub sections. */
static void add_stubs(Object* object, const ElfParts* parts)
{
   for (UInt i = 0; i < parts->n_sections && object->n_stubs < STUB_RANGES_MAX;
        i++) {
      const ElfSection* s = &parts->sections[i];
      if (s->sh_flags & SHF_EXECINSTR &&
          cg2_guest_is_stub_section(cg2_elfparts_name(parts, s)))
         object->stubs[object->n_stubs++] =
            (Range){s->sh_addr, s->sh_addr + s->sh_size};
   }
}

/*--- Lines --------------------------------------------------------------*/

/* The bytes of the unit of .debug_line at `offset` of the file, or 0. */
static ULong unit_size(const ElfParts* parts, ULong offset)
{
   UInt* length = cg2_elfparts_read(parts, offset, 3 * sizeof *length);
   if (!length) return 0;
   ULong size = length[0] != ~0U ? 4 + (ULong)length[0]
                                 : 12 + ((ULong)length[2] << 32 | length[1]);
   VG_(free)(length);
   return size;
}

/* Reads the units of a section, each by itself: all together may have more
 * bytes than one would read at once. */
static void
read_units(Object* object, const ElfParts* parts, const ElfSection* section)
{
   ULong at = 0, size = 0;
   for (; at < section->sh_size; at += size) {
      size = unit_size(parts, section->sh_offset + at);
      if (size <= sizeof(UInt) || size > section->sh_size - at) return;
      UChar* unit = cg2_elfparts_read(parts, section->sh_offset + at, size);
      if (!unit) return;
      cg2_linetable_read(object, unit, size);
      VG_(free)(unit);
   }
}

/* Reads the line table of an object whose unwind ranges are known, unless the
 * table is compressed. */
static void read_lines(Object* object, const ElfParts* parts)
{
   for (UInt i = 0; i < parts->n_sections; i++) {
      const ElfSection* s = &parts->sections[i];
      if (s->sh_type == SHT_PROGBITS && !(s->sh_flags & SHF_COMPRESSED) &&
          VG_(strcmp)(cg2_elfparts_name(parts, s), ".debug_line") == 0)
         read_units(object, parts, s);
   }
}

/*--- Which file it is ---------------------------------------------------*/

/* What tells the file from others of its name: without a build-id, its size and
 * its last modification. */
static void read_identity(Object* object, const ElfParts* parts)
{
   HChar text[BUILD_ID_TEXT + 64], id[BUILD_ID_TEXT];
   BuildId build_id = cg2_buildid_read(parts);
   cg2_buildid_print(&build_id, id);
   UInt n = build_id.n
               ? VG_(sprintf)(text, "build-id=%s", id)
               : VG_(sprintf)(text, "size=%llu,mtime=%llu.%09llu", parts->size,
                              parts->changed, parts->changed_ns);
   HChar* kept = cg2_arena_new(n + 1);
   VG_(memcpy)(kept, text, n + 1);
   object->identity = kept;
}

/*--- All ----------------------------------------------------------------*/

/* False, with the object unchanged, if there is no code. */
static Bool read_parts(Object* object, const ElfParts* parts)
{
   Range code = code_range(parts);
   if (code.start >= code.end) return False;
   object->code = code;
   read_identity(object, parts);
   object->entry = parts->header.e_entry;
   read_unwind(object, parts);
   add_stubs(object, parts);
   if (cg2_code.reads_lines && object->n_unwind) read_lines(object, parts);
   return True;
}

Bool cg2_elffile_read(Object* object)
{
   ElfParts parts;
   if (!cg2_elfparts_open(&parts, object->name->text)) return False;
   Bool has_code = read_parts(object, &parts);
   cg2_elfparts_close(&parts);
   return has_code;
}
