#include "data/heap/allocsites.h"

#include "base/arena.h"
#include "code/symbols.h"
#include "data/heap/allocators.h"

/* A call on the way to an allocator. */
typedef struct Site {
   const Exit* exit;         /* NULL: not known */
   const Function* function; /* that makes the call; NULL: not known */
} Site;

/* A place that was found once. */
typedef struct KnownSite {
   TableNode node; /* key: the sites */
   DataObject* object;
   UInt n;
   Site sites[];
} KnownSite;

/* A name that an object has. */
typedef struct Named {
   TableNode node; /* key: the object's name and ELF object */
   DataObject* object;
} Named;

/* Reason for a mutable file-scope object: the places of the program. */
static struct {
   Table known, named;
} places;

/*--- Frames -------------------------------------------------------------*/

static const Frame* frame_at(UInt i)
{
   return cg2_stack_frame(&cg2_now.stack, i);
}

static const Function* function_at(UInt i)
{
   return i > cg2_now.stack.base ? frame_at(i)->arc->callee->function : NULL;
}

/* The function that called that of frame number `i`. */
static const Function* caller_at(UInt i)
{
   return i ? function_at(i - 1) : NULL;
}

/* How many frames of one object are looked at for a function that hands memory
 * on: in a C library without symbols, others that it calls lie between. */
enum { NEAR = 8 };

/* The outermost frame, from number `depth` on, of a function that gives memory
 * to its caller; 0: there is none. Allocators lie on top; others that hand
 * memory on may call functions of their own object. */
static UInt last_giver(UInt depth)
{
   UInt found = 0;
   Bool is_on_top = True;
   const Function* f = function_at(depth);
   const Object* object = f ? f->object : NULL;
   for (UInt n = 0; (f = function_at(depth)) && f->object == object && n < NEAR;
        n++, depth--) {
      is_on_top = is_on_top && (f->rules->allocator || f->rules->hands_on);
      if (is_on_top || f->rules->hands_on) found = depth;
   }
   return found;
}

/* The call on whose behalf the call is made that a site describes. */
static Site site_outside(const Exit* exit, UInt* depth)
{
   for (UInt giver; (giver = last_giver(*depth)) && caller_at(giver);) {
      exit = frame_at(giver)->arc->exit;
      *depth = giver - 1;
   }
   return (Site){exit, function_at(*depth)};
}

static Bool is_usable(const Exit* exit)
{
   return exit && exit->block && exit->kind != EXIT_RETURN;
}

/* Fills in the sites of a place: the first, in frame number `depth`, and its
 * callers. Returns how many. */
static UInt fill_sites(Site* sites, const Site* first, UInt depth)
{
   sites[0] = *first;
   if (!is_usable(sites[0].exit)) sites[0].exit = NULL;
   UInt n = 1;
   for (; n < cg2_allocators_config.n_callers && caller_at(depth);
        n++, depth--) {
      const Exit* call = frame_at(depth)->arc->exit;
      if (!is_usable(call)) break;
      sites[n] = (Site){call, caller_at(depth)};
   }
   return n;
}

/*--- Names --------------------------------------------------------------*/

static const HChar* base_of(const HChar* path)
{
   const HChar* base = path;
   for (; *path; path++)
      if (*path == '/') base = path + 1;
   return base;
}

/* The end of a source's path that mostly tells it from others: its last part,
 * and in front of those that each library of Rust has, a directory that is
 * named by somebody. */
static const HChar* tail_of(const HChar* path)
{
   static const HChar* const common[] = {"mod.rs", "lib.rs", "main.rs"};
   static const HChar src[] = "src/";
   const HChar* tail = base_of(path);
   Bool is_common = False;
   for (UInt i = 0; i < sizeof common / sizeof *common; i++)
      is_common = is_common || VG_(strcmp)(tail, common[i]) == 0;
   for (Bool is_named = !is_common; !is_named && tail > path;) {
      const HChar* end = tail--;
      while (tail > path && tail[-1] != '/')
         tail--;
      is_named = end - tail != sizeof src - 1 ||
                 VG_(strncmp)(tail, src, sizeof src - 1) != 0;
   }
   return tail;
}

/* The longest text that is not a name of the program's. */
enum { NUMBERS = 40 };

/* The last of the first `n` instructions of a block that has a line of a file;
 * -1: none has. */
static Int last_of_file(Block* block, UInt n, UInt file)
{
   cg2_symbols_resolve(block);
   for (; n > 0; n--)
      if (block->lines[n - 1].file == file && block->lines[n - 1].line)
         return n - 1;
   return -1;
}

/* Where an instruction of a block is in its object. */
static Addr offset_of(const Block* block, UInt instr)
{
   return block->offset + cg2_block_instrs(block)[instr];
}

/* The block of the same home that lies before `block`, nearest to it, and has a
 * line of a file; *instr becomes the last instruction with such a line. NULL:
 * there is none. */
static const Block* block_before(const Block* block, UInt file, Int* instr)
{
   const Block* found = NULL;
   for (Block* b = block->home->blocks; b; b = b->next_of_home) {
      if (b->object != block->object || b->offset >= block->offset) continue;
      Int last = last_of_file(b, b->n_instrs, file);
      if (last < 0 || (found && offset_of(b, last) <= offset_of(found, *instr)))
         continue;
      found = b;
      *instr = last;
   }
   return found;
}

/* The source line of a call: that in the function's own file, which is that of
 * the last instruction before the call which is not inlined from another one.
 */
static SourceLine line_of(const Site* site)
{
   Block* block = site->exit->block;
   UInt at = site->exit->instr;
   cg2_symbols_resolve(block);
   if (!site->function || !block->lines[at].line) return block->lines[at];
   UInt own = site->function->file->number;
   Int instr = last_of_file(block, at + 1, own);
   if (instr >= 0) return block->lines[instr];
   const Block* before = block_before(block, own, &instr);
   return before ? before->lines[instr] : block->lines[at];
}

/* Writes a site, and returns how many characters. `to` has room for the names
 * of it and NUMBERS more. */
static UInt write_site(HChar* to, const Site* site)
{
   const HChar* function = site->function ? site->function->name->text : "???";
   if (!site->exit)
      return VG_(sprintf)(
         to, "%s (%s)",
         site->function ? base_of(site->function->object->name->text) : "???",
         function);
   const Block* block = site->exit->block;
   SourceLine at = line_of(site);
   if (at.line)
      return VG_(sprintf)(to, "%s:%u (%s)",
                          tail_of(cg2_code.file_names.by_number[at.file]->text),
                          at.line, function);
   return VG_(sprintf)(to, "%s+0x%lx (%s)", base_of(block->object->name->text),
                       offset_of(block, site->exit->instr), function);
}

static SizeT room_for(const Site* site)
{
   SizeT n = NUMBERS;
   if (site->function)
      n += VG_(strlen)(site->function->name->text) +
           VG_(strlen)(site->function->object->name->text);
   if (site->exit) {
      UInt file = line_of(site).file;
      n += VG_(strlen)(site->exit->block->object->name->text) +
           VG_(strlen)(cg2_code.file_names.by_number[file]->text);
   }
   return n;
}

/* The name of a place; to be freed. */
static HChar* name_of(const Site* sites, UInt n)
{
   static const HChar before[] = " < ";
   SizeT room = 1;
   for (UInt i = 0; i < n; i++)
      room += room_for(&sites[i]) + sizeof before;
   HChar* name = VG_(malloc)("cg2.place", room);
   HChar* to = name + write_site(name, &sites[0]);
   for (UInt i = 1; i < n; i++) {
      to += VG_(sprintf)(to, "%s", before);
      to += write_site(to, &sites[i]);
   }
   return name;
}

/* The object with a name. Made on first use: several calls may stand in one
 * line. */
static DataObject* object_named(const HChar* name, const Object* object)
{
   ULong hash = cg2_hash_string((UWord)object, name);
   for (TableNode* n = cg2_table_first(&places.named, hash); n;
        n = cg2_table_next(n)) {
      DataObject* known = ((Named*)n)->object;
      if (known->object == object && VG_(strcmp)(known->name, name) == 0)
         return known;
   }
   Named* named = cg2_arena_new(sizeof *named);
   named->object = cg2_dataobject_new(DATA_HEAP, name, object);
   cg2_table_add(&places.named, &named->node, hash);
   return named->object;
}

/*--- Places -------------------------------------------------------------*/

static const Object* object_of(const Site* site)
{
   if (site->exit) return site->exit->block->object;
   return site->function ? site->function->object : NULL;
}

static KnownSite* add_place(const Site* sites, UInt n, ULong hash)
{
   KnownSite* known = cg2_arena_new(sizeof *known + n * sizeof *sites);
   HChar* name = name_of(sites, n);
   known->object = object_named(name, object_of(&sites[0]));
   known->n = n;
   VG_(memcpy)(known->sites, sites, n * sizeof *sites);
   cg2_table_add(&places.known, &known->node, hash);
   VG_(free)(name);
   return known;
}

static Bool is_of(const KnownSite* known, const Site* sites, UInt n)
{
   if (known->n != n) return False;
   for (UInt i = 0; i < n; i++)
      if (known->sites[i].exit != sites[i].exit ||
          known->sites[i].function != sites[i].function)
         return False;
   return True;
}

/* The object of the place that a site and its callers are, from that of frame
 * number `depth`. */
static DataObject* object_at(const Site* site, UInt depth)
{
   Site sites[ALLOCSITES_CALLERS_MAX];
   UInt n = fill_sites(sites, site, depth);
   ULong hash = 0;
   for (UInt i = 0; i < n; i++) {
      hash = cg2_hash_word(hash, (UWord)sites[i].exit);
      hash = cg2_hash_word(hash, (UWord)sites[i].function);
   }
   TableNode* node = cg2_table_first(&places.known, hash);
   while (node && !is_of((KnownSite*)node, sites, n))
      node = cg2_table_next(node);
   KnownSite* known = node ? (KnownSite*)node : add_place(sites, n, hash);
   return known->object;
}

DataObject* cg2_allocsites_find(const Exit* exit, UInt depth)
{
   Site site = site_outside(exit, &depth);
   return object_at(&site, depth);
}

/* A function that hands on what the kernel gives it may make its system call by
 * functions without a symbol, so many at most. */
enum { BELOW_CALL = 3 };

DataObject* cg2_allocsites_find_map(void)
{
   UInt depth = cg2_stack_depth(&cg2_now.stack);
   Site site = {cg2_thread_last_exit(), function_at(depth)};
   UInt giver = depth;
   for (UInt n = 0; n < BELOW_CALL && caller_at(giver) &&
                    !function_at(giver)->rules->hands_on;
        n++)
      giver--;
   while (caller_at(giver) && function_at(giver)->rules->hands_on) {
      site = (Site){frame_at(giver)->arc->exit, caller_at(giver)};
      depth = --giver;
   }
   return object_at(&site, depth);
}

/* Source: Valgrind's name of what calls main. */
static Bool is_below_main(const Function* function)
{
   return VG_(strcmp)(function->name->text, "(below main)") == 0;
}

DataObject* cg2_allocsites_find_caller(void)
{
   UInt depth = cg2_stack_depth(&cg2_now.stack);
   const Function* caller = caller_at(depth);
   if (!caller || is_below_main(caller))
      return cg2_allocsites_find(NULL, depth);
   return cg2_allocsites_find(frame_at(depth)->arc->exit, depth - 1);
}

void cg2_allocsites_count(DataObject* place, SizeT size)
{
   if (cg2_now.collection.is_off) return;
   place->n_blocks++;
   place->n_bytes += size;
}
