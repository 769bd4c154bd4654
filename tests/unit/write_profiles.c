/* Writes one graph as a profile in all ways, for a reader to read:
 *
 *    write_profiles DIRECTORY SEED
 *
 * leaves DIRECTORY/LINE-INSTR-STRINGS-POSITIONS, each 0 or 1, and beside each
 * what it says, as tab-separated lines: the same name and ".facts". */
#include "graph_of_bytes.h"
#include "profile/callgrind/writer.h"

#include <stdio.h>
#include <stdlib.h>

enum { N_BYTES = 3000, NAME_MAX = 200 };

static void fail(const char* what)
{
   fprintf(stderr, "write_profiles: %s\n", what);
   exit(1);
}

static void make_graph(UInt seed)
{
   static UChar random[N_BYTES];
   for (UInt i = 0; i < N_BYTES; i++) {
      seed = seed * 1664525 + 1013904223;
      random[i] = seed >> 24;
   }
   Bytes bytes = {random, N_BYTES};
   graph_of_bytes(&bytes, True);
}

static void write_facts(const char* path, const Facts* facts)
{
   FILE* file = fopen(path, "w");
   if (!file) fail(path);
   for (UInt i = 0; i < facts->n; i++)
      facts_print(&facts->all[i], file);
   if (fclose(file) != 0) fail(path);
}

static void
write_profile(const char* path, const WriterConfig* config, ULong total)
{
   static Sink sink;
   static const WriterHeader header = {.creator = "callgrind-test",
                                       .command = "program arguments",
                                       .pid = 4711,
                                       .part = 1,
                                       .trigger = "Program termination"};
   Cost summary = {.of = {[EVENT_IR] = total}};
   if (cg2_sink_open(&sink, path) != 0) fail(path);
   cg2_writer_write(&sink, config, &header, summary.of);
   if (cg2_sink_finish(&sink) != 0) fail(path);
}

static void write_one(const char* directory, const WriterConfig* config)
{
   static Facts facts;
   char path[NAME_MAX];
   facts.n = 0;
   ULong total = graph_facts(&config->positions, &facts);
   snprintf(path, sizeof path, "%s/%u-%u-%u-%u", directory,
            config->positions.has[POSITION_LINE],
            config->positions.has[POSITION_INSTR], config->compress_strings,
            config->compress_positions);
   write_profile(path, config, total);
   snprintf(path, sizeof path, "%s/%u-%u-%u-%u.facts", directory,
            config->positions.has[POSITION_LINE],
            config->positions.has[POSITION_INSTR], config->compress_strings,
            config->compress_positions);
   write_facts(path, &facts);
}

int main(int n_args, char** args)
{
   if (n_args != 3) fail("expected a directory and a seed");
   make_graph(atoi(args[2]));
   for (UInt how = 0; how < 16; how++) {
      WriterConfig config = {.positions = {.has[POSITION_LINE] = how & 1,
                                           .has[POSITION_INSTR] = how >> 1 & 1},
                             .compress_strings = how >> 2 & 1,
                             .compress_positions = how >> 3 & 1};
      if (config.positions.has[POSITION_LINE] ||
          config.positions.has[POSITION_INSTR])
         write_one(args[1], &config);
   }
   return 0;
}
