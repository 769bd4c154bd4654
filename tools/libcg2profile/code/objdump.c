/* A line of what objdump prints: an instruction. */
#include "code/objdump.h"

#include <string.h>

static int digit_of(char c)
{
   if (cg2p_text_is_digit(c)) return c - '0';
   return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The first place from `p` on that is no hexadecimal digit. */
static const char* behind_digits(const char* p, const char* end)
{
   while (p < end && digit_of(*p) >= 0)
      p++;
   return p;
}

static bool is_number(Text word)
{
   return word.start < word.end &&
          behind_digits(word.start, word.end) == word.end;
}

static uint64_t number_of(Text word)
{
   uint64_t number = 0;
   for (const char* p = word.start; p < word.end; p++)
      number = number << 4 | digit_of(*p);
   return number;
}

static const char* behind_spaces(const char* p, const char* end)
{
   while (p < end && *p == ' ')
      p++;
   return p;
}

bool cg2p_objdump_instruction(Text line, uint64_t* address, Text* text)
{
   Text number = {behind_spaces(line.start, line.end), NULL};
   number.end = behind_digits(number.start, line.end);
   if (number.end == number.start || number.end == line.end ||
       *number.end != ':')
      return false;
   const char* p = behind_spaces(number.end + 1, line.end);
   if (p == line.end || *p != '\t') return false;
   *address = number_of(number);
   *text = cg2p_text_strip((Text){p + 1, line.end});
   return text->start < text->end;
}

/*--- Words --------------------------------------------------------------*/

/* The word behind another one of a text with single blanks; empty at its end.
 */
static Text next_word(Text text, Text word)
{
   return cg2p_text_word_at(word.end + (word.end < text.end), text.end);
}

static bool has_comma(Text word)
{
   return cg2p_text_length(word) > 1 && word.end[-1] == ',';
}

static bool begins_with(Text word, const char* stem)
{
   size_t length = strlen(stem);
   return cg2p_text_length(word) >= length && !memcmp(word.start, stem, length);
}

/* How much of a word is the stem of a jump's name; 0: it is none. */
static size_t jump_stem(Text word)
{
   static const char* const stems[] = {"j", "loop", "b", "cb", "tb"};
   for (size_t i = 0; i < sizeof stems / sizeof *stems; i++)
      if (begins_with(word, stems[i])) return strlen(stems[i]);
   return 0;
}

static bool is_jump(Text word)
{
   size_t stem = jump_stem(word);
   if (!stem || (cg2p_text_length(word) == 2 && begins_with(word, "bl")))
      return false;
   const char* p = word.start + stem;
   if (p[-1] == 'b' && p < word.end && *p == '.') p++;
   while (p < word.end && *p >= 'a' && *p <= 'z')
      p++;
   return p == word.end;
}

static bool is_jump_or_call(Text word)
{
   return jump_stem(word) || begins_with(word, "call");
}

/* The operand behind those that end with a comma. */
static Text last_operand(Text text, Text name)
{
   Text word = next_word(text, name);
   while (has_comma(word))
      word = next_word(text, word);
   return word;
}

/*--- Where a jump leads -------------------------------------------------*/

static uint64_t target_behind(Text text, Text name)
{
   if (!is_jump(name)) return NO_TARGET;
   Text operand = last_operand(text, name);
   Text symbol = next_word(text, operand);
   bool is_last = symbol.start == symbol.end || *symbol.start == '<';
   return is_last && is_number(operand) ? number_of(operand) : NO_TARGET;
}

uint64_t cg2p_objdump_target(Text shown)
{
   Text first = cg2p_text_word_at(shown.start, shown.end);
   uint64_t target = target_behind(shown, next_word(shown, first));
   return target == NO_TARGET ? target_behind(shown, first) : target;
}

/*--- Symbols ------------------------------------------------------------*/

/* Whether what ends here is "+0x12>". */
static bool ends_in_offset(const char* start, const char* end)
{
   static const char before[] = "+0x";
   enum { LENGTH = sizeof before - 1 };
   if (end == start || end[-1] != '>') return false;
   const char *p = end - 1, *digits = p;
   while (p > start && digit_of(p[-1]) >= 0)
      p--;
   return p < digits && p - start >= LENGTH &&
          !memcmp(p - LENGTH, before, LENGTH);
}

/* Whether a text is a symbol and some bytes. Behind it other names of an A64
 * instruction may stand. */
static bool is_inside(Text text)
{
   static const char names[] = " // ";
   if (text.start == text.end || *text.start != '<') return false;
   if (ends_in_offset(text.start, text.end)) return true;
   const char* p = text.start;
   size_t length = sizeof names - 1;
   while ((p = memmem(p, text.end - p, names, length))) {
      if (p + length < text.end && ends_in_offset(text.start, p)) return true;
      p++;
   }
   return false;
}

/* The length without a symbol that says nothing, or what is wrong, of where a
 * jump or call leads; 0: there is none. */
static size_t length_without_symbol(Text text, Text name)
{
   if (!is_jump_or_call(name)) return 0;
   Text operand = last_operand(text, name);
   Text number = operand;
   for (const char* p = operand.start; p < operand.end; p++)
      if (*p == ',') number.start = p + 1;
   if (!is_number(number) || operand.end == text.end ||
       !is_inside((Text){operand.end + 1, text.end}))
      return 0;
   return operand.end - text.start;
}

static size_t without_symbol(Text text)
{
   Text first = cg2p_text_word_at(text.start, text.end);
   size_t length = length_without_symbol(text, next_word(text, first));
   if (!length) length = length_without_symbol(text, first);
   return length ? length : cg2p_text_length(text);
}

/*--- What is shown ------------------------------------------------------*/

static size_t with_single_blanks(Text text, char* shown)
{
   char* to = shown;
   const char* p = text.start;
   while (p < text.end) {
      Text word = cg2p_text_word_at(p, text.end);
      size_t length = cg2p_text_length(word);
      memcpy(to, word.start, length);
      to += length;
      p = cg2p_text_behind_blanks(word.end, text.end);
      if (p < text.end) *to++ = ' ';
   }
   return to - shown;
}

static bool is_of_word(char c)
{
   return c == '_' || cg2p_text_is_digit(c) || (c >= 'a' && c <= 'z') ||
          (c >= 'A' && c <= 'Z');
}

/* Whether "0x12 <", an address with its symbol, is at `p`. */
static bool is_address(Text text, const char* p)
{
   if (text.end - p < 5 || p[0] != '0' || p[1] != 'x') return false;
   const char* behind = behind_digits(p + 2, text.end);
   return behind > p + 2 && text.end - behind >= 2 && behind[0] == ' ' &&
          behind[1] == '<' && (p == text.start || !is_of_word(p[-1]));
}

/* Addresses as binutils writes them, in place; the length. */
static size_t without_prefixes(char* shown, size_t length)
{
   Text text = {shown, shown + length};
   char* to = shown;
   for (const char* p = shown; p < text.end;) {
      if (is_address(text, p)) p += 2;
      *to++ = *p++;
   }
   return to - shown;
}

size_t cg2p_objdump_shown(Text text, char* shown)
{
   size_t length = with_single_blanks(text, shown);
   if (!memmem(shown, length, " <", 2)) return length;
   length = without_prefixes(shown, length);
   return without_symbol((Text){shown, shown + length});
}

/*--- Instructions that repeat themselves --------------------------------*/

/* The text behind a word that it may begin with. */
static Text behind_word(Text text, const char* word)
{
   if (begins_with(text, word)) text.start += strlen(word);
   return text;
}

/* Whether a prefix, of which "rep" is behind, and an instruction begin here. */
static bool is_prefixed(Text text)
{
   static const char* const names[] = {" stos", " movs", " scas", " cmps"};
   static const char* const conditions[] = {"nz", "ne", "z", "e"};
   Text rest = text;
   for (size_t i = 0; i < 4 && rest.start == text.start; i++)
      rest = behind_word(text, conditions[i]);
   for (size_t i = 0; i < 4; i++)
      if (begins_with(rest, names[i])) return true;
   return false;
}

bool cg2p_objdump_is_repeated(Text shown)
{
   static const char prefix[] = "rep";
   enum { LENGTH = sizeof prefix - 1 };
   const char* p = shown.start;
   while ((p = memmem(p, shown.end - p, prefix, LENGTH))) {
      bool begins = p == shown.start || !(is_of_word(p[-1]) || p[-1] & 0x80);
      p += LENGTH;
      if (begins && is_prefixed((Text){p, shown.end})) return true;
   }
   return false;
}
