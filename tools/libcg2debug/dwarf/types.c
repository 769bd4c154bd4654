#include "dwarf/types.h"

#include "dwarf/entries.h"
#include "dwarf/index.h"

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_MAX_BYTES = 4096 };

/* ------------------------------------------------------------ what it is */

/* Follows typedef, const and the like to the type that they are of; false: to
 * nothing, as of void. */
static bool strip(Dwarf_Die* entry)
{
   for (int i = 0; i < DEPTH_MAX; i++) {
      switch (dwarf_tag(entry)) {
      case DW_TAG_typedef:
      case DW_TAG_const_type:
      case DW_TAG_volatile_type:
      case DW_TAG_restrict_type:
      case DW_TAG_atomic_type:
      case DW_TAG_immutable_type:
         if (!cg2d_entries_type(entry, entry)) return false;
         break;
      default:
         return true;
      }
   }
   return false;
}

static cg2d_shape shape_of(int tag)
{
   switch (tag) {
   case DW_TAG_pointer_type:
   case DW_TAG_reference_type:
   case DW_TAG_rvalue_reference_type:
      return CG2D_POINTER;
   case DW_TAG_structure_type:
   case DW_TAG_class_type:
   case DW_TAG_union_type:
      return CG2D_COMPOUND;
   case DW_TAG_array_type:
      return CG2D_ARRAY;
   default:
      return CG2D_SCALAR;
   }
}

static const char* kind_in_front(Dwarf_Die* entry)
{
   if (!dwarf_diename(entry) || !cg2d_entries_is_c(entry)) return "";
   switch (dwarf_tag(entry)) {
   case DW_TAG_structure_type:
      return "struct ";
   case DW_TAG_union_type:
      return "union ";
   case DW_TAG_enumeration_type:
      return "enum ";
   default:
      return "";
   }
}

static uint64_t elements_of(Dwarf_Die* range)
{
   uint64_t count, upper, lower = 0;
   if (cg2d_entries_number(range, DW_AT_count, &count)) return count;
   if (!cg2d_entries_number(range, DW_AT_upper_bound, &upper)) return 0;
   cg2d_entries_number(range, DW_AT_lower_bound, &lower);
   return upper - lower + 1 < UINT32_MAX ? upper - lower + 1 : 0;
}

/* How many elements an array has, in all of its dimensions; 0: not known. */
static uint64_t array_count(Dwarf_Die* entry)
{
   Dwarf_Die range;
   uint64_t count = 1;
   EntryWalk walk = {.shapes = NULL};
   if (!cg2d_entries_enter(&walk, entry, &range)) return 0;
   do {
      if (dwarf_tag(&range) != DW_TAG_subrange_type) continue;
      uint64_t more = elements_of(&range);
      if (more && count > UINT32_MAX / more) return 0;
      count *= more;
   } while (cg2d_entries_next(&walk, &range));
   return count;
}

/* ------------------------------------------------------------ each once */

static uint32_t add_known(cg2d_object* object,
                          Failure* failure,
                          const cg2d_type* type,
                          const Dwarf_Die* entry)
{
   Types* types = &object->types;
   types->all = cg2p_memory_grow(failure, types->all, &types->room,
                                 types->count + 2, sizeof *types->all);
   KnownType* known = cg2p_arena_add(&object->arena, failure, sizeof *known);
   *known = (KnownType){.type = *type, .entry = *entry};
   types->all[0] = NULL;
   types->all[++types->count] = known;
   return types->count;
}

/* A type that consists of another: its name. */
static void say_made(cg2d_object* object, const cg2d_type* type, char* name)
{
   const cg2d_type* element =
      type->element ? &object->types.all[type->element]->type : NULL;
   const char* inner = element ? element->name : "void";
   if (type->shape == CG2D_POINTER)
      snprintf(name, NAME_MAX_BYTES, "%.4000s*", inner);
   else if (type->count)
      snprintf(name, NAME_MAX_BYTES, "%.4000s[%llu]", inner,
               (unsigned long long)type->count);
   else
      snprintf(name, NAME_MAX_BYTES, "%.4000s[]", inner);
}

static void say_name(cg2d_object* object,
                     Failure* failure,
                     Dwarf_Die* entry,
                     const cg2d_type* type,
                     char* name)
{
   bool is_made = type->shape == CG2D_POINTER || type->shape == CG2D_ARRAY;
   const char* own = cg2d_index_name(object, failure, entry);
   if (!own[0] && dwarf_diename(entry)) own = dwarf_diename(entry);
   if (is_made && !(type->shape == CG2D_POINTER && own[0]))
      say_made(object, type, name);
   else if (own[0])
      snprintf(name, NAME_MAX_BYTES, "%s%.4000s", kind_in_front(entry), own);
   else
      snprintf(name, NAME_MAX_BYTES, "%s",
               dwarf_tag(entry) == DW_TAG_subroutine_type ? "function"
               : type->shape != CG2D_COMPOUND             ? "?"
               : dwarf_tag(entry) == DW_TAG_union_type    ? "union {...}"
                                                          : "struct {...}");
}

/* What an entry, which is no typedef, says of its type. */
static cg2d_type
described(cg2d_object* object, Failure* failure, Dwarf_Die* entry)
{
   cg2d_type type = {.shape = shape_of(dwarf_tag(entry))};
   Dwarf_Die element;
   Dwarf_Word size;
   if (type.shape == CG2D_POINTER || type.shape == CG2D_ARRAY)
      if (cg2d_entries_type(entry, &element))
         type.element = cg2d_types_of(object, failure, &element);
   if (type.shape == CG2D_ARRAY) type.count = array_count(entry);
   if (dwarf_aggregate_size(entry, &size) == 0) type.size = size;
   if (type.shape == CG2D_ARRAY && type.element)
      type.size = type.count * object->types.all[type.element]->type.size;
   if (type.shape == CG2D_POINTER && !type.size) type.size = object->word;
   type.file = cg2d_entries_declaring_file(object, failure, entry);
   type.line = cg2d_entries_declaring_line(entry);
   return type;
}

/* The number of a type that is described, which another unit may have too. */
static uint32_t
number_of(cg2d_object* object, Failure* failure, Dwarf_Die* entry)
{
   char name[NAME_MAX_BYTES], text[3 * NAME_MAX_BYTES];
   cg2d_type type = described(object, failure, entry);
   say_name(object, failure, entry, &type, name);
   bool is_named = name[strlen(name) - 1] != '}' && name[0] != '?';
   snprintf(text, sizeof text, "%s|%u|%llu|%u|%s|%p", name, type.shape,
            (unsigned long long)type.size, type.line, type.file,
            is_named ? NULL : entry->addr);
   uint64_t key = cg2p_numbermap_key(text);
   uint32_t number = cg2p_numbermap_find(&object->types.by_text, key);
   if (number) return number;
   type.name = cg2p_arena_text(&object->arena, failure, name, strlen(name));
   number = add_known(object, failure, &type, entry);
   cg2p_numbermap_set(&object->types.by_text, failure, key, number);
   return number;
}

uint32_t cg2d_types_of(cg2d_object* object, Failure* failure, Dwarf_Die* entry)
{
   Dwarf_Die stripped = *entry, defined;
   if (!strip(&stripped)) return 0;
   uint64_t key = (uintptr_t)stripped.addr;
   uint64_t number = cg2p_numbermap_find(&object->types.by_entry, key);
   if (number || object->type_depth == DEPTH_MAX) return number;
   object->type_depth++;
   bool is_declared = dwarf_hasattr(&stripped, DW_AT_declaration);
   const char* name = cg2d_index_name(object, failure, &stripped);
   if (is_declared && name[0] &&
       cg2d_index_find(object, failure, name, &defined) && strip(&defined) &&
       !dwarf_hasattr(&defined, DW_AT_declaration))
      stripped = defined;
   number = number_of(object, failure, &stripped);
   cg2p_numbermap_set(&object->types.by_entry, failure, key, number);
   object->type_depth--;
   return number;
}

uint32_t
cg2d_types_of_entry(cg2d_object* object, Failure* failure, Dwarf_Die* entry)
{
   Dwarf_Die type;
   return cg2d_entries_type(entry, &type)
             ? cg2d_types_of(object, failure, &type)
             : 0;
}

/* ------------------------------------------------------------ members */

/* The search for a type's members. */
typedef struct Members {
   cg2d_object* object;
   Failure* failure;
   EntryWalk entries;
   cg2d_member* all; /* in an arena */
   size_t count, room;
   int depth; /* of variants inside each other */
} Members;

static cg2d_member* new_member(Members* members)
{
   if (members->count == members->room) {
      size_t room = members->room ? 2 * members->room : 8;
      cg2d_member* larger = cg2p_arena_add(
         &members->object->arena, members->failure, room * sizeof *larger);
      if (members->count)
         memcpy(larger, members->all, members->count * sizeof *larger);
      members->all = larger;
      members->room = room;
   }
   cg2d_member* added = &members->all[members->count++];
   *added = (cg2d_member){.name = NULL};
   return added;
}

/* Where a member lies in bytes; an expression that adds a number is one of
 * DWARF 2's. */
static uint64_t member_offset(Dwarf_Die* entry)
{
   Dwarf_Attribute location;
   Dwarf_Word offset;
   Dwarf_Op* operations;
   size_t n;
   if (!dwarf_attr(entry, DW_AT_data_member_location, &location)) return 0;
   if (dwarf_formudata(&location, &offset) == 0) return offset;
   if (dwarf_getlocation(&location, &operations, &n) == 0 && n == 1 &&
       operations[0].atom == DW_OP_plus_uconst)
      return operations[0].number;
   return 0;
}

/* Where a bit field lies: in the unit of its type, which is as large as the
 * type. */
static void place_bits(Dwarf_Die* entry, cg2d_member* member, uint64_t storage)
{
   uint64_t size, bits, from_top, unit = storage ? storage : 1;
   if (!cg2d_entries_number(entry, DW_AT_bit_size, &size)) return;
   member->bit_size = size;
   bits = 8 * member->offset;
   if (cg2d_entries_number(entry, DW_AT_bit_offset, &from_top)) {
      cg2d_entries_number(entry, DW_AT_byte_size, &unit);
      bits += 8 * unit - from_top - size;
   } else if (cg2d_entries_number(entry, DW_AT_data_bit_offset, &bits)) {
   }
   member->offset = bits / 8;
   member->bit_offset = bits % 8;
}

static const char* member_name(Members* members, Dwarf_Die* entry)
{
   const char* name = cg2d_entries_name(entry);
   if (dwarf_tag(entry) != DW_TAG_inheritance) return name;
   char text[NAME_MAX_BYTES];
   uint32_t type = members->all[members->count - 1].type;
   snprintf(text, sizeof text, "<base> %.4000s",
            type ? members->object->types.all[type]->type.name : "");
   return cg2p_arena_text(&members->object->arena, members->failure, text,
                          strlen(text));
}

static bool is_static(Dwarf_Die* entry)
{
   return dwarf_hasattr(entry, DW_AT_external) ||
          dwarf_hasattr(entry, DW_AT_declaration);
}

static void add_member(Members* members, Dwarf_Die* entry)
{
   cg2d_object* object = members->object;
   if (is_static(entry)) return;
   uint32_t type = cg2d_types_of_entry(object, members->failure, entry);
   const char* file =
      cg2d_entries_declaring_file(object, members->failure, entry);
   cg2d_member* member = new_member(members);
   *member = (cg2d_member){.file = file,
                           .offset = member_offset(entry),
                           .line = cg2d_entries_declaring_line(entry),
                           .type = type};
   member->name = member_name(members, entry);
   place_bits(entry, member, type ? object->types.all[type]->type.size : 0);
}

/* Adds the members in an entry, those of all variants of Rust's as well. */
static void add_members(Members* members, Dwarf_Die* parent)
{
   Dwarf_Die entry;
   if (members->depth == DEPTH_MAX ||
       !cg2d_entries_enter(&members->entries, parent, &entry))
      return;
   members->depth++;
   do {
      switch (dwarf_tag(&entry)) {
      case DW_TAG_member:
      case DW_TAG_inheritance:
         add_member(members, &entry);
         break;
      case DW_TAG_variant_part:
      case DW_TAG_variant:
         add_members(members, &entry);
         break;
      default:
         break;
      }
   } while (cg2d_entries_next(&members->entries, &entry));
   members->depth--;
}

static int compare_members(const void* a, const void* b)
{
   const cg2d_member *x = a, *y = b;
   uint64_t first = 8 * x->offset + x->bit_offset;
   uint64_t second = 8 * y->offset + y->bit_offset;
   if (first != second) return first < second ? -1 : 1;
   return (x->line > y->line) - (x->line < y->line);
}

/* The first type that a template was given; 0: none. */
static uint32_t
first_argument(cg2d_object* object, Failure* failure, Dwarf_Die* template)
{
   Dwarf_Die entry;
   EntryWalk walk = {.shapes = NULL};
   if (!cg2d_entries_enter(&walk, template, &entry)) return 0;
   do {
      if (dwarf_tag(&entry) == DW_TAG_template_type_parameter)
         return cg2d_types_of_entry(object, failure, &entry);
   } while (cg2d_entries_next(&walk, &entry));
   return 0;
}

static bool begins_with(const char* text, const char* start)
{
   return strncmp(text, start, strlen(start)) == 0;
}

/* Lets the bytes in which containers of GNU's C++ library keep an element have
 * the type of that, which their template was given. */
static void type_storage(Members* members, KnownType* known)
{
   cg2d_object* object = members->object;
   if (!begins_with(known->type.name, "__gnu_cxx::__aligned_membuf<") &&
       !begins_with(known->type.name, "__gnu_cxx::__aligned_buffer<"))
      return;
   uint32_t argument = first_argument(object, members->failure, &known->entry);
   for (size_t i = 0; argument && i < members->count; i++)
      if (strcmp(members->all[i].name, "_M_storage") == 0)
         members->all[i].type = argument;
}

const cg2d_type*
cg2d_types_whole(cg2d_object* object, Failure* failure, uint32_t number)
{
   KnownType* known = object->types.all[number];
   if (known->has_members || known->type.shape != CG2D_COMPOUND)
      return &known->type;
   known->has_members = true;
   Members members = {.object = object, .failure = failure};
   add_members(&members, &known->entry);
   type_storage(&members, known);
   if (members.count)
      qsort(members.all, members.count, sizeof *members.all, compare_members);
   known->type.members = members.all;
   known->type.n_members = members.count;
   return &known->type;
}

/* ------------------------------------------------------------ inside */

/* How many bytes of a type a search for one of its bytes may meet. */
static uint64_t extent(cg2d_object* object, uint32_t number)
{
   const cg2d_type* type = &object->types.all[number]->type;
   bool is_open = type->shape == CG2D_ARRAY && !type->count;
   return is_open ? UINT64_MAX : type->size;
}

static bool is_pointer(cg2d_object* object, uint32_t number)
{
   return number && object->types.all[number]->type.shape == CG2D_POINTER;
}

/* Notes what a vector of Rust has, whose pointer says that it points to bytes:
 * the first type that its template was given. */
static void
note_raw_element(cg2d_object* object, Failure* failure, uint32_t number)
{
   KnownType* known = object->types.all[number];
   if (!begins_with(known->type.name, "alloc::raw_vec::RawVec<")) return;
   uint32_t element = first_argument(object, failure, &known->entry);
   if (element) object->raw_element = element;
}

/* The innermost type in the members of a compound. */
static uint32_t inside_members(cg2d_object* object,
                               Failure* failure,
                               uint32_t number,
                               uint64_t* offset)
{
   const cg2d_type* type = cg2d_types_whole(object, failure, number);
   uint64_t wanted = *offset;
   note_raw_element(object, failure, number);
   uint32_t found = 0;
   for (uint32_t i = 0; i < type->n_members; i++) {
      const cg2d_member* member = &type->members[i];
      uint64_t inner = wanted - member->offset;
      if (!member->type || member->offset > wanted ||
          inner >= extent(object, member->type))
         continue;
      uint32_t candidate =
         cg2d_types_inside(object, failure, member->type, &inner);
      if (found && !is_pointer(object, candidate)) continue;
      found = candidate;
      *offset = inner;
      if (is_pointer(object, found)) break;
   }
   return found;
}

uint32_t cg2d_types_inside(cg2d_object* object,
                           Failure* failure,
                           uint32_t number,
                           uint64_t* offset)
{
   const cg2d_type* type = &object->types.all[number]->type;
   if (object->type_depth == DEPTH_MAX) return 0;
   uint32_t found = number;
   object->type_depth++;
   if (type->shape == CG2D_COMPOUND) {
      found = inside_members(object, failure, number, offset);
   } else if (type->shape == CG2D_ARRAY) {
      uint64_t size =
         type->element ? object->types.all[type->element]->type.size : 0;
      if (size) *offset %= size;
      found =
         size ? cg2d_types_inside(object, failure, type->element, offset) : 0;
   }
   object->type_depth--;
   return found;
}

/* Whether a member of a compound, or a member of that, is it. */
static bool member_is(cg2d_object* object,
                      Failure* failure,
                      uint32_t number,
                      uint32_t part,
                      uint64_t offset)
{
   const cg2d_type* type = cg2d_types_whole(object, failure, number);
   for (uint32_t i = 0; i < type->n_members; i++) {
      const cg2d_member* member = &type->members[i];
      if (member->type && member->offset <= offset &&
          cg2d_types_has(object, failure, member->type, part,
                         offset - member->offset))
         return true;
   }
   return false;
}

bool cg2d_types_has(cg2d_object* object,
                    Failure* failure,
                    uint32_t number,
                    uint32_t part,
                    uint64_t offset)
{
   const cg2d_type* type = &object->types.all[number]->type;
   if (number == part && offset == 0) return true;
   if (object->type_depth == DEPTH_MAX || offset >= extent(object, number))
      return false;
   bool has = false;
   object->type_depth++;
   if (type->shape == CG2D_COMPOUND) {
      has = member_is(object, failure, number, part, offset);
   } else if (type->shape == CG2D_ARRAY && type->element) {
      uint64_t size = object->types.all[type->element]->type.size;
      has = size &&
            cg2d_types_has(object, failure, type->element, part, offset % size);
   }
   object->type_depth--;
   return has;
}

/* ------------------------------------------------------------ public */

const cg2d_type*
cg2d_object_type(cg2d_object* object, uint32_t number, cg2p_error* error)
{
   Failure failure = {.path = object->path, .error = error};
   if (setjmp(failure.caught)) return NULL;
   object->type_depth = 0;
   return cg2d_types_whole(object, &failure, number);
}

/* The name of a type without "struct" and the like. */
static const char* without_kind(const char* name)
{
   static const char* const kinds[] = {"struct ", "union ", "class ", "enum "};
   for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
      if (strncmp(name, kinds[i], strlen(kinds[i])) == 0)
         return name + strlen(kinds[i]);
   return name;
}

uint32_t
cg2d_object_find_type(cg2d_object* object, const char* name, cg2p_error* error)
{
   Failure failure = {.path = object->path, .error = error};
   Dwarf_Die entry;
   if (setjmp(failure.caught)) return 0;
   object->type_depth = 0;
   return cg2d_index_find(object, &failure, without_kind(name), &entry)
             ? cg2d_types_of(object, &failure, &entry)
             : 0;
}
