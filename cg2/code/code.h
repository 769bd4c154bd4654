/* Code: the objects of the program, and their functions.
 *
 * Each record lives until exit and is found again by table. Whoever translates
 * fills the records; whoever writes a profile walks them. */
#ifndef CG2_CODE_H
#define CG2_CODE_H

#include "base/names.h"
#include "code/rules.h"

struct Block;
struct Cells;

typedef struct Range {
   Addr start, end; /* offsets in an object: [start, end) */
} Range;

enum { STUB_RANGES_MAX = 4 };

/* The code that one entry of an object's unwind table covers. */
typedef struct UnwindRange {
   UInt start, end; /* offsets in the object: [start, end) */
   UInt home;       /* number of the function that the range begins with; 0:
                       not known yet */
} UnwindRange;

/* Where the body of a function begins whose first instruction is inlined
 * from another file. */
typedef struct Opening {
   UInt witness; /* offset of an instruction that is in the same file, not
                    inlined; 0: there is no opening */
   UInt line;
} Opening;

/* An ELF object, or the one object for code that belongs to none. */
typedef struct Object {
   TableNode node;
   const Name* name;      /* path, or "???" */
   SizeT text_size;       /* bytes; with the name: the key */
   Bool has_functions;    /* some of its code ran */
   const HChar* identity; /* what tells its file from others of that name, as
                             headers of profiles have it; NULL: not known */
   Range code;            /* from the first executable byte to the last */
   Addr entry;            /* where a process begins; 0: not known, or nowhere */
   Range stubs[STUB_RANGES_MAX]; /* .plt and its relatives */
   UInt n_stubs;                 /* ranges in `stubs` */
   UnwindRange* unwind;          /* ascending; no two of the ranges overlap */
   UInt n_unwind;                /* ranges in `unwind` */
   Opening* openings;            /* of each of `unwind`; NULL: none has one */
} Object;

/* A symbol of an object that is a function. */
typedef struct Symbol {
   Object* object;
   Addr offset;         /* of the first instruction, in the object */
   const Name* mangled; /* as it stands in the object */
   const Name* shown;   /* demangled as the user wishes */
   const Name* file;    /* where it is declared, or "???" */
   UInt line;           /* of its body, if the first instruction is of
                           another file, else of that; or 0 */
} Symbol;

/* A function: a symbol, or, where there is none, an address that was called.
 * Symbols of one object, file and mangled name are one function, as no profile
 * could tell them apart, and so are the variants of a C++ constructor or
 * destructor. Among different symbols that are demangled alike, the first that
 * was seen is shown demangled, each other one mangled. */
typedef struct Function {
   TableNode node;       /* in cg2_code.functions */
   TableNode named_node; /* in cg2_code.named, if it has a symbol */
   Object* object;
   Addr offset;         /* of the first instruction; with the object: a key */
   const Name* mangled; /* the symbol's; NULL without symbol */
   const Name* name;    /* the name that is shown */
   const Name* file;    /* the symbol's, or "???" */
   UInt line;           /* the symbol's, or 0 */
   UInt number;         /* 1, 2, ... in order of first use */
   UInt* active;        /* how many frames of the function are on the running
                           thread's stack; NULL while it has no context */
   UInt n_slots;        /* given to blocks whose home the function is */
   const Rules* rules;  /* of the command line, for the function's name */
   Bool is_resolver;    /* the dynamic linker's: a stub called the function and
                           pushed words for it */
   Addr reach; /* offsets [offset, reach] are known to be the function's code */
   struct Block* blocks; /* whose home the function is, newest first */
   struct Cells* cells;  /* of this home, in any context */
} Function;

typedef struct Code {
   Names object_names, file_names, function_names;
   Table objects;        /* by name and size of text */
   Table functions;      /* by object and offset */
   Table named;          /* functions with a symbol, by object, file and name */
   Function** by_number; /* [1..n_functions] */
   UInt n_functions, max_functions;
   Bool reads_lines; /* line tables are read, from ELF files; an option sets it
                        before the first translation */
} Code;

/* All objects and functions of the program that were ever seen. */
extern Code cg2_code;

/* The object with this name and size of text, or NULL. */
Object* cg2_code_find_object(const Name* name, SizeT text_size);

/* Makes the object, which is not there yet. Its code, stubs and unwind ranges
 * are the caller's to fill in. */
Object* cg2_code_add_object(const Name* name, SizeT text_size);

/* The unwind range that the offset is in, or NULL. */
UnwindRange* cg2_code_unwind_range(const Object* object, Addr offset);

/* Whether the offset is in one of the linker's call stubs. */
Bool cg2_code_is_stub(const Object* object, Addr offset);

/* The function that begins at the offset, or NULL. */
Function* cg2_code_find_function(const Object* object, Addr offset);

/* The function of a symbol, made on first use. Its rules are those of the name
 * that the symbol is shown by. */
Function* cg2_code_named_function(const Symbol* symbol);

/* The function without symbol that begins at the offset, made on first use and
 * named by the offset; `_start` where the process begins. */
Function* cg2_code_function_at(Object* object, Addr offset);

/* Gives all functions that are known the rule that was added last. */
void cg2_code_apply_last_rule(void);

/* The hash of a place in an object, for tables that are searched by place. */
static inline ULong cg2_code_hash_place(const Object* object, Addr offset)
{
   return cg2_hash_word(cg2_hash_word(0, (UWord)object), offset);
}

#endif
