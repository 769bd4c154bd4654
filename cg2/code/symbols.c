#include "code/symbols.h"

#include "arch/guest.h"
#include "arch/guestmemory.h"
#include "base/arena.h"
#include "code/elffile.h"
#include "code/linetable.h"
#include "pub_tool_debuginfo.h"
#include "pub_tool_options.h"

/* Two functions of Valgrind's core, in each version from 3.19 to 3.27, that no
 * header declares for tools. Source: their contracts, as VG_(get_fnname) has
 * them in pub_tool_debuginfo.h. */
/* The symbol at an address as it stands in the object. The text is the
 * debug-information reader's. */
extern Bool VG_(get_fnname_raw)(DiEpoch epoch, Addr address, const HChar** raw);
/* How far the address is from where the symbol begins. */
extern Bool VG_(get_inst_offset_in_function)(DiEpoch epoch,
                                             Addr address,
                                             PtrdiffT* n);

/* What Valgrind said of the process's one memory map, in one epoch of debug
 * information. */
typedef struct Mappings {
   Bool is_valid;
   UInt epoch;
   Mapping* all;
   UInt n, capacity;
   UInt recent; /* index of the last hit */
} Mappings;

/* The last file name that was asked for. */
typedef struct RecentFile {
   const HChar *directory, *base; /* Valgrind's strings, same while loaded */
   const Name* name;
} RecentFile;

/* Reason for a mutable file-scope object: what Valgrind said is kept, as asking
 * it takes long. */
static struct {
   Mappings mappings;
   RecentFile file;
   /* The lines of all blocks without line information, which are most blocks
    * where libraries have none: filled once the number of the file name "???"
    * is known. */
   SourceLine no_lines[BLOCK_INSTRS_MAX];
} said;

/*--- Objects and where they are mapped ---------------------------------*/

/* The one object of all code that is in no ELF object. */
static Object* nowhere(void)
{
   const Name* name = cg2_names_intern(&cg2_code.object_names, "???");
   Object* object = cg2_code_find_object(name, 0);
   return object ? object : cg2_code_add_object(name, 0);
}

/* Fills in the code and stubs of an object whose file cannot be read, by what
 * Valgrind knows: .text and .plt. */
static void fill_without_file(Object* object, const DebugInfo* di)
{
   PtrdiffT bias = VG_(DebugInfo_get_text_bias)(di);
   Addr text = VG_(DebugInfo_get_text_avma)(di) - bias;
   object->code = (Range){text, text + VG_(DebugInfo_get_text_size)(di)};
   if (VG_(DebugInfo_get_plt_size)(di) == 0) return;
   Addr plt = VG_(DebugInfo_get_plt_avma)(di) - bias;
   object->stubs[0] = (Range){plt, plt + VG_(DebugInfo_get_plt_size)(di)};
   object->n_stubs = 1;
}

static Object* object_of(const DebugInfo* di)
{
   const Name* name =
      cg2_names_intern(&cg2_code.object_names, VG_(DebugInfo_get_filename)(di));
   SizeT text_size = VG_(DebugInfo_get_text_size)(di);
   Object* object = cg2_code_find_object(name, text_size);
   if (object) return object;
   object = cg2_code_add_object(name, text_size);
   if (!cg2_elffile_read(object)) fill_without_file(object, di);
   return object;
}

static void add_mapping(const DebugInfo* di)
{
   Object* object = object_of(di);
   PtrdiffT bias = VG_(DebugInfo_get_text_bias)(di);
   if (said.mappings.n == said.mappings.capacity) {
      said.mappings.capacity =
         said.mappings.capacity ? 2 * said.mappings.capacity : 16;
      said.mappings.all =
         VG_(realloc)("cg2.mappings", said.mappings.all,
                      said.mappings.capacity * sizeof *said.mappings.all);
   }
   said.mappings.all[said.mappings.n++] =
      (Mapping){.start = object->code.start + bias,
                .end = object->code.end + bias,
                .bias = bias,
                .object = object};
}

/* Lists the mappings anew if memory was mapped or unmapped. */
static void refresh_mappings(void)
{
   DiEpoch now = VG_(current_DiEpoch)();
   if (said.mappings.is_valid && said.mappings.epoch == now.n) return;
   said.mappings.is_valid = True;
   said.mappings.epoch = now.n;
   said.mappings.n = said.mappings.recent = 0;
   said.file.name = NULL;
   for (const DebugInfo* di = VG_(next_DebugInfo)(NULL); di;
        di = VG_(next_DebugInfo)(di)) {
      Addr text = VG_(DebugInfo_get_text_avma)(di);
      if (VG_(DebugInfo_get_text_size)(di) &&
          VG_(find_DebugInfo)(now, text) == di)
         add_mapping(di);
   }
}

const Mapping* cg2_symbols_mappings(UInt* n)
{
   refresh_mappings();
   *n = said.mappings.n;
   return said.mappings.all;
}

UInt cg2_symbols_epoch(void)
{
   return VG_(current_DiEpoch)().n;
}

static Bool contains(const Mapping* mapping, Addr address)
{
   return address >= mapping->start && address < mapping->end;
}

/* The number of the mapping that the address is in; mappings.n: none. Between
 * the parts of an object that lie far apart there may be other objects. */
static UInt search_mapping(Addr address)
{
   UInt found = said.mappings.n;
   for (UInt i = 0; i < said.mappings.n; i++)
      if (contains(&said.mappings.all[i], address) &&
          (found == said.mappings.n ||
           said.mappings.all[i].start > said.mappings.all[found].start))
         found = i;
   return found;
}

/* Whether no other object lies between the parts of a mapping's. */
static Bool is_alone(const Mapping* mapping)
{
   for (UInt i = 0; i < said.mappings.n; i++)
      if (said.mappings.all[i].start > mapping->start &&
          contains(mapping, said.mappings.all[i].start))
         return False;
   return True;
}

/* The mapping that the address is in, or NULL. */
static const Mapping* find_mapping(Addr address)
{
   refresh_mappings();
   if (said.mappings.recent < said.mappings.n &&
       contains(&said.mappings.all[said.mappings.recent], address))
      return &said.mappings.all[said.mappings.recent];
   UInt found = search_mapping(address);
   if (found == said.mappings.n) return NULL;
   const Mapping* mapping = &said.mappings.all[found];
   said.mappings.recent = is_alone(mapping) ? found : said.mappings.n;
   return mapping;
}

/*--- Functions ----------------------------------------------------------*/

/* The source file of an instruction, "???" if not known; *line becomes its line
 * or 0. */
static const Name* file_at(Addr address, UInt* line)
{
   const HChar *base, *directory;
   *line = 0;
   if (!VG_(get_filename_linenum)(VG_(current_DiEpoch)(), address, &base,
                                  &directory, line))
      return cg2_names_intern(&cg2_code.file_names, "???");
   if (said.file.name && said.file.base == base &&
       said.file.directory == directory)
      return said.file.name;
   SizeT n_directory = VG_(strlen)(directory);
   HChar* path = VG_(malloc)("cg2.path", n_directory + VG_(strlen)(base) + 2);
   VG_(sprintf)(path, "%s%s%s", directory, n_directory ? "/" : "", base);
   said.file.name = cg2_names_intern(&cg2_code.file_names, path);
   said.file.base = base;
   said.file.directory = directory;
   VG_(free)(path);
   return said.file.name;
}

/* Source: GCC names the split-off half of foo "foo.cold" or "foo.cold.N". */
static Bool is_split_part(const HChar* symbol)
{
   const HChar* part = VG_(strstr)(symbol, ".cold");
   return part && (part[5] == '\0' || part[5] == '.');
}

static const Name* intern_function(const HChar* text)
{
   return cg2_names_intern_shown(&cg2_code.function_names, text,
                                 VG_(strlen)(text));
}

/* Whether a symbol is of a function that replaces or wraps another function. It
 * counts as the other function, as the core turns calls of that into calls of
 * it. */
static Bool is_replacement(const HChar* symbol)
{
   return VG_(strncmp)(symbol, "_vg", 3) == 0;
}

/* Whether a symbol is mangled as Callgrind demangles it: C++, Rust, D, and the
 * names that Valgrind makes for functions that replace others. Since 3.24
 * Valgrind takes all others for Ada's in a program that has such code, and
 * demangles overloads alike; since 3.25 it does not do so for Callgrind. */
static Bool is_mangled(const HChar* symbol)
{
   return VG_(strncmp)(symbol, "_Z", 2) == 0 ||
          VG_(strncmp)(symbol, "_R", 2) == 0 ||
          VG_(strncmp)(symbol, "_D", 2) == 0 || is_replacement(symbol);
}

/* The name of several symbols that are shown as one function. Source: Valgrind
 * calls them so. */
static const HChar BELOW_MAIN[] = "(below main)";

/* Source: Ada's demangler shows a symbol that is not Ada's as "<symbol>". */
static Bool is_bracketed(const HChar* shown, const HChar* symbol)
{
   SizeT n = VG_(strlen)(symbol);
   return shown[0] == '<' && VG_(strncmp)(shown + 1, symbol, n) == 0 &&
          VG_(strcmp)(shown + 1 + n, ">") == 0;
}

/* Whether the symbol at `address` is where the dynamic linker begins, which has
 * a name for others, as the program itself has not. */
static Bool is_start_of_linker(const HChar* symbol, Addr address)
{
   if (!VG_STREQ(symbol, "_start")) return False;
   const DebugInfo* di = VG_(find_DebugInfo)(VG_(current_DiEpoch)(), address);
   return di && VG_(DebugInfo_get_soname)(di) &&
          !VG_STREQ(VG_(DebugInfo_get_soname)(di), "NONE");
}

/* What the symbol at `address` is shown as. The text is valid until the next
 * symbol is asked for. */
static const HChar* shown_as(const HChar* symbol, Addr address)
{
   const HChar* shown;
   if (VG_(get_fnname_kind)(symbol) == Vg_FnNameBelowMain &&
       !VG_(clo_show_below_main)&& !is_start_of_linker(symbol, address))
      return BELOW_MAIN;
   if (is_mangled(symbol) &&
       VG_(get_fnname)(VG_(current_DiEpoch)(), address, &shown) &&
       !is_bracketed(shown, symbol))
      return shown;
   return symbol;
}

/* The source file where the symbol at `address` is declared; symbol->line
 * becomes the line of that, or of the first instruction if its file is the
 * same. */
static const Name* file_of_symbol(Symbol* symbol, Addr address)
{
   const Opening* opening =
      cg2_linetable_opening(symbol->object, symbol->offset);
   if (opening) {
      UInt line;
      const Name* file =
         file_at(address - symbol->offset + opening->witness, &line);
      symbol->line = opening->line;
      if (!VG_STREQ(file->text, "???")) return file;
   }
   return file_at(address, &symbol->line);
}

static Function*
function_of_symbol(Object* object, Addr offset, Addr address, const HChar* text)
{
   Symbol symbol = {.object = object, .offset = offset};
   const HChar* shown = shown_as(text, address);
   symbol.shown = intern_function(shown);
   Bool is_shown = shown == BELOW_MAIN || is_replacement(text);
   symbol.mangled = is_shown ? symbol.shown : intern_function(text);
   symbol.file = file_of_symbol(&symbol, address);
   return cg2_code_named_function(&symbol);
}

/* Fills in what the symbol at `address`, where the place is, says about it. */
static void find_symbol(CodePlace* p, Addr address)
{
   DiEpoch now = VG_(current_DiEpoch)();
   const HChar* text;
   PtrdiffT inside;
   if (!VG_(get_fnname_raw)(now, address, &text) || is_split_part(text) ||
       !VG_(get_inst_offset_in_function)(now, address, &inside))
      return;
   Addr entry = p->offset - inside;
   p->is_entry = inside == 0;
   p->function = cg2_code_find_function(p->object, entry);
   if (!p->function)
      p->function =
         function_of_symbol(p->object, entry, address - inside, text);
   if (p->function->offset == entry && p->function->reach < p->offset)
      p->function->reach = p->offset;
}

/* The function at the start of an unwind range. */
static Function* home_at(Object* object, Addr offset, Addr address)
{
   CodePlace start = {.object = object, .offset = offset};
   find_symbol(&start, address);
   return start.is_entry ? start.function
                         : cg2_code_function_at(object, offset);
}

/* Fills in the home of a place. Code that no unwind range covers may still have
 * a symbol, but where the symbol's function ends is not known. */
static void find_home(CodePlace* p, PtrdiffT bias)
{
   UnwindRange* range = cg2_code_unwind_range(p->object, p->offset);
   if (!range) {
      p->home = p->function;
      return;
   }
   if (!range->home)
      range->home =
         home_at(p->object, range->start, range->start + bias)->number;
   p->home = cg2_code.by_number[range->home];
   p->home_range = (Range){range->start, range->end};
}

/*--- Code in no object --------------------------------------------------*/

/* Where a trampoline leads that is at the address; 0: none is there. */
static Addr trampoline_target(Addr address)
{
   UChar copy[GUEST_TRAMPOLINE_MAX];
   if (cg2_guestmemory_read(copy, address, sizeof copy) < sizeof copy) return 0;
   return cg2_guest_trampoline_target((const UChar*)address);
}

/* The function that all trampolines to a function are, wherever they lie. */
static Function* function_of_trampoline(const Function* to, Addr target)
{
   static const HChar mark[] = " [trampoline]";
   Function* known = cg2_code_find_function(nowhere(), target);
   if (known) return known;
   const HChar* text = to->name->text;
   HChar* shown =
      VG_(malloc)("cg2.trampoline", VG_(strlen)(text) + sizeof mark);
   VG_(sprintf)(shown, "%s%s", text, mark);
   Symbol symbol = {.object = nowhere(), .offset = target, .file = to->file};
   symbol.shown = symbol.mangled = intern_function(shown);
   VG_(free)(shown);
   return cg2_code_named_function(&symbol);
}

/* What is at an address that is in no object. A trampoline is known by where it
 * leads, as it lies on the stack, elsewhere in each run. */
static CodePlace place_in_no_object(Addr address)
{
   CodePlace place = {.object = nowhere(), .offset = address};
   Addr target = trampoline_target(address);
   if (!target || !find_mapping(target)) return place;
   CodePlace to = cg2_symbols_find(target);
   if (to.is_stub || (to.function && !to.is_entry)) return place;
   if (!to.function) to.function = cg2_code_function_at(to.object, to.offset);
   place.offset = target;
   place.function = function_of_trampoline(to.function, target);
   place.is_entry = True;
   return place;
}

CodePlace cg2_symbols_find(Addr address)
{
   const Mapping* mapping = find_mapping(address);
   if (!mapping) return place_in_no_object(address);
   CodePlace place = {.object = mapping->object,
                      .offset = address - mapping->bias};
   place.is_stub = cg2_code_is_stub(place.object, place.offset);
   if (!place.is_stub) {
      find_symbol(&place, address);
      find_home(&place, mapping->bias);
   }
   return place;
}

Jump cg2_symbols_jump(const CodePlace* from, const CodePlace* to)
{
   return (Jump){.to_object = to->object != from->object,
                 .to_stub = to->is_stub && !from->is_stub,
                 .to_entry = to->is_entry};
}

Bool cg2_symbols_leaves(const CodePlace* from, Addr address, Addr target)
{
   Addr offset = from->offset + (target - address);
   const Function* f = from->function;
   Bool is_inside =
      offset >= from->home_range.start && offset < from->home_range.end;
   if (is_inside && (!f || (offset > f->offset && offset <= f->reach)))
      return False;
   CodePlace to = cg2_symbols_find(target);
   Jump jump = cg2_symbols_jump(from, &to);
   jump.to_itself = to.function == f;
   return to.is_stub || to.home != from->home || cg2_jump_is_call(&jump);
}

/*--- Source lines -------------------------------------------------------*/

static SourceLine* unknown_lines(void)
{
   UInt file = cg2_names_intern(&cg2_code.file_names, "???")->number;
   for (UInt i = 0; i < BLOCK_INSTRS_MAX && said.no_lines[i].file != file; i++)
      said.no_lines[i].file = file;
   return said.no_lines;
}

void cg2_symbols_resolve(Block* block)
{
   if (block->lines) return;
   SourceLine found[BLOCK_INSTRS_MAX];
   const UShort* instrs = cg2_block_instrs(block);
   Bool any = False;
   for (UInt i = 0; i < block->n_instrs; i++) {
      SourceLine* p = &found[i];
      p->file = file_at(block->address + instrs[i], &p->line)->number;
      if (p->line || p->file != unknown_lines()->file) any = True;
   }
   if (!any) {
      block->lines = unknown_lines();
      return;
   }
   block->lines = cg2_arena_new(block->n_instrs * sizeof *block->lines);
   VG_(memcpy)(block->lines, found, block->n_instrs * sizeof *found);
}

static Bool has_code(Addr start, Addr end)
{
   refresh_mappings();
   for (UInt i = 0; i < said.mappings.n; i++)
      if (said.mappings.all[i].start < end && start < said.mappings.all[i].end)
         return True;
   return False;
}

void cg2_symbols_unmapped(Addr start, SizeT size)
{
   if (!has_code(start, start + size)) return;
   const Table* blocks = &cg2_blocks.all;
   for (UWord i = 0; i < blocks->n_buckets; i++)
      for (TableNode* n = blocks->buckets[i]; n; n = n->next) {
         Block* block = (Block*)n;
         if (block->address >= start && block->address < start + size)
            cg2_symbols_resolve(block);
      }
}
