#include "run/summary.h"

#include "engine/thread.h"
#include "events/accesses.h"
#include "events/eventsconfig.h"
#include "events/mispredictions.h"
#include "profile/files/outfile.h"
#include "pub_tool_libcfile.h"

/* Two counts that are shown side by side: reads and writes, or conditional and
 * indirect branches. */
typedef struct TwoCounts {
   ULong one, other;
} TwoCounts;

/* The names of the two of TwoCounts. */
typedef struct TwoWords {
   const HChar *one, *other;
} TwoWords;

static const TwoWords accessed = {"rd", "wr"}, branched = {"cond", "ind"};

/* Characters that the columns have room for: the column of the sum of two,
 * and the columns of its counts. */
typedef struct Widths {
   Int both, one, other;
} Widths;

/*--- Counts -------------------------------------------------------------*/

/* The characters that a number takes, with a comma for each three digits. */
static Int width(ULong n)
{
   HChar text[40];
   return VG_(sprintf)(text, "%'llu", n);
}

static ULong accesses(AccessKind kind, const ULong* total)
{
   UInt event = cg2_events_config.accesses.events[kind].access;
   return event ? total[event] : 0;
}

/* The accesses of a kind that had bit number `bit` in their outcome. */
static ULong misses(AccessKind kind, UInt bit, const ULong* total)
{
   const AccessEvents* events = &cg2_events_config.accesses.events[kind];
   return bit < events->n ? total[events->of[bit]] : 0;
}

static TwoCounts data_accesses(const ULong* total)
{
   return (TwoCounts){accesses(ACCESS_READ, total),
                      accesses(ACCESS_WRITE, total)};
}

static TwoCounts branches(const ULong* total)
{
   const MispredictionsConfig* c = &cg2_events_config.mispredictions;
   if (!c->is_on) return (TwoCounts){0, 0};
   return (TwoCounts){total[c->conditional.all], total[c->indirect.all]};
}

static TwoCounts mispredictions(const ULong* total)
{
   const MispredictionsConfig* c = &cg2_events_config.mispredictions;
   return (TwoCounts){total[c->conditional.mispredicted],
                      total[c->indirect.mispredicted]};
}

static ULong sum(TwoCounts n)
{
   return n.one + n.other;
}

static Int wider(Int a, Int b)
{
   return a > b ? a : b;
}

/* Columns in which the largest counts have room. */
static Widths widths(const ULong* total)
{
   TwoCounts data = data_accesses(total), jumps = branches(total);
   Int both = wider(width(sum(data)), width(sum(jumps)));
   return (Widths){wider(width(total[EVENT_IR]), both),
                   wider(width(data.one), width(jumps.one)),
                   wider(width(data.other), width(jumps.other))};
}

/*--- Lines --------------------------------------------------------------*/

/* Writes into `text` how many percent of m are n, with 1 or 2 digits behind the
 * point. */
static void percent(HChar* text, ULong n, ULong m, UInt digits)
{
   ULong unit = digits == 2 ? 100 : 10;
   ULong p = m ? (n * 100 * unit + m / 2) / m : 0;
   if (digits == 2)
      VG_(sprintf)(text, "%llu.%02llu%%", p / unit, p % unit);
   else
      VG_(sprintf)(text, "%llu.%llu%%", p / unit, p % unit);
}

static void print_code(const HChar* name, ULong misses, Widths w)
{
   VG_(umsg)("%smisses:    %'*llu\n", name, w.both, misses);
}

static void print_code_rate(const HChar* name, ULong n, ULong m, Widths w)
{
   HChar rate[40];
   percent(rate, n, m, 2);
   VG_(umsg)("%smiss rate: %*s\n", name, wider(w.both + 1, VG_(strlen)(rate)),
             rate);
}

static void print_pair(const HChar* name, TwoCounts n, TwoWords words, Widths w)
{
   VG_(umsg)("%s%'*llu  (%'*llu %s + %'*llu %s)\n", name, w.both, sum(n), w.one,
             n.one, words.one, w.other, n.other, words.other);
}

/* Prints how many percent of m are n, into the column where n stands in the
 * line above. The column grows where the text is longer: Valgrind would cut it.
 */
static void print_percent(ULong n, ULong m, Int width)
{
   HChar text[40];
   percent(text, n, m, 1);
   VG_(umsg)("%*s", wider(width + 1, VG_(strlen)(text)), text);
}

static void print_rate(
   const HChar* name, TwoCounts n, TwoCounts m, TwoWords words, Widths w)
{
   VG_(umsg)("%s", name);
   print_percent(sum(n), sum(m), w.both);
   VG_(umsg)(" (");
   print_percent(n.one, m.one, w.one);
   VG_(umsg)("%*s + ", (Int)VG_(strlen)(words.one), "");
   print_percent(n.other, m.other, w.other);
   VG_(umsg)("%*s)\n", (Int)VG_(strlen)(words.other), "");
}

/*--- Callgrind's machine ------------------------------------------------*/

/* The bits of an access's outcome: it missed the first level, and the last. */
enum { FIRST, LAST };

static TwoCounts data_misses(UInt bit, const ULong* total)
{
   return (TwoCounts){misses(ACCESS_READ, bit, total),
                      misses(ACCESS_WRITE, bit, total)};
}

static void print_caches(const ULong* total, Widths w)
{
   ULong code = total[EVENT_IR];
   ULong i1 = misses(ACCESS_FETCH, FIRST, total);
   ULong lli = misses(ACCESS_FETCH, LAST, total);
   TwoCounts data = data_accesses(total);
   TwoCounts d1 = data_misses(FIRST, total), lld = data_misses(LAST, total);
   TwoCounts ll = {lli + lld.one, lld.other};
   print_code("I1  ", i1, w);
   print_code("LLi ", lli, w);
   print_code_rate("I1  ", i1, code, w);
   print_code_rate("LLi ", lli, code, w);
   VG_(umsg)("\n");
   print_pair("D   refs:      ", data, accessed, w);
   print_pair("D1  misses:    ", d1, accessed, w);
   print_pair("LLd misses:    ", lld, accessed, w);
   print_rate("D1  miss rate: ", d1, data, accessed, w);
   print_rate("LLd miss rate: ", lld, data, accessed, w);
   VG_(umsg)("\n");
   print_pair("LL refs:       ", (TwoCounts){i1 + d1.one, d1.other}, accessed,
              w);
   print_pair("LL misses:     ", ll, accessed, w);
   print_rate("LL miss rate:  ", ll, (TwoCounts){code + data.one, data.other},
              accessed, w);
}

/*--- Described machines -------------------------------------------------*/

/* The count of the event with this title among the accesses of a kind; 0: there
 * is no such event. */
static ULong
count_titled(AccessKind kind, const HChar* title, const ULong* total)
{
   const AccessEvents* events = &cg2_events_config.accesses.events[kind];
   for (UInt bit = 0; bit < events->n; bit++)
      if (VG_(strcmp)(events->titles[bit], title) == 0)
         return misses(kind, bit, total);
   return 0;
}

/* Prints the events of all kinds of accesses that have the title of event
 * number `bit` of writes. */
static void print_title(UInt bit, const ULong* total, Int wide)
{
   const HChar* title =
      cg2_events_config.accesses.events[ACCESS_WRITE].titles[bit];
   ULong n[ACCESS_KINDS];
   for (UInt kind = 0; kind < ACCESS_KINDS; kind++)
      n[kind] = count_titled(kind, title, total);
   VG_(umsg)("%-14s %'*llu  (%'llu fetches + %'llu rd + %'llu wr)\n", title,
             wide, n[ACCESS_FETCH] + n[ACCESS_READ] + n[ACCESS_WRITE],
             n[ACCESS_FETCH], n[ACCESS_READ], n[ACCESS_WRITE]);
}

static void print_machine(const ULong* total)
{
   TwoCounts data = data_accesses(total);
   Int wide = wider(width(sum(data)), width(total[EVENT_IR]));
   VG_(umsg)("\n");
   VG_(umsg)("%-14s %'*llu  (%'llu rd + %'llu wr)\n", "D refs", wide, sum(data),
             data.one, data.other);
   for (UInt bit = 0; bit < cg2_events_config.accesses.events[ACCESS_WRITE].n;
        bit++)
      print_title(bit, total, wide);
}

/*--- Branches -----------------------------------------------------------*/

static void print_branches(const ULong* total, Widths w)
{
   TwoCounts all = branches(total), wrong = mispredictions(total);
   const Processor* described = cg2_events_config.mispredictions.processor;
   VG_(umsg)("\n");
   if (described) {
      HChar name[PROCESSOR_NAME];
      cg2_processor_predictor_name(&described->predictor, name);
      VG_(umsg)("Predictor:     %s\n", name);
   }
   print_pair("Branches:      ", all, branched, w);
   print_pair("Mispredicts:   ", wrong, branched, w);
   print_rate("Mispred rate:  ", wrong, all, branched, w);
   if (cg2_mispredictions_follows())
      VG_(umsg)("  of returns:  %'*llu\n", w.both,
                total[cg2_events_config.mispredictions.returns.mispredicted]);
}

/*--- All ----------------------------------------------------------------*/

static void print_events(const ULong* total)
{
   VG_(umsg)("Events    :");
   for (UInt e = 0; e < cg2_events.n; e++)
      VG_(umsg)(" %s", cg2_event_name(e));
   VG_(umsg)("\nCollected :");
   for (UInt e = 0; e < cg2_events.n; e++)
      VG_(umsg)(" %llu", total[e]);
   VG_(umsg)("\n\n");
}

void cg2_summary_print(const ULong* total)
{
   Widths w = widths(total);
   print_events(total);
   VG_(umsg)("I   refs:      %'llu\n", total[EVENT_IR]);
   if (cg2_events_config.accesses.processor)
      print_machine(total);
   else if (cg2_events_config.accesses.has_caches)
      print_caches(total, w);
   if (cg2_events_config.mispredictions.is_on) print_branches(total, w);
}

/*--- Where the profile is -----------------------------------------------*/

/* How many files are named one by one. */
enum { NAMED_MAX = 3 };

/* A path as one types it where the run was started: that is here, unless the
 * name was given in full, as it is to programs that this one starts. Who reads
 * where a file is may be elsewhere, and is told all of its path. */
static const HChar* from_here(const HChar* path)
{
   if (cg2_outfiles.profile.pattern[0] == '/') return path;
   const HChar* here = VG_(get_startup_wd)();
   SizeT n = VG_(strlen)(here);
   Bool is_below = VG_(strncmp)(path, here, n) == 0 && path[n] == '/';
   return is_below ? path + n + 1 : path;
}

/* Whether the shell takes a text as it is. */
static Bool is_plain(const HChar* text)
{
   for (; *text; text++) {
      Bool is_letter = (*text >= 'a' && *text <= 'z') ||
                       (*text >= 'A' && *text <= 'Z') ||
                       (*text >= '0' && *text <= '9');
      if (!is_letter && !VG_(strchr)("_./%+=:@-", *text)) return False;
   }
   return True;
}

/* Prints a blank and a text as one types it in the shell. */
static void print_word(const HChar* text)
{
   if (is_plain(text)) {
      VG_(umsg)(" %s", text);
      return;
   }
   VG_(umsg)(" '");
   for (; *text; text++)
      if (*text == '\'')
         VG_(umsg)("'\\''");
      else
         VG_(umsg)("%c", *text);
   VG_(umsg)("'");
}

/* Prints the directory of a path, which is a whole one. */
static void print_directory(const HChar* path)
{
   HChar* directory = VG_(strdup)("cg2.directory", path);
   HChar* last = VG_(strrchr)(directory, '/');
   if (last) last[last == directory] = '\0';
   print_word(directory);
   VG_(free)(directory);
}

/* What the paths of all files begin with; to be freed. */
static HChar* common_start(void)
{
   HChar* start = VG_(strdup)(
      "cg2.start", from_here(cg2_outfile_path(&cg2_outfiles.profile, 0)));
   for (UInt i = 1; i < cg2_outfile_count(&cg2_outfiles.profile); i++) {
      const HChar* path = from_here(cg2_outfile_path(&cg2_outfiles.profile, i));
      SizeT same = 0;
      while (start[same] && path[same] == start[same])
         same++;
      start[same] = '\0';
   }
   return start;
}

/* Prints what the shell makes the paths of all files of. The last part of a
 * program has the name that the names of its other parts begin with. */
static void print_pattern(void)
{
   HChar* start = common_start();
   UInt n = cg2_outfile_count(&cg2_outfiles.profile);
   Bool is_file = VG_STREQ(
      from_here(cg2_outfile_path(&cg2_outfiles.profile, n - 1)), start);
   print_word(start);
   if (is_file) {
      print_word(start);
      VG_(umsg)(".");
   }
   VG_(umsg)("*");
   VG_(free)(start);
}

static void print_paths(void)
{
   UInt n = cg2_outfile_count(&cg2_outfiles.profile);
   for (UInt i = 0; i < n && n <= NAMED_MAX; i++)
      print_word(from_here(cg2_outfile_path(&cg2_outfiles.profile, i)));
   if (n > NAMED_MAX) print_pattern();
}

/* Says where the files beside the profile are, if there are any, and how one
 * sees them. */
static void
print_beside(const Outfile* out, const HChar* what, const HChar* see)
{
   UInt n = cg2_outfile_count(out);
   if (!n) return;
   VG_(umsg)("%s:", what);
   print_word(cg2_outfile_path(out, 0));
   if (n > 1) VG_(umsg)(" and %u more", n - 1);
   VG_(umsg)("; to see %s", see);
   print_word(from_here(cg2_outfile_path(out, n - 1)));
   VG_(umsg)("\n");
}

void cg2_summary_print_profile(void)
{
   UInt n = cg2_outfile_count(&cg2_outfiles.profile);
   if (!n || !cg2_outfile_is_announced(&cg2_outfiles.profile)) return;
   VG_(umsg)("\nProfile:");
   if (n == 1)
      print_word(cg2_outfile_path(&cg2_outfiles.profile, 0));
   else {
      VG_(umsg)(" %u files in", n);
      print_directory(cg2_outfile_path(&cg2_outfiles.profile, 0));
   }
   VG_(umsg)("; to see it: cg2_annotate");
   if (n > 1 && cg2_engine_config.are_threads_apart)
      VG_(umsg)(" --columns=thread");
   print_paths();
   VG_(umsg)("\n");
   print_beside(&cg2_outfiles.data, "Data", "it: cg2_annotate --data");
   print_beside(&cg2_outfiles.paths, "Paths", "them: cg2_annotate --paths");
}
