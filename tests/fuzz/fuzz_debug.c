/* Any file is an ELF object of which all can be asked, or is refused in one
 * line: what libdw makes of broken debug information harms nobody. */
#include "cg2debug.h"
#include "memfile.h"

#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

enum {
   CODE = 512,  /* bytes of each end of the code that are asked for */
   STEP = 16,   /* bytes from one address in a frame to the next */
   TYPES = 1000 /* of an object, with those that they lead to */
};

/* Where the code of an object is. */
typedef struct Code {
   uint64_t low, high;
} Code;

/* The largest stretch of code in the file, or none. */
static Code find_code(const char* path)
{
   Code code = {0, 0};
   int file = open(path, O_RDONLY);
   Elf* elf = elf_begin(file, ELF_C_READ, NULL);
   Elf_Scn* section = NULL;
   while (elf && (section = elf_nextscn(elf, section))) {
      GElf_Shdr header;
      if (!gelf_getshdr(section, &header)) continue;
      if (!(header.sh_flags & SHF_EXECINSTR)) continue;
      if (header.sh_size <= code.high - code.low) continue;
      code = (Code){header.sh_addr, header.sh_addr + header.sh_size};
   }
   elf_end(elf);
   close(file);
   return code;
}

/*--- Questions ----------------------------------------------------------*/

static void touch_text(const char* text)
{
   if (!text) fail("a text is missing");
   volatile size_t length = strlen(text);
   (void)length;
}

/* A type and, one after the other, those that it leads to. */
static void ask_type(cg2d_object* object, uint32_t number, size_t* left)
{
   cg2p_error error;
   if (!number || !*left) return;
   --*left;
   const cg2d_type* type = cg2d_object_type(object, number, &error);
   if (!type) fail(error.text);
   touch_text(type->name);
   touch_text(type->file);
   if (type->shape < CG2D_SCALAR || type->shape > CG2D_ARRAY)
      fail("a type of no shape");
   uint32_t element = type->element;
   for (uint32_t i = 0; i < type->n_members; i++) {
      touch_text(type->members[i].name);
      touch_text(type->members[i].file);
      if (i && type->members[i].offset < type->members[i - 1].offset)
         fail("members are not in order");
      if (!element) element = type->members[i].type;
   }
   ask_type(object, element, left);
}

static void ask_statics(cg2d_object* object, size_t* left)
{
   cg2p_error error;
   size_t count;
   const cg2d_static* all = cg2d_object_statics(object, &count, &error);
   if (!all) fail(error.text);
   for (size_t i = 0; i < count; i++) {
      touch_text(all[i].name);
      touch_text(all[i].symbol);
      touch_text(all[i].file);
      ask_type(object, all[i].type, left);
   }
}

static void
ask_inlines(cg2d_object* object, const uint64_t* addresses, size_t n)
{
   cg2p_error error;
   for (int demangles = 0; demangles < 2; demangles++) {
      const cg2p_inlines* found =
         cg2d_object_inlines(object, addresses, n, demangles, &error);
      if (!found) fail(error.text);
      for (size_t i = 0; i < found->n_functions; i++)
         touch_text(found->functions[i].name);
   }
}

static void ask_accesses(cg2d_object* object,
                         const uint64_t* addresses,
                         size_t n,
                         size_t* left)
{
   cg2p_error error;
   cg2d_access* accesses = calloc(2 * n, sizeof *accesses);
   if (cg2d_object_accesses(object, addresses, n, accesses, &error))
      fail(error.text);
   for (size_t i = 0; i < 2 * n; i++)
      ask_type(object, accesses[i].type, left);
   free(accesses);
   size_t count;
   const cg2d_taken* taken = cg2d_object_taken(object, &count);
   for (size_t i = 0; i < count; i++) {
      touch_text(taken[i].function);
      touch_text(taken[i].file);
      ask_type(object, taken[i].type, left);
   }
}

static void ask_locals(cg2d_object* object, uint64_t address, size_t* left)
{
   cg2p_error error;
   size_t count;
   const cg2d_local* all = cg2d_object_locals(object, address, &count, &error);
   if (!all) fail(error.text);
   for (size_t i = 0; i < count; i++) {
      touch_text(all[i].name);
      touch_text(all[i].file);
      ask_type(object, all[i].type, left);
   }
}

/* The addresses that are asked for: both ends of the code. */
static size_t choose_addresses(Code code, uint64_t* addresses)
{
   size_t n = 0;
   for (uint64_t at = code.low; at < code.high && n < CODE; at++)
      addresses[n++] = at;
   uint64_t rest = code.low + n;
   if (code.high > rest + CODE) rest = code.high - CODE;
   for (uint64_t at = rest; at < code.high && n < 2 * CODE; at++)
      addresses[n++] = at;
   return n;
}

/* What instructions do; of other processors than x86 and aarch64 it says
 * nothing. */
static void
ask_operations(cg2d_object* object, const uint64_t* addresses, size_t n)
{
   cg2p_error error;
   cg2p_code code;
   if (cg2d_object_steps(object, addresses, n, &code, &error) == 0)
      for (size_t i = 0; i < n; i++)
         if (code.steps[i].length > STEP) fail("an instruction is too long");
   const cg2p_operation* all =
      cg2d_object_operations(object, addresses, n, &error);
   for (size_t i = 0; all && i < n; i++)
      touch_text(all[i].form);
}

static void ask_sources(cg2d_object* object)
{
   static const char* const names[] = {"/a.c", "/usr/include/stdio.h"};
   cg2p_error error;
   cg2p_sources found;
   uint8_t has[2];
   if (cg2d_object_sources(object, &found, &error)) fail(error.text);
   for (size_t i = 0; i < found.n_files; i++)
      touch_text(found.files[i]);
   for (size_t i = 0; i < found.n_rows; i++)
      if (found.rows[i].file >= found.n_files) fail("a line of no file");
   for (size_t i = 0; i < found.n_routines; i++) {
      touch_text(found.routines[i].name);
      if (found.routines[i].file >= found.n_files) fail("it is in no file");
   }
   if (cg2d_object_find_files(object, names, 2, has, &error)) fail(error.text);
}

static void ask_bodies(cg2d_object* object, const uint64_t* addresses, size_t n)
{
   cg2p_error error;
   cg2p_bodies found;
   if (cg2d_object_bodies(object, addresses, n, &found, &error))
      fail(error.text);
   for (size_t i = 0; i < found.n_bodies; i++) {
      touch_text(found.bodies[i].name);
      uint32_t outer = found.bodies[i].outer;
      if (outer != CG2P_NONE && outer >= i) fail("a body is in none before it");
   }
   for (size_t i = 0; i < n; i++) {
      uint32_t body = found.spots[i].body;
      if (body != CG2P_NONE && body >= found.n_bodies) fail("a spot of none");
   }
}

/* The other two ways to open an object. */
static void ask_less(const char* path, const uint64_t* addresses, size_t n)
{
   cg2p_error error;
   cg2d_object* object = cg2d_object_open_code(path, &error);
   if (object)
      ask_operations(object, addresses, n);
   else
      check_error(&error);
   cg2d_object_free(object);
   object = cg2d_object_open_inlines(path, &error);
   if (object)
      ask_inlines(object, addresses, n);
   else
      check_error(&error);
   cg2d_object_free(object);
}

static void ask_all(cg2d_object* object, const uint64_t* addresses, size_t n)
{
   cg2p_error error;
   size_t left = TYPES;
   ask_statics(object, &left);
   ask_inlines(object, addresses, n);
   ask_accesses(object, addresses, n, &left);
   for (size_t i = 0; i < n; i += STEP)
      ask_locals(object, addresses[i], &left);
   ask_type(object, cg2d_object_find_type(object, "struct nobody", &error),
            &left);
   ask_operations(object, addresses, n);
   ask_sources(object);
   ask_bodies(object, addresses, n);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
   cg2p_error error;
   const char* path = memfile_make(0, data, size);
   cg2d_object* object = cg2d_object_open(path, &error);
   elf_version(EV_CURRENT);
   Code code = find_code(path);
   uint64_t addresses[2 * CODE];
   size_t n = choose_addresses(code, addresses);
   ask_less(path, addresses, n);
   if (object)
      ask_all(object, addresses, n);
   else
      check_error(&error);
   cg2d_object_free(object);
   return 0;
}
