#include "base/failure.h"
#include "base/utf8.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* How many bytes the character of UTF-8 at `text` has, which has `length`; 0:
 * it is none, or none that a terminal prints. */
static size_t printable(const char* text, size_t length)
{
   Character character = cg2p_utf8_first(text, length);
   uint32_t code = character.code;
   bool is_control = code < ' ' || (code >= 0x7f && code < 0xa0);
   return is_control || character.is_bad ? 0 : character.length;
}

/* Writes a byte that a terminal would not print as \n, \t, \r or \xNN to `to`,
 * which has room for 5 bytes; how many there are. */
static size_t escape_byte(char* to, unsigned char c)
{
   const char* found = c ? strchr("\nn\tt\rr", c) : NULL;
   if (found && c < ' ') return sprintf(to, "\\%c", found[1]);
   return sprintf(to, "\\x%02x", c);
}

/* Copies `text` to `to`, which has `room` bytes, as a terminal prints it. */
static void escape(char* to, size_t room, const char* text, size_t length)
{
   enum { CHARACTER_MAX = 5 };
   size_t n = 0;
   for (size_t i = 0; i < length && n + CHARACTER_MAX < room;) {
      size_t bytes = printable(text + i, length - i);
      if (bytes) memcpy(to + n, text + i, bytes);
      n += bytes ? bytes : escape_byte(to + n, text[i]);
      i += bytes ? bytes : 1;
   }
   to[n] = 0;
}

/* Ends the operation with an error of a kind, of a line of the file. */
static _Noreturn void fail_at(Failure* failure,
                              cg2p_error_kind kind,
                              uint64_t line,
                              const char* format,
                              va_list arguments)
{
   cg2p_error* error = failure->error;
   char message[1024];
   size_t room = sizeof error->text;
   vsnprintf(message, sizeof message, format, arguments);
   *error = (cg2p_error){.kind = kind, .line = line};
   size_t n = snprintf(error->text, room, "%s:", failure->path);
   if (line && n < room)
      n +=
         snprintf(error->text + n, room - n, "%llu:", (unsigned long long)line);
   if (n + 1 < room) {
      error->text[n++] = ' ';
      escape(error->text + n, room - n, message, strlen(message));
   }
   longjmp(failure->caught, 1);
}

_Noreturn void cg2p_failure_at_list(Failure* failure,
                                    uint64_t line,
                                    const char* format,
                                    va_list arguments)
{
   fail_at(failure, CG2P_MALFORMED, line, format, arguments);
}

_Noreturn void
cg2p_failure_at(Failure* failure, uint64_t line, const char* format, ...)
{
   va_list arguments;
   va_start(arguments, format);
   fail_at(failure, CG2P_MALFORMED, line, format, arguments);
}

_Noreturn void
cg2p_failure_cut_off(Failure* failure, uint64_t line, const char* format, ...)
{
   va_list arguments;
   va_start(arguments, format);
   fail_at(failure, CG2P_CUT_OFF, line, format, arguments);
}

_Noreturn void cg2p_failure_system(Failure* failure, int code)
{
   cg2p_error* error = failure->error;
   error->kind = CG2P_SYSTEM;
   error->code = code;
   error->line = 0;
   snprintf(error->text, sizeof error->text, "%s: %s", failure->path,
            strerror(code));
   longjmp(failure->caught, 1);
}

void cg2p_failure_say(cg2p_error* error,
                      cg2p_error_kind kind,
                      const char* path,
                      const char* message)
{
   *error = (cg2p_error){.kind = kind};
   snprintf(error->text, sizeof error->text, "%s: %s", path, message);
}

void cg2p_failure_say_no_memory(cg2p_error* error, const char* path)
{
   *error = (cg2p_error){.kind = CG2P_MEMORY, .code = ENOMEM};
   snprintf(error->text, sizeof error->text, "%s: there is no memory", path);
}

_Noreturn void cg2p_failure_memory(Failure* failure, size_t bytes)
{
   cg2p_error* error = failure->error;
   error->kind = CG2P_MEMORY;
   error->code = ENOMEM;
   error->line = 0;
   snprintf(error->text, sizeof error->text,
            "%s: there is no memory for %zu bytes more", failure->path, bytes);
   longjmp(failure->caught, 1);
}

const char* cg2p_failure_shown(char* room, const char* text, size_t length)
{
   enum { LONGEST = 60, KEPT = 57 };
   size_t characters = 0, kept = 0;
   for (size_t i = 0; i < length && characters <= LONGEST; characters++) {
      size_t bytes = printable(text + i, length - i);
      if (characters == KEPT) kept = i;
      i += bytes ? bytes : 1;
   }
   bool is_long = characters > LONGEST;
   escape(room, SHOWN_ROOM - 3, text, is_long ? kept : length);
   if (is_long) strcat(room, "...");
   return room;
}

const char* cg2p_failure_listed(char* room,
                                size_t size,
                                const char* const* words,
                                uint32_t n)
{
   size_t length = 0;
   room[0] = 0;
   for (uint32_t i = 0; i < n && length + 1 < size; i++)
      length +=
         snprintf(room + length, size - length, "%s%s", i ? " " : "", words[i]);
   return room;
}
