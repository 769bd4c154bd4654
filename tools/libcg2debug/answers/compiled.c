/* Which files an object was compiled from, as its line tables say. */
#include "base/search.h"
#include "dwarf/entries.h"

#include <limits.h>
#include <string.h>

/* The search for files in an object's units. */
typedef struct CompiledSearch {
   cg2d_object* object;
   Failure* failure;
   const char* const* names; /* in the order of their bytes */
   size_t n, left;           /* so many are not found */
   uint8_t* found;
} CompiledSearch;

/* Takes "." and ".." and slashes behind slashes out of a path that begins with
 * one, into `plain`, which has room for as many bytes. */
static void write_plain(char* plain, const char* path)
{
   char* end = plain;
   while (*path) {
      size_t length = strcspn(path, "/");
      bool is_up = length == 2 && path[0] == '.' && path[1] == '.';
      if (is_up)
         while (end > plain && *--end != '/') {
         }
      else if (length && !(length == 1 && path[0] == '.')) {
         *end++ = '/';
         memcpy(end, path, length);
         end += length;
      }
      path += length;
      path += *path == '/';
   }
   if (end == plain) *end++ = '/';
   *end = 0;
}

static void look_up(CompiledSearch* search, const char* path)
{
   char plain[PATH_MAX + 1];
   if (path[0] != '/' || strlen(path) >= PATH_MAX) return;
   write_plain(plain, path);
   const char* const* names = search->names;
   size_t at = cg2p_search_first(i, 0, search->n, strcmp(names[i], plain) < 0);
   if (at == search->n || strcmp(names[at], plain) || search->found[at]) return;
   search->found[at] = 1;
   search->left--;
}

static void visit(void* data, Dwarf_Die* unit)
{
   CompiledSearch* search = data;
   Dwarf_Files* files;
   size_t n;
   if (!search->left || dwarf_getsrcfiles(unit, &files, &n) != 0) return;
   for (size_t i = 0; i < n && search->left; i++) {
      const char* file = dwarf_filesrc(files, i, NULL, NULL);
      if (file)
         look_up(search, cg2d_entries_whole_path(search->object,
                                                 search->failure, unit, file));
   }
}

int cg2d_object_find_files(cg2d_object* object,
                           const char* const* names,
                           size_t n,
                           uint8_t* found,
                           cg2p_error* error)
{
   Failure failure = {.path = object->path, .error = error};
   CompiledSearch search = {object, &failure, names, n, n, found};
   memset(found, 0, n);
   if (setjmp(failure.caught)) return -1;
   cg2d_object_each_unit(object, visit, &search);
   return 0;
}
