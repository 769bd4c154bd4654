#include "code/code.h"
#include "base/search.h"

#include "base/arena.h"

#include <stddef.h>

/* Reason for a mutable file-scope object: the program has one code. */
Code cg2_code = {.reads_lines = True};

static ULong object_hash(const Name* name, SizeT text_size)
{
   return cg2_hash_word(name->node.hash, text_size);
}

Object* cg2_code_find_object(const Name* name, SizeT text_size)
{
   TableNode* n =
      cg2_table_first(&cg2_code.objects, object_hash(name, text_size));
   for (; n; n = cg2_table_next(n)) {
      Object* object = (Object*)n;
      if (object->name == name && object->text_size == text_size) return object;
   }
   return NULL;
}

Object* cg2_code_add_object(const Name* name, SizeT text_size)
{
   Object* object = cg2_arena_new(sizeof *object);
   object->name = name;
   object->text_size = text_size;
   cg2_table_add(&cg2_code.objects, &object->node,
                 object_hash(name, text_size));
   return object;
}

Bool cg2_code_is_stub(const Object* object, Addr offset)
{
   for (UInt i = 0; i < object->n_stubs; i++)
      if (offset >= object->stubs[i].start && offset < object->stubs[i].end)
         return True;
   return False;
}

UnwindRange* cg2_code_unwind_range(const Object* object, Addr offset)
{
   UInt low =
      cg2_search_first(i, 0, object->n_unwind, object->unwind[i].end <= offset);
   if (low == object->n_unwind || offset < object->unwind[low].start)
      return NULL;
   return &object->unwind[low];
}

Function* cg2_code_find_function(const Object* object, Addr offset)
{
   ULong hash = cg2_code_hash_place(object, offset);
   TableNode* n = cg2_table_first(&cg2_code.functions, hash);
   for (; n; n = cg2_table_next(n)) {
      Function* function = (Function*)n;
      if (function->object == object && function->offset == offset)
         return function;
   }
   return NULL;
}

static void number(Function* function)
{
   Code* code = &cg2_code;
   if (code->n_functions + 1 >= code->max_functions) {
      code->max_functions = code->max_functions ? 2 * code->max_functions : 256;
      code->by_number =
         VG_(realloc)("cg2.functions", code->by_number,
                      code->max_functions * sizeof *code->by_number);
   }
   function->number = ++code->n_functions;
   code->by_number[function->number] = function;
}

static Function* add_function(const Symbol* symbol)
{
   Function* function = cg2_arena_new(sizeof *function);
   function->object = symbol->object;
   symbol->object->has_functions = True;
   function->offset = function->reach = symbol->offset;
   function->mangled = symbol->mangled;
   function->name = symbol->shown;
   function->file = symbol->file;
   function->line = symbol->line;
   number(function);
   function->rules = cg2_rules_of(
      symbol->shown->text, symbol->mangled ? symbol->mangled->text : NULL,
      symbol->object->name->text);
   cg2_table_add(&cg2_code.functions, &function->node,
                 cg2_code_hash_place(symbol->object, symbol->offset));
   return function;
}

void cg2_code_apply_last_rule(void)
{
   for (UInt i = 1; i <= cg2_code.n_functions; i++) {
      Function* f = cg2_code.by_number[i];
      f->rules = cg2_rules_again(f->rules, f->object->name->text);
   }
}

static Function* function_of_named_node(TableNode* node)
{
   return (Function*)((HChar*)node - offsetof(Function, named_node));
}

static ULong named_hash(const Symbol* symbol, const Name* name)
{
   return cg2_hash_word(cg2_code_hash_place(symbol->object, (UWord)name),
                        (UWord)symbol->file);
}

/* The function of the symbol's object and file that is shown as `name`. */
static Function* find_named(const Symbol* symbol, const Name* name)
{
   TableNode* n = cg2_table_first(&cg2_code.named, named_hash(symbol, name));
   for (; n; n = cg2_table_next(n)) {
      Function* f = function_of_named_node(n);
      if (f->object == symbol->object && f->name == name &&
          f->file == symbol->file)
         return f;
   }
   return NULL;
}

/* Whether two symbols that are demangled alike are variants of one constructor
 * or destructor. Source: Itanium C++ ABI, 5.1.4.3: C1 to C3 and D0 to D2; GCC
 * has C4, C5, D4 and D5, too; CI1 and CI2 are constructors that are inherited.
 */
static Bool are_variants(const HChar* a, const HChar* b)
{
   const HChar* kind = ""; /* the last character, but for an I behind a C */
   for (; *a && *b; a++, b++) {
      Bool is_digit = *a >= '0' && *a <= '5' && *b >= '0' && *b <= '5';
      if (*a != *b && !(is_digit && (*kind == 'C' || *kind == 'D')))
         return False;
      if (*a != 'I' || *kind != 'C') kind = a;
   }
   return *a == *b;
}

static Bool is_one_function(const Function* f, const Symbol* symbol)
{
   return f->mangled == symbol->mangled ||
          are_variants(f->mangled->text, symbol->mangled->text);
}

Function* cg2_code_named_function(const Symbol* symbol)
{
   const Name* name = symbol->shown;
   Function* f = find_named(symbol, name);
   if (f && !is_one_function(f, symbol)) {
      name = symbol->mangled;
      f = find_named(symbol, name);
   }
   if (f) return f;
   f = add_function(symbol);
   f->name = name;
   cg2_table_add(&cg2_code.named, &f->named_node, named_hash(symbol, name));
   return f;
}

/* Source: Callgrind names such functions by 16 hexadecimal digits of the offset
 * in the object, and says when it is not ordinary text. */
static const Name* name_by_offset(const Object* object, Addr offset)
{
   HChar text[32];
   VG_(sprintf)(text, "0x%016lx%s", offset,
                cg2_code_is_stub(object, offset) ? " [PLT]" : "");
   return cg2_names_intern(&cg2_code.function_names, text);
}

/* Whether a process begins at the offset: its first function is at the entry
 * point of its object. Libraries may have an entry point, too, which is the
 * beginning of their code, as old linkers wrote it. */
static Bool is_start(const Object* object, Addr offset)
{
   return cg2_code.n_functions == 0 && offset && offset == object->entry;
}

/* Source: the entry point is called so where the dynamic linker has symbols. */
static const Name* name_without_symbol(const Object* object, Addr offset)
{
   return is_start(object, offset)
             ? cg2_names_intern(&cg2_code.function_names, "_start")
             : name_by_offset(object, offset);
}

Function* cg2_code_function_at(Object* object, Addr offset)
{
   Function* f = cg2_code_find_function(object, offset);
   if (f) return f;
   return add_function(&(Symbol){
      .object = object,
      .offset = offset,
      .shown = name_without_symbol(object, offset),
      .file = cg2_names_intern(&cg2_code.file_names, "???"),
   });
}
