#include "names/rust.h"
#include "base/number.h"

#include <string.h>

enum { HASH = 17 }; /* letters: "h" and 16 digits */

/* What stands for letters that symbols cannot have. */
static const struct Escape {
   const char *mark, *letters;
} escapes[] = {
   {"$SP$", "@"},  {"$BP$", "*"},   {"$RF$", "&"},  {"$LT$", "<"},
   {"$GT$", ">"},  {"$LP$", "("},   {"$RP$", ")"},  {"$C$", ","},
   {"$u20$", " "}, {"$u22$", "\""}, {"$u27$", "'"}, {"$u2b$", "+"},
   {"$u3b$", ";"}, {"$u5b$", "["},  {"$u5d$", "]"}, {"$u7b$", "{"},
   {"$u7d$", "}"}, {"$u7e$", "~"},  {"..", "::"},
};

static bool starts(Text text, const char* start)
{
   size_t length = strlen(start);
   return cg2p_text_length(text) >= length &&
          !memcmp(text.start, start, length);
}

/* The piece of a path that is here, behind its length, which is skipped; empty:
 * there is none. */
static Text next_piece(Text* symbol)
{
   size_t length = 0;
   const char* p = symbol->start;
   for (; p < symbol->end && cg2p_text_is_digit(*p) && length < 10000; p++)
      length = 10 * length + (*p - '0');
   if (length > (size_t)(symbol->end - p)) length = 0;
   symbol->start = p + length;
   return (Text){p, p + length};
}

static size_t put_piece(Text piece, char* room)
{
   size_t n = 0;
   if (starts(piece, "_$")) piece.start++;
   while (piece.start < piece.end) {
      const char* letters = NULL;
      for (size_t i = 0; i < sizeof escapes / sizeof *escapes && !letters; i++)
         if (starts(piece, escapes[i].mark)) {
            letters = escapes[i].letters;
            piece.start += strlen(escapes[i].mark);
         }
      if (letters)
         for (; *letters; letters++)
            room[n++] = *letters;
      else
         room[n++] = *piece.start++;
   }
   return n;
}

static bool is_hash(Text piece)
{
   if (cg2p_text_length(piece) != HASH || *piece.start != 'h') return false;
   for (const char* p = piece.start + 1; p < piece.end; p++)
      if (cg2p_number_hexadecimal(*p) < 0) return false;
   return true;
}

/* Writes the path of the symbol that *rest begins with, which is skipped; 0:
 * there is none. */
static size_t put_path(Text* rest, char* room)
{
   Text symbol = *rest, piece;
   size_t n = 0;
   bool has_hash = false;
   if (!starts(symbol, "_ZN")) return 0;
   symbol.start += strlen("_ZN");
   while (piece = next_piece(&symbol), piece.start < piece.end) {
      if (n) {
         room[n++] = ':';
         room[n++] = ':';
      }
      n += put_piece(piece, room + n);
      has_hash = is_hash(piece);
   }
   if (!has_hash || symbol.start == symbol.end || *symbol.start != 'E')
      return 0;
   rest->start = symbol.start + 1;
   return n;
}

size_t cg2p_rust_paths(const char* name, size_t length, char* room)
{
   Text rest = {name, name + length};
   size_t n = 0;
   bool is_any = false, is_begin = true;
   if (!memmem(name, length, "_ZN", strlen("_ZN"))) return 0;
   while (rest.start < rest.end) {
      size_t path = is_begin ? put_path(&rest, room + n) : 0;
      n += path;
      is_any |= path != 0;
      if (rest.start == rest.end) break;
      is_begin = *rest.start == '\'';
      room[n++] = *rest.start++;
   }
   return is_any ? n : 0;
}
