#include "data/static/threadlocals.h"
#include "base/search.h"

#include "arch/threadpointer.h"
#include "data/memory/regions.h"
#include "data/static/elfobjects.h"
#include "engine/thread.h"

/*--- Modules ------------------------------------------------------------*/

typedef struct Module {
   LoadedObject object;
   Bool is_program;   /* the object of the program, which is linked first */
   Bool has_distance; /* `distance` is known */
   PtrdiffT distance; /* from the thread pointer to the module's block */
   UWord number;      /* in vectors; 0: not known */
   Bool is_distance_readable, is_number_readable; /* the dynamic linker's words
                                                     for both */
} Module;

/* The modules that are loaded. */
typedef struct Modules {
   Module* all;
   UInt n, capacity;
   UInt n_open;       /* that the dynamic linker has not placed yet */
   Bool has_numbers;  /* one is in vectors, or was */
   UInt version;      /* of the list of objects; 0: none */
   UInt control_size; /* bytes of the block at the thread pointer */
   Addr headers;      /* of the program's ELF object; 0: not known */
} Modules;

/* The thread pointers that were seen. */
typedef struct Pointers {
   Addr* all; /* ascending */
   UInt n, capacity;
   Addr recent; /* the running thread's, which is among them; 0: none */
} Pointers;

/* Reason for a mutable file-scope object: facts of the process, which are
 * looked for once. */
static struct {
   Modules modules;
   Pointers pointers;
   DataObject* control; /* the block at a thread pointer; NULL: not made yet */
} known;

/* What the C library says at least: itself, the vector, the guards of stacks
 * and pointers. Source: glibc, tcbhead_t in tls.h. */
enum { CONTROL_SIZE = 8 * sizeof(Addr) };

void cg2_threadlocals_begin(Addr headers)
{
   known.modules.headers = headers;
}

static Bool is_program(const LoadedObject* object)
{
   Addr start = 0, end = ~(Addr)0;
   return known.modules.headers &&
          cg2_elfdata_find(&object->elf->data.segments,
                           known.modules.headers - object->bias, &start, &end);
}

static void add_module(const LoadedObject* object)
{
   const ElfData* data = &object->elf->data;
   if (!data->thread_size) return;
   if (known.modules.n == known.modules.capacity) {
      known.modules.capacity =
         known.modules.capacity ? 2 * known.modules.capacity : 8;
      known.modules.all =
         VG_(realloc)("cg2.threadlocals", known.modules.all,
                      known.modules.capacity * sizeof *known.modules.all);
   }
   Module* m = &known.modules.all[known.modules.n++];
   *m = (Module){.object = *object, .is_program = is_program(object)};
   if (m->is_program) {
      m->has_distance = True;
      m->distance =
         cg2_threadpointer_first(data->thread_size, data->thread_align);
   } else {
      known.modules.n_open++;
   }
}

/* Reads a word of the program's memory. False: it cannot be read. */
static Bool read_word(Addr address, UWord* word)
{
   if (!cg2_regions_is_readable(address, sizeof *word)) return False;
   *word = *(const UWord*)address;
   return True;
}

/* The size of the C library's block, which libc says to debuggers. Source:
 * glibc, nptl_db: _thread_db_sizeof_pthread. */
static void take_control_size(const LoadedObject* object)
{
   UWord size;
   Addr at = object->elf->data.control_size;
   if (at && read_word(at + object->bias, &size) && (UInt)size > CONTROL_SIZE)
      known.modules.control_size = size;
}

static void refresh(void)
{
   const LoadedObjects* loaded = cg2_elfobjects_loaded();
   if (known.modules.version == loaded->version) return;
   known.modules.version = loaded->version;
   known.modules.n = known.modules.n_open = 0;
   known.modules.has_numbers = False;
   known.modules.control_size = CONTROL_SIZE;
   for (UInt i = 0; i < loaded->n; i++) {
      add_module(&loaded->all[i]);
      take_control_size(&loaded->all[i]);
   }
}

/* What the dynamic linker has written to a word. False: nothing yet. */
static Bool read_filled(const Module* m,
                        const ThreadWord* word,
                        Bool* is_readable,
                        UWord* content)
{
   if (!word->at) return False;
   const UWord* at = (const UWord*)(word->at + m->object.bias);
   if (!*is_readable)
      *is_readable = cg2_regions_is_readable((Addr)at, sizeof *at);
   if (!*is_readable) return False;
   *content = *at;
   return *content != word->initial;
}

/* Asks the dynamic linker's words where a module is. */
static void place(Module* m)
{
   const ThreadWords* words = &m->object.elf->data.thread_words;
   UWord content;
   if (m->has_distance || m->number) return;
   if (read_filled(m, &words->distance, &m->is_distance_readable, &content)) {
      m->has_distance = True;
      m->distance = content - words->distance.variable;
   } else if (read_filled(m, &words->module, &m->is_number_readable,
                          &content)) {
      m->number = content;
      known.modules.has_numbers = True;
   } else {
      return;
   }
   known.modules.n_open--;
}

/*--- Threads ------------------------------------------------------------*/

/* How many of the thread pointers are at or below an address. */
static UInt count_below(Addr address)
{
   return cg2_search_first(i, 0, known.pointers.n,
                           known.pointers.all[i] <= address);
}

static void add_pointer(Addr pointer)
{
   UInt i = count_below(pointer);
   if (i && known.pointers.all[i - 1] == pointer) return;
   if (known.pointers.n == known.pointers.capacity) {
      known.pointers.capacity =
         known.pointers.capacity ? 2 * known.pointers.capacity : 16;
      known.pointers.all =
         VG_(realloc)("cg2.threadlocals", known.pointers.all,
                      known.pointers.capacity * sizeof *known.pointers.all);
   }
   VG_(memmove)
   (&known.pointers.all[i + 1], &known.pointers.all[i],
    (known.pointers.n - i) * sizeof *known.pointers.all);
   known.pointers.all[i] = pointer;
   known.pointers.n++;
}

/* The running thread's pointer; 0: it has none. */
static Addr running_pointer(void)
{
   Addr pointer = cg2_threadpointer_of(cg2_now.tid);
   if (pointer == known.pointers.recent) return pointer;
   if (!cg2_regions_is_readable(pointer, CONTROL_SIZE)) return 0;
   add_pointer(pointer);
   return known.pointers.recent = pointer;
}

Bool cg2_threadlocals_notice(Bool* is_new)
{
   UInt n = known.pointers.n;
   Bool is_there = running_pointer() != 0;
   *is_new = known.pointers.n != n;
   return is_there;
}

Bool cg2_threadlocals_are_in(Addr start, Addr end)
{
   UInt next = start ? count_below(start - 1) : 0;
   return next < known.pointers.n && known.pointers.all[next] < end;
}

Bool cg2_threadlocals_may_be_in(Addr start, Addr end)
{
   refresh();
   return known.modules.n_open || known.modules.has_numbers ||
          cg2_threadlocals_are_in(start, end);
}

void cg2_threadlocals_unmapped(Addr start, SizeT size)
{
   UInt n = 0;
   for (UInt i = 0; i < known.pointers.n; i++)
      if (known.pointers.all[i] - start >= size)
         known.pointers.all[n++] = known.pointers.all[i];
   known.pointers.n = n;
   known.pointers.recent = 0;
}

/*--- Finding ------------------------------------------------------------*/

/* The piece of an address in a module's block that begins at `block`. */
static Bool
find_in_block(const Module* m, Addr block, Addr address, DataPiece* piece)
{
   const ElfData* data = &m->object.elf->data;
   Addr offset = address - block, start = 0, end = data->thread_size;
   if (offset >= data->thread_size) return False;
   ElfStretch* s =
      cg2_elfdata_find(&data->thread_symbols, offset, &start, &end);
   if (!s) s = cg2_elfdata_find(&data->thread_sections, offset, &start, &end);
   if (!s) return False;
   *piece = (DataPiece){.start = block + start,
                        .end = block + end,
                        .origin = block + s->start,
                        .object = cg2_elfobjects_object(m->object.elf, s)};
   return True;
}

/* The block at the thread pointer itself. */
static Bool find_in_control(Addr pointer, Addr address, DataPiece* piece)
{
   if (address - pointer >= known.modules.control_size) return False;
   if (!known.control)
      known.control =
         cg2_dataobject_new(DATA_OTHER, "thread control block", NULL);
   *piece = (DataPiece){.start = pointer,
                        .end = pointer + known.modules.control_size,
                        .origin = pointer,
                        .object = known.control};
   return True;
}

/* The address as one at a fixed distance from a thread pointer. */
static Bool find_at(Addr pointer, Addr address, DataPiece* piece)
{
   for (UInt i = 0; i < known.modules.n; i++) {
      const Module* m = &known.modules.all[i];
      if (m->has_distance &&
          find_in_block(m, pointer + m->distance, address, piece))
         return True;
   }
   return find_in_control(pointer, address, piece);
}

/* The address as one in a block that the running thread's vector leads to.
 * Source: glibc, dl-tls.c: in front of the vector stands how many entries it
 * has. */
static Bool find_by_vector(Addr pointer, Addr address, DataPiece* piece)
{
   enum { ENTRY = 2 * sizeof(UWord) };
   UWord vector, n, block;
   for (UInt i = 0; i < known.modules.n; i++) {
      const Module* m = &known.modules.all[i];
      if (m->number && read_word(pointer + THREADPOINTER_VECTOR, &vector) &&
          read_word(vector - ENTRY, &n) && m->number <= n &&
          read_word(vector + m->number * ENTRY, &block) &&
          find_in_block(m, block, address, piece))
         return True;
   }
   return False;
}

Bool cg2_threadlocals_find(Addr address, DataPiece* piece)
{
   refresh();
   Addr pointer = running_pointer();
   if (!pointer) return False;
   for (UInt i = 0; i < known.modules.n && known.modules.n_open; i++)
      place(&known.modules.all[i]);
   UInt next = count_below(address);
   return (next < known.pointers.n &&
           find_at(known.pointers.all[next], address, piece)) ||
          (next > 0 && find_at(known.pointers.all[next - 1], address, piece)) ||
          find_by_vector(pointer, address, piece);
}
