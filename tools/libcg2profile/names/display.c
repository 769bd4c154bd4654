/* Names of functions that are shown together, as a person says them; those of
 * two functions that are not the same are told apart. */
#include "base/shorten.h"
#include "names/rust.h"
#include "profile/names.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cg2p_display {
   NameStore said;
   uint32_t* of; /* of each function, a number in `said` */
};

/* A name in full, and what is said of it. */
typedef struct Spoken {
   Saying saying;
   bool is_new; /* it is to be said in this way yet */
   uint32_t said;
} Spoken;

enum { NOBODY = 0, SEVERAL = UINT32_MAX };

/* Names while they are told apart. */
typedef struct Speaking {
   Failure failure;
   cg2p_display* made;
   NameStore full;
   Spoken* names;   /* of `full` */
   uint32_t* whose; /* of each that is said: number + 1 of the name in full */
   size_t whose_room;
   char* room;
   size_t room_size;
} Speaking;

/*--- Functions without a name -------------------------------------------*/

/* How many bytes of a name are an address, which takes the name's place; 0: it
 * has a name. */
static size_t address_length(const char* name)
{
   size_t length = 2;
   if (name[0] != '0' || name[1] != 'x') return 0;
   while (strchr("0123456789abcdef", name[length]) && name[length])
      length++;
   return length > 2 && (!name[length] || name[length] == '\'') ? length : 0;
}

static char* give_room(Speaking* s, size_t size)
{
   return s->room =
             cg2p_memory_grow(&s->failure, s->room, &s->room_size, size, 1);
}

/* The name with paths in place of Rust's symbols. */
static const char* with_paths(Speaking* s, const char* name)
{
   size_t length = strlen(name);
   char* room = give_room(s, 2 * length + 1);
   size_t n = cg2p_rust_paths(name, length, room);
   room[n] = 0;
   return n ? room : name;
}

/* The name in full, where one is needed with the object's. */
static const char* full_name(Speaking* s, const cg2p_named* function)
{
   const char *name = function->name, *object = function->object;
   if (!object || !strcmp(object, "???") || !address_length(name))
      return with_paths(s, name);
   const char* slash = strrchr(object, '/');
   if (slash && slash[1]) object = slash + 1;
   const char* digits = name + 2;
   while (digits[0] == '0' && digits[1] && digits[1] != '\'')
      digits++;
   size_t size = strlen(object) + strlen(digits) + sizeof "+0x";
   snprintf(give_room(s, size), size, "%s+0x%s", object, digits);
   return s->room;
}

static void find_full_names(Speaking* s,
                            const cg2p_named* functions,
                            size_t n,
                            uint32_t* full_of)
{
   for (size_t i = 0; i < n; i++) {
      const char* name = full_name(s, &functions[i]);
      full_of[i] = cg2p_names_intern(&s->full, &s->failure, name, strlen(name));
   }
}

/*--- Telling apart ------------------------------------------------------*/

static void say(Speaking* s, uint32_t number)
{
   const StoredName* name = &s->full.of[number];
   Spoken* spoken = &s->names[number];
   give_room(s, name->length + 1);
   size_t length =
      cg2_shorten_name(name->text, name->length, spoken->saying, s->room);
   spoken->said =
      cg2p_names_intern(&s->made->said, &s->failure, s->room, length);
   spoken->is_new = false;
   s->whose = cg2p_memory_grow_cleared(&s->failure, s->whose, &s->whose_room,
                                       s->made->said.n, sizeof *s->whose);
   uint32_t* whose = &s->whose[spoken->said];
   *whose = *whose == NOBODY ? number + 1 : SEVERAL;
}

/* Has names that are said as others are said with more of them; whether there
 * are any. */
static bool say_more(Speaking* s)
{
   bool has_more = false;
   for (size_t i = 0; i < s->full.n; i++) {
      Spoken* spoken = &s->names[i];
      if (s->whose[spoken->said] != SEVERAL || spoken->saying == SAY_ALL)
         continue;
      spoken->saying++;
      has_more = spoken->is_new = true;
   }
   return has_more;
}

static void tell_apart(Speaking* s)
{
   s->names = cg2p_memory_allocate(&s->failure, s->full.n * sizeof *s->names);
   for (size_t i = 0; i < s->full.n; i++)
      s->names[i].is_new = true;
   do
      for (size_t i = 0; i < s->full.n; i++)
         if (s->names[i].is_new) say(s, i);
   while (say_more(s));
}

/*--- The operation ------------------------------------------------------*/

static void end_speaking(Speaking* s)
{
   cg2p_names_free(&s->full);
   free(s->names);
   free(s->whose);
   free(s->room);
}

static bool try_to_speak(Speaking* s, const cg2p_named* functions, size_t n)
{
   if (setjmp(s->failure.caught)) return false;
   cg2p_display* made = s->made =
      cg2p_memory_allocate(&s->failure, sizeof *s->made);
   made->of = cg2p_memory_allocate(&s->failure, n * sizeof *made->of);
   find_full_names(s, functions, n, made->of);
   tell_apart(s);
   for (size_t i = 0; i < n; i++)
      made->of[i] = s->names[made->of[i]].said;
   return true;
}

cg2p_display*
cg2p_display_new(const cg2p_named* functions, size_t n, cg2p_error* error)
{
   Speaking s = {.failure = {.path = "names", .error = error}};
   bool has_spoken = try_to_speak(&s, functions, n);
   end_speaking(&s);
   if (has_spoken) return s.made;
   cg2p_display_free(s.made);
   return NULL;
}

const char*
cg2p_display_name(const cg2p_display* display, size_t i, size_t* length)
{
   const StoredName* name = &display->said.of[display->of[i]];
   if (length) *length = name->length;
   return name->text;
}

void cg2p_display_free(cg2p_display* display)
{
   if (!display) return;
   cg2p_names_free(&display->said);
   free(display->of);
   free(display);
}
