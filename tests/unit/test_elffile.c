#define _GNU_SOURCE /* dl_iterate_phdr */
#include "check.h"
#include "code/elffile.h"

#include <elf.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*--- A file made by hand ------------------------------------------------*/

enum {
   N_SEGMENTS = 6,
   N_SECTIONS = 9,
   N_ROWS = 4,
   UNWIND = 0x3000, /* its address */
   OTHER_CLASS = VG_WORDSIZE == 8 ? ELFCLASS32 : ELFCLASS64
};

/* .eh_frame_hdr, as linkers write it: distances from its own start; and
 * .eh_frame behind it. */
typedef struct Unwind {
   UChar version, frame_encoding, count_encoding, table_encoding;
   Int frame;
   UInt n;
   struct {
      Int start, description;
   } rows[N_ROWS];
   struct {
      UInt length, id;
      UChar version;
      char letters[3];
      UChar code_align, data_align, return_register, n_bytes, encoding, pad[3];
   } common;
   struct {
      UInt length, to_common;
      Int start;
      UInt size;
   } entries[N_ROWS];
} Unwind;

static const UInt starts[N_ROWS] = {0x4000, 0x4080, 0x8000, 0x9000};
static const UInt sizes[N_ROWS] = {0x40, 0x70, 0x1000, 0x200};

static Unwind new_unwind(void)
{
   Unwind u = {.version = 1,
               .frame_encoding = 0x1b,
               .count_encoding = 0x03,
               .table_encoding = 0x3b,
               .frame = offsetof(Unwind, common) - offsetof(Unwind, frame),
               .n = N_ROWS,
               .common = {.length = sizeof u.common - 4,
                          .version = 1,
                          .letters = "zR",
                          .n_bytes = 1,
                          .encoding = 0x1b}};
   for (UInt i = 0; i < N_ROWS; i++) {
      UInt entry = offsetof(Unwind, entries) + i * sizeof u.entries[0];
      u.rows[i].start = starts[i] - UNWIND;
      u.rows[i].description = entry;
      u.entries[i].length = sizeof u.entries[0] - 4;
      u.entries[i].to_common = entry + 4 - offsetof(Unwind, common);
      u.entries[i].size = sizes[i];
   }
   return u;
}

/* The contents of a file, one behind the other. */
typedef struct Image {
   ElfW(Ehdr) header;
   ElfW(Phdr) segments[N_SEGMENTS];
   Unwind unwind;
   struct {
      UInt n_name, n_id, kind;
      char name[4];
      UChar id[4];
   } note;
   ElfW(Shdr) sections[N_SECTIONS];
   char names[96];
} Image;

static ElfW(Phdr) segment(UInt type, UInt flags, Addr start, Addr size)
{
   return (ElfW(Phdr)){.p_type = type,
                       .p_flags = flags,
                       .p_vaddr = start,
                       .p_memsz = size,
                       .p_filesz = size / 2};
}

static ElfW(Shdr)
   section(Image* image, const char* name, UInt flags, Addr start, Addr size)
{
   UInt at = 1;
   while (image->names[at])
      at += strlen(image->names + at) + 1;
   strcpy(image->names + at, name);
   return (ElfW(Shdr)){.sh_name = at,
                       .sh_type = SHT_PROGBITS,
                       .sh_flags = flags,
                       .sh_addr = start,
                       .sh_size = size};
}

static Image new_image(void)
{
   const UInt code = SHF_ALLOC | SHF_EXECINSTR;
   Image i = {
      .header = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3,
                             VG_WORDSIZE == 8 ? ELFCLASS64 : ELFCLASS32},
                 .e_phoff = offsetof(Image, segments),
                 .e_shoff = offsetof(Image, sections),
                 .e_phentsize = sizeof(ElfW(Phdr)),
                 .e_phnum = N_SEGMENTS,
                 .e_shentsize = sizeof(ElfW(Shdr)),
                 .e_shnum = N_SECTIONS,
                 .e_shstrndx = N_SECTIONS - 1}};
   i.segments[0] =
      segment(PT_LOAD, PF_R, UNWIND - offsetof(Image, unwind), 0x1000);
   i.segments[0].p_filesz = offsetof(Image, sections);
   i.segments[1] = segment(PT_LOAD, PF_R | PF_X, 0x8000, 0x1234);
   i.segments[2] = segment(PT_LOAD, PF_R | PF_X, 0x4000, 0x100);
   i.segments[3] = segment(PT_GNU_STACK, PF_R | PF_X, 0, 0x100000);
   i.segments[4] = segment(PT_LOAD, PF_R | PF_W, 0x20000, 0x1000);
   i.segments[5] =
      segment(PT_GNU_EH_FRAME, PF_R, UNWIND, offsetof(Unwind, common));
   i.segments[5].p_offset = offsetof(Image, unwind);
   i.segments[5].p_filesz = offsetof(Unwind, common);
   i.unwind = new_unwind();
   i.sections[1] = section(&i, ".init", code, 0x4000, 0x10);
   i.sections[2] = section(&i, ".plt", code, 0x4010, 0x30);
   i.sections[3] = section(&i, ".plt.got", code, 0x4040, 0x08);
   i.sections[4] = section(&i, ".plt.sec", code, 0x4050, 0x20);
   i.sections[5] = section(&i, ".pltx", code, 0x4080, 0x10);
   i.sections[6] = section(&i, ".got.plt", SHF_ALLOC | SHF_WRITE, 0x20000, 8);
   i.sections[7] = section(&i, ".text", code, 0x8000, 0x1234);
   i.sections[8] = section(&i, ".shstrtab", 0, 0, 0);
   i.sections[8].sh_offset = offsetof(Image, names);
   i.sections[8].sh_size = sizeof i.names;
   i.note.n_name = i.note.n_id = 4;
   i.note.kind = NT_GNU_BUILD_ID;
   memcpy(i.note.name, "GNU", 4);
   memcpy(i.note.id, "\x01\xab\xcd\xef", 4);
   return i;
}

static const char* path_of_file(void)
{
   static char path[100];
   snprintf(path, sizeof path, "%s/image", check_directory());
   return path;
}

static Object object_named(const char* path)
{
   return (Object){.name = cg2_names_intern(&cg2_code.object_names, path)};
}

/* Reads the first `size` bytes of the image, as a file. */
static Bool read_part(const Image* image, SizeT size, Object* object)
{
   check_write_file(path_of_file(), image, size);
   *object = object_named(path_of_file());
   Bool read = cg2_elffile_read(object);
   CHECK_EQ(host.n_open, 0);
   if (!read) {
      CHECK_EQ(object->code.end, 0);
      CHECK_EQ(object->n_stubs, 0);
      CHECK_EQ(object->n_unwind, 0);
   }
   return read;
}

static Bool read_image(const Image* image, Object* object)
{
   return read_part(image, sizeof *image, object);
}

/*--- What is read -------------------------------------------------------*/

static void check_range(Range range, Addr start, Addr end)
{
   CHECK_EQ(range.start, start);
   CHECK_EQ(range.end, end);
}

static void test_ranges(void)
{
   Image image = new_image();
   Object object;
   CHECK(read_image(&image, &object));
   check_range(object.code, 0x4000, 0x9234);
   CHECK_EQ(object.n_stubs, 3);
   check_range(object.stubs[0], 0x4010, 0x4040);
   check_range(object.stubs[1], 0x4040, 0x4048);
   check_range(object.stubs[2], 0x4050, 0x4070);
   CHECK(cg2_code_is_stub(&object, 0x4047));
   CHECK(!cg2_code_is_stub(&object, 0x4048));
   CHECK(!cg2_code_is_stub(&object, 0x4080));
}

/* The build-id is in a section, in a segment, or nowhere: then size and time
 * are what tells the file from others. */
static void test_identity(void)
{
   char size[32];
   Image image = new_image();
   Object object;
   snprintf(size, sizeof size, "size=%zu,mtime=1", sizeof image);
   CHECK(read_image(&image, &object));
   CHECK_EQ(strncmp(object.identity, size, strlen(size)), 0);
   CHECK_EQ(strlen(strchr(object.identity, '.')), 10);
   image.segments[3].p_type = PT_NOTE;
   image.segments[3].p_offset = offsetof(Image, note);
   image.segments[3].p_filesz = sizeof image.note;
   CHECK(read_image(&image, &object));
   CHECK_EQ(strcmp(object.identity, "build-id=01abcdef"), 0);
   image.segments[3].p_type = PT_GNU_STACK;
   image.sections[6].sh_type = SHT_NOTE;
   image.sections[6].sh_offset = offsetof(Image, note);
   image.sections[6].sh_size = sizeof image.note;
   CHECK(read_image(&image, &object));
   CHECK_EQ(strcmp(object.identity, "build-id=01abcdef"), 0);
   image.note.n_id = 0x10000;
   CHECK(read_image(&image, &object));
   CHECK_EQ(strncmp(object.identity, size, strlen(size)), 0);
}

/* Static programs have stubs for functions that choose their code at start. */
static void test_iplt(void)
{
   Image image = new_image();
   image.sections[5] =
      section(&image, ".iplt", SHF_ALLOC | SHF_EXECINSTR, 0x4080, 0x10);
   Object object;
   CHECK(read_image(&image, &object));
   CHECK_EQ(object.n_stubs, STUB_RANGES_MAX);
   check_range(object.stubs[3], 0x4080, 0x4090);
}

/* More stub sections than there is room for. */
static void test_too_many_stubs(void)
{
   Image image = new_image();
   for (UInt i = 1; i <= 7; i++)
      image.sections[i] = image.sections[2];
   Object object;
   CHECK(read_image(&image, &object));
   CHECK_EQ(object.n_stubs, STUB_RANGES_MAX);
}

/* Without section headers, as strip can make them, the code is known. */
static void test_no_sections(void)
{
   Image image = new_image();
   image.header.e_shnum = image.header.e_shstrndx = 0;
   image.header.e_shoff = 0;
   Object object;
   CHECK(read_image(&image, &object));
   check_range(object.code, 0x4000, 0x9234);
   CHECK_EQ(object.n_stubs, 0);
}

/* The object has these of the image's ranges: bit i for row i. */
static void check_unwind(const Object* object, UInt rows)
{
   UInt n = 0;
   for (UInt i = 0; i < N_ROWS; i++) {
      if (!(rows >> i & 1)) continue;
      CHECK(n < object->n_unwind);
      const UnwindRange* range = &object->unwind[n++];
      CHECK_EQ(range->start, starts[i]);
      CHECK_EQ(range->end, starts[i] + sizes[i]);
      CHECK_EQ(range->home, 0);
   }
   CHECK_EQ(object->n_unwind, n);
}

static void test_unwind(void)
{
   Image image = new_image();
   Object object;
   CHECK(read_image(&image, &object));
   check_unwind(&object, 15);
   /* Functions of one address, as the linker's identical code folding makes. */
   image.unwind.rows[3].start = image.unwind.rows[2].start;
   CHECK(read_image(&image, &object));
   check_unwind(&object, 7);
   /* Fewer rows than there is room for. */
   image.unwind.n = 2;
   CHECK(read_image(&image, &object));
   check_unwind(&object, 3);
   /* Code may lie below the table. */
   image = new_image();
   image.segments[0].p_vaddr += 0x20000;
   image.segments[5].p_vaddr += 0x20000;
   for (UInt i = 0; i < N_ROWS; i++)
      image.unwind.rows[i].start -= 0x20000;
   CHECK(read_image(&image, &object));
   check_unwind(&object, 15);
}

/* How addresses are written, and what else a CIE may say. */
static void test_common(void)
{
   static const struct {
      const char letters[3];
      UChar bytes[4];
      UInt rows;
   } commons[] = {
      {"zR", {1, 0x1b}, 15},
      {"zR", {1, 0x03}, 15},
      {"zR", {1, 0x0b}, 15},
      {"zR", {1, 0x01}, 0}, /* LEB128 */
      {"zR", {1, 0x0f}, 0},
      {"zX", {0}, VG_WORDSIZE == 4 ? 15 : 0},
      {"", {0}, VG_WORDSIZE == 4 ? 15 : 0},
   };
   for (UInt i = 0; i < sizeof commons / sizeof *commons; i++) {
      Image image = new_image();
      Object object;
      memcpy(image.unwind.common.letters, commons[i].letters, 3);
      memcpy(&image.unwind.common.n_bytes, commons[i].bytes, 4);
      CHECK(read_image(&image, &object));
      if (commons[i].rows) check_unwind(&object, commons[i].rows);
   }
   Image image = new_image();
   Object object;
   image.unwind.common.version = 4;
   CHECK(read_image(&image, &object));
   check_unwind(&object, 0);
   image = new_image();
   image.unwind.common.id = 1;
   CHECK(read_image(&image, &object));
   check_unwind(&object, 0);
}

/* Entries that cannot be read are left out. */
static void test_broken_entries(void)
{
   for (UInt i = 0; i < N_ROWS; i++) {
      Image image = new_image();
      Object object;
      image.unwind.entries[i].size = 0;
      CHECK(read_image(&image, &object));
      check_unwind(&object, 15 & ~(1 << i));
      image = new_image();
      image.unwind.entries[i].length = ~0U;
      CHECK(read_image(&image, &object));
      check_unwind(&object, 15 & ~(1 << i));
      image = new_image();
      image.unwind.rows[i].description = 0x7fffffff;
      CHECK(read_image(&image, &object));
      check_unwind(&object, 15 & ~(1 << i));
      image = new_image();
      image.unwind.entries[i].to_common = 0x7fffffff;
      CHECK(read_image(&image, &object));
      check_unwind(&object, 15 & ~(1 << i));
   }
}

/* A table that is not understood is none; all else is known. */
static void check_no_unwind(const Image* image)
{
   Object object;
   CHECK(read_image(image, &object));
   CHECK_EQ(object.n_unwind, 0);
   check_range(object.code, 0x4000, 0x9234);
   CHECK_EQ(object.n_stubs, 3);
}

static void test_no_unwind(void)
{
   Image image = new_image();
   image.segments[5].p_type = PT_NULL;
   check_no_unwind(&image);
   image = new_image();
   image.segments[5].p_filesz = 0;
   check_no_unwind(&image);
   image = new_image();
   image.segments[5].p_offset = 1 << 30;
   check_no_unwind(&image);
   image = new_image();
   image.unwind.n = 0;
   check_no_unwind(&image);
   image = new_image();
   image.unwind.frame = 0x7fff0000; /* not in the file */
   check_no_unwind(&image);
}

static void test_unknown_encoding(void)
{
   static const UChar encodings[] = {0x00, 0x1a, 0x1c, 0x0b,
                                     0x2b, 0x4b, 0xbb, 0xff};
   for (UInt i = 0; i < sizeof encodings; i++)
      for (UInt which = 0; which < 4; which++) {
         Image image = new_image();
         ((UChar*)&image.unwind)[which] = encodings[i];
         check_no_unwind(&image);
      }
}

/* The segment ends before the table does. */
static void test_truncated_unwind(void)
{
   for (SizeT n = 0; n < offsetof(Unwind, common); n++) {
      Image image = new_image();
      image.segments[5].p_filesz = n;
      check_no_unwind(&image);
   }
   static const UInt counts[] = {N_ROWS + 1, 0x20000000, 0x1fffffff,
                                 0x7fffffff, 0x80000000, ~0U};
   for (UInt i = 0; i < sizeof counts / sizeof *counts; i++) {
      Image image = new_image();
      image.unwind.n = counts[i];
      check_no_unwind(&image);
   }
}

/* What would lie before the range before is left out. */
static void test_unsorted_unwind(void)
{
   for (UInt i = 0; i + 1 < N_ROWS; i++) {
      Image image = new_image();
      Object object;
      image.unwind.rows[i + 1].start = image.unwind.rows[i].start - 1;
      CHECK(read_image(&image, &object));
      check_unwind(&object, 15 & ~(2 << i));
   }
   Image image = new_image();
   Object object;
   image.unwind.rows[0].start = -UNWIND - 1; /* below 0 */
   CHECK(read_image(&image, &object));
   check_unwind(&object, 14);
}

/* Where the test itself is, less where its file says. */
static int take_bias(struct dl_phdr_info* info, size_t size, void* bias)
{
   (void)size;
   *(Addr*)bias = info->dlpi_addr;
   return 1; /* the first is the program */
}

static Addr main_bias(void)
{
   Addr bias;
   dl_iterate_phdr(take_bias, &bias);
   return bias;
}

/* The code of the test itself, and that all of it is found. */
static int add_code(struct dl_phdr_info* info, size_t size, void* data)
{
   (void)size;
   Range* code = data;
   for (UInt i = 0; i < info->dlpi_phnum; i++) {
      const ElfW(Phdr)* s = &info->dlpi_phdr[i];
      if (s->p_type != PT_LOAD || !(s->p_flags & PF_X)) continue;
      *code = (Range){s->p_vaddr, s->p_vaddr + s->p_memsz};
   }
   return 1; /* the first is the program */
}

static void test_real_program(void)
{
   Object object = object_named("/proc/self/exe");
   CHECK(cg2_elffile_read(&object));
   Range code = {0};
   dl_iterate_phdr(add_code, &code);
   check_range(object.code, code.start, code.end);
   CHECK(object.n_stubs > 0);
   CHECK(object.n_unwind > 10);
   for (UInt i = 0; i < object.n_unwind; i++) {
      CHECK(object.unwind[i].start >= code.start);
      CHECK(object.unwind[i].start < object.unwind[i].end);
      CHECK(object.unwind[i].end <= code.end);
      if (i) CHECK(object.unwind[i - 1].end <= object.unwind[i].start);
   }
   Addr here = (Addr)test_real_program - main_bias();
   const UnwindRange* mine = cg2_code_unwind_range(&object, here);
   CHECK(mine && mine->start == here);
   for (UInt i = 0; i < object.n_stubs; i++) {
      CHECK(object.stubs[i].start >= code.start);
      CHECK(object.stubs[i].start < object.stubs[i].end);
      CHECK(object.stubs[i].end <= code.end);
   }
   CHECK_EQ(host.n_open, 0);
}

/*--- What is not --------------------------------------------------------*/

static void test_not_elf(void)
{
   Object object = object_named("/no/such/file");
   CHECK(!cg2_elffile_read(&object));
   object = object_named(check_directory());
   CHECK(!cg2_elffile_read(&object));
   CHECK_EQ(host.n_open, 0);
   Image image = new_image();
   image.header.e_ident[0] = 'M';
   CHECK(!read_image(&image, &object));
   image = new_image();
   image.header.e_ident[EI_CLASS] = OTHER_CLASS;
   CHECK(!read_image(&image, &object));
   image = new_image();
   image.header.e_phentsize++;
   CHECK(!read_image(&image, &object));
   image = new_image();
   image.segments[1].p_flags = image.segments[2].p_flags = PF_R;
   CHECK(!read_image(&image, &object));
   image = new_image();
   image.header.e_phnum = 0;
   CHECK(!read_image(&image, &object));
}

/* A file that ends anywhere: no segments, no file; no unwind table, no ranges;
 * no sections, no stubs. */
static void test_truncated(void)
{
   const SizeT end_of_unwind = offsetof(Image, sections);
   Image image = new_image();
   Long before = host.n_allocated;
   for (SizeT n = 0; n < sizeof image; n++) {
      Object object;
      Bool read = read_part(&image, n, &object);
      CHECK_EQ(read, n >= offsetof(Image, unwind));
      CHECK_EQ(object.n_unwind, n >= end_of_unwind ? N_ROWS : 0);
      CHECK_EQ(object.n_stubs, 0);
      /* Only the name. */
      if (n == 0) before = host.n_allocated;
      CHECK_EQ(host.n_allocated, before);
   }
}

/* Numbers that lead anywhere. */
static void test_rubbish(void)
{
   static const ULong numbers[] = {0,          1,          0xff,
                                   0xffff,     0x7fffffff, 0xffffffff,
                                   1ULL << 40, ~0ULL,      1ULL << 63};
   Image image = new_image();
   UInt random = 1;
   for (UInt i = 0; i < 4000; i++) {
      Image broken = image;
      for (UInt j = 0; j < 1 + i % 3; j++) {
         random = random * 1664525 + 1013904223;
         UInt at = (random >> 8) % (sizeof image / 4);
         UInt width = 1U << (random >> 4) % 4;
         SizeT offset = 4 * at + width > sizeof image ? 0 : 4 * at;
         memcpy((char*)&broken + offset, &numbers[i % 9], width);
      }
      Object object;
      Bool read = read_image(&broken, &object);
      CHECK(!read || object.code.start < object.code.end);
      CHECK(object.n_stubs <= STUB_RANGES_MAX);
   }
}

/* Names of sections that do not end inside their table. */
static void test_name_table_without_end(void)
{
   Image image = new_image();
   memset(image.names, '.', sizeof image.names);
   Object object;
   CHECK(read_image(&image, &object));
   CHECK_EQ(object.n_stubs, 0);
   image = new_image();
   image.sections[2].sh_name = sizeof image.names;
   CHECK(read_image(&image, &object));
   CHECK_EQ(object.n_stubs, 2);
}

int main(int n, char** names)
{
   static const Test tests[] = {
      {"ranges", test_ranges},
      {"identity", test_identity},
      {"iplt", test_iplt},
      {"too_many_stubs", test_too_many_stubs},
      {"no_sections", test_no_sections},
      {"real_program", test_real_program},
      {"unwind", test_unwind},
      {"common", test_common},
      {"broken_entries", test_broken_entries},
      {"no_unwind", test_no_unwind},
      {"unknown_encoding", test_unknown_encoding},
      {"truncated_unwind", test_truncated_unwind},
      {"unsorted_unwind", test_unsorted_unwind},
      {"not_elf", test_not_elf},
      {"truncated", test_truncated},
      {"rubbish", test_rubbish},
      {"name_table_without_end", test_name_table_without_end},
   };
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
