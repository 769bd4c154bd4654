/* Mutates ELF objects where they are: libFuzzer's own mutations move what comes
 * behind, and an object whose sections are elsewhere is refused at once. A few
 * bytes become others, most of the time in a section of debug information, and
 * seldom in the headers. */
#include <elf.h>
#include <stdint.h>
#include <string.h>

typedef struct Span {
   size_t from, size;
} Span;

enum { SPANS = 64, POKES = 6 };

size_t
LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t room, unsigned seed);

static size_t any(unsigned* chance, size_t below)
{
   *chance = *chance * 1103515245u + 12345;
   return (*chance >> 8) % below;
}

static int is_inside(uint64_t from, uint64_t length, size_t size)
{
   return from <= size && length <= size - from;
}

static int is_debug(const char* name, size_t length)
{
   static const char* const begins[] = {".debug_", ".eh_frame", ".symtab",
                                        ".strtab", ".text"};
   for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
      if (length >= strlen(begins[i]) &&
          !memcmp(name, begins[i], strlen(begins[i])))
         return 1;
   return 0;
}

/* The sections that are read most, of a file of 64 bits. */
static size_t find_spans(const uint8_t* data, size_t size, Span* spans)
{
   Elf64_Ehdr head;
   Elf64_Shdr names, section;
   size_t n = 0;
   if (size < sizeof head) return 0;
   memcpy(&head, data, sizeof head);
   if (head.e_shstrndx >= head.e_shnum ||
       !is_inside(head.e_shoff, head.e_shnum * sizeof section, size))
      return 0;
   memcpy(&names, data + head.e_shoff + head.e_shstrndx * sizeof names,
          sizeof names);
   if (!is_inside(names.sh_offset, names.sh_size, size)) return 0;
   for (unsigned i = 1; i < head.e_shnum && n < SPANS; i++) {
      memcpy(&section, data + head.e_shoff + i * sizeof section,
             sizeof section);
      if (section.sh_type == SHT_NOBITS || !section.sh_size ||
          section.sh_name >= names.sh_size ||
          !is_inside(section.sh_offset, section.sh_size, size))
         continue;
      if (is_debug((const char*)data + names.sh_offset + section.sh_name,
                   names.sh_size - section.sh_name))
         spans[n++] = (Span){section.sh_offset, section.sh_size};
   }
   return n;
}

/* Where the next bytes change. */
static Span choose(const Span* spans, size_t n, size_t size, unsigned* chance)
{
   enum { SELDOM = 16 };
   if (!n || !any(chance, SELDOM)) return (Span){0, size};
   return spans[any(chance, n)];
}

static void
poke(uint8_t* data, const Span* spans, size_t n, size_t size, unsigned* chance)
{
   static const size_t lengths[] = {1, 1, 2, 4, 8};
   Span span = choose(spans, n, size, chance);
   size_t at = span.from + any(chance, span.size);
   size_t length = lengths[any(chance, sizeof lengths / sizeof *lengths)];
   if (length > size - at) length = size - at;
   switch (any(chance, 4)) {
   case 0:
      memset(data + at, 0, length);
      break;
   case 1:
      memset(data + at, 0xff, length);
      break;
   case 2:
      data[at] += any(chance, 2) ? 1 : -1;
      break;
   default:
      for (size_t i = 0; i < length; i++)
         data[at + i] = any(chance, 256);
   }
}

size_t
LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t room, unsigned seed)
{
   Span spans[SPANS];
   size_t n = find_spans(data, size, spans);
   if (!size || size > room) return size;
   for (size_t pokes = 1 + any(&seed, POKES); pokes; pokes--)
      poke(data, spans, n, size, &seed);
   return size;
}
