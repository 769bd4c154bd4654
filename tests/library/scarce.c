/* Has each allocation of an operation of libcg2profile fail in turn, once alone
 * and once with all that come behind it:
 *
 *    scarce OPERATION OUTPUT FILE...
 *
 * The operation says in one line that there is no memory, and leaves nothing
 * behind, neither memory nor files; or it can do without, as qsort can, and its
 * result is the one that it has with all memory. */
#include "fingerprint.h"
#include "memfile.h"
#include "scarcity.h"

#include <glob.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PROFILES = 3, SIDES = 2 };

/* What operations are given. */
typedef struct Given {
   const char* path;
   const char* output;
   cg2p_profile* profiles[PROFILES]; /* of `path` and the files behind it */
   size_t n_profiles;
   const cg2p_part* part; /* the first one's first */
   cg2p_graph* graph;
   cg2p_stacks* stacks;
   cg2p_lines sides[SIDES];
} Given;

static Given given;

/*--- Digests ------------------------------------------------------------*/

static uint64_t digest_bytes(uint64_t digest, const void* bytes, size_t n)
{
   const unsigned char* byte = bytes;
   for (size_t i = 0; i < n; i++)
      digest = (digest ^ byte[i]) * 0x100000001b3u;
   return digest;
}

static uint64_t
digest_costs(uint64_t digest, const uint64_t* costs, size_t n, size_t width)
{
   return digest_bytes(digest, costs, n * width * sizeof *costs);
}

static uint64_t digest_arcs(uint64_t digest, const cg2p_arc* arcs, size_t n)
{
   return digest_bytes(digest, arcs, n * sizeof *arcs);
}

static uint64_t digest_part(uint64_t digest, const cg2p_part* part)
{
   size_t n = cg2p_part_function_count(part),
          n_arcs = cg2p_part_arc_count(part),
          width = cg2p_part_event_count(part);
   digest = digest_bytes(digest, cg2p_part_functions(part),
                         n * sizeof(cg2p_function));
   digest = digest_costs(digest, cg2p_part_self_costs(part), n, width);
   digest = digest_arcs(digest, cg2p_part_arcs(part), n_arcs);
   return digest_costs(digest, cg2p_part_arc_costs(part), n_arcs, width);
}

static uint64_t digest_names(uint64_t digest, const cg2p_profile* profile)
{
   for (size_t i = 0; i < cg2p_profile_name_count(profile); i++) {
      size_t length;
      const char* name = cg2p_profile_name(profile, i, &length);
      digest = digest_bytes(digest, name, length);
   }
   return digest;
}

/*--- Reading and adding up ----------------------------------------------*/

static void* make_profile(unsigned detail, cg2p_error* error)
{
   return cg2p_profile_read(given.path, detail, 0, NULL, error);
}

static void* make_folded(unsigned way, cg2p_error* error)
{
   (void)way;
   return cg2p_profile_read_folded(given.path, "samples", 0, error);
}

static void* make_paths(unsigned way, cg2p_error* error)
{
   (void)way;
   return cg2p_profile_read_paths(given.path, 0, error);
}

/* What has no error to fill says that there is no memory by its result. */
static void say_no_memory(cg2p_error* error)
{
   *error = (cg2p_error){.kind = CG2P_MEMORY, .text = "there is no memory"};
}

/* The sum of a file of paths and of itself. */
static void* make_sum_of_paths(unsigned way, cg2p_error* error)
{
   cg2p_profile* profile = make_paths(way, error);
   if (!profile) return NULL;
   cg2p_merge* merge = cg2p_merge_new();
   if (!merge) say_no_memory(error);
   bool is_added = merge && cg2p_merge_add(merge, profile, error) &&
                   cg2p_merge_add(merge, profile, error);
   cg2p_profile_free(profile);
   if (is_added) return cg2p_merge_end(merge, error);
   cg2p_merge_free(merge);
   return NULL;
}

static void* make_file_of_paths(unsigned way, cg2p_error* error)
{
   cg2p_profile* profile = make_paths(way, error);
   bool is_written =
      profile && cg2p_profile_write(profile, given.output, 0, error);
   cg2p_profile_free(profile);
   return is_written ? &given : NULL;
}

/* The tree of the paths that were read, and the branches of it that hold much.
 */
typedef struct Tree {
   cg2p_pathtree* all;
   size_t n;
   uint32_t held[4096], by_weight[4096];
} Tree;

static bool fill_tree(Tree* tree, unsigned sides, cg2p_error* error)
{
   static const int64_t factors[] = {2, 3};
   const cg2p_profile* paths = given.profiles[0];
   tree->all = cg2p_pathtree_new(2, error);
   bool is_made = tree->all;
   for (unsigned side = 0; is_made && side < sides; side++)
      is_made = cg2p_pathtree_add(tree->all, paths, cg2p_profile_part(paths, 0),
                                  NULL, side, error);
   return is_made && cg2p_pathtree_complete(tree->all, error) &&
          cg2p_pathtree_densest(tree->all, factors, 0.9, tree->held, &tree->n,
                                error) &&
          cg2p_pathtree_heaviest(tree->all, factors, tree->by_weight, error);
}

static void free_tree(void* made)
{
   cg2p_pathtree_free(((Tree*)made)->all);
}

static void* make_tree(unsigned sides, cg2p_error* error)
{
   static Tree tree;
   if (fill_tree(&tree, sides, error)) return &tree;
   free_tree(&tree);
   return NULL;
}

static uint64_t digest_tree(const void* made)
{
   const Tree* tree = made;
   size_t n = cg2p_pathtree_branch_count(tree->all);
   uint64_t digest = digest_bytes(tree->n, cg2p_pathtree_branches(tree->all),
                                  n * sizeof(cg2p_branch));
   digest =
      digest_costs(digest, cg2p_pathtree_inclusive_costs(tree->all, 1), n, 2);
   digest = digest_bytes(digest, tree->held, tree->n * sizeof *tree->held);
   return digest_bytes(digest, tree->by_weight, n * sizeof *tree->by_weight);
}

static uint64_t digest_sums(const void* made)
{
   uint64_t digest = digest_names(0, made);
   for (size_t i = 0; i < cg2p_profile_part_count(made); i++)
      digest = digest_part(digest, cg2p_profile_part(made, i));
   return digest;
}

static uint64_t digest_profile(const void* made)
{
   Fingerprint found = fingerprint_of(made);
   return digest_bytes(digest_sums(made), &found, sizeof found);
}

static void free_profile(void* made)
{
   cg2p_profile_free(made);
}

static bool add_whole(cg2p_merge* merge, cg2p_error* error)
{
   for (size_t i = 0; i < given.n_profiles; i++)
      if (!cg2p_merge_add(merge, given.profiles[i], error)) return false;
   return true;
}

/* Adds the first profile as two parts: as it is; and by line, of other events,
 * with one name for all functions. */
static bool add_parts(cg2p_merge* merge, cg2p_error* error)
{
   enum { FUNCTIONS = 1000, NAMES = 3000 };
   static const char* const texts[] = {"another"};
   static const char* const events[] = {"A"};
   static const cg2p_function functions[FUNCTIONS];
   static const uint32_t files[NAMES], event[] = {0, CG2P_NO_EVENT};
   const cg2p_profile* profile = given.profiles[0];
   cg2p_form form = {events, 1, CG2P_LINE, 1};
   cg2p_mapping mapping = {texts, functions, files, event};
   if (cg2p_part_function_count(given.part) > FUNCTIONS ||
       cg2p_profile_name_count(profile) > NAMES)
      fail("the profile has too many functions or names");
   return cg2p_merge_begin_part(merge, profile, 0, NULL, error) &&
          cg2p_merge_add_part(merge, profile, 0, NULL, error) &&
          cg2p_merge_begin_part(merge, profile, 0, &form, error) &&
          cg2p_merge_add_part(merge, profile, 0, &mapping, error);
}

static void* make_merge(unsigned has_parts, cg2p_error* error)
{
   cg2p_merge* merge = cg2p_merge_new();
   if (!merge) {
      say_no_memory(error);
      return NULL;
   }
   if (has_parts ? add_parts(merge, error) : add_whole(merge, error))
      return cg2p_merge_end(merge, error);
   cg2p_merge_free(merge);
   return NULL;
}

/*--- Inlined functions --------------------------------------------------*/

enum { ADDRESSES = 20000, INSTANCES = 64 };

/* Says of an object that each of 16 instructions is in an instance of one of
 * two functions, every second one inside the one before it. */
static const cg2p_inlines* make_inlines(size_t n)
{
   static const cg2p_inlined functions[] = {{"small", "small.h", 0, 3},
                                            {"_ZN1a5smallE", "", 0x100000, 0}};
   static cg2p_instance instances[INSTANCES];
   static cg2p_instruction instructions[ADDRESSES];
   static cg2p_mark marks[] = {
      {0x100000, 0, CG2P_NONE}, {0x100010, 1, CG2P_NONE}, {0x100010, 1, 0}};
   static const cg2p_inlines inlines = {
      2, INSTANCES, 3, functions, instances, instructions, marks};
   if (n > ADDRESSES) fail("the profile has too many addresses");
   for (uint32_t i = 0; i < INSTANCES; i++)
      instances[i] = (cg2p_instance){.outer = i % 2 ? i - 1 : CG2P_NONE,
                                     .function = i / 2 % 2,
                                     .call_file = i % 3 ? "call.c" : "",
                                     .call_line = i,
                                     .has_marks = i % 4 == 0};
   for (size_t i = 0; i < n; i++)
      instructions[i] = (cg2p_instruction){
         .instance = i / 8 % 2 ? i / 16 % INSTANCES : CG2P_NONE,
         .line = i % 5,
         .column = i % 3,
         .is_foreign = i % 7 == 0,
      };
   return &inlines;
}

static void* make_apart(unsigned way, cg2p_error* error)
{
   (void)way;
   cg2p_inlining* inlining = cg2p_inlining_new(given.profiles[0], error);
   if (!inlining) return NULL;
   for (size_t i = 0; i < cg2p_inlining_object_count(inlining); i++) {
      size_t n;
      cg2p_inlining_addresses(inlining, i, &n);
      cg2p_inlining_add(inlining, i, make_inlines(n));
   }
   return cg2p_inlining_end(inlining, error);
}

/*--- Cycles -------------------------------------------------------------*/

/* The table of a processor, which the environment names. */
static void* make_core(unsigned way, cg2p_error* error)
{
   (void)way;
   return cg2p_core_open(getenv("CG2_TEST_CORE"), error);
}

static uint64_t digest_core(const void* made)
{
   const char* name = cg2p_core_name(made);
   return digest_bytes(1, name, strlen(name));
}

static void free_core(void* made)
{
   cg2p_core_free(made);
}

/* Sums, one after the other, loads, stores, and at each jump a branch. */
static const cg2p_operation* make_operations(size_t n)
{
   static cg2p_operation operations[ADDRESSES];
   if (n > ADDRESSES) fail("the profile has too many addresses");
   for (size_t i = 0; i < n; i++)
      operations[i] = (cg2p_operation){
         .form = "add r64,r64",
         .step = {.length = 4,
                  .kind = i % 50 == 9 ? CG2P_BRANCHES : CG2P_GOES_ON},
         .access = {.base = 5,
                    .index = CG2P_NO_REGISTER,
                    .size = i % 3 ? 8 : 0,
                    .loads = i % 3 == 1,
                    .stores = i % 3 == 2},
         .rule_destination = CG2P_NO_REGISTER,
         .n_reads = 1,
         .n_writes = 1};
   return operations;
}

static void* make_estimate(unsigned way, cg2p_error* error)
{
   cg2p_core* core = make_core(way, error);
   if (!core) return NULL;
   cg2p_profile* made = NULL;
   cg2p_cycles* cycles = cg2p_cycles_new(given.profiles[0], core, error);
   for (size_t i = 0; cycles && i < cg2p_cycles_object_count(cycles); i++) {
      size_t n;
      cg2p_cycles_addresses(cycles, i, &n);
      cg2p_cycles_add(cycles, i, make_operations(n));
   }
   if (cycles) made = cg2p_cycles_end(cycles, 0, error);
   cg2p_cycles_free(cycles);
   cg2p_core_free(core);
   return made;
}

/*--- Questions ----------------------------------------------------------*/

static void* make_cursor(unsigned function, cg2p_error* error)
{
   say_no_memory(error);
   return cg2p_cursor_new(given.part, function);
}

static uint64_t digest_cursor(const void* made)
{
   uint64_t digest = 0;
   cg2p_line line;
   while (cg2p_cursor_next((cg2p_cursor*)made, &line))
      digest =
         digest_costs(digest, line.cost, 1, cg2p_part_event_count(given.part));
   return digest;
}

static void free_cursor(void* made)
{
   cg2p_cursor_free(made);
}

static void* make_graph(unsigned keep_levels, cg2p_error* error)
{
   return cg2p_graph_new(given.profiles[0], given.part, keep_levels, error);
}

static uint64_t digest_graph(const void* made)
{
   const cg2p_graph* graph = made;
   uint64_t digest = digest_arcs(0, graph->arcs, graph->n_arcs);
   size_t width = graph->n_events;
   digest = digest_costs(digest, graph->self, graph->n_nodes, width);
   digest = digest_costs(digest, graph->inclusive, graph->n_nodes, width);
   digest = digest_costs(digest, graph->arc_costs, graph->n_arcs, width);
   digest = digest_arcs(digest, graph->entries, graph->n_entries);
   digest = digest_costs(digest, graph->entry_costs, graph->n_entries, width);
   for (uint32_t i = 0; i < graph->n_nodes; i++) {
      const char* name = cg2p_graph_node_name(graph, i, NULL);
      digest = digest_bytes(digest, name, strlen(name));
   }
   return digest_costs(digest, graph->cycle_inclusive, graph->n_cycles, width);
}

/* The graph, against itself with its functions in reverse order. */
static void* make_explanation(unsigned way, cg2p_error* error)
{
   enum { MOST = 1 << 16 };
   static uint32_t numbers[SIDES][MOST];
   uint32_t n = given.graph->n_nodes;
   (void)way;
   if (n > MOST) abort();
   for (uint32_t i = 0; i < n; i++) {
      numbers[0][i] = i;
      numbers[1][i] = n - 1 - i;
   }
   const cg2p_graph* graphs[] = {given.graph};
   const uint32_t* functions[SIDES] = {numbers[0], numbers[1]};
   cg2p_explained sides[SIDES] = {{1, graphs, &functions[0]},
                                  {1, graphs, &functions[1]}};
   return cg2p_explanation_new(n, given.graph->n_events, &sides[0], &sides[1],
                               error);
}

static uint64_t digest_explanation(const void* made)
{
   size_t n = cg2p_explanation_piece_count(made);
   const int64_t* costs = cg2p_explanation_costs(made);
   return digest_bytes(n, costs, n * given.graph->n_events * sizeof *costs);
}

static void free_explanation(void* made);

/* The causes of that, where the first function is inlined in the second. */
static void* make_causes(unsigned way, cg2p_error* error)
{
   static uint8_t told[1 << 16];
   cg2p_explanation* explanation = make_explanation(way, error);
   if (!explanation) return NULL;
   cg2p_inlined_call inlined = {CG2P_CAUSE_INLINED, 1, 0, 0};
   cg2p_hints hints = {told, CG2P_NONE, given.graph->n_nodes > 1, &inlined};
   cg2p_causes* made = cg2p_causes_new(explanation, &hints, error);
   free_explanation(explanation);
   return made;
}

static uint64_t digest_causes(const void* made)
{
   size_t n = cg2p_causes_count(made);
   const int64_t* costs = cg2p_causes_costs(made);
   return digest_bytes(n, costs, n * given.graph->n_events * sizeof *costs);
}

static void free_causes(void* made)
{
   cg2p_causes_free(made);
}

static void free_explanation(void* made)
{
   cg2p_explanation_free(made);
}

static void free_graph(void* made)
{
   cg2p_graph_free(made);
}

static void* make_table(unsigned kind, cg2p_error* error)
{
   cg2p_question question = {
      .kind = kind, .keys = (1 << CG2P_KEYS) - 1, .each = kind == CG2P_JUMP};
   return cg2p_table_new(given.profiles[0], given.part, &question, error);
}

/* Makes a table of what is not small, with a second one of the rest. */
static void* make_limited_table(unsigned few, cg2p_error* error)
{
   static const uint64_t least[] = {50, 1000};
   cg2p_limit limit = {least, few, CG2P_BY_FUNCTION};
   cg2p_question question = {.kind = CG2P_COST,
                             .keys = CG2P_BY_FUNCTION | CG2P_BY_INSTR,
                             .of_first = CG2P_BY_FILE | CG2P_BY_LINE,
                             .limit = &limit};
   return cg2p_table_new(given.profiles[0], given.part, &question, error);
}

static void* make_table_of_calls(unsigned keys, cg2p_error* error)
{
   cg2p_question question = {.kind = CG2P_CALL, .keys = keys};
   return cg2p_table_new_of_calls(given.profiles[0], given.part, given.graph,
                                  &question, error);
}

static uint64_t digest_table(const void* made)
{
   uint64_t digest = 0;
   size_t n = cg2p_table_row_count(made);
   for (unsigned key = 1; key < 1 << CG2P_KEYS; key *= 2)
      if (cg2p_table_keys(made, key))
         digest = digest_costs(digest, cg2p_table_keys(made, key), n, 1);
   if (cg2p_table_rest(made)) digest = digest_table(cg2p_table_rest(made)) * 31;
   if (cg2p_table_counts(made))
      digest = digest_costs(digest, cg2p_table_counts(made), n, 1);
   return digest_costs(digest, cg2p_table_costs(made), n,
                       cg2p_part_event_count(given.part));
}

static void free_table(void* made)
{
   cg2p_table_free(made);
}

static void* make_difference(unsigned lines_move, cg2p_error* error)
{
   static const int64_t factors[] = {1, 1};
   cg2p_comparison how = {cg2p_part_event_count(given.part), factors,
                          lines_move};
   return cg2p_difference_new_of_lines(&given.sides[0], &given.sides[1], &how,
                                       error);
}

static uint64_t digest_difference(const void* made)
{
   return digest_bytes(0, cg2p_difference_changes(made),
                       cg2p_difference_change_count(made) *
                          sizeof(cg2p_change));
}

static void free_difference(void* made)
{
   cg2p_difference_free(made);
}

/* Matches a graph with itself, whose nodes have other names on one side. */
static void* make_matching(unsigned unused, cg2p_error* error)
{
   (void)unused;
   enum { NODES_MAX = 4096 };
   static const char* names[NODES_MAX];
   if (given.graph->n_nodes > NODES_MAX) fail("there are too many nodes");
   for (uint32_t i = 0; i < given.graph->n_nodes; i += 2)
      names[i] = i % 4 ? "one" : "other";
   cg2p_matched old_side = {given.profiles[0], given.part, given.graph, NULL,
                            NULL};
   cg2p_matched new_side = old_side;
   new_side.nodes = names;
   return cg2p_matching_new(&old_side, &new_side, error);
}

enum { FUNCTIONS_MAX = 1 << 16 };

/* What took the place of functions of the graph in one with other names. */
static void* make_replacements(unsigned unused, cg2p_error* error)
{
   static uint32_t numbers[SIDES][FUNCTIONS_MAX], counterparts[FUNCTIONS_MAX];
   cg2p_matching* matching = make_matching(unused, error);
   if (!matching) return NULL;
   const cg2p_graph* graphs[] = {given.graph};
   const uint32_t* functions[SIDES] = {numbers[0], numbers[1]};
   cg2p_explained sides[SIDES] = {{1, graphs, &functions[0]},
                                  {1, graphs, &functions[1]}};
   for (int side = 0; side < SIDES; side++)
      for (uint32_t i = 0; i < given.graph->n_nodes; i++)
         numbers[side][i] = cg2p_matching_nodes(matching, side)[i];
   memset(counterparts, 0xff, sizeof counterparts);
   int is_done = cg2p_replacement_find(matching, &sides[0], &sides[1],
                                       counterparts, error);
   cg2p_matching_free(matching);
   return is_done ? counterparts : NULL;
}

static uint64_t digest_replacements(const void* made)
{
   return digest_bytes(0, made, FUNCTIONS_MAX * sizeof(uint32_t));
}

/* They are in no memory of their own. */
static void free_replacements(void* made)
{
   (void)made;
}

static uint64_t digest_matching(const void* made)
{
   size_t n = cg2p_matching_count(made), bytes = n * sizeof(cg2p_function);
   uint64_t digest = digest_bytes(n, cg2p_matching_functions(made), bytes);
   bytes = given.graph->n_nodes * sizeof(uint64_t);
   return digest_bytes(digest, cg2p_matching_nodes(made, 1), bytes);
}

static void free_matching(void* made)
{
   cg2p_matching_free(made);
}

/* Says names of which each second is that of the one before, but for its
 * parameters. */
static void* make_spoken(unsigned n, cg2p_error* error)
{
   static char texts[1000][40];
   static cg2p_named names[1000];
   for (unsigned i = 0; i < n; i++) {
      snprintf(texts[i], sizeof texts[i], "void f%u<A<B> >(int, %s)", i / 2,
               i % 2 ? "int" : "long");
      names[i] = (cg2p_named){i % 5 ? texts[i] : "0x00001000", "/lib/a.so"};
   }
   return cg2p_display_new(names, n, error);
}

static uint64_t digest_spoken(const void* made)
{
   const char* name = cg2p_display_name(made, 1, NULL);
   return digest_bytes(0, name, strlen(name));
}

static void free_spoken(void* made)
{
   cg2p_display_free(made);
}

/*--- Machine code -------------------------------------------------------*/

static char* stay_mangled(const char* symbol)
{
   (void)symbol;
   return NULL;
}

/* A listing of `n` jumps forward, each to another symbol, which come in the
 * order of their addresses or, in a section behind that, before these. */
static void* make_listing(unsigned n, cg2p_error* error)
{
   static const cg2p_span everything = {0, UINT64_MAX};
   cg2p_listing* listing = cg2p_listing_new(&everything, 1, error);
   if (listing) cg2p_listing_demangle(listing, stay_mangled);
   for (unsigned i = 0; listing && i < n; i++) {
      char line[80];
      unsigned address = i < n / 2 ? i + n : i;
      int length = snprintf(line, sizeof line, " %x:\tjmp %x <f%x>\n", address,
                            address + 5, i);
      if (cg2p_listing_add(listing, line, length, error)) continue;
      cg2p_listing_free(listing);
      return NULL;
   }
   if (!listing || cg2p_listing_end(listing, error)) return listing;
   cg2p_listing_free(listing);
   return NULL;
}

static uint64_t digest_listing(const void* made)
{
   size_t length, n = cg2p_listing_count(made);
   const char* texts = cg2p_listing_texts(made, 0, n, &length);
   uint64_t digest = digest_bytes(0, texts, length);
   return digest_costs(digest, cg2p_listing_addresses(made), n, 1);
}

static void free_listing(void* made)
{
   cg2p_listing_free(made);
}

/* The same, of which all is listed. */
static void* make_list(unsigned n, cg2p_error* error)
{
   cg2p_listing* listing = make_listing(n, error);
   if (!listing) return NULL;
   const uint64_t* addresses = cg2p_listing_addresses(listing);
   uint64_t ends[] = {addresses[0], addresses[n - 1]};
   size_t places[2], length;
   if (cg2p_listing_show(listing, ends, 2, n, places, &length, error))
      return listing;
   cg2p_listing_free(listing);
   return NULL;
}

/* The same with costs, of which instructions in turn have one and none. */
static void* make_annotation(unsigned n, cg2p_error* error)
{
   static const char* const texts[] = {".", "", "1,234", " (56.78%)"};
   static const char* const remarks[] = {"", "", " <a>", " <b>"};
   static const size_t heading = 2;
   static const cg2p_cells cells = {2, 1, texts, remarks, &heading, 9};
   cg2p_annotation* annotation = cg2p_annotation_new(&cells, error);
   cg2p_listing* listing = annotation ? make_listing(n, error) : NULL;
   uint64_t lines[] = {0, 0};
   uint32_t costs[] = {1, 0};
   cg2p_annotated code = {
      .n = 2, .files = lines, .lines = lines, .costs = costs};
   bool is_made = false;
   if (listing) {
      const uint64_t* addresses = cg2p_listing_addresses(listing);
      uint64_t ends[] = {addresses[0], addresses[n - 1]};
      code.addresses = ends;
      is_made = cg2p_annotation_write(annotation, listing, &code, n, error);
   }
   cg2p_listing_free(listing);
   if (is_made) return annotation;
   cg2p_annotation_free(annotation);
   return NULL;
}

static uint64_t digest_annotation(const void* made)
{
   size_t length;
   const char* text = cg2p_annotation_text(made, &length);
   return digest_bytes(0, text, length);
}

static void free_annotation(void* made)
{
   cg2p_annotation_free(made);
}

/*--- Stacks -------------------------------------------------------------*/

static void* make_stacks(unsigned by_line, cg2p_error* error)
{
   return cg2p_stacks_new(given.profiles[0], given.part, 0.001, by_line, error);
}

static uint64_t digest_stacks(const void* made)
{
   size_t n = cg2p_stacks_count(made),
          width = cg2p_part_event_count(given.part);
   uint64_t digest =
      digest_bytes(0, cg2p_stacks_array(made), n * sizeof(cg2p_stack));
   return digest_costs(digest, cg2p_stacks_inclusive_costs(made), n, width);
}

static void free_stacks(void* made)
{
   cg2p_stacks_free(made);
}

/*--- Files --------------------------------------------------------------*/

static void* make_export(unsigned format, cg2p_error* error)
{
   static const uint32_t events[] = {0};
   cg2p_export how = {format, 1, events, "scarce", 0};
   return cg2p_stacks_write(given.stacks, &how, given.output, error) ? &given
                                                                     : NULL;
}

static void* make_file(unsigned form, cg2p_error* error)
{
   return cg2p_profile_write(given.profiles[0], given.output, form, error)
             ? &given
             : NULL;
}

static uint64_t digest_file(const void* made)
{
   char piece[4096];
   uint64_t digest = 0;
   (void)made;
   FILE* file = fopen(given.output, "rb");
   if (!file) fail("what was written is not there");
   for (size_t n; (n = fread(piece, 1, sizeof piece, file));)
      digest = digest_bytes(digest, piece, n);
   fclose(file);
   return digest;
}

static void free_file(void* made)
{
   (void)made;
   unlink(given.output);
}

/*--- Operations ---------------------------------------------------------*/

typedef struct Operation {
   const char* name;
   void* (*make)(unsigned way, cg2p_error* error); /* NULL: it failed */
   unsigned way;
   uint64_t (*digest)(const void* made);
   void (*free)(void* made);
} Operation;

static const Operation operations[] = {
   {"read", make_profile, CG2P_LINES, digest_profile, free_profile},
   {"sums", make_profile, CG2P_SUMS, digest_sums, free_profile},
   {"functions", make_profile, CG2P_FUNCTIONS, digest_sums, free_profile},
   {"folded", make_folded, 0, digest_profile, free_profile},
   {"paths", make_paths, 0, digest_profile, free_profile},
   {"sum-of-paths", make_sum_of_paths, 0, digest_profile, free_profile},
   {"file-of-paths", make_file_of_paths, 0, digest_file, free_file},
   {"tree", make_tree, 2, digest_tree, free_tree},
   {"merge", make_merge, 0, digest_profile, free_profile},
   {"parts", make_merge, 1, digest_profile, free_profile},
   {"apart", make_apart, 0, digest_profile, free_profile},
   {"core", make_core, 0, digest_core, free_core},
   {"estimate", make_estimate, 0, digest_profile, free_profile},
   {"cursor", make_cursor, 0, digest_cursor, free_cursor},
   {"graph", make_graph, 0, digest_graph, free_graph},
   {"levels", make_graph, 1, digest_graph, free_graph},
   {"costs", make_table, CG2P_COST, digest_table, free_table},
   {"calls", make_table, CG2P_CALL, digest_table, free_table},
   {"jumps", make_table, CG2P_JUMP, digest_table, free_table},
   {"limited", make_limited_table, 10, digest_table, free_table},
   {"arcs", make_table_of_calls, CG2P_BY_FUNCTION | CG2P_BY_TARGET,
    digest_table, free_table},
   {"causes", make_causes, 0, digest_causes, free_causes},
   {"explanation", make_explanation, 0, digest_explanation, free_explanation},
   {"difference", make_difference, 0, digest_difference, free_difference},
   {"moved", make_difference, 1, digest_difference, free_difference},
   {"matching", make_matching, 0, digest_matching, free_matching},
   {"replacements", make_replacements, 0, digest_replacements,
    free_replacements},
   {"spoken", make_spoken, 1000, digest_spoken, free_spoken},
   {"listing", make_listing, 2000, digest_listing, free_listing},
   {"list", make_list, 2000, digest_listing, free_listing},
   {"annotation", make_annotation, 2000, digest_annotation, free_annotation},
   {"stacks", make_stacks, 0, digest_stacks, free_stacks},
   {"by-line", make_stacks, 1, digest_stacks, free_stacks},
   {"folding", make_export, CG2P_FOLDED, digest_file, free_file},
   {"speedscope", make_export, CG2P_SPEEDSCOPE, digest_file, free_file},
   {"chrome", make_export, CG2P_CHROME, digest_file, free_file},
   {"pprof", make_export, CG2P_PPROF, digest_file, free_file},
   {"firefox", make_export, CG2P_FIREFOX, digest_file, free_file},
   {"write", make_file, 0, digest_file, free_file},
   {"in-full", make_file, CG2P_FULL_NAMES | CG2P_FULL_POSITIONS, digest_file,
    free_file},
};
enum { OPERATIONS = sizeof operations / sizeof *operations };

static const Operation* operation_of(const char* name)
{
   for (int i = 0; i < OPERATIONS; i++)
      if (!strcmp(operations[i].name, name)) return &operations[i];
   fail("there is no such operation");
}

/* What an operation may leave behind: blocks of memory, and open files. */
typedef struct Use {
   size_t blocks;
   int file; /* the lowest number that is free */
} Use;

static Use find_use(void)
{
   Use use = {scarcity_blocks(), dup(STDERR_FILENO)};
   close(use.file);
   return use;
}

static void check_refused(const cg2p_error* error)
{
   check_error(error);
   if (error->kind != CG2P_MEMORY || !strstr(error->text, "there is no memory"))
      fail(error->text);
}

static void check_nothing_left(Use before)
{
   Use after = find_use();
   char unfinished[4096];
   snprintf(unfinished, sizeof unfinished, "%s.*.unfinished", given.output);
   glob_t found;
   bool has_part = !glob(unfinished, 0, NULL, &found);
   globfree(&found);
   if (after.blocks != before.blocks) fail("memory is left");
   if (after.file != before.file) fail("a file is left open");
   if (!access(given.output, F_OK) || has_part) fail("a file is left");
}

/* Whether memory ran out. The digest of the result becomes *digest, if there is
 * none yet. */
static bool
ran_out(const Operation* operation, Scarcity scarcity, uint64_t* digest)
{
   static cg2p_error error;
   Use before = find_use();
   memset(&error, 1, sizeof error);
   scarcity_begin(scarcity);
   void* made = operation->make(operation->way, &error);
   bool has_failed = scarcity_end();
   if (made) {
      uint64_t found = operation->digest(made);
      operation->free(made);
      if (!*digest) *digest = found;
      if (found != *digest) fail("the result is another one");
   } else if (has_failed)
      check_refused(&error);
   else
      fail(error.text);
   check_nothing_left(before);
   return has_failed;
}

/*--- All of it ----------------------------------------------------------*/

static cg2p_profile* read_whole(const char* path)
{
   cg2p_error error;
   cg2p_profile* profile = cg2p_profile_read(path, CG2P_LINES, 0, NULL, &error);
   if (!profile) fail(error.text);
   return profile;
}

static const cg2p_table*
table_of(const cg2p_profile* profile, cg2p_line_kind kind, unsigned keys)
{
   cg2p_error error;
   cg2p_question question = {.kind = kind, .keys = keys};
   const cg2p_table* table =
      cg2p_table_new(profile, cg2p_profile_part(profile, 0), &question, &error);
   if (!table) fail(error.text);
   return table;
}

/* The lines of a profile, and their calls; each file's source is this one. */
static cg2p_lines side_of(const cg2p_profile* profile)
{
   static const char* sources[1000];
   unsigned keys = CG2P_BY_FUNCTION | CG2P_BY_FILE | CG2P_BY_LINE;
   const cg2p_table* lines = table_of(profile, CG2P_COST, keys);
   const cg2p_table* calls =
      table_of(profile, CG2P_CALL, keys | CG2P_BY_TARGET);
   cg2p_line_calls* on_lines = malloc(sizeof *on_lines);
   *on_lines = (cg2p_line_calls){cg2p_table_row_count(calls),
                                 cg2p_table_keys(calls, CG2P_BY_FUNCTION),
                                 cg2p_table_keys(calls, CG2P_BY_FILE),
                                 cg2p_table_keys(calls, CG2P_BY_LINE),
                                 cg2p_table_keys(calls, CG2P_BY_TARGET),
                                 cg2p_table_counts(calls)};
   for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
      sources[i] = __FILE__;
   return (cg2p_lines){
      .side = {.n = cg2p_table_row_count(lines),
               .keys = {cg2p_table_keys(lines, CG2P_BY_FUNCTION),
                        cg2p_table_keys(lines, CG2P_BY_FILE),
                        cg2p_table_keys(lines, CG2P_BY_LINE)},
               .costs = cg2p_table_costs(lines)},
      .calls = on_lines,
      .sources = sources,
      .n_sources = sizeof sources / sizeof *sources};
}

static void prepare(char** paths, size_t n)
{
   cg2p_error error;
   given.path = paths[0];
   given.n_profiles = n < PROFILES ? n : PROFILES;
   for (size_t i = 0; i < given.n_profiles; i++)
      given.profiles[i] = read_whole(paths[i]);
   given.part = cg2p_profile_part(given.profiles[0], 0);
   given.graph = cg2p_graph_new(given.profiles[0], given.part, 0, &error);
   given.stacks =
      cg2p_stacks_new(given.profiles[0], given.part, 0.001, 1, &error);
   if (!given.graph || !given.stacks) fail(error.text);
   given.sides[0] = side_of(given.profiles[0]);
   given.sides[1] = side_of(given.profiles[given.n_profiles - 1]);
}

static void prepare_paths(void)
{
   cg2p_error error;
   given.profiles[0] = cg2p_profile_read_paths(given.path, 0, &error);
   if (!given.profiles[0]) fail(error.text);
}

static void* do_nothing(void* given_to_it)
{
   return given_to_it;
}

/* Has the C library get what it keeps from one thread for the next. */
static void run_thread(void)
{
   pthread_t thread;
   if (!pthread_create(&thread, NULL, do_nothing, NULL))
      pthread_join(thread, NULL);
}

int main(int n_words, char** words)
{
   run_thread();
   if (n_words < 4) fail("usage: scarce OPERATION OUTPUT FILE...");
   const Operation* operation = operation_of(words[1]);
   bool is_tree = operation->make == make_tree;
   bool is_profile = operation->make != make_folded && !is_tree &&
                     !strstr(operation->name, "paths");
   given.output = words[2];
   given.path = words[3];
   if (is_profile) prepare(words + 3, n_words - 3);
   if (is_tree) prepare_paths();
   uint64_t digest = 0;
   size_t n = 0;
   ran_out(operation, (Scarcity){SIZE_MAX, false}, &digest);
   while (ran_out(operation, (Scarcity){n, false}, &digest) &&
          ran_out(operation, (Scarcity){n, true}, &digest))
      n++;
   printf("%zu\n", n);
   return 0;
}
