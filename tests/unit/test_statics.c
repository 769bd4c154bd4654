#include "check.h"
#include "data/static/elfdata.h"
#include "data/static/statics.h"
#include "guest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*--- Files made by the compiler -----------------------------------------*/

static const char SOURCE[] =
   "char first[100] = {1};\n"
   "static int counter = 5;\n"
   "long table[1000];\n"
   "const char text[] = \"four\";\n"
   "extern char** environ_of __attribute__((weak, alias(\"__environ_of\")));\n"
   "char** __environ_of;\n"
   "__thread int own[4] = {1};\n"
   "static __thread char buffer[24];\n"
   "int* count(void)\n"
   "{\n"
   "   static int calls;\n"
   "   calls++;\n"
   "   buffer[calls % 24]++;\n"
   "   return &counter + own[calls % 4] + table[5] + first[1] + text[2] +\n"
   "          (__environ_of != 0);\n"
   "}\n"
   "int main(void) { return *count(); }\n";

static const char* path_of(const char* name)
{
   static char path[200];
   snprintf(path, sizeof path, "%s/%s", check_directory(), name);
   return path;
}

static void run(const char* format, const char* a, const char* b)
{
   char command[1000];
   snprintf(command, sizeof command, format, a, b);
   CHECK_EQ(system(command), 0);
}

/* Compiles SOURCE as data.c with these options, once: tests get copies. */
static const char* compile(const char* name, const char* options)
{
   char command[500];
   check_write_file(path_of("data.c"), SOURCE, sizeof SOURCE - 1);
   snprintf(command, sizeof command,
            "cd %s && made='made %s' && { test -f \"$made\" || "
            "gcc -m%d -O1 -fno-inline %s data.c -o \"$made\"; } && "
            "cp \"$made\" %s",
            check_directory(), options, 8 * VG_WORDSIZE, options, name);
   CHECK_EQ(system(command), 0);
   return path_of(name);
}

/* What nm says about a symbol of a file. */
typedef struct Said {
   Addr value;
   SizeT size;
} Said;

static Said ask_nm(const char* path, const char* symbol)
{
   char command[500];
   Said said = {0};
   snprintf(command, sizeof command,
            "nm -S %s | awk '$4 == \"%s\" {print $1, $2}'", path, symbol);
   FILE* out = popen(command, "r");
   CHECK_EQ(fscanf(out, "%lx %lx", &said.value, &said.size), 2);
   pclose(out);
   return said;
}

/*--- Finding in them ----------------------------------------------------*/

enum { BIAS = 0x10000000 };

static Mapping mapping_of(const char* path, PtrdiffT bias)
{
   const Name* name = cg2_names_intern(&cg2_code.object_names, path);
   Object* object = cg2_code_find_object(name, 1);
   if (!object) object = cg2_code_add_object(name, 1);
   return (Mapping){.bias = bias, .object = object};
}

/* The file is all that is mapped. */
static void map_file(const char* path)
{
   static Mapping mapping;
   mapping = mapping_of(path, BIAS);
   guest.mappings = &mapping;
   guest.n_mappings = 1;
   guest.epoch++;
}

static void check_piece(
   const DataPiece* p, Addr start, SizeT size, Addr origin, const char* name)
{
   CHECK_EQ(p->start, start);
   CHECK_EQ(p->end, start + size);
   CHECK_EQ(p->origin, origin);
   CHECK_TEXT(p->object->name, name);
   CHECK_EQ(p->object->kind, DATA_STATIC);
   CHECK(p->object->object == guest.mappings[0].object);
}

/* Each byte of the symbol belongs to it, and no other. */
static void check_symbol(const char* path, const char* symbol, const char* name)
{
   Said said = ask_nm(path, symbol);
   Addr start = said.value + BIAS;
   DataPiece piece, other;
   for (SizeT i = 0; i < said.size; i++) {
      CHECK(cg2_statics_find(start + i, &piece));
      check_piece(&piece, start, said.size, start, name);
   }
   CHECK(cg2_statics_find(start - 1, &other));
   CHECK(other.object != piece.object);
   CHECK_EQ(other.end, start);
   CHECK(cg2_statics_find(start + said.size, &other));
   CHECK(other.object != piece.object);
   CHECK_EQ(other.start, start + said.size);
}

/* A file with all that compilers put in: names of local symbols have the source
 * file's behind them, and of several names one is chosen. */
static void check_all(const char* path)
{
   map_file(path);
   check_symbol(path, "first", "first");
   check_symbol(path, "counter", "counter (data.c)");
   check_symbol(path, "table", "table");
   check_symbol(path, "text", "text");
   check_symbol(path, "__environ_of", "environ_of");
}

static void test_library(void)
{
   check_all(compile("library.so", "-shared -fPIC"));
}

static void test_program(void)
{
   check_all(compile("program", "-no-pie"));
}

static void test_static_program(void)
{
   check_all(compile("static", "-static"));
}

/* What is stripped of local symbols has those of .dynsym; what lies between
 * them is the section's. */
static void test_stripped(void)
{
   const char* path = compile("full.so", "-shared -fPIC");
   Said first = ask_nm(path, "first"), counter = ask_nm(path, "counter");
   run("cp %s %s.stripped", path, path);
   strcat((char*)path, ".stripped");
   run("strip %s%s", path, "");
   map_file(path);
   DataPiece piece;
   CHECK(cg2_statics_find(first.value + BIAS + 99, &piece));
   check_piece(&piece, first.value + BIAS, 100, first.value + BIAS, "first");
   CHECK(cg2_statics_find(counter.value + BIAS, &piece));
   CHECK_TEXT(piece.object->name, ".data");
   CHECK(piece.origin <= piece.start);
   CHECK(piece.start <= counter.value + BIAS);
   CHECK(piece.end >= counter.value + BIAS + 4);
}

/* The address where a section begins, by readelf. */
static Addr ask_section(const char* path, const char* section)
{
   char command[500];
   Addr value = 0;
   snprintf(command, sizeof command,
            "objdump -h %s | awk '$2 == \"%s\" {print $4}'", path, section);
   FILE* out = popen(command, "r");
   CHECK_EQ(fscanf(out, "%lx", &value), 1);
   pclose(out);
   return value;
}

/* Bytes without a symbol of data: functions, tables of the dynamic linker. */
static void test_sections(void)
{
   static const char* const names[] = {".dynsym",   ".dynstr",  ".text",
                                       ".gnu.hash", ".dynamic", ".got"};
   const char* path = compile("sections.so", "-shared -fPIC");
   map_file(path);
   for (UInt i = 0; i < sizeof names / sizeof *names; i++) {
      Addr start = ask_section(path, names[i]) + BIAS;
      DataPiece piece;
      CHECK(cg2_statics_find(start + 3, &piece));
      CHECK_TEXT(piece.object->name, names[i]);
      CHECK_EQ(piece.origin, start);
      CHECK_EQ(piece.start, start);
      CHECK(piece.end > start + 3);
   }
   DataPiece header;
   CHECK(cg2_statics_find(BIAS, &header));
   CHECK_TEXT(header.object->name, "segment r--");
   CHECK(!cg2_statics_find(BIAS - 1, &header));
}

/* The rest of the last page is the segment's. */
static void test_last_page(void)
{
   const char* path = compile("last.so", "-shared -fPIC");
   map_file(path);
   Said end = ask_nm(path, "table");
   Addr page_end = ((end.value + end.size) | 4095) + 1 + BIAS;
   DataPiece piece;
   CHECK(cg2_statics_find(page_end - 1, &piece));
   CHECK_TEXT(piece.object->name, "segment rw-");
   CHECK_EQ(piece.end, page_end);
   CHECK(!cg2_statics_find(page_end, &piece));
}

/* Where the table of sections is cut off, segments are left. */
static void test_no_sections(void)
{
   const char* path = compile("none.so", "-shared -fPIC");
   SizeT n;
   Said first = ask_nm(path, "first");
   char* image = check_read_file(path, &n);
   ElfHeader* header = (ElfHeader*)image;
   header->e_shoff = header->e_shnum = header->e_shstrndx = 0;
   check_write_file(path, image, n);
   free(image);
   map_file(path);
   DataPiece piece;
   CHECK(cg2_statics_find(first.value + BIAS, &piece));
   CHECK_TEXT(piece.object->name, "segment rw-");
   CHECK_EQ(piece.origin % 4096, 0);
   CHECK_EQ(piece.origin, piece.start);
}

/* Two objects, one of which goes: the other's pieces stay, and the same objects
 * come back with it. */
static void test_unmapped(void)
{
   char one[200], two[200];
   strcpy(one, compile("one.so", "-shared -fPIC"));
   strcpy(two, compile("two.so", "-shared -fPIC"));
   Addr first = ask_nm(one, "first").value;
   Mapping both[] = {mapping_of(two, 2 * BIAS), mapping_of(one, BIAS)};
   guest.mappings = both;
   guest.n_mappings = 2;
   guest.epoch++;
   DataPiece low, high, again;
   CHECK(cg2_statics_find(first + BIAS, &low));
   CHECK(cg2_statics_find(first + 2 * BIAS, &high));
   CHECK(low.object != high.object);
   CHECK(low.object->object == both[1].object);
   CHECK(high.object->object == both[0].object);
   cg2_statics_unmapped(2 * BIAS, 1 << 20);
   guest.mappings = &both[1];
   guest.n_mappings = 1;
   guest.epoch++;
   CHECK(!cg2_statics_find(first + 2 * BIAS, &high));
   CHECK(cg2_statics_find(first + BIAS, &again));
   CHECK(again.object == low.object);
   both[0].bias = 3 * BIAS;
   guest.mappings = both;
   guest.n_mappings = 2;
   guest.epoch++;
   CHECK(cg2_statics_find(first + 3 * BIAS, &again));
   CHECK(again.object == high.object);
   CHECK_EQ(again.origin, first + 3 * BIAS);
}

/* A file that is no ELF file, or not there, has no pieces. */
static void test_no_file(void)
{
   DataPiece piece;
   check_write_file(path_of("text"), "text", 4);
   map_file(path_of("text"));
   CHECK(!cg2_statics_find(BIAS, &piece));
   map_file("/no/such/file");
   CHECK(!cg2_statics_find(BIAS, &piece));
   CHECK_EQ(host.n_open, 0);
}

/*--- Names --------------------------------------------------------------*/

/* The outer one of several symbols has the bytes; of equals, the better name.
 * The assembler makes them as they are said. */
static void test_overlapping(void)
{
   static const char source[] =
      ".file \"over.c\"\n.data\n"
      ".macro sym name, at, size, type=object\n"
      ".set \\name, base + \\at\n.type \\name, @\\type\n.size \\name, \\size\n"
      ".endm\n"
      "base: .skip 256\n"
      "sym outer 16 32\nsym inner 20 4\n" /* one in the other */
      "sym half 40 32\n"                  /* half in `outer` */
      "sym local 100 8\nsym __name 100 8\nsym name 100 8\nsym longer 100 8\n"
      "sym _o 120 8\nsym loc 120 8\n" /* one local */
      "sym empty 140 0\nsym untyped 160 8 notype\n"
      "sym beyond 250 20\n" /* behind the section */
      ".globl __name, name, longer, _o\n";
   static const struct {
      UInt at, start, size;
      const char* name;
   } expected[] = {
      {0, 0, 16, ".data"},
      {16, 16, 32, "outer (over.c)"},
      {22, 16, 32, "outer (over.c)"},
      {47, 16, 32, "outer (over.c)"},
      {48, 48, 52, ".data"},
      {99, 48, 52, ".data"},
      {100, 100, 8, "name"},
      {108, 108, 12, ".data"},
      {127, 120, 8, "_o"},
      {140, 128, 32, ".data"},
      {160, 160, 8, "untyped (over.c)"},
      {250, 168, 88, ".data"},
   };
   check_write_file(path_of("over.s"), source, sizeof source - 1);
   char path[200];
   strcpy(path, path_of("over"));
   char command[700];
   snprintf(command, sizeof command,
            "gcc -m%d -nostdlib -no-pie -Wl,-e,0 -Wl,-z,noseparate-code %s.s "
            "-o %s",
            8 * VG_WORDSIZE, path, path);
   CHECK_EQ(system(command), 0);
   map_file(path);
   Addr base = ask_section(path, ".data") + BIAS;
   for (UInt i = 0; i < sizeof expected / sizeof *expected; i++) {
      DataPiece p;
      CHECK(cg2_statics_find(base + expected[i].at, &p));
      CHECK_TEXT(p.object->name, expected[i].name);
      CHECK_EQ(p.start, base + expected[i].start);
      CHECK_EQ(p.end, base + expected[i].start + expected[i].size);
      Bool is_section = strcmp(p.object->name, ".data") == 0;
      CHECK_EQ(p.origin, is_section ? base : p.start);
   }
}

/* A variable of a library that the program has a copy of is the program's, and
 * has no version in its name. */
static void test_copied(void)
{
   static const char source[] =
      "#include <stdio.h>\nint main(void) { return fputs(\"\", stdout); }\n";
   check_write_file(path_of("copied.c"), source, sizeof source - 1);
   char path[200], command[700];
   strcpy(path, path_of("copied"));
   snprintf(command, sizeof command, "gcc -m%d -no-pie -fno-pie %s.c -o %s",
            8 * VG_WORDSIZE, path, path);
   CHECK_EQ(system(command), 0);
   snprintf(command, sizeof command, "nm %s | awk '$3 ~ /^stdout@/ {print $1}'",
            path);
   FILE* out = popen(command, "r");
   Addr value = 0;
   CHECK_EQ(fscanf(out, "%lx", &value), 1);
   pclose(out);
   map_file(path);
   DataPiece piece;
   CHECK(cg2_statics_find(value + BIAS, &piece));
   check_piece(&piece, value + BIAS, sizeof(void*), value + BIAS, "stdout");
}

/*--- Thread-local symbols -----------------------------------------------*/

static void test_thread_symbols(void)
{
   const char* path = compile("thread.so", "-shared -fPIC");
   ElfData data;
   CHECK(cg2_elfdata_read(&data, path));
   CHECK_EQ(data.thread_size, 16 + 24);
   CHECK(data.thread_align >= 4);
   CHECK_EQ(data.thread_symbols.n, 2);
   const ElfStretch* s = data.thread_symbols.all;
   CHECK_EQ(s[0].start, 0);
   CHECK_EQ(s[0].size, 16);
   CHECK_TEXT(data.names + s[0].name, "own (thread-local)");
   CHECK_EQ(s[1].start, 16);
   CHECK_EQ(s[1].size, 24);
   CHECK_TEXT(data.names + s[1].name, "buffer (data.c, thread-local)");
   s = data.thread_sections.all;
   CHECK_EQ(data.thread_sections.n, 2);
   CHECK_TEXT(data.names + s[0].name, ".tdata (thread-local)");
   CHECK_TEXT(data.names + s[1].name, ".tbss (thread-local)");
   CHECK_EQ(s[1].start, 16);
   cg2_elfdata_free(&data);
}

/*--- Debug files --------------------------------------------------------*/

/* Strips a library, whose debug file "whole.debug" it names then. */
static const char* strip(const char* name, const char* options)
{
   const char* path = compile(name, options);
   char command[1000];
   snprintf(command, sizeof command,
            "cd %s && objcopy --only-keep-debug %s whole.debug && "
            "objcopy --strip-all --add-gnu-debuglink=whole.debug %s",
            check_directory(), name, name);
   CHECK_EQ(system(command), 0);
   return path;
}

/* The symbols of a library that is stripped are those of its debug file. */
static void test_debug_file(void)
{
   static const char* const options[] = {"-shared -fPIC",
                                         "-shared -fPIC -Wl,--build-id=none"};
   for (UInt i = 0; i < 2; i++) {
      const char* path = compile("whole.so", options[i]);
      Said counter = ask_nm(path, "counter");
      map_file(strip("whole.so", options[i]));
      DataPiece piece;
      CHECK(cg2_statics_find(counter.value + BIAS, &piece));
      check_piece(&piece, counter.value + BIAS, counter.size,
                  counter.value + BIAS, "counter (data.c)");
   }
}

/*--- Files that are broken ----------------------------------------------*/

static void check_stretches(const ElfStretches* s)
{
   for (UInt i = 0; i < s->n; i++) {
      CHECK(s->all[i].size > 0);
      CHECK(s->all[i].start + s->all[i].size >= s->all[i].start);
      if (i) CHECK(s->all[i - 1].start + s->all[i - 1].size <= s->all[i].start);
   }
}

/* Whatever is read is in order, and is freed. */
static void read_image(const char* image, SizeT n)
{
   ElfData data;
   Long before = host.n_allocated;
   check_write_file(path_of("broken"), image, n);
   if (cg2_elfdata_read(&data, path_of("broken"))) {
      check_stretches(&data.symbols);
      check_stretches(&data.sections);
      check_stretches(&data.segments);
      check_stretches(&data.thread_symbols);
      check_stretches(&data.thread_sections);
      for (UInt i = 0; i < data.symbols.n; i++)
         CHECK(strlen(data.names + data.symbols.all[i].name) > 0);
      cg2_elfdata_free(&data);
   }
   CHECK_EQ(host.n_open, 0);
   CHECK_EQ(host.n_allocated, before);
}

/* The file's or its debug file's end is cut off. */
static void test_cut_debug_file(void)
{
   SizeT n, n_debug;
   const char* path = strip("whole.so", "-shared -fPIC");
   char* image = check_read_file(path, &n);
   char* debug = check_read_file(path_of("whole.debug"), &n_debug);
   for (SizeT size = 0; size < n_debug; size += 61) {
      check_write_file(path_of("whole.debug"), debug, size);
      read_image(image, n);
   }
   for (SizeT size = 0; size < n; size += 61)
      read_image(image, size);
   free(image);
   free(debug);
}

/* Notes and links of any size, with numbers changed. */
static void test_rubbish_of_debug_file(void)
{
   SizeT n;
   char* image = check_read_file(strip("whole.so", "-shared -fPIC"), &n);
   char* broken = malloc(n);
   UInt random = 7;
   for (UInt round = 0; round < 2000; round++) {
      memcpy(broken, image, n);
      for (UInt i = 0; i < 4; i++) {
         random = random * 1664525 + 1013904223;
         broken[(random >> 8) % n] = random >> 4;
         /* The notes lie in front, and the link is the last but one. */
         broken[round % 2 ? (random >> 6) % 700
                          : n - 1 - (random >> 6) % 2200] = random >> 12;
      }
      read_image(broken, n);
   }
   free(broken);
   free(image);
}

static void test_truncated(void)
{
   SizeT n;
   char* image = check_read_file(compile("whole.so", "-shared -fPIC"), &n);
   for (SizeT size = 0; size < n; size += 61)
      read_image(image, size);
   free(image);
}

/* Numbers that lead anywhere, in the tables that are read. */
static void test_rubbish(void)
{
   static const ULong numbers[] = {0,          1,          0xff,
                                   0xffff,     0x7fffffff, 0xffffffff,
                                   1ULL << 40, ~0ULL,      1ULL << 63};
   SizeT n;
   char* image = check_read_file(compile("sound.so", "-shared -fPIC"), &n);
   const ElfHeader header = *(ElfHeader*)image;
   char* broken = malloc(n);
   UInt random = 1;
   for (UInt i = 0; i < check_rounds(3000); i++) {
      memcpy(broken, image, n);
      for (UInt j = 0; j < 1 + i % 5; j++) {
         random = random * 1664525 + 1013904223;
         /* The header, the segments, the sections, or anywhere. */
         SizeT areas[] = {0, header.e_phoff, header.e_shoff, random % n};
         SizeT at = areas[i % 4] + (random >> 8) % 600;
         UInt width = 1U << (random >> 4) % 4;
         if (at + width <= n) memcpy(broken + at, &numbers[random % 9], width);
      }
      read_image(broken, n);
   }
   free(broken);
   free(image);
}

int main(int n, char** names)
{
   static const Test tests[] = {
      {"library", test_library},
      {"program", test_program},
      {"static_program", test_static_program},
      {"stripped", test_stripped},
      {"sections", test_sections},
      {"last_page", test_last_page},
      {"no_sections", test_no_sections},
      {"unmapped", test_unmapped},
      {"no_file", test_no_file},
      {"overlapping", test_overlapping},
      {"copied", test_copied},
      {"thread_symbols", test_thread_symbols},
      {"debug_file", test_debug_file},
      {"cut_debug_file", test_cut_debug_file},
      {"rubbish_of_debug_file", test_rubbish_of_debug_file},
      {"truncated", test_truncated},
      {"rubbish", test_rubbish},
   };
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
