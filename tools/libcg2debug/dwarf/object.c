#include "dwarf/object.h"

#include "dwarf/plainfiles.h"
#include "dwarf/separate.h"

#include <dwarf.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const Dwfl_Callbacks callbacks = {
   .find_elf = dwfl_build_id_find_elf,
   .find_debuginfo = cg2d_separate_find,
   .section_address = dwfl_offline_section_address,
};

/* What is wanted of an object. */
typedef enum Wanted { WANTS_CODE, WANTS_INLINES, WANTS_ALL } Wanted;

/* The object's module, at the addresses that its program headers state. */
static Dwfl_Module* report(Dwfl* dwfl, const char* path, Wanted wanted)
{
   void** data;
   dwfl_report_begin(dwfl);
   int fd = open(path, O_RDONLY | O_CLOEXEC);
   if (wanted != WANTS_CODE)
      fd = cg2d_separate_unpacked(fd, wanted == WANTS_ALL);
   Dwfl_Module* module = dwfl_report_elf(dwfl, path, path, fd, 0, true);
   if (!module && fd >= 0) close(fd);
   if (!module || dwfl_report_end(dwfl, NULL, NULL) != 0) return NULL;
   dwfl_module_info(module, &data, NULL, NULL, NULL, NULL, NULL, NULL);
   *data = wanted == WANTS_INLINES ? data : NULL;
   return module;
}

/* A unit that says what was compiled, not what others share. */
static bool is_code(Dwarf_Die* unit)
{
   int tag = dwarf_tag(unit);
   return tag == DW_TAG_compile_unit || tag == DW_TAG_skeleton_unit;
}

/* Whether the compiler has put what it says of each unit into files of their
 * own (-gsplit-dwarf), and none of these is there. */
static bool is_moved(Dwarf* dwarf)
{
   Dwarf_CU* unit = NULL;
   Dwarf_Die top, split;
   bool has_any = false;
   while (dwarf_get_units(dwarf, unit, &unit, NULL, NULL, &top, &split) == 0) {
      if (!is_code(&top)) continue;
      has_any = true;
      if (dwarf_tag(&split) != DW_TAG_invalid ||
          !(dwarf_hasattr(&top, DW_AT_dwo_name) ||
            dwarf_hasattr(&top, DW_AT_GNU_dwo_name)))
         return false;
   }
   return has_any;
}

/* Finds the object, and its debug information if that is wanted; why there is
 * none, NULL: there is. */
static const char* find(cg2d_object* object, Wanted wanted)
{
   if (!cg2d_plainfiles_is_file(object->path)) return "it is no file";
   object->dwfl = dwfl_begin(&callbacks);
   if (!object->dwfl) return dwfl_errmsg(-1);
   object->module = report(object->dwfl, object->path, wanted);
   if (!object->module) return dwfl_errmsg(-1);
   Dwarf_Addr of_dwarf = 0, of_elf = 0;
   if (wanted != WANTS_CODE)
      object->dwarf = dwfl_module_getdwarf(object->module, &of_dwarf);
   if (!object->dwarf && wanted != WANTS_CODE)
      return "it has no debug information";
   if (object->dwarf && !cg2d_plainfiles_are_split(object->dwarf, object->path))
      return "a .dwo file of it is no file";
   Elf* elf = dwfl_module_getelf(object->module, &of_elf);
   if (!elf) return dwfl_errmsg(-1);
   object->word = gelf_getclass(elf) == ELFCLASS32 ? 4 : 8;
   object->bias = object->dwarf ? of_dwarf - of_elf : 0;
   object->elf_bias = of_elf;
   return NULL;
}

static cg2d_object*
open_object(const char* path, Wanted wanted, cg2p_error* error)
{
   cg2d_object* object = calloc(1, sizeof *object);
   if (!object || !(object->path = strdup(path))) {
      free(object);
      cg2p_failure_say_no_memory(error, path);
      return NULL;
   }
   const char* said = find(object, wanted);
   bool has_moved = !said && wanted != WANTS_CODE && is_moved(object->dwarf);
   if (!said && !has_moved) return object;
   if (has_moved)
      cg2p_failure_say(
         error, CG2D_MOVED, path,
         "its debug information is in .dwo files, which are not there");
   else
      cg2p_failure_say(error, CG2D_NO_DEBUG, path, said);
   cg2d_object_free(object);
   return NULL;
}

cg2d_object* cg2d_object_open(const char* path, cg2p_error* error)
{
   return open_object(path, WANTS_ALL, error);
}

cg2d_object* cg2d_object_open_inlines(const char* path, cg2p_error* error)
{
   return open_object(path, WANTS_INLINES, error);
}

cg2d_object* cg2d_object_open_code(const char* path, cg2p_error* error)
{
   return open_object(path, WANTS_CODE, error);
}

/* The processor whose machine code it has; EM_NONE: not known. */
static unsigned processor_of(cg2d_object* object)
{
   GElf_Addr bias;
   GElf_Ehdr header;
   Elf* elf = dwfl_module_getelf(object->module, &bias);
   return elf && gelf_getehdr(elf, &header) ? header.e_machine : EM_NONE;
}

bool cg2d_object_is_x86(cg2d_object* object)
{
   unsigned processor = processor_of(object);
   return processor == EM_386 || processor == EM_X86_64;
}

bool cg2d_object_is_aarch64(cg2d_object* object)
{
   return processor_of(object) == EM_AARCH64;
}

void cg2d_object_free_found(Found* found)
{
   free(found->functions);
   free(found->instances);
   free(found->instructions);
   free(found->marks);
   *found = (Found){.inlines = {.n_functions = 0}};
}

void cg2d_object_free(cg2d_object* object)
{
   if (!object) return;
   if (object->dwfl) dwfl_end(object->dwfl);
   cg2p_arena_free(&object->arena);
   free(object->statics.all);
   cg2d_object_free_found(&object->inlines);
   free(object->functions.all);
   free(object->taken.all);
   free(object->locals.all);
   cg2d_shapes_free(&object->shapes);
   free(object->scopes.levels);
   free(object->scopes.inner);
   cg2p_numbermap_free(&object->scopes.by_entry);
   free(object->index.all);
   cg2p_numbermap_free(&object->index.by_entry);
   cg2p_numbermap_free(&object->index.definition);
   cg2p_numbermap_free(&object->index.units);
   free(object->types.all);
   cg2p_numbermap_free(&object->types.by_entry);
   cg2p_numbermap_free(&object->types.by_text);
   free(object->path);
   free(object);
}

/* Lets pages of a file that is mapped leave memory: who reads on gets them
 * again. Not where libdwfl has written into them, as it links what is not
 * linked. `inside` is what libdw reads. */
static void drop_pages(Dwarf* dwarf, const void* inside)
{
   GElf_Ehdr header;
   size_t size;
   Elf* elf = dwarf_getelf(dwarf);
   char* mapped = elf_rawfile(elf, &size);
   if (mapped && gelf_getehdr(elf, &header) && header.e_type != ET_REL &&
       (const char*)inside > mapped && (const char*)inside < mapped + size)
      madvise(mapped, size, MADV_DONTNEED);
}

void cg2d_object_each_unit(cg2d_object* object, UnitVisitor* visit, void* data)
{
   enum { KEPT = 32 << 20 }; /* bytes of units that may stay in memory */
   Dwarf_CU* unit = NULL;
   Dwarf_Die top, split;
   const char* kept = NULL;
   while (dwarf_get_units(object->dwarf, unit, &unit, NULL, NULL, &top,
                          &split) == 0) {
      bool is_split = dwarf_tag(&split) != DW_TAG_invalid;
      if (!kept) kept = top.addr;
      if ((const char*)top.addr - kept > KEPT) {
         drop_pages(object->dwarf, top.addr);
         kept = top.addr;
      }
      if (is_code(&top)) visit(data, is_split ? &split : &top);
   }
   if (kept) drop_pages(object->dwarf, kept);
}
