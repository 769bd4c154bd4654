#include "profile/files/perfmap.h"
#include "base/search.h"

enum { BUFFER_BYTES = 64 * 1024, PROCESSES_MAX = 8, PATH_BYTES = 40 };

/* The processes that this process is forked from, oldest first, and itself at
 * the end. Reason for a mutable file-scope object: a fork adds one. */
static struct {
   Int pids[PROCESSES_MAX];
   UInt n;
} processes;

/* A function without an object file, and the entry that it begins in. */
typedef struct PerfmapPlace {
   Function* function;
   const Name* name; /* the entry's; NULL: no entry is known yet */
   Addr start;       /* address of the entry's first byte */
   UInt next;        /* index of a place; all from this place up to it have a
                        name. The place's own index: it has none */
   UInt rank;        /* the least number of a function in the same entry */
} PerfmapPlace;

typedef struct PerfmapPlaces {
   PerfmapPlace* all; /* by address until all files are read */
   UInt n;
} PerfmapPlaces;

typedef struct PerfmapEntry {
   Addr start, last; /* addresses: [start, last] */
   const HChar* name;
   SizeT n_name;
} PerfmapEntry;

/*--- A file's lines, from its end to its start ---------------------------*/

/* A walk over the lines of a file, from its end, as the last entry for an
 * address is the one that holds: nothing has to be kept of other entries. */
typedef struct LineReader {
   Int fd;
   Bool is_done;
   Bool is_cut;       /* the line is longer than the buffer */
   Off64T unread;     /* bytes of the file before those in the buffer */
   SizeT start, end;  /* bytes [start, end) of the buffer were not given out */
   const HChar* line; /* the last line that was given out, without newline */
   SizeT n_line;      /* bytes of `line` */
   HChar buffer[BUFFER_BYTES];
} LineReader;

/* Reads `n` bytes at `offset` of a file. False if they cannot be read. */
static Bool read_at(Int fd, Off64T offset, HChar* to, SizeT n)
{
   if (VG_(lseek)(fd, offset, VKI_SEEK_SET) != offset) return False;
   while (n > 0) {
      Int done = VG_(read)(fd, to, n);
      if (done <= 0) return False;
      to += done;
      n -= done;
   }
   return True;
}

/* Moves what was not given out to the buffer's end, and reads what is before it
 * in the file. False if nothing is before it, or it cannot be read. A line that
 * fills the buffer is dropped. */
static Bool fill(LineReader* r)
{
   SizeT left = r->end - r->start;
   if (r->unread == 0) return False;
   if (left == BUFFER_BYTES) {
      r->is_cut = True;
      left = 0;
   }
   r->end = BUFFER_BYTES;
   VG_(memmove)(r->buffer + r->end - left, r->buffer + r->start, left);
   r->start = r->end - left;
   SizeT n = r->unread < (Off64T)r->start ? (SizeT)r->unread : (SizeT)r->start;
   r->start -= n;
   r->unread -= n;
   if (read_at(r->fd, r->unread, r->buffer + r->start, n)) return True;
   r->unread = 0;
   r->end = r->start;
   return False;
}

/* Where the last line in the buffer begins: behind a newline, or at `start`. */
static SizeT last_line(const LineReader* r)
{
   SizeT at = r->end;
   while (at > r->start && r->buffer[at - 1] != '\n')
      at--;
   return at;
}

/* Gives out the line before the line that was given out last. False: there is
 * no such line. */
static Bool previous_line(LineReader* r)
{
   if (r->is_done) return False;
   r->is_cut = False;
   SizeT at = last_line(r);
   while (at == r->start && fill(r))
      at = last_line(r);
   r->is_done = at == r->start;
   r->line = r->buffer + at;
   r->n_line = r->end - at;
   r->end = r->is_done ? at : at - 1;
   return True;
}

/*--- Entries -------------------------------------------------------------*/

static Bool is_blank(HChar c)
{
   return c == ' ' || c == '\t' || c == '\r';
}

/* The value of a hexadecimal digit, or -1. */
static Int digit(HChar c)
{
   if (c >= '0' && c <= '9') return c - '0';
   if (c >= 'a' && c <= 'f') return c - 'a' + 10;
   if (c >= 'A' && c <= 'F') return c - 'A' + 10;
   return -1;
}

/* Reads a hexadecimal number that fits into an address and has a blank behind
 * it. Returns how many bytes the number and the blanks are; 0 if there is no
 * such number. */
static SizeT parse_number(const HChar* text, SizeT n, Addr* number)
{
   SizeT i = n > 2 && text[0] == '0' && text[1] == 'x' ? 2 : 0;
   SizeT first = i;
   *number = 0;
   for (; i < n && digit(text[i]) >= 0; i++) {
      if (*number >> (VG_WORDSIZE * 8 - 4)) return 0;
      *number = *number << 4 | digit(text[i]);
   }
   if (i == first || i == n || !is_blank(text[i])) return 0;
   while (i < n && is_blank(text[i]))
      i++;
   return i;
}

/* Reads an entry. False if the line is none. */
static Bool parse_entry(const HChar* line, SizeT n, PerfmapEntry* entry)
{
   Addr size;
   SizeT done = parse_number(line, n, &entry->start);
   if (!done) return False;
   SizeT more = parse_number(line + done, n - done, &size);
   if (!more) return False;
   done += more;
   while (n > done && is_blank(line[n - 1]))
      n--;
   entry->name = line + done;
   entry->n_name = n - done;
   entry->last = entry->start + (size ? size - 1 : 0);
   if (entry->last < entry->start) entry->last = ~(Addr)0;
   return n > done;
}

/*--- Places --------------------------------------------------------------*/

static Int compare_words(UWord a, UWord b)
{
   return a < b ? -1 : a > b;
}

static Int by_address(const void* va, const void* vb)
{
   const PerfmapPlace *a = va, *b = vb;
   return compare_words(a->function->offset, b->function->offset);
}

/* The places of all functions without an object file, by address. */
static PerfmapPlaces find_places(void)
{
   PerfmapPlaces p = {NULL, 0};
   UInt capacity = 0;
   const Name* name = cg2_names_intern(&cg2_code.object_names, "???");
   const Object* nowhere = cg2_code_find_object(name, 0);
   for (UInt i = 1; nowhere && i <= cg2_code.n_functions; i++) {
      Function* f = cg2_code.by_number[i];
      if (f->object != nowhere) continue;
      if (p.n == capacity) {
         capacity = capacity ? 2 * capacity : 256;
         p.all = VG_(realloc)("cg2.perfmap", p.all, capacity * sizeof *p.all);
      }
      p.all[p.n++] = (PerfmapPlace){.function = f};
   }
   if (p.n) VG_(ssort)(p.all, p.n, sizeof *p.all, by_address);
   for (UInt i = 0; i < p.n; i++)
      p.all[i].next = i;
   return p;
}

/* The index of the first place at `address` or behind it. */
static UInt lower_bound(const PerfmapPlaces* p, Addr address)
{
   return cg2_search_first(i, 0, p->n, p->all[i].function->offset < address);
}

/* The index of the first place from `i` on that has no name yet; p->n if all
 * have one. Makes the way shorter for the next search, so that entries which
 * cover much, again and again, take no more time than others. */
static UInt next_unnamed(PerfmapPlaces* p, UInt i)
{
   while (i < p->n && p->all[i].next != i) {
      UInt next = p->all[i].next;
      if (next < p->n) p->all[i].next = p->all[next].next;
      i = next;
   }
   return i;
}

/* Gives the name of an entry to all places in it that have no name yet. */
static void name_places(PerfmapPlaces* p, const PerfmapEntry* entry)
{
   const Name* name = NULL;
   UInt i = next_unnamed(p, lower_bound(p, entry->start));
   while (i < p->n && p->all[i].function->offset <= entry->last) {
      if (!name)
         name = cg2_names_intern_shown(&cg2_code.function_names, entry->name,
                                       entry->n_name);
      p->all[i].name = name;
      p->all[i].start = entry->start;
      p->all[i].next = i + 1;
      i = next_unnamed(p, i);
   }
}

/*--- Files ---------------------------------------------------------------*/

static void say_unused(const HChar* path, const HChar* why, Bool is_verbose)
{
   if (is_verbose) VG_(umsg)("'%s' is not used: it is %s\n", path, why);
}

/* What is wrong with an open file, or NULL. *size becomes its bytes. */
static const HChar* fault_of(Int fd, Off64T* size)
{
   struct vg_stat st;
   if (VG_(fstat)(fd, &st) != 0 || !VKI_S_ISREG(st.mode))
      return "no regular file";
   if (st.uid != 0 && st.uid != (UInt)VG_(geteuid)()) return "another user's";
   *size = st.size;
   return NULL;
}

/* Opens a file that anybody may have put into /tmp: a descriptor, and *size
 * becomes its bytes; -1 if the file is not there or cannot be trusted. */
static Int open_map(const HChar* path, Off64T* size, Bool is_verbose)
{
   HChar target;
   if (VG_(readlink)(path, &target, 1) >= 0) {
      say_unused(path, "a link", is_verbose);
      return -1;
   }
   SysRes res = VG_(open)(path, VKI_O_RDONLY | VKI_O_NONBLOCK, 0);
   if (sr_isError(res)) {
      if (sr_Err(res) != VKI_ENOENT)
         say_unused(path, "not readable", is_verbose);
      return -1;
   }
   Int fd = sr_Res(res);
   const HChar* fault = fault_of(fd, size);
   if (!fault) return fd;
   say_unused(path, fault, is_verbose);
   VG_(close)(fd);
   return -1;
}

/* Names places by all lines of a file, from its end on, while places have none.
 */
static void read_lines(PerfmapPlaces* p, LineReader* r, ULong* n_skipped)
{
   PerfmapEntry entry;
   while (next_unnamed(p, 0) < p->n && previous_line(r))
      if (r->is_cut || (r->n_line && !parse_entry(r->line, r->n_line, &entry)))
         (*n_skipped)++;
      else if (r->n_line)
         name_places(p, &entry);
}

/* Names places by the file of a process. */
static void read_map(PerfmapPlaces* p, Int pid, Bool is_verbose)
{
   HChar path[PATH_BYTES];
   VG_(sprintf)(path, "/tmp/perf-%d.map", pid);
   Off64T size;
   Int fd = open_map(path, &size, is_verbose);
   if (fd < 0) return;
   LineReader* r = VG_(calloc)("cg2.perfmap", 1, sizeof *r);
   ULong n_skipped = 0;
   r->fd = fd;
   r->unread = size;
   read_lines(p, r, &n_skipped);
   VG_(free)(r);
   VG_(close)(fd);
   if (n_skipped && is_verbose)
      VG_(umsg)("'%s': lines that are no entries: %llu\n", path, n_skipped);
}

/*--- Names ---------------------------------------------------------------*/

static Int by_entry(const void* va, const void* vb)
{
   const PerfmapPlace *a = va, *b = vb;
   Int order = compare_words(a->name->number, b->name->number);
   if (!order) order = compare_words(a->start, b->start);
   return order ? order
                : compare_words(a->function->number, b->function->number);
}

static Int by_rank(const void* va, const void* vb)
{
   const PerfmapPlace *a = va, *b = vb;
   Int order = compare_words(a->name->number, b->name->number);
   if (!order) order = compare_words(a->rank, b->rank);
   return order ? order
                : compare_words(a->function->number, b->function->number);
}

/* Drops places that have no name, and puts the places of each name together, in
 * the order of their entries' ranks. */
static void rank(PerfmapPlaces* p)
{
   UInt n = 0;
   for (UInt i = 0; i < p->n; i++)
      if (p->all[i].name) p->all[n++] = p->all[i];
   p->n = n;
   if (!n) return;
   VG_(ssort)(p->all, n, sizeof *p->all, by_entry);
   for (UInt i = 0; i < n; i++) {
      PerfmapPlace *place = &p->all[i], *last = i ? place - 1 : NULL;
      Bool same =
         last && last->name == place->name && last->start == place->start;
      place->rank = same ? last->rank : place->function->number;
   }
   VG_(ssort)(p->all, n, sizeof *p->all, by_rank);
}

/* Whether a name ends like the name of a recursion level: f'2. */
static Bool looks_marked(const HChar* text)
{
   SizeT n = VG_(strlen)(text), i = n;
   while (i > 0 && text[i - 1] >= '0' && text[i - 1] <= '9')
      i--;
   return i < n && i > 0 && text[i - 1] == '\'';
}

/* Renames the function of a place. `ordinal` numbers the entries of the same
 * name, from 1. */
static void rename(const PerfmapPlace* place, UInt ordinal)
{
   const HChar* base = place->name->text;
   Addr inside = place->function->offset - place->start;
   SizeT n = VG_(strlen)(base);
   HChar* text = VG_(malloc)("cg2.perfmap", n + 48);
   VG_(memcpy)(text, base, n + 1);
   if (ordinal > 1) n += VG_(sprintf)(text + n, " [%u]", ordinal);
   if (inside || looks_marked(text)) VG_(sprintf)(text + n, "+0x%lx", inside);
   place->function->name = cg2_names_intern(&cg2_code.function_names, text);
   VG_(free)(text);
}

static void rename_all(PerfmapPlaces* p)
{
   rank(p);
   UInt ordinal = 0;
   for (UInt i = 0; i < p->n; i++) {
      const PerfmapPlace *place = &p->all[i], *last = i ? place - 1 : NULL;
      if (!last || last->name != place->name)
         ordinal = 1;
      else if (last->rank != place->rank)
         ordinal++;
      rename(place, ordinal);
   }
}

void cg2_perfmap_begin_process(void)
{
   if (processes.n == PROCESSES_MAX) {
      VG_(memmove)(processes.pids, processes.pids + 1,
                   (PROCESSES_MAX - 1) * sizeof processes.pids[0]);
      processes.n--;
   }
   processes.pids[processes.n++] = VG_(getpid)();
}

void cg2_perfmap_name_functions(Bool is_verbose)
{
   PerfmapPlaces p = find_places();
   for (UInt i = processes.n; i > 0 && next_unnamed(&p, 0) < p.n; i--)
      read_map(&p, processes.pids[i - 1], is_verbose);
   rename_all(&p);
   if (p.n) cg2_context_rename_all();
   if (p.all) VG_(free)(p.all);
}
