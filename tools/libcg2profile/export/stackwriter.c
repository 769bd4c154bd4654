#include "export/stackwriter.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

uint32_t* cg2p_stackwriter_numbers(StackWriter* w, size_t n)
{
   uint32_t* numbers =
      cg2p_arena_add(&w->scratch, &w->failure, n * sizeof *numbers);
   return memset(numbers, 0, n * sizeof *numbers);
}

void cg2p_stackwriter_find_self(StackWriter* w)
{
   const cg2p_stacks* stacks = w->stacks;
   size_t width = stacks->part->n_events, n = stacks->n * width;
   w->self = cg2p_memory_grow(&w->failure, w->self, &w->self_room, n + 1,
                              sizeof *w->self);
   memcpy(w->self, stacks->inclusive, n * sizeof *w->self);
   for (uint32_t i = 0; i < stacks->n; i++) {
      uint32_t caller = stacks->of[i].caller;
      if (caller == CG2P_NONE) continue;
      const uint64_t* cost = stacks->inclusive + i * width;
      for (size_t event = 0; event < width; event++)
         w->self[caller * width + event] -= cost[event];
   }
}

/*--- Names --------------------------------------------------------------*/

Text cg2p_stackwriter_shown_name(const StackWriter* w, uint32_t function)
{
   size_t length;
   bool is_spoken = w->spoken && function != w->stacks->small;
   const char* name =
      is_spoken ? cg2p_display_name(w->spoken, function, &length)
                : cg2p_stacks_function_name(w->stacks, function, &length);
   return (Text){name, name + length};
}

/*--- JSON ---------------------------------------------------------------*/

/* Writes half of a character above U+FFFF, or a whole other one. */
static void put_escape(StackWriter* w, uint32_t code)
{
   char escape[] = "\\u0000";
   for (int i = 5; i > 1; i--, code >>= 4)
      escape[i] = "0123456789abcdef"[code & 0xf];
   cg2p_stackwriter_put(w, escape);
}

static void put_character(StackWriter* w, uint32_t code)
{
   static const char special[] = "\"\"\\\\\nn\rr\tt\bb\ff";
   const char* found = code && code < 0x80 ? strchr(special, code) : NULL;
   if (found && (found - special) % 2) found = NULL;
   if (found) {
      char escape[] = {'\\', found[1], 0};
      cg2p_stackwriter_put(w, escape);
   } else if (code >= ' ' && code < 0x7f)
      cg2p_output_letter(&w->output, code);
   else if (code < 0x10000)
      put_escape(w, code);
   else {
      put_escape(w, 0xd800 + ((code - 0x10000) >> 10));
      put_escape(w, 0xdc00 + (code & 0x3ff));
   }
}

void cg2p_stackwriter_put_json(StackWriter* w, const char* text, size_t length)
{
   cg2p_stackwriter_put(w, "\"");
   while (length) {
      Character character = cg2p_utf8_first(text, length);
      put_character(w, character.code);
      text += character.length;
      length -= character.length;
   }
   cg2p_stackwriter_put(w, "\"");
}

void cg2p_stackwriter_put_json_name(StackWriter* w, const StoredName* name)
{
   cg2p_stackwriter_put_json(w, name->text, name->length);
}

void cg2p_stackwriter_put_json_function(StackWriter* w, uint32_t function)
{
   Text name = cg2p_stackwriter_shown_name(w, function);
   cg2p_stackwriter_put_json(w, name.start, cg2p_text_length(name));
}

Text cg2p_stackwriter_command(const cg2p_stacks* stacks)
{
   const char* command = stacks->part->cmd;
   return cg2p_text_strip((Text){command, command + strlen(command)});
}

void cg2p_stackwriter_put_program(StackWriter* w)
{
   const char* path = w->stacks->profile->path;
   Text command = cg2p_stackwriter_command(w->stacks);
   if (command.start == command.end)
      command = (Text){path, path + strlen(path)};
   cg2p_stackwriter_put_json(w, command.start, cg2p_text_length(command));
}
