/* Arrows beside lines, from where a jump is to where it goes. */
#include "code/arrows.h"

#include <stdlib.h>

enum { LANES = 8 };

static size_t top_of(Arrow arrow)
{
   return arrow.from < arrow.to ? arrow.from : arrow.to;
}

static size_t bottom_of(Arrow arrow)
{
   return arrow.from < arrow.to ? arrow.to : arrow.from;
}

void cg2p_arrows_add(Arrows* arrows, Failure* failure, Arrow arrow)
{
   arrows->of = cg2p_memory_grow(failure, arrows->of, &arrows->room,
                                 arrows->n + 1, sizeof *arrows->of);
   arrows->of[arrows->n++] = arrow;
}

/*--- Lanes --------------------------------------------------------------*/

static int compare(size_t a, size_t b)
{
   return (a > b) - (a < b);
}

/* Short ones first. */
static int compare_arrows(const void* left, const void* right)
{
   const Arrow *a = left, *b = right;
   int order = compare(bottom_of(*a) - top_of(*a), bottom_of(*b) - top_of(*b));
   if (!order) order = compare(a->from, b->from);
   return order ? order : compare(a->to, b->to);
}

/* Each arrow once, in order. */
static void sort(Arrows* arrows)
{
   size_t n = 0;
   if (arrows->n)
      qsort(arrows->of, arrows->n, sizeof *arrows->of, compare_arrows);
   for (size_t i = 0; i < arrows->n; i++)
      if (!n || compare_arrows(&arrows->of[n - 1], &arrows->of[i]))
         arrows->of[n++] = arrows->of[i];
   arrows->n = n;
}

/* A lane that is free beside all lines of an arrow, and is taken by it; LANES:
 * none is. */
static unsigned take_lane(unsigned char* lanes, Arrow arrow)
{
   size_t top = top_of(arrow), bottom = bottom_of(arrow);
   unsigned taken = 0, lane = 0;
   for (size_t line = top; line <= bottom; line++)
      taken |= lanes[line];
   while (lane < LANES && taken >> lane & 1)
      lane++;
   for (size_t line = top; lane < LANES && line <= bottom; line++)
      lanes[line] |= 1U << lane;
   return lane;
}

/* Keeps the arrows that get a lane, which `lane_of` then has. Returns how many
 * lanes there are. */
static unsigned take_lanes(Arrows* arrows, unsigned char* lane_of)
{
   size_t n = 0;
   unsigned depth = 0;
   for (size_t i = 0; i < arrows->n; i++) {
      unsigned lane = take_lane(arrows->lanes, arrows->of[i]);
      if (lane == LANES) continue;
      if (depth <= lane) depth = lane + 1;
      lane_of[n] = lane;
      arrows->of[n++] = arrows->of[i];
   }
   arrows->n = n;
   return depth;
}

/*--- Drawing ------------------------------------------------------------*/

/* From the column of an arrow to the text, at the line where it has a corner.
 */
static void draw_across(Arrows* arrows, size_t line, size_t column, char corner)
{
   char* letters = arrows->letters + line * arrows->width;
   letters[column] = corner;
   for (size_t i = column + 1; i < arrows->width; i++)
      letters[i] = letters[i] == '|' || letters[i] == '+' ? '+' : '-';
}

static void draw(Arrows* arrows, Arrow arrow, size_t column)
{
   size_t top = top_of(arrow), bottom = bottom_of(arrow);
   for (size_t line = top + 1; line < bottom; line++) {
      char* letter = &arrows->letters[line * arrows->width + column];
      *letter = *letter == '-' ? '+' : '|';
   }
   draw_across(arrows, top, column, top == bottom ? '*' : ',');
   draw_across(arrows, bottom, column, top == bottom ? '*' : '\'');
}

/* The head of an arrow is in the last column, whatever is drawn there. */
static void draw_head(Arrows* arrows, Arrow arrow)
{
   arrows->letters[(arrow.to + 1) * arrows->width - 1] = '>';
}

/* Makes room for the lanes of `count` lines and those of the arrows, of which
 * none is taken. */
static unsigned char*
clear_lanes(Arrows* arrows, Failure* failure, size_t count)
{
   size_t size = count + arrows->n;
   arrows->lanes = cg2p_memory_grow(failure, arrows->lanes, &arrows->lanes_room,
                                    size + 1, 1);
   memset(arrows->lanes, 0, size);
   return arrows->lanes + count;
}

static void
clear_letters(Arrows* arrows, Failure* failure, size_t count, unsigned depth)
{
   arrows->width = depth ? 2 * depth + 1 : 0;
   size_t size = count * arrows->width;
   arrows->letters = cg2p_memory_grow(failure, arrows->letters,
                                      &arrows->letters_room, size + 1, 1);
   memset(arrows->letters, ' ', size);
}

void cg2p_arrows_draw(Arrows* arrows, Failure* failure, size_t count)
{
   sort(arrows);
   unsigned char* lane_of = clear_lanes(arrows, failure, count);
   unsigned depth = take_lanes(arrows, lane_of);
   clear_letters(arrows, failure, count, depth);
   for (size_t i = 0; i < arrows->n; i++)
      draw(arrows, arrows->of[i], 2 * (depth - 1 - lane_of[i]));
   for (size_t i = 0; i < arrows->n; i++)
      draw_head(arrows, arrows->of[i]);
   arrows->n = 0;
}

void cg2p_arrows_free(Arrows* arrows)
{
   free(arrows->of);
   free(arrows->letters);
   free(arrows->lanes);
}
