#include "base/json.h"

/*--- Characters ---------------------------------------------------------*/

/* What UTF-8 allows behind a first byte: how many bytes follow, and from which
 * to which the second is, so that no character is longer than it has to be, nor
 * a surrogate, nor beyond U+10FFFF. Source: RFC 3629, chapter 4. */
static const struct {
   UChar first, last; /* first bytes */
   UChar n;           /* bytes that follow */
   UChar least, most; /* the second byte */
} forms[] = {
   {0xC2, 0xDF, 1, 0x80, 0xBF}, {0xE0, 0xE0, 2, 0xA0, 0xBF},
   {0xE1, 0xEC, 2, 0x80, 0xBF}, {0xED, 0xED, 2, 0x80, 0x9F},
   {0xEE, 0xEF, 2, 0x80, 0xBF}, {0xF0, 0xF0, 3, 0x90, 0xBF},
   {0xF1, 0xF3, 3, 0x80, 0xBF}, {0xF4, 0xF4, 3, 0x80, 0x8F},
};

static Bool is_between(UChar byte, UChar least, UChar most)
{
   return least <= byte && byte <= most;
}

/* How many bytes the character takes that the text begins with, which is not
 * ASCII; 0: it begins with none. */
static UInt character_size(const UChar* text)
{
   for (UInt i = 0; i < sizeof forms / sizeof *forms; i++) {
      if (!is_between(text[0], forms[i].first, forms[i].last)) continue;
      if (!is_between(text[1], forms[i].least, forms[i].most)) return 0;
      for (UInt k = 2; k <= forms[i].n; k++)
         if (!is_between(text[k], 0x80, 0xBF)) return 0;
      return 1 + forms[i].n;
   }
   return 0;
}

/* Appends an ASCII character as it stands in a string. */
static void write_ascii(Sink* sink, UChar c)
{
   static const HChar digits[] = "0123456789abcdef";
   if (c < ' ' || c == 0x7F) {
      cg2_sink_text(sink, "\\u00");
      cg2_sink_char(sink, digits[c >> 4]);
      cg2_sink_char(sink, digits[c & 15]);
      return;
   }
   if (c == '"' || c == '\\') cg2_sink_char(sink, '\\');
   cg2_sink_char(sink, c);
}

static void write_string(Sink* sink, const HChar* string)
{
   const UChar* text = (const UChar*)string;
   cg2_sink_char(sink, '"');
   while (*text) {
      UInt size = *text < 0x80 ? 1 : character_size(text);
      if (size == 1)
         write_ascii(sink, *text);
      else if (size == 0)
         cg2_sink_text(sink, "\xEF\xBF\xBD");
      else
         for (UInt i = 0; i < size; i++)
            cg2_sink_char(sink, text[i]);
      text += size ? size : 1;
   }
   cg2_sink_char(sink, '"');
}

/*--- Objects and lists --------------------------------------------------*/

static void begin_line(Json* json)
{
   cg2_sink_char(json->sink, '\n');
   for (UInt i = 0; i < json->depth; i++)
      cg2_sink_char(json->sink, ' ');
}

/* Separates what comes next from what stands in front. */
static void begin_value(Json* json)
{
   if (json->is_behind) cg2_sink_char(json->sink, ',');
   if (json->depth && !json->is_in_line) begin_line(json);
   json->is_in_line = False;
   json->is_behind = True;
}

void cg2_json_begin(Json* json, HChar bracket)
{
   begin_value(json);
   cg2_sink_char(json->sink, bracket);
   json->depth++;
   json->is_behind = False;
}

void cg2_json_end(Json* json, HChar bracket)
{
   json->depth--;
   if (json->is_behind) begin_line(json);
   cg2_sink_char(json->sink, bracket);
   json->is_behind = True;
   if (!json->depth) cg2_sink_char(json->sink, '\n');
}

void cg2_json_key(Json* json, const HChar* key)
{
   begin_value(json);
   write_string(json->sink, key);
   cg2_sink_text(json->sink, ": ");
   json->is_behind = False;
   json->is_in_line = True;
}

/*--- Values -------------------------------------------------------------*/

void cg2_json_text(Json* json, const HChar* text)
{
   begin_value(json);
   if (text)
      write_string(json->sink, text);
   else
      cg2_sink_text(json->sink, "null");
}

void cg2_json_number(Json* json, ULong number)
{
   begin_value(json);
   cg2_sink_decimal(json->sink, number);
}

void cg2_json_numbers(Json* json, const ULong* numbers, UInt n)
{
   begin_value(json);
   for (UInt i = 0; i < n; i++) {
      cg2_sink_text(json->sink, i ? ", " : "[");
      cg2_sink_decimal(json->sink, numbers[i]);
   }
   cg2_sink_text(json->sink, n ? "]" : "[]");
}
