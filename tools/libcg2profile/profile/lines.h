/* The lines of functions, as few bytes: what a function costs by position, its
 * calls and its jumps.
 *
 * A *run* is a row of lines of one function, a string of bytes. Each line is a
 * tag, and what differs from the line before it: numbers of 7 bits a byte. A
 * function has a list of runs; each begins at position 0. A line of text with
 * addresses, two events and 13 characters takes 5 bytes.
 *
 *    tag        bits 0 and 1   what the line is, a cg2p_line_kind or LINE_FILE
 *               bits 2, 3, 4   whether its address, its source line, its
 *                              block's address differ; the differences follow
 *               bits 5 to 7    how many costs follow; 7: the number follows
 *    call       callee, count, target's address and line
 *    jump       flags, target's function, file, address, line and block,
 *               taken, executed
 *    file       the file of the lines from here on, nothing else */
#ifndef CG2P_LINES_H
#define CG2P_LINES_H

#include "base/memory.h"

#include <stdbool.h>

/* Beside the kinds of cg2p_line_kind. */
enum { LINE_FILE = CG2P_JUMP + 1 };

typedef cg2p_place Place;
typedef cg2p_line Line;

/* Some lines of one function. */
typedef struct Run {
   const uint8_t* bytes;
   uint32_t length;
   uint32_t file;     /* of its first lines: a name */
   uint32_t function; /* a number */
   uint32_t next;     /* number + 1 of the function's next run; 0: none */
} Run;

/* What the next line of a run is relative to. */
typedef struct RunState {
   uint32_t file;
   Place last;
} RunState;

/* All lines of a part. */
typedef struct Lines {
   Run* runs;
   size_t n, room;
   bool has_own;    /* each run's bytes are its own; there are no pages */
   uint8_t** pages; /* where runs lie */
   size_t n_pages, pages_room;
   size_t page_size; /* bytes of the last page, and how many are used */
   size_t used;
   uint32_t n_events;
   /* The run that is written: */
   bool is_open;
   RunState state;
} Lines;

/* The most bytes that a line takes with so many events. */
size_t cg2p_lines_line_max(uint32_t n_events);
/* Writes a line to `to`, behind what `state` says, which then says where the
 * line is. Where the line ends. */
uint8_t* cg2p_lines_put(uint8_t* to,
                        RunState* state,
                        const Line* line,
                        uint32_t n_events);

/* Makes `bytes`, which are copied, a run of a function: in place of run number
 * `run` - 1 if that is not 0, in front of the run that follows that. For parts
 * all of whose runs are made so. The run's number + 1. */
uint32_t cg2p_lines_set(Lines* lines,
                        Failure* failure,
                        uint32_t function,
                        uint32_t file,
                        const uint8_t* bytes,
                        size_t length,
                        uint32_t run);

/* Begins a run: lines of `function` follow, in `file`. `before` is the number
 * + 1 of the run that they follow, 0: none. The run's number + 1. */
uint32_t cg2p_lines_begin(Lines* lines,
                          Failure* failure,
                          uint32_t function,
                          uint32_t file,
                          uint32_t before);
/* Adds a line to the run that was begun last. If its page is full, another run
 * goes on. The number + 1 of the run that the line is in. */
uint32_t cg2p_lines_add(Lines* lines, Failure* failure, const Line* line);
/* Ends the run that was begun last, if one is open. */
void cg2p_lines_end(Lines* lines);
void cg2p_lines_free(Lines* lines);

/* Reads a function's lines one by one. */
typedef struct LineCursor {
   const Lines* lines;
   const uint8_t *at, *end;
   uint32_t next; /* run, number + 1 */
   RunState state;
} LineCursor;

LineCursor cg2p_lines_from(const Lines* lines, uint32_t first_run);
/* Reads the lines of one run, number `run` - 1; 0: there are none. */
LineCursor cg2p_lines_of_run(const Lines* lines, uint32_t run);
/* Reads the next line to *line, whose `cost` the caller has set. False: there
 * are no more. */
bool cg2p_lines_next(LineCursor* cursor, Line* line);

#endif
