/* Any graph, written in any way, reads back as it is, and obeys the rules of
 * the format. The first byte says how it is written, the others are the graph.
 */
#include "graph_of_bytes.h"
#include "parse.h"

#include <stdio.h>
#include <stdlib.h>

static WriterConfig take_config(Bytes* bytes)
{
   UInt byte = bytes_take(bytes);
   return (WriterConfig){
      .positions = {.has[POSITION_LINE] = byte & 1 || !(byte & 2),
                    .has[POSITION_INSTR] = byte >> 1 & 1},
      .compress_strings = byte >> 2 & 1,
      .compress_positions = byte >> 3 & 1};
}

static void fail(const char* what)
{
   fprintf(stderr, "%s\n", what);
   abort();
}

static Cost write_graph(const WriterConfig* config, ULong total)
{
   static Sink sink;
   static const WriterHeader header = {
      .creator = "callgrind-fuzz", .command = "a b", .trigger = "t"};
   Cost summary = {.of = {[EVENT_IR] = total}};
   if (cg2_sink_open(&sink, "/dev/null") != 0) fail("/dev/null is closed");
   Cost sum = cg2_writer_write(&sink, config, &header, summary.of);
   if (cg2_sink_finish(&sink) != 0) fail("/dev/null is full");
   return sum;
}

int LLVMFuzzerTestOneInput(const UChar* data, SizeT size);

int LLVMFuzzerTestOneInput(const UChar* data, SizeT size)
{
   static Facts expected;
   static Parsed parsed;
   Bytes bytes = {data, size};
   WriterConfig config = take_config(&bytes);
   host.order = bytes_take(&bytes);
   graph_of_bytes(&bytes, False);
   expected.n = 0;
   ULong total = graph_facts(&config.positions, &expected);
   Long before = host.n_allocated;
   Cost sum = write_graph(&config, total);
   if (host.n_allocated != before) fail("the writer keeps memory");
   if (sum.of[EVENT_IR] != total) fail("another sum is returned");
   const char* fault = parse_profile(host.written, &config, &parsed);
   if (fault) fail(fault);
   if (parsed.summary != total) fail("summary: is another");
   if (parsed.totals != total) fail("totals: are others");
   if (parsed.sum != total) fail("self costs are not the total");
   if (!facts_agree(&parsed.facts, &expected)) abort();
   return 0;
}
