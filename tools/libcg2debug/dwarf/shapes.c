#include "dwarf/shapes.h"

#include <dwarf.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

enum { NOT_KNOWN, KNOWN, STRANGE }; /* states of a shape */

enum {
   FIXED,
   NUMBER, /* LEB128 */
   TEXT,   /* up to a 0 */
   BLOCK,  /* a NUMBER, and as many bytes */
   BLOCK_1,
   BLOCK_2,
   BLOCK_4, /* a number of so many bytes, and as many more */
   SIBLING  /* where in the unit the next entry is; 4 bytes */
};          /* kinds of pieces */

enum {
   CODES_MAX = 1 << 16, /* compilers count them from 1 */
   ATTRIBUTES_MAX = 256 /* of an entry; for each libdw reads all before it */
};

/*--- Units --------------------------------------------------------------*/

static bool is_native(Elf* elf)
{
   GElf_Ehdr header;
   int native =
      __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;
   return gelf_getehdr(elf, &header) && header.e_ident[EI_DATA] == native;
}

static bool has_entries(const char* section)
{
   return !strncmp(section, ".debug_info", strlen(".debug_info")) ||
          !strncmp(section, ".debug_types", strlen(".debug_types"));
}

/* Finds the section that an entry is in. libdw has read it. */
static bool find_section(Shapes* shapes, Dwarf* dwarf, const uint8_t* entry)
{
   size_t names;
   Elf* elf = dwarf ? dwarf_getelf(dwarf) : NULL;
   Elf_Scn* section = NULL;
   if (!elf || !is_native(elf) || elf_getshdrstrndx(elf, &names)) return false;
   while ((section = elf_nextscn(elf, section))) {
      GElf_Shdr header;
      if (!gelf_getshdr(section, &header)) continue;
      const char* name = elf_strptr(elf, names, header.sh_name);
      if (!name || !has_entries(name)) continue;
      Elf_Data* data = elf_getdata(section, NULL);
      if (!data || !data->d_buf) continue;
      shapes->section = data->d_buf;
      shapes->section_end = shapes->section + data->d_size;
      if (entry >= shapes->section && entry < shapes->section_end) return true;
   }
   shapes->section = shapes->section_end = NULL;
   return false;
}

/* Finds where the unit of an entry is. */
static bool find_unit(Shapes* shapes, const Dwarf_Die* entry)
{
   Dwarf_Half version;
   uint8_t address, offset, kind;
   Dwarf_Die copy = *entry;
   const uint8_t* at = entry->addr;
   if (dwarf_cu_info(entry->cu, &version, &kind, NULL, NULL, NULL, &address,
                     &offset) ||
       ((at < shapes->section || at >= shapes->section_end) &&
        !find_section(shapes, dwarf_cu_getdwarf(entry->cu), at)))
      return false;
   uint64_t before = dwarf_cuoffset(&copy), length = 0;
   size_t head = offset == 8 ? 4 : 0; /* what says that it is 8 */
   if (before > (size_t)(at - shapes->section) || before < head + offset)
      return false;
   shapes->start = at - before;
   memcpy(&length, shapes->start + head, offset);
   const uint8_t* from = shapes->start + head + offset;
   size_t left = shapes->section_end - from;
   shapes->end = from + (length < left ? length : left);
   shapes->address = address;
   shapes->offset = offset;
   shapes->version = version;
   return at < shapes->end;
}

/* Whether the entry's unit can be read. */
static bool begin(Shapes* shapes, const Dwarf_Die* entry)
{
   if (shapes->unit != entry->cu || !entry->cu) {
      shapes->unit = entry->cu;
      shapes->n_pieces = 0;
      if (shapes->room)
         memset(shapes->all, 0, shapes->room * sizeof(EntryShape));
      if (!entry->cu || !find_unit(shapes, entry))
         shapes->start = shapes->end = NULL;
   }
   const uint8_t* at = entry->addr;
   return at >= shapes->start && at < shapes->end;
}

/*--- Shapes -------------------------------------------------------------*/

/* The pieces of forms; those of ADDRESS and OFFSET are of the unit's sizes. */
enum { ADDRESS = SIBLING + 1, OFFSET, LINK };

static const struct FormPiece {
   uint16_t form;
   uint8_t kind, bytes;
} form_pieces[] = {
   {DW_FORM_flag_present, FIXED, 0},
   {DW_FORM_implicit_const, FIXED, 0},
   {DW_FORM_data1, FIXED, 1},
   {DW_FORM_ref1, FIXED, 1},
   {DW_FORM_flag, FIXED, 1},
   {DW_FORM_strx1, FIXED, 1},
   {DW_FORM_addrx1, FIXED, 1},
   {DW_FORM_data2, FIXED, 2},
   {DW_FORM_ref2, FIXED, 2},
   {DW_FORM_strx2, FIXED, 2},
   {DW_FORM_addrx2, FIXED, 2},
   {DW_FORM_strx3, FIXED, 3},
   {DW_FORM_addrx3, FIXED, 3},
   {DW_FORM_data4, FIXED, 4},
   {DW_FORM_ref4, FIXED, 4},
   {DW_FORM_strx4, FIXED, 4},
   {DW_FORM_addrx4, FIXED, 4},
   {DW_FORM_ref_sup4, FIXED, 4},
   {DW_FORM_data8, FIXED, 8},
   {DW_FORM_ref8, FIXED, 8},
   {DW_FORM_ref_sig8, FIXED, 8},
   {DW_FORM_ref_sup8, FIXED, 8},
   {DW_FORM_data16, FIXED, 16},
   {DW_FORM_addr, ADDRESS, 0},
   {DW_FORM_ref_addr, LINK, 0},
   {DW_FORM_strp, OFFSET, 0},
   {DW_FORM_line_strp, OFFSET, 0},
   {DW_FORM_sec_offset, OFFSET, 0},
   {DW_FORM_strp_sup, OFFSET, 0},
   {DW_FORM_GNU_ref_alt, OFFSET, 0},
   {DW_FORM_GNU_strp_alt, OFFSET, 0},
   {DW_FORM_sdata, NUMBER, 0},
   {DW_FORM_udata, NUMBER, 0},
   {DW_FORM_ref_udata, NUMBER, 0},
   {DW_FORM_strx, NUMBER, 0},
   {DW_FORM_addrx, NUMBER, 0},
   {DW_FORM_loclistx, NUMBER, 0},
   {DW_FORM_rnglistx, NUMBER, 0},
   {DW_FORM_GNU_addr_index, NUMBER, 0},
   {DW_FORM_GNU_str_index, NUMBER, 0},
   {DW_FORM_string, TEXT, 0},
   {DW_FORM_block, BLOCK, 0},
   {DW_FORM_exprloc, BLOCK, 0},
   {DW_FORM_block1, BLOCK_1, 0},
   {DW_FORM_block2, BLOCK_2, 0},
   {DW_FORM_block4, BLOCK_4, 0},
};

/* The piece of a kind; DWARF 2 has addresses in place of offsets in links. */
static ShapePiece piece_of(const Shapes* shapes, uint8_t kind, uint32_t bytes)
{
   switch (kind) {
   case ADDRESS:
      return (ShapePiece){FIXED, shapes->address};
   case OFFSET:
      return (ShapePiece){FIXED, shapes->offset};
   case LINK:
      return (ShapePiece){FIXED, shapes->version < 3 ? shapes->address
                                                     : shapes->offset};
   default:
      return (ShapePiece){kind, bytes};
   }
}

/* The piece that an attribute is; false: not known. */
static bool find_piece(const Shapes* shapes, unsigned form, ShapePiece* piece)
{
   for (size_t i = 0; i < sizeof form_pieces / sizeof *form_pieces; i++)
      if (form_pieces[i].form == form) {
         *piece = piece_of(shapes, form_pieces[i].kind, form_pieces[i].bytes);
         return true;
      }
   return false;
}

/* Adds a piece, with the one before if both have a fixed size. */
static bool add_piece(Shapes* shapes, EntryShape* shape, ShapePiece piece)
{
   if (shape->end > shape->first && piece.kind == FIXED &&
       shapes->pieces[shape->end - 1].kind == FIXED) {
      shapes->pieces[shape->end - 1].bytes += piece.bytes;
      return true;
   }
   if (shapes->n_pieces == shapes->pieces_room) {
      size_t room = 2 * shapes->pieces_room + 256;
      ShapePiece* grown = realloc(shapes->pieces, room * sizeof *grown);
      if (!grown) return false;
      shapes->pieces = grown;
      shapes->pieces_room = room;
   }
   shapes->pieces[shapes->n_pieces++] = piece;
   shape->end++;
   return true;
}

/* Finds the shape of an entry. (libdw 0.188 counts the attributes of an
 * abbreviation wrongly that has constants in it: they are read to the end.) */
static bool learn(Shapes* shapes, EntryShape* shape, Dwarf_Die* entry)
{
   unsigned name, form;
   Dwarf_Off offset;
   if (dwarf_tag(entry) == DW_TAG_invalid || !entry->abbrev) return false;
   shape->abbreviation = entry->abbrev;
   shape->has_entries = dwarf_abbrevhaschildren(entry->abbrev);
   shape->first = shape->end = shapes->n_pieces;
   for (size_t i = 0;
        !dwarf_getabbrevattr(entry->abbrev, i, &name, &form, &offset); i++) {
      ShapePiece piece;
      if (i == ATTRIBUTES_MAX || !find_piece(shapes, form, &piece))
         return false;
      if (name == DW_AT_sibling && form == DW_FORM_ref4)
         piece = (ShapePiece){SIBLING, 4};
      if (!add_piece(shapes, shape, piece)) return false;
   }
   return true;
}

/* Makes room for the shape of a code. */
static bool make_room(Shapes* shapes, uint64_t code)
{
   if (code >= CODES_MAX) return false;
   if (code < shapes->room) return true;
   size_t room = 2 * code + 256;
   EntryShape* grown = realloc(shapes->all, room * sizeof *grown);
   if (!grown) return false;
   memset(grown + shapes->room, 0, (room - shapes->room) * sizeof *grown);
   shapes->all = grown;
   shapes->room = room;
   return true;
}

/*--- Reading ------------------------------------------------------------*/

/* Reads a number and goes behind it; one that is cut off, or too large to be
 * one, is more than there are bytes. */
static uint64_t read_number(const Shapes* shapes, const uint8_t** at)
{
   uint64_t number = 0;
   if (*at < shapes->end && !(**at & 0x80)) return *(*at)++;
   for (unsigned shift = 0; *at < shapes->end && shift < 63; shift += 7) {
      uint8_t byte = *(*at)++;
      number |= (uint64_t)(byte & 0x7f) << shift;
      if (!(byte & 0x80)) return number;
   }
   return UINT64_MAX;
}

/* Goes behind a number of any size. */
static const uint8_t* behind_number(const Shapes* shapes, const uint8_t* at)
{
   while (at < shapes->end && (*at & 0x80))
      at++;
   return at < shapes->end ? at + 1 : NULL;
}

/* Goes behind so many bytes; NULL: there are less. */
static const uint8_t*
behind_bytes(const Shapes* shapes, const uint8_t* at, uint64_t n)
{
   return n <= (uint64_t)(shapes->end - at) ? at + n : NULL;
}

/* Goes behind a block whose size is a number of `size` bytes. */
static const uint8_t*
behind_block(const Shapes* shapes, const uint8_t* at, size_t size)
{
   uint8_t one;
   uint16_t two;
   uint32_t n;
   if ((size_t)(shapes->end - at) < size) return NULL;
   if (size == 1) {
      memcpy(&one, at, size);
      n = one;
   } else if (size == 2) {
      memcpy(&two, at, size);
      n = two;
   } else
      memcpy(&n, at, size);
   return behind_bytes(shapes, at + size, n);
}

static const uint8_t*
behind_piece(const Shapes* shapes, const ShapePiece* piece, const uint8_t* at)
{
   const uint8_t* end;
   uint64_t n;
   switch (piece->kind) {
   case NUMBER:
      return behind_number(shapes, at);
   case TEXT:
      end = memchr(at, 0, shapes->end - at);
      return end ? end + 1 : NULL;
   case BLOCK:
      n = read_number(shapes, &at);
      return behind_bytes(shapes, at, n);
   case BLOCK_1:
      return behind_block(shapes, at, 1);
   case BLOCK_2:
      return behind_block(shapes, at, 2);
   case BLOCK_4:
      return behind_block(shapes, at, 4);
   default:
      return behind_bytes(shapes, at, piece->bytes);
   }
}

/* Where the entry behind one is that says so; NULL: not where it says. */
static const uint8_t* read_sibling(const Shapes* shapes, const uint8_t* at)
{
   uint32_t offset;
   if ((size_t)(shapes->end - at) < sizeof offset) return NULL;
   memcpy(&offset, at, sizeof offset);
   const uint8_t* next = behind_bytes(shapes, shapes->start, offset);
   return next && next > at ? next : NULL;
}

/* Goes behind the attributes of an entry or, where it says where that is and
 * `over` is not NULL, behind all that is in it; *over says which. NULL: the
 * unit ends there. */
static const uint8_t* behind_entry(const Shapes* shapes,
                                   const EntryShape* shape,
                                   const uint8_t* at,
                                   bool* over)
{
   for (uint32_t i = shape->first; at && i < shape->end; i++) {
      const ShapePiece* piece = &shapes->pieces[i];
      if (piece->kind == SIBLING && over) {
         *over = true;
         return read_sibling(shapes, at);
      }
      at = piece->kind == FIXED ? behind_bytes(shapes, at, piece->bytes)
                                : behind_piece(shapes, piece, at);
   }
   return at;
}

/* Reads the code of an entry and goes behind it. Its shape; NULL: not known.
 * A code of 0 ends entries: *is_end. */
static const EntryShape*
read_shape(Shapes* shapes, const uint8_t** at, bool* is_end)
{
   const uint8_t* start = *at;
   uint64_t code = read_number(shapes, at);
   *is_end = !code;
   if (!code || !make_room(shapes, code)) return NULL;
   EntryShape* shape = &shapes->all[code];
   if (shape->state == NOT_KNOWN) {
      Dwarf_Die entry = {.addr = (void*)(uintptr_t)start, .cu = shapes->unit};
      shape->state = learn(shapes, shape, &entry) ? KNOWN : STRANGE;
   }
   return shape->state == KNOWN ? shape : NULL;
}

/* Makes an entry of what is at a place of the unit. */
static ShapesAnswer
make_entry(Shapes* shapes, const uint8_t* at, Dwarf_Die* entry)
{
   bool is_end;
   if (at >= shapes->end) return SHAPES_NONE;
   const uint8_t* start = at;
   const EntryShape* shape = read_shape(shapes, &at, &is_end);
   if (is_end) return SHAPES_NONE;
   if (!shape) return SHAPES_UNKNOWN;
   *entry = (Dwarf_Die){.addr = (void*)(uintptr_t)start,
                        .cu = shapes->unit,
                        .abbrev = shape->abbreviation};
   return SHAPES_FOUND;
}

ShapesAnswer
cg2d_shapes_enter(Shapes* shapes, const Dwarf_Die* parent, Dwarf_Die* entry)
{
   bool is_end;
   if (!begin(shapes, parent)) return SHAPES_UNKNOWN;
   const uint8_t* at = parent->addr;
   const EntryShape* shape = read_shape(shapes, &at, &is_end);
   if (!shape) return SHAPES_UNKNOWN;
   if (!shape->has_entries) return SHAPES_NONE;
   at = behind_entry(shapes, shape, at, NULL);
   return at ? make_entry(shapes, at, entry) : SHAPES_NONE;
}

ShapesAnswer cg2d_shapes_next(Shapes* shapes, Dwarf_Die* entry)
{
   if (!begin(shapes, entry)) return SHAPES_UNKNOWN;
   const uint8_t* at = entry->addr;
   size_t depth = 0;
   do {
      bool is_end, over = false;
      const EntryShape* shape = read_shape(shapes, &at, &is_end);
      if (is_end) {
         if (!depth) return SHAPES_NONE;
         depth--;
         continue;
      }
      if (!shape) return SHAPES_UNKNOWN;
      at = behind_entry(shapes, shape, at, &over);
      if (!at) return SHAPES_NONE;
      if (shape->has_entries && !over) depth++;
   } while (depth && at < shapes->end);
   return make_entry(shapes, at, entry);
}

void cg2d_shapes_free(Shapes* shapes)
{
   free(shapes->all);
   free(shapes->pieces);
}
