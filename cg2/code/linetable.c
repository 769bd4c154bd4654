#include "code/linetable.h"

#include "base/arena.h"
#include "code/bytes.h"

/* Files of a unit beyond these have no witness. */
enum { FILES_MAX = 4096, OPCODES_MAX = 256 };

typedef struct LineRow {
   Addr address;
   UInt file, line;
} LineRow;

/* An opening that waits for the witness of its file. */
typedef struct Waiting {
   UInt range; /* index of the function's unwind range */
   UInt file, line;
} Waiting;

/* What the header of a unit says of opcodes. */
typedef struct UnitOpcodes {
   UInt instruction_min; /* bytes that addresses advance by */
   Int line_base;        /* what special opcodes do */
   UInt line_range, base;
   UChar n_operands[OPCODES_MAX]; /* of the standard opcodes */
} UnitOpcodes;

/* A unit while it is read. */
typedef struct Unit {
   Object* object;
   UnitOpcodes opcodes;
   LineRow row; /* the registers */
   LineRow first,
      last;       /* of the rows so far that have the address of the last one */
   Bool has_rows; /* the sequence has rows so far */
   Bool is_dead;  /* the sequence is of code that the linker threw away */
   UInt witness[FILES_MAX]; /* offset of an instruction, by file; 0: none */
   UInt n_files;            /* entries of `witness` that may not be 0 */
   Waiting* waiting;
   UInt n_waiting, max_waiting;
} Unit;

/*--- Rows ---------------------------------------------------------------*/

/* Keeps the first of several rows of one address if a function begins there and
 * its file is not that of the row that is kept by others. */
static void keep_opening(Unit* u)
{
   if (u->first.file == u->last.file) return;
   UnwindRange* range = cg2_code_unwind_range(u->object, u->first.address);
   if (!range || range->start != u->first.address) return;
   if (u->n_waiting == u->max_waiting) {
      u->max_waiting = u->max_waiting ? 2 * u->max_waiting : 64;
      u->waiting = VG_(realloc)("cg2.waiting", u->waiting,
                                u->max_waiting * sizeof *u->waiting);
   }
   u->waiting[u->n_waiting++] = (Waiting){.range = range - u->object->unwind,
                                          .file = u->first.file,
                                          .line = u->first.line};
}

/* The last row covers instructions: up to `end`. */
static void keep_witness(Unit* u, Addr end)
{
   const Range* code = &u->object->code;
   UInt file = u->last.file;
   Addr address = u->last.address;
   if (file >= FILES_MAX || address >= end || address < code->start ||
       end > code->end)
      return;
   u->witness[file] = address;
   if (file >= u->n_files) u->n_files = file + 1;
}

/* The rows of one address are complete: the next one is at `address`. */
static void close_rows(Unit* u, Addr address)
{
   if (!u->has_rows || u->is_dead) return;
   keep_opening(u);
   keep_witness(u, address);
}

static void add_row(Unit* u)
{
   if (!u->has_rows || u->row.address != u->last.address) {
      close_rows(u, u->row.address);
      u->first = u->row;
      if (!u->has_rows) u->is_dead = u->row.address == 0;
      u->has_rows = True;
   }
   u->last = u->row;
}

static void start_sequence(Unit* u)
{
   u->row = (LineRow){.file = 1, .line = 1};
   u->has_rows = False;
}

static void end_sequence(Unit* u)
{
   close_rows(u, u->row.address);
   start_sequence(u);
}

/*--- The program --------------------------------------------------------*/

/* Opcodes. The standard ones that are missing change nothing that is looked at,
 * but for their operands. */
enum {
   EXTENDED = 0,
   COPY = 1,
   ADVANCE_PC = 2,
   ADVANCE_LINE = 3,
   SET_FILE = 4,
   CONST_ADD_PC = 8,
   FIXED_ADVANCE_PC = 9,
   END_SEQUENCE = 1, /* extended */
   SET_ADDRESS = 2,  /* extended */
};

static void advance(Unit* u, ULong instructions)
{
   u->row.address += u->opcodes.instruction_min * instructions;
}

static void obey_special(Unit* u, UInt opcode)
{
   UInt n = opcode - u->opcodes.base;
   advance(u, n / u->opcodes.line_range);
   u->row.line += u->opcodes.line_base + (Int)(n % u->opcodes.line_range);
   add_row(u);
}

static void obey_extended(Unit* u, ByteReader* r)
{
   ULong n = cg2_bytes_leb(r);
   if (n == 0 || n > (SizeT)(r->end - r->next)) {
      r->is_short = True;
      return;
   }
   const UChar* behind = r->next + n;
   UInt opcode = cg2_bytes_number(r, 1);
   if (opcode == END_SEQUENCE) end_sequence(u);
   if (opcode == SET_ADDRESS && n - 1 == sizeof(Addr))
      u->row.address = cg2_bytes_number(r, sizeof(Addr));
   r->next = behind;
}

static void obey_standard(Unit* u, UInt opcode, ByteReader* r)
{
   switch (opcode) {
   case COPY:
      return add_row(u);
   case ADVANCE_PC:
      return advance(u, cg2_bytes_leb(r));
   case ADVANCE_LINE:
      u->row.line += cg2_bytes_signed_leb(r);
      return;
   case SET_FILE:
      u->row.file = cg2_bytes_leb(r);
      return;
   case CONST_ADD_PC:
      return advance(u, (255 - u->opcodes.base) / u->opcodes.line_range);
   case FIXED_ADVANCE_PC:
      u->row.address += cg2_bytes_number(r, 2);
      return;
   default:
      for (UInt i = 0; i < u->opcodes.n_operands[opcode]; i++)
         cg2_bytes_leb(r);
   }
}

static void obey(Unit* u, ByteReader* r)
{
   start_sequence(u);
   while (r->next < r->end && !r->is_short) {
      UInt opcode = cg2_bytes_number(r, 1);
      if (opcode >= u->opcodes.base)
         obey_special(u, opcode);
      else if (opcode == EXTENDED)
         obey_extended(u, r);
      else
         obey_standard(u, opcode, r);
   }
}

/*--- The header ---------------------------------------------------------*/

/* Reads a unit's header, up to its program. False if that is not understood. */
static Bool read_header(Unit* u, ByteReader* r)
{
   UInt offset_size = 4;
   if (cg2_bytes_number(r, 4) == ~0U) {
      offset_size = 8;
      cg2_bytes_number(r, 8);
   }
   UInt version = cg2_bytes_number(r, 2);
   if (version >= 5) cg2_bytes_number(r, 2); /* sizes of addresses */
   ULong length = cg2_bytes_number(r, offset_size);
   if (version < 2 || version > 5 || length > (SizeT)(r->end - r->next))
      return False;
   const UChar* program = r->next + length;
   u->opcodes.instruction_min = cg2_bytes_number(r, 1);
   if (version >= 4) cg2_bytes_number(r, 1); /* operations of an instruction */
   cg2_bytes_number(r, 1);                   /* whether rows are statements */
   u->opcodes.line_base = (signed char)cg2_bytes_number(r, 1);
   u->opcodes.line_range = cg2_bytes_number(r, 1);
   u->opcodes.base = cg2_bytes_number(r, 1);
   for (UInt i = 1; i < u->opcodes.base; i++)
      u->opcodes.n_operands[i] = cg2_bytes_number(r, 1);
   Bool is_good = !r->is_short && u->opcodes.line_range && r->next <= program;
   r->next = program;
   return is_good;
}

/*--- All ----------------------------------------------------------------*/

/* Gives the unwind ranges their openings, as far as there are witnesses. */
static void give_openings(const Unit* u)
{
   Object* object = u->object;
   if (u->n_waiting && !object->openings)
      object->openings =
         cg2_arena_new(object->n_unwind * sizeof *object->openings);
   for (UInt i = 0; i < u->n_waiting; i++) {
      const Waiting* w = &u->waiting[i];
      if (w->file < u->n_files && u->witness[w->file])
         object->openings[w->range] =
            (Opening){.witness = u->witness[w->file], .line = w->line};
   }
}

void cg2_linetable_read(Object* object, const UChar* unit, SizeT n)
{
   Unit* u = VG_(calloc)("cg2.unit", 1, sizeof *u);
   u->object = object;
   ByteReader r = {.next = unit, .end = unit + n};
   if (read_header(u, &r)) obey(u, &r);
   give_openings(u);
   if (u->waiting) VG_(free)(u->waiting);
   VG_(free)(u);
}

const Opening* cg2_linetable_opening(const Object* object, Addr offset)
{
   if (!object->openings) return NULL;
   const UnwindRange* range = cg2_code_unwind_range(object, offset);
   if (!range || range->start != offset) return NULL;
   const Opening* opening = &object->openings[range - object->unwind];
   return opening->witness ? opening : NULL;
}
