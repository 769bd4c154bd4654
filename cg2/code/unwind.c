#include "code/unwind.h"

#include "base/arena.h"
#include "code/bytes.h"

/* How pointers are encoded: the low half of the byte says what they look like,
 * the next three bits what they are relative to. */
enum {
   ENCODING_FORMAT = 0x0f,
   POINTER = 0x00,
   UNSIGNED_2 = 0x02,
   UNSIGNED_4 = 0x03,
   UNSIGNED_8 = 0x04,
   SIGNED_2 = 0x0a,
   SIGNED_4 = 0x0b,
   SIGNED_8 = 0x0c,
   PC_RELATIVE = 0x10,
   DATA_RELATIVE = 0x30,
};

/*--- Reading bytes ------------------------------------------------------*/

/* Where the piece has what is meant for the address. */
static ByteReader reader_at(const ElfPiece* piece, Addr address)
{
   Addr offset = address - piece->address;
   Bool is_short = offset > piece->size;
   return (ByteReader){.next = piece->bytes + (is_short ? piece->size : offset),
                       .end = piece->bytes + piece->size,
                       .is_short = is_short};
}

/* Bytes of a pointer; 0 for a format that compilers do not use here. */
static UInt pointer_size(UInt encoding)
{
   switch (encoding & ENCODING_FORMAT) {
   case POINTER:
      return sizeof(Addr);
   case UNSIGNED_2:
   case SIGNED_2:
      return 2;
   case UNSIGNED_4:
   case SIGNED_4:
      return 4;
   case UNSIGNED_8:
   case SIGNED_8:
      return 8;
   default:
      return 0;
   }
}

/*--- The header ---------------------------------------------------------*/

enum { VERSION = 1, HEADER_BYTES = 12, ROW_BYTES = 8 };

Addr cg2_unwind_frames(const ElfPiece* header)
{
   ByteReader r = reader_at(header, header->address);
   Bool is_understood = cg2_bytes_number(&r, 1) == VERSION &&
                        cg2_bytes_number(&r, 1) == (PC_RELATIVE | SIGNED_4) &&
                        cg2_bytes_number(&r, 1) == UNSIGNED_4 &&
                        cg2_bytes_number(&r, 1) == (DATA_RELATIVE | SIGNED_4);
   Addr distance = (Int)cg2_bytes_number(&r, 4);
   return is_understood && !r.is_short ? header->address + 4 + distance : 0;
}

/*--- Entries ------------------------------------------------------------*/

/* How a CIE says that its entries write addresses. */
typedef struct Common {
   Addr address; /* of the CIE */
   UInt size;    /* of an address; 0: not understood */
} Common;

/* Source: LSB 10.6.1.1.1, the letters of an augmentation string. */
static UInt encoding_in(ByteReader* r, const HChar* letters)
{
   if (*letters++ != 'z') return POINTER;
   cg2_bytes_leb(r); /* length of what follows */
   for (; *letters; letters++)
      switch (*letters) {
      case 'R':
         return cg2_bytes_number(r, 1);
      case 'L':
         cg2_bytes_number(r, 1);
         break;
      case 'P':
         cg2_bytes_number(r, pointer_size(cg2_bytes_number(r, 1)));
         break;
      default: /* 'S', 'B': nothing follows */
         break;
      }
   return POINTER;
}

static Common read_common(const ElfPiece* frames, Addr address)
{
   Common common = {.address = address};
   ByteReader r = reader_at(frames, address);
   cg2_bytes_number(&r, 4); /* length */
   ULong id = cg2_bytes_number(&r, 4);
   UInt version = cg2_bytes_number(&r, 1);
   const HChar* letters = (const HChar*)r.next;
   while (cg2_bytes_number(&r, 1))
      ;
   cg2_bytes_leb(&r); /* code alignment */
   cg2_bytes_leb(&r); /* data alignment */
   if (version == 1)
      cg2_bytes_number(&r, 1); /* return address register */
   else
      cg2_bytes_leb(&r);
   if (r.is_short || id != 0 || (version != 1 && version != 3)) return common;
   UInt encoding = encoding_in(&r, letters);
   if (!r.is_short) common.size = pointer_size(encoding);
   return common;
}

/* How many bytes of code the entry at `address` covers; 0 if that is not known.
 * `common` is the CIE of the entry before, and becomes that of this entry. */
static ULong read_size(const ElfPiece* frames, Addr address, Common* common)
{
   ByteReader r = reader_at(frames, address);
   UInt length = cg2_bytes_number(&r, 4);
   Addr common_address = address + 4 - cg2_bytes_number(&r, 4);
   if (r.is_short || length == ~0U) return 0; /* 64-bit DWARF */
   if (common_address != common->address)
      *common = read_common(frames, common_address);
   if (!common->size) return 0;
   cg2_bytes_number(&r, common->size); /* start */
   return cg2_bytes_number(&r, common->size);
}

/*--- The table ----------------------------------------------------------*/

/* Makes a range of the next row of the header's table: start of code and
 * address of its entry, both relative to the header. False if the row is
 * broken, or its code begins before `last`. */
static Bool read_range(ByteReader* rows,
                       const ElfPiece* header,
                       const ElfPiece* frames,
                       Addr last,
                       Common* common,
                       UnwindRange* range)
{
   Addr start = header->address + (Int)cg2_bytes_number(rows, 4);
   Addr entry = header->address + (Int)cg2_bytes_number(rows, 4);
   Addr end = start + read_size(frames, entry, common);
   *range = (UnwindRange){.start = start, .end = end};
   return start >= last && end > start && end == range->end;
}

void cg2_unwind_read(Object* object,
                     const ElfPiece* header,
                     const ElfPiece* frames)
{
   ByteReader rows = reader_at(header, header->address + HEADER_BYTES - 4);
   UInt n = cg2_bytes_number(&rows, 4);
   if (rows.is_short || n > (header->size - HEADER_BYTES) / ROW_BYTES) return;
   object->unwind = cg2_arena_new(n * sizeof *object->unwind);
   object->n_unwind = 0;
   Common common = {0};
   Addr last = 0;
   for (UInt i = 0; i < n; i++) {
      UnwindRange* range = &object->unwind[object->n_unwind];
      if (!read_range(&rows, header, frames, last, &common, range)) continue;
      last = range->end;
      object->n_unwind++;
   }
}
