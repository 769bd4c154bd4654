#include "data/static/threadwords.h"

#include "arch/threadpointer.h"

/* Processors of 64 bits have the number that is to be added in the relocation,
 * x86 has it in the word. */
#if VG_WORDSIZE == 8
typedef Elf64_Rela Relocation;
enum { SHT_RELOCATIONS = SHT_RELA, TYPE_BITS = 32 };
static UWord addend_of(const Relocation* r, UWord initial)
{
   (void)initial;
   return r->r_addend;
}
#else
typedef Elf32_Rel Relocation;
enum { SHT_RELOCATIONS = SHT_REL, TYPE_BITS = 8 };
static UWord addend_of(const Relocation* r, UWord initial)
{
   (void)r;
   return initial;
}
#endif

/* The word that the file has for an address of the object. False: none. */
static Bool read_word(const ElfParts* parts, Addr address, UWord* word)
{
   for (UInt i = 0; i < parts->header.e_phnum; i++) {
      const ElfSegment* s = &parts->segments[i];
      Addr inside = address - s->p_vaddr;
      if (s->p_type != PT_LOAD || inside >= s->p_filesz ||
          s->p_filesz - inside < sizeof *word)
         continue;
      UWord* bytes =
         cg2_elfparts_read(parts, s->p_offset + inside, sizeof *bytes);
      if (!bytes) return False;
      *word = *bytes;
      VG_(free)(bytes);
      return True;
   }
   return False;
}

/* The value of a symbol that the object itself has; symbol 0 stands for the
 * object. */
static Bool read_value(const ElfParts* parts,
                       const ElfSection* symbols,
                       UWord number,
                       UWord* value)
{
   *value = 0;
   if (number == 0) return True;
   if (number >= symbols->sh_size / sizeof(ElfSymbol)) return False;
   ElfSymbol* symbol = cg2_elfparts_read(
      parts, symbols->sh_offset + number * sizeof *symbol, sizeof *symbol);
   if (!symbol) return False;
   *value = symbol->st_value;
   Bool is_own = symbol->st_shndx != SHN_UNDEF;
   VG_(free)(symbol);
   return is_own;
}

/* Fills in `word` by a relocation, if that is about the object's own variables.
 */
static void take(const ElfParts* parts,
                 const ElfSection* symbols,
                 const Relocation* r,
                 ThreadWord* word)
{
   UWord initial, value;
   if (word->at || !read_word(parts, r->r_offset, &initial) ||
       !read_value(parts, symbols, r->r_info >> TYPE_BITS, &value))
      return;
   *word = (ThreadWord){.at = r->r_offset,
                        .initial = initial,
                        .variable = value + addend_of(r, initial)};
}

static void
find_in(const ElfParts* parts, const ElfSection* section, ThreadWords* words)
{
   const UWord type_mask = ((UWord)1 << TYPE_BITS) - 1;
   if (section->sh_link >= parts->n_sections) return;
   const ElfSection* symbols = &parts->sections[section->sh_link];
   Relocation* all =
      cg2_elfparts_read(parts, section->sh_offset, section->sh_size);
   UWord n = all ? section->sh_size / sizeof *all : 0;
   for (UWord i = 0; i < n; i++) {
      UWord type = all[i].r_info & type_mask;
      if (type == RELOCATION_MODULE)
         take(parts, symbols, &all[i], &words->module);
      if (type == RELOCATION_DISTANCE)
         take(parts, symbols, &all[i], &words->distance);
   }
   if (all) VG_(free)(all);
}

void cg2_threadwords_find(const ElfParts* parts, ThreadWords* words)
{
   *words = (ThreadWords){0};
   for (UInt i = 0; i < parts->n_sections; i++) {
      const ElfSection* s = &parts->sections[i];
      if (s->sh_type == SHT_RELOCATIONS && s->sh_flags & SHF_ALLOC)
         find_in(parts, s, words);
   }
}
