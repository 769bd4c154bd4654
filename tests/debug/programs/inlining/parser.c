/* Text that is read letter by letter: small functions with conditions. */
#include <stdio.h>
#include <string.h>

typedef struct { const char* at; int depth, errors; } Text;

static int is_digit(char c) { return c >= '0' && c <= '9'; }
static int is_blank(char c) { return c == ' ' || c == '\t'; }
static char peek(const Text* text) { return *text->at; }
static void skip(Text* text) { text->at++; }
static void skip_blanks(Text* text)
{
   while (is_blank(peek(text)))
      skip(text);
}
static int accept(Text* text, char wanted)
{
   skip_blanks(text);
   if (peek(text) != wanted) return 0;
   skip(text);
   return 1;
}
static long number(Text* text)
{
   long value = 0;
   skip_blanks(text);
   if (!is_digit(peek(text))) text->errors++;
   for (; is_digit(peek(text)); skip(text))
      value = 10 * value + peek(text) - '0';
   return value;
}
static long sum(Text* text);
static long factor(Text* text)
{
   if (!accept(text, '(')) return number(text);
   text->depth++;
   long value = sum(text);
   if (!accept(text, ')')) text->errors++;
   return value;
}
static long product(Text* text)
{
   long value = factor(text);
   while (accept(text, '*'))
      value *= factor(text);
   return value;
}
static long sum(Text* text)
{
   long value = product(text);
   for (;;)
      if (accept(text, '+'))
         value += product(text);
      else if (accept(text, '-'))
         value -= product(text);
      else
         return value;
}

int main(void)
{
   const char* texts[] = {"1 + 2 * 3", "(4+5) * (6 - 7)", " ((8)) * 9 - 10 *11", "12 +", "2*(3+4*(5-6))"};
   long all = 0;
   for (int i = 0; i < 5; i++) {
      Text text = {texts[i], 0, 0};
      all += sum(&text) + text.depth + 100 * text.errors;
   }
   printf("%ld\n", all);
   return 0;
}
