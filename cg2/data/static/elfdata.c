#include "data/static/elfdata.h"
#include "base/search.h"

#include "code/debugfile.h"

enum { SYMBOLS_AT_ONCE = 4096, PAGE_BYTES = 4096 };

/*--- Candidates ---------------------------------------------------------*/

/* Bytes that have a name in the file, which others may have, too. */
typedef struct Candidate {
   Addr start;
   SizeT size;
   const HChar* name; /* the reading's; ends with a 0 or with @ */
   const HChar* file; /* a local symbol's, or NULL */
   Bool is_local;     /* No other file of the program can use the name. */
} Candidate;

typedef struct Candidates {
   Candidate* all;
   UInt n, capacity;
} Candidates;

static void add(Candidates* to, Candidate candidate)
{
   if (!candidate.name[0] || !candidate.size ||
       candidate.size > ~(Addr)0 - candidate.start)
      return;
   if (to->n == to->capacity) {
      to->capacity = to->capacity ? 2 * to->capacity : 64;
      to->all =
         VG_(realloc)("cg2.elfdata", to->all, to->capacity * sizeof *to->all);
   }
   to->all[to->n++] = candidate;
}

/* The length of a name without the version behind it, as in
 * stdout@GLIBC_2.2.5. */
static SizeT length_of(const HChar* name)
{
   SizeT n = 0;
   while (name[n] && (name[n] != '@' || n == 0))
      n++;
   return n;
}

static SizeT count_underscores(const HChar* name)
{
   SizeT n = 0;
   while (name[n] == '_')
      n++;
   return n;
}

static Int compare_numbers(UWord a, UWord b)
{
   return a < b ? -1 : a > b;
}

/* Negative: `a` is the better name. */
static Int compare_names(const Candidate* a, const Candidate* b)
{
   Int order = compare_numbers(a->is_local, b->is_local);
   if (!order)
      order = compare_numbers(count_underscores(a->name),
                              count_underscores(b->name));
   if (!order) order = compare_numbers(length_of(a->name), length_of(b->name));
   return order ? order : VG_(strcmp)(a->name, b->name);
}

/* By where they start; of those that start together first the largest, of those
 * that also end together first the one with the better name. */
static Int compare(const void* a, const void* b)
{
   const Candidate *x = a, *y = b;
   Int order = compare_numbers(x->start, y->start);
   if (!order) order = compare_numbers(y->size, x->size);
   return order ? order : compare_names(x, y);
}

/* Sorts them, and drops those that overlap one before. */
static void resolve(Candidates* c)
{
   UInt n = 0;
   VG_(ssort)(c->all, c->n, sizeof *c->all, compare);
   for (UInt i = 0; i < c->n; i++)
      if (n == 0 || c->all[i].start - c->all[n - 1].start >= c->all[n - 1].size)
         c->all[n++] = c->all[i];
   c->n = n;
}

/*--- Reading ------------------------------------------------------------*/

enum { TABLES_MAX = 3 }; /* .symtab, .dynsym, and a debug file's .symtab */

/* What is known while a file is read. */
typedef struct Reading {
   const HChar* path;
   ElfParts parts; /* the file's, or those of its debug file */
   ElfData* data;
   Addr thread_start;        /* of PT_TLS, in the object */
   HChar* texts[TABLES_MAX]; /* names of symbols */
   UInt n_texts;
   Candidates symbols, sections, segments, thread_symbols, thread_sections;
   SizeT n_names, names_capacity;
} Reading;

static void read_segments(Reading* r)
{
   static const HChar* const names[] = {
      "segment ---", "segment --x", "segment -w-", "segment -wx",
      "segment r--", "segment r-x", "segment rw-", "segment rwx"};
   for (UInt i = 0; i < r->parts.header.e_phnum; i++) {
      const ElfSegment* s = &r->parts.segments[i];
      if (s->p_type == PT_LOAD)
         add(&r->segments, (Candidate){.start = s->p_vaddr,
                                       .size = s->p_memsz,
                                       .name = names[s->p_flags & 7]});
      if (s->p_type != PT_TLS) continue;
      r->thread_start = s->p_vaddr;
      r->data->thread_size = s->p_memsz;
      r->data->thread_align = s->p_align;
   }
}

/* What is initialised to 0 in each thread has no place in the object. */
static void read_sections(Reading* r)
{
   for (UInt i = 0; i < r->parts.n_sections; i++) {
      const ElfSection* s = &r->parts.sections[i];
      if (!(s->sh_flags & SHF_ALLOC)) continue;
      Candidate found = {.start = s->sh_addr,
                         .size = s->sh_size,
                         .name = cg2_elfparts_name(&r->parts, s)};
      Bool is_thread = (s->sh_flags & SHF_TLS) != 0;
      if (!is_thread || s->sh_type != SHT_NOBITS) add(&r->sections, found);
      found.start -= r->thread_start;
      if (is_thread) add(&r->thread_sections, found);
   }
}

/* Whether a symbol is of data in its section. Code that a program reads counts
 * as its section's. */
static Bool is_data(const Reading* r, const ElfSymbol* symbol)
{
   if (symbol->st_shndx >= r->parts.n_sections) return False;
   const ElfSection* s = &r->parts.sections[symbol->st_shndx];
   UInt type = symbol->st_info & 0xf;
   Addr inside = symbol->st_value - s->sh_addr;
   return s->sh_flags & SHF_ALLOC && !(s->sh_flags & SHF_TLS) &&
          (type == STT_OBJECT || type == STT_COMMON ||
           (type == STT_NOTYPE && !(s->sh_flags & SHF_EXECINSTR))) &&
          inside < s->sh_size && symbol->st_size <= s->sh_size - inside;
}

static Bool is_of_thread(const Reading* r, const ElfSymbol* symbol)
{
   SizeT size = r->data->thread_size;
   return (symbol->st_info & 0xf) == STT_TLS && symbol->st_shndx &&
          symbol->st_value < size && symbol->st_size <= size - symbol->st_value;
}

/* Source: glibc's interface for debuggers, nptl_db. */
static const HChar CONTROL_SIZE[] = "_thread_db_sizeof_pthread";

/* Adds the symbols, whose names are in `texts`. *file is the name of the source
 * file that local symbols are from, or NULL. */
static void add_symbols(Reading* r,
                        const ElfSymbol* symbols,
                        UInt n,
                        const HChar* texts,
                        SizeT n_texts,
                        const HChar** file)
{
   for (UInt i = 0; i < n; i++) {
      const ElfSymbol* s = &symbols[i];
      if (s->st_name >= n_texts) continue;
      const HChar* name = texts + s->st_name;
      if ((s->st_info & 0xf) == STT_FILE) *file = name[0] ? name : NULL;
      Bool is_local = s->st_info >> 4 == STB_LOCAL;
      Candidate found = {.start = s->st_value,
                         .size = s->st_size,
                         .name = name,
                         .file = is_local ? *file : NULL,
                         .is_local = is_local};
      if (is_data(r, s)) add(&r->symbols, found);
      if (VG_(strcmp)(name, CONTROL_SIZE) == 0)
         r->data->control_size = s->st_value;
      if (is_of_thread(r, s)) add(&r->thread_symbols, found);
   }
}

/* A table may be larger than one would read at once. */
static void read_table(Reading* r, const ElfSection* table)
{
   if (table->sh_entsize != sizeof(ElfSymbol) ||
       table->sh_link >= r->parts.n_sections || r->n_texts == TABLES_MAX)
      return;
   const ElfSection* names = &r->parts.sections[table->sh_link];
   HChar* texts = cg2_elfparts_read_texts(&r->parts, names);
   if (!texts) return;
   r->texts[r->n_texts++] = texts;
   const HChar* file = NULL;
   ULong left = table->sh_size / sizeof(ElfSymbol), at = table->sh_offset;
   while (left) {
      UInt n = left < SYMBOLS_AT_ONCE ? left : SYMBOLS_AT_ONCE;
      SizeT size = n * sizeof(ElfSymbol);
      ElfSymbol* symbols = cg2_elfparts_read(&r->parts, at, size);
      if (!symbols) return;
      add_symbols(r, symbols, n, texts, names->sh_size, &file);
      VG_(free)(symbols);
      left -= n;
      at += size;
   }
}

/* Reads the tables of a type. False: there is none. */
static Bool read_tables(Reading* r, UInt type)
{
   Bool has_any = False;
   for (UInt i = 0; i < r->parts.n_sections; i++)
      if (r->parts.sections[i].sh_type == type) {
         read_table(r, &r->parts.sections[i]);
         has_any = True;
      }
   return has_any;
}

/* Reads .symtab in the debug file, if there is one. Addresses and numbers of
 * sections are those of the file itself. */
static void read_debug_file(Reading* r)
{
   ElfParts own = r->parts;
   if (!cg2_debugfile_open(&r->parts, &own, r->path)) {
      r->parts = own;
      return;
   }
   read_tables(r, SHT_SYMTAB);
   cg2_elfparts_close(&r->parts);
   r->parts = own;
}

static void read_symbols(Reading* r)
{
   read_tables(r, SHT_DYNSYM);
   if (!read_tables(r, SHT_SYMTAB)) read_debug_file(r);
}

/*--- What is kept -------------------------------------------------------*/

/* Appends `n` bytes to the names, as a profile can show them. */
static void append(Reading* r, const HChar* text, SizeT n)
{
   if (r->n_names + n > r->names_capacity) {
      r->names_capacity = 2 * (r->n_names + n);
      r->data->names =
         VG_(realloc)("cg2.elfdata", r->data->names, r->names_capacity);
   }
   for (SizeT i = 0; i < n; i++) {
      UChar c = text[i];
      Bool is_shown = c >= ' ' && c != 0x7f;
      r->data->names[r->n_names++] = is_shown ? c : '?';
   }
}

static void append_text(Reading* r, const HChar* text)
{
   append(r, text, VG_(strlen)(text));
}

/* Writes `name (file.c, thread-local)`, as far as there is something to be
 * said. */
static void append_name(Reading* r, const Candidate* c, Bool is_thread)
{
   append(r, c->name, length_of(c->name));
   if (c->file || is_thread) append_text(r, " (");
   if (c->file) append_text(r, c->file);
   if (c->file && is_thread) append_text(r, ", ");
   if (is_thread) append_text(r, "thread-local");
   if (c->file || is_thread) append_text(r, ")");
   append(r, "", 1);
   r->data->names[r->n_names - 1] = '\0';
}

/* Makes the stretches of candidates, which are freed. */
static ElfStretches keep(Reading* r, Candidates* c, Bool is_thread)
{
   ElfStretches kept = {0};
   if (c->n == 0) return kept;
   resolve(c);
   kept.n = c->n;
   kept.all = VG_(malloc)("cg2.elfdata", c->n * sizeof *kept.all);
   for (UInt i = 0; i < c->n; i++) {
      kept.all[i] = (ElfStretch){
         .start = c->all[i].start, .size = c->all[i].size, .name = r->n_names};
      append_name(r, &c->all[i], is_thread);
   }
   VG_(free)(c->all);
   return kept;
}

/* Whole pages are mapped: segments take what is left of theirs. */
static void pad(ElfStretches* segments)
{
   Addr free_from = 0;
   for (UInt i = 0; i < segments->n; i++) {
      ElfStretch* s = &segments->all[i];
      Addr start = s->start & ~(Addr)(PAGE_BYTES - 1);
      Addr end = s->start + s->size;
      Addr page_end = (end + PAGE_BYTES - 1) & ~(Addr)(PAGE_BYTES - 1);
      Bool is_last = i + 1 == segments->n;
      s->start = start < free_from ? free_from : start;
      if (!is_last && page_end > segments->all[i + 1].start)
         page_end = segments->all[i + 1].start;
      if (page_end > end) end = page_end;
      s->size = end - s->start;
      free_from = end;
   }
}

static void keep_all(Reading* r)
{
   ElfData* data = r->data;
   data->symbols = keep(r, &r->symbols, False);
   data->sections = keep(r, &r->sections, False);
   data->segments = keep(r, &r->segments, False);
   data->thread_symbols = keep(r, &r->thread_symbols, True);
   data->thread_sections = keep(r, &r->thread_sections, True);
   pad(&data->segments);
   if (data->names)
      data->names = VG_(realloc)("cg2.elfdata", data->names, r->n_names);
}

Bool cg2_elfdata_read(ElfData* data, const HChar* path)
{
   Reading r = {.path = path, .data = data};
   *data = (ElfData){0};
   if (!cg2_elfparts_open(&r.parts, path)) return False;
   read_segments(&r);
   read_sections(&r);
   read_symbols(&r);
   if (data->thread_size) cg2_threadwords_find(&r.parts, &data->thread_words);
   keep_all(&r);
   for (UInt i = 0; i < r.n_texts; i++)
      VG_(free)(r.texts[i]);
   cg2_elfparts_close(&r.parts);
   return True;
}

void cg2_elfdata_free(ElfData* data)
{
   ElfStretches* all[] = {&data->symbols, &data->sections, &data->segments,
                          &data->thread_symbols, &data->thread_sections};
   for (UInt i = 0; i < sizeof all / sizeof *all; i++)
      if (all[i]->all) VG_(free)(all[i]->all);
   if (data->names) VG_(free)(data->names);
}

/*--- Finding ------------------------------------------------------------*/

ElfStretch*
cg2_elfdata_find(const ElfStretches* s, Addr offset, Addr* start, Addr* end)
{
   UInt low = cg2_search_first(i, 0, s->n, s->all[i].start <= offset);
   ElfStretch* before = low ? &s->all[low - 1] : NULL;
   if (low < s->n && s->all[low].start < *end) *end = s->all[low].start;
   if (!before) return NULL;
   Addr before_end = before->start + before->size;
   Bool is_inside = offset < before_end;
   Addr from = is_inside ? before->start : before_end;
   if (from > *start) *start = from;
   if (is_inside && before_end < *end) *end = before_end;
   return is_inside ? before : NULL;
}
