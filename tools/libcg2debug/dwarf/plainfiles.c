#include "dwarf/plainfiles.h"

#include <dwarf.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

bool cg2d_plainfiles_is_file(const char* path)
{
   struct stat there;
   return stat(path, &there) < 0 || S_ISREG(there.st_mode);
}

/* Whether what `name` is in a directory is a file, or nothing; `of` is a file
 * of the directory. A path that is too long is none. */
static bool is_file_beside(const char* of, const char* below, const char* name)
{
   char path[PATH_MAX];
   const char* slash = strrchr(of, '/');
   int length = slash ? slash - of : 1;
   int n = snprintf(path, sizeof path, "%.*s/%s%s", length, slash ? of : ".",
                    below, name);
   return n < 0 || (size_t)n >= sizeof path || cg2d_plainfiles_is_file(path);
}

bool cg2d_plainfiles_is_link(const char* file, const char* link)
{
   if (!link) return true;
   if (*link == '/' && !cg2d_plainfiles_is_file(link)) return false;
   return !file || (is_file_beside(file, "", link) &&
                    is_file_beside(file, ".debug/", link));
}

static const char* text_of(Dwarf_Die* unit, unsigned attribute, unsigned older)
{
   Dwarf_Attribute found;
   if (!dwarf_attr(unit, attribute, &found) &&
       !(older && dwarf_attr(unit, older, &found)))
      return NULL;
   return dwarf_formstring(&found);
}

bool cg2d_plainfiles_are_split(Dwarf* dwarf, const char* path)
{
   Dwarf_CU* unit = NULL;
   Dwarf_Die top;
   char packed[PATH_MAX];
   int n = snprintf(packed, sizeof packed, "%s.dwp", path);
   if (n > 0 && (size_t)n < sizeof packed && !cg2d_plainfiles_is_file(packed))
      return false;
   while (dwarf_get_units(dwarf, unit, &unit, NULL, NULL, &top, NULL) == 0) {
      const char* name = text_of(&top, DW_AT_dwo_name, DW_AT_GNU_dwo_name);
      if (!name) continue;
      const char* directory = text_of(&top, DW_AT_comp_dir, 0);
      char whole[PATH_MAX] = "";
      if (directory) snprintf(whole, sizeof whole, "%s/x", directory);
      if (*name == '/' ? !cg2d_plainfiles_is_file(name)
                       : !is_file_beside(path, "", name) ||
                            (directory && !is_file_beside(whole, "", name)))
         return false;
   }
   return true;
}
