#include "ask/movedlines.h"
#include "base/search.h"

#include <string.h>

/*--- Votes --------------------------------------------------------------*/

/* A record of the votes. */
enum { FILE_KEY, OLD_KEY, NEW_KEY, VOTES, VOTE_WIDTH };

void cg2p_movedlines_begin(MovedLines* moves)
{
   moves->votes.n_keys = VOTES;
   moves->votes.width = VOTE_WIDTH;
   cg2p_sums_clear(&moves->votes);
}

/* Votes for one line of OLD are sorted by lines of NEW, the last one first: so
 * none of them comes behind another in a chain. */
static uint64_t reversed(uint64_t line)
{
   return ~line;
}

void cg2p_movedlines_vote(MovedLines* moves,
                          Failure* failure,
                          uint64_t file,
                          uint64_t old,
                          uint64_t new,
                          uint64_t votes)
{
   uint64_t* vote = cg2p_sums_reserve(&moves->votes, failure);
   vote[FILE_KEY] = file;
   vote[OLD_KEY] = old;
   vote[NEW_KEY] = reversed(new);
   vote[VOTES] = votes;
   cg2p_sums_add(&moves->votes, failure);
}

/*--- Chains -------------------------------------------------------------*/

enum { NO_VOTE = UINT32_MAX };

/* How a chain that ends with a vote is made. */
typedef struct Link {
   uint32_t before; /* the vote before, or NO_VOTE */
   uint64_t votes;  /* for the whole chain */
} Link;

/* The search for the best chain of a file. `ends` are votes that chains end
 * with: each is of a later line of NEW than the one before, and its chain has
 * more votes. A chain that is not better than one of those is never needed. */
typedef struct AnchorSearch {
   const Sums* votes;
   Link* links; /* of each vote of any file */
   uint32_t* ends;
   size_t n; /* ends */
} AnchorSearch;

static uint64_t number_of(const AnchorSearch* s, uint32_t vote, int key)
{
   return cg2p_sums_at(s->votes, vote)[key];
}

static uint64_t new_line(const AnchorSearch* s, uint32_t vote)
{
   return reversed(number_of(s, vote, NEW_KEY));
}

/* How many ends are of lines of NEW before a line. */
static size_t count_before(const AnchorSearch* s, uint64_t line)
{
   return cg2p_search_first(i, 0, s->n, new_line(s, s->ends[i]) < line);
}

/* Puts a vote in place of ends from `at` on that are no better. */
static void put_end(AnchorSearch* s, size_t at, uint32_t vote)
{
   size_t worse = at;
   while (worse < s->n &&
          s->links[s->ends[worse]].votes <= s->links[vote].votes)
      worse++;
   memmove(s->ends + at + 1, s->ends + worse, (s->n - worse) * sizeof *s->ends);
   s->ends[at] = vote;
   s->n += at + 1 - worse;
}

/* Adds a vote of the same or a later line of OLD than those before. */
static void add_to_chains(AnchorSearch* s, uint32_t vote)
{
   uint64_t line = new_line(s, vote);
   size_t at = count_before(s, line);
   Link* link = &s->links[vote];
   link->before = at ? s->ends[at - 1] : NO_VOTE;
   link->votes = number_of(s, vote, VOTES);
   if (at) link->votes += s->links[link->before].votes;
   bool is_known = at < s->n && new_line(s, s->ends[at]) == line;
   if (!is_known || s->links[s->ends[at]].votes < link->votes)
      put_end(s, at, vote);
}

/* Keeps the best chain as anchors. */
static void keep_chain(MovedLines* moves, const AnchorSearch* s)
{
   size_t length = 0;
   uint32_t last = s->ends[s->n - 1];
   for (uint32_t vote = last; vote != NO_VOTE; vote = s->links[vote].before)
      length++;
   moves->n += length;
   size_t at = moves->n;
   for (uint32_t vote = last; vote != NO_VOTE; vote = s->links[vote].before) {
      moves->anchors[--at] =
         (Anchor){number_of(s, vote, OLD_KEY), new_line(s, vote)};
      moves->files[at] = number_of(s, vote, FILE_KEY);
   }
}

void cg2p_movedlines_decide(MovedLines* moves, Failure* failure)
{
   size_t n = moves->votes.n;
   Arena* made = &moves->made;
   cg2p_sums_sort(&moves->votes);
   moves->anchors = cg2p_arena_add(made, failure, n * sizeof *moves->anchors);
   moves->files = cg2p_arena_add(made, failure, n * sizeof *moves->files);
   AnchorSearch s = {
      .votes = &moves->votes,
      .links = cg2p_arena_add(made, failure, n * sizeof *s.links),
      .ends = cg2p_arena_add(made, failure, n * sizeof *s.ends),
   };
   for (uint32_t vote = 0; vote < n; vote++) {
      uint64_t file = number_of(&s, vote, FILE_KEY);
      add_to_chains(&s, vote);
      if (vote + 1 < n && number_of(&s, vote + 1, FILE_KEY) == file) continue;
      keep_chain(moves, &s);
      s.n = 0;
   }
}

/*--- Anchors ------------------------------------------------------------*/

Anchors cg2p_movedlines_anchors(const MovedLines* moves, uint64_t file)
{
   const uint64_t* files = moves->files;
   size_t from = cg2p_search_first(i, 0, moves->n, files[i] < file);
   size_t to = cg2p_search_first(i, from, moves->n, files[i] <= file);
   return (Anchors){moves->anchors + from, to - from};
}

void cg2p_movedlines_free(MovedLines* moves)
{
   cg2p_sums_free(&moves->votes);
   cg2p_arena_free(&moves->made);
}
