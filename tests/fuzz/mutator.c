/* Mutates profiles line by line: libFuzzer's own mutations, of bytes, seldom
 * make another proper profile of one. Half of the time a line is copied, moved,
 * left out or put in, or a number in one becomes another. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct Span {
   size_t from, to;
} Span;

/* A text with room, and a state of chance. */
typedef struct Draft {
   uint8_t* text;
   size_t size, room;
   uint32_t chance;
} Draft;

size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t room);
size_t
LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t room, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t* a,
                                 size_t a_size,
                                 const uint8_t* b,
                                 size_t b_size,
                                 uint8_t* out,
                                 size_t room,
                                 unsigned seed);

static const char* const lines[] = {"fn=(1)\n",
                                    "fn=(2) f\n",
                                    "fn=g'2\n",
                                    "fl=(1) a.c\n",
                                    "fi=(2) b.h\n",
                                    "fe=(1)\n",
                                    "ob=(1) app\n",
                                    "cob=(2) lib\n",
                                    "cfi=(2)\n",
                                    "jfi=(2) b.h\n",
                                    "jfn=(2)\n",
                                    "cfn=(2)\ncalls=1 +3\n* 7\n",
                                    "cfn=g'2\ncalls=2 0x10 5\n+1 * 9\n",
                                    "jump=3 +2\n*\n",
                                    "jcnd=1/2 -1 *\n* +1\n",
                                    "+1 5\n",
                                    "* * 1 2 3\n",
                                    "-2 1\n",
                                    "0x10 4 1 1\n",
                                    "12 18446744073709551615\n",
                                    "\n",
                                    "# x\n",
                                    "part: 2\n",
                                    "thread: 1\n",
                                    "events: Ir Dr\n",
                                    "events: Ir\n",
                                    "event: A = Ir + 2 Dr\n",
                                    "positions: instr line\n",
                                    "positions: instr bb line\n",
                                    "positions: line\n",
                                    "totals: 5\n",
                                    "summary: 5\n",
                                    "desc: Merged profiles: 3\n",
                                    "desc: Skipped: 2 f\n",
                                    "cmd: x\n",
                                    "creator: y\n",
                                    "version: 1\n",
                                    "pid: 9\n",
                                    "%%\n",
                                    "main;f;main;g 12\n",
                                    "a;(1) b;a 3\n"};

static const char* const numbers[] = {"0",
                                      "1",
                                      "2",
                                      "*",
                                      "+0",
                                      "-1",
                                      "+1",
                                      "0x7f",
                                      "99",
                                      "100",
                                      "4294967295",
                                      "4294967296",
                                      "9223372036854775808",
                                      "18446744073709551615",
                                      "0x10-0x20",
                                      "+18446744073709551615",
                                      "(1)",
                                      "(3)"};

static size_t any(Draft* draft, size_t count)
{
   draft->chance = draft->chance * 1664525 + 1013904223;
   return (size_t)(((uint64_t)draft->chance * count) >> 32);
}

/*--- Pieces of a text ---------------------------------------------------*/

static Span line_at(const uint8_t* text, size_t size, size_t at)
{
   Span line = {at, at};
   while (line.from && text[line.from - 1] != '\n')
      line.from--;
   while (line.to < size && text[line.to++] != '\n')
      ;
   return line;
}

static Span any_line(Draft* draft)
{
   return line_at(draft->text, draft->size, any(draft, draft->size + 1));
}

static bool is_part_of_number(uint8_t c)
{
   return c > ' ' && (strchr("+-*/=;", c) || (c >= '0' && c <= '9') ||
                      ((c | 32) >= 'a' && (c | 32) <= 'f') || c == 'x');
}

/* The digits and signs around a place; maybe nothing. */
static Span number_at(const Draft* draft, size_t at)
{
   Span number = {at, at};
   while (number.from && is_part_of_number(draft->text[number.from - 1]) &&
          !strchr("/=;", draft->text[number.from - 1]))
      number.from--;
   while (number.to < draft->size && is_part_of_number(draft->text[number.to]))
      number.to++;
   return number;
}

/* Puts a text in place of a piece, if there is room. */
static void replace(Draft* draft, Span piece, const void* with, size_t length)
{
   size_t rest = draft->size - piece.to;
   if (piece.from + length + rest > draft->room) return;
   memmove(draft->text + piece.from + length, draft->text + piece.to, rest);
   memcpy(draft->text + piece.from, with, length);
   draft->size = piece.from + length + rest;
}

/*--- Mutations ----------------------------------------------------------*/

enum { LINE_MAX_COPIED = 256 };

static void copy_line(Draft* draft, bool is_moved)
{
   uint8_t copy[LINE_MAX_COPIED];
   Span line = any_line(draft);
   size_t length = line.to - line.from;
   if (length > sizeof copy) return;
   memcpy(copy, draft->text + line.from, length);
   if (is_moved) replace(draft, line, "", 0);
   size_t to = any_line(draft).from;
   replace(draft, (Span){to, to}, copy, length);
}

static void put_line(Draft* draft)
{
   const char* line = lines[any(draft, sizeof lines / sizeof *lines)];
   size_t to = any_line(draft).from;
   replace(draft, (Span){to, to}, line, strlen(line));
}

static void change_number(Draft* draft)
{
   const char* number = numbers[any(draft, sizeof numbers / sizeof *numbers)];
   Span old = number_at(draft, any(draft, draft->size + 1));
   if (old.from < old.to) replace(draft, old, number, strlen(number));
}

static void mutate_line(Draft* draft)
{
   enum { COPY, MOVE, LEAVE_OUT, PUT, NUMBER, KINDS };
   switch (any(draft, KINDS)) {
   case COPY:
      copy_line(draft, false);
      break;
   case MOVE:
      copy_line(draft, true);
      break;
   case LEAVE_OUT:
      replace(draft, any_line(draft), "", 0);
      break;
   case PUT:
      put_line(draft);
      break;
   default:
      change_number(draft);
   }
}

size_t
LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t room, unsigned seed)
{
   Draft draft = {data, size, room, seed};
   if (any(&draft, 2)) return LLVMFuzzerMutate(data, size, room);
   for (size_t n = 1 + any(&draft, 3); n; n--)
      mutate_line(&draft);
   return draft.size;
}

/* The beginning of one and the end of the other, whole lines. */
size_t LLVMFuzzerCustomCrossOver(const uint8_t* a,
                                 size_t a_size,
                                 const uint8_t* b,
                                 size_t b_size,
                                 uint8_t* out,
                                 size_t room,
                                 unsigned seed)
{
   Draft draft = {out, 0, room, seed};
   Span from_a = line_at(a, a_size, any(&draft, a_size + 1));
   Span from_b = line_at(b, b_size, any(&draft, b_size + 1));
   replace(&draft, (Span){0, 0}, a, from_a.from);
   replace(&draft, (Span){draft.size, draft.size}, b + from_b.from,
           b_size - from_b.from);
   return draft.size;
}
