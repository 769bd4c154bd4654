#include "summary.h"

typedef struct Pair {
   ULong reads, writes;
} Pair;

/* How wide the numbers of a column are: all, reads, writes. */
typedef struct Widths {
   Int all, reads, writes;
} Widths;

static Int width(ULong n)
{
   HChar text[40];
   return VG_(sprintf)(text, "%'llu", n);
}

static ULong count(UInt event, const ULong* total)
{
   return event ? total[event] : 0;
}

/* n of m, in percent with that many digits behind the point. */
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
   VG_(umsg)("%smisses:    %'*llu\n", name, w.all, misses);
}

static void print_code_rate(const HChar* name, ULong n, ULong m, Widths w)
{
   HChar rate[40];
   percent(rate, n, m, 2);
   VG_(umsg)("%smiss rate: %*s\n", name, w.all + 1, rate);
}

static void print_data(const HChar* name, Pair n, Widths w)
{
   VG_(umsg)("%s%'*llu  (%'*llu rd + %'*llu wr)\n", name, w.all,
             n.reads + n.writes, w.reads, n.reads, w.writes, n.writes);
}

static void print_rate(const HChar* name, Pair n, Pair m, Widths w)
{
   HChar all[40], reads[40], writes[40];
   percent(all, n.reads + n.writes, m.reads + m.writes, 1);
   percent(reads, n.reads, m.reads, 1);
   percent(writes, n.writes, m.writes, 1);
   VG_(umsg)("%s%*s (%*s   + %*s  )\n", name, w.all + 1, all, w.reads + 1,
             reads, w.writes + 1, writes);
}

void cg2_summary_print(const ULong* total)
{
   const SimConfig* c = &cg2_sim_config;
   ULong code = total[EVENT_IR];
   ULong i1 = count(c->first[ACCESS_FETCH], total);
   ULong lli = count(c->last[ACCESS_FETCH], total);
   Pair data = {count(c->accesses[ACCESS_READ], total),
                count(c->accesses[ACCESS_WRITE], total)};
   Pair d1 = {count(c->first[ACCESS_READ], total),
              count(c->first[ACCESS_WRITE], total)};
   Pair lld = {count(c->last[ACCESS_READ], total),
               count(c->last[ACCESS_WRITE], total)};
   ULong both = data.reads + data.writes;
   Widths w = {width(code > both ? code : both), width(data.reads),
               width(data.writes)};
   print_code("I1  ", i1, w);
   print_code("LLi ", lli, w);
   print_code_rate("I1  ", i1, code, w);
   print_code_rate("LLi ", lli, code, w);
   VG_(umsg)("\n");
   print_data("D   refs:      ", data, w);
   print_data("D1  misses:    ", d1, w);
   print_data("LLd misses:    ", lld, w);
   print_rate("D1  miss rate: ", d1, data, w);
   print_rate("LLd miss rate: ", lld, data, w);
   VG_(umsg)("\n");
   print_data("LL refs:       ", (Pair){i1 + d1.reads, d1.writes}, w);
   print_data("LL misses:     ", (Pair){lli + lld.reads, lld.writes}, w);
   print_rate("LL miss rate:  ", (Pair){lli + lld.reads, lld.writes},
              (Pair){code + data.reads, data.writes}, w);
}
