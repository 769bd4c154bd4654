#include "dwarf/separate.h"

#include "dwarf/plainfiles.h"
#include "dwarf/unpacked.h"

#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What tells an object from all others. */
typedef struct ObjectId {
   const unsigned char* bytes;
   int n; /* 0: it has none */
} ObjectId;

/* Whether a file says that it is of the object. */
static bool has_id(int fd, const ObjectId* id)
{
   const void* bytes;
   Elf* elf = elf_begin(fd, ELF_C_READ, NULL);
   ssize_t n = elf ? dwelf_elf_gnu_build_id(elf, &bytes) : -1;
   bool is_same = n == id->n && !memcmp(bytes, id->bytes, n);
   elf_end(elf);
   return is_same;
}

/* Opens the file that is where distributions put those of an id. */
static int open_by_id(const ObjectId* id, char** found)
{
   enum { LEAST = 3, MOST = 64 };
   char path[sizeof "/usr/lib/debug/.build-id//.debug" + 2 * MOST];
   if (id->n < LEAST || id->n > MOST) return -1;
   int n = snprintf(path, sizeof path, "/usr/lib/debug/.build-id/%02x/",
                    id->bytes[0]);
   for (int i = 1; i < id->n; i++)
      n += snprintf(path + n, sizeof path - n, "%02x", id->bytes[i]);
   snprintf(path + n, sizeof path - n, ".debug");
   if (!cg2d_plainfiles_is_file(path)) return -1;
   int fd = open(path, O_RDONLY | O_CLOEXEC);
   if (fd >= 0) *found = strdup(path);
   return fd;
}

/* Opens the file that a debug link leads to. libdwfl looks for it, and not for
 * what is of the module: what it has checked of that it keeps open, packed. */
static int
open_by_link(const char* file, const char* link, GElf_Word sum, char** found)
{
   static const Dwfl_Callbacks none = {.section_address =
                                          dwfl_offline_section_address};
   int fd = -1;
   Dwfl* dwfl = dwfl_begin(&none);
   if (!dwfl) return -1;
   dwfl_report_begin(dwfl);
   Dwfl_Module* module = dwfl_report_module(dwfl, file, 0, 1);
   if (module && dwfl_report_end(dwfl, NULL, NULL) == 0)
      fd = dwfl_standard_find_debuginfo(module, NULL, file, 0, file, link, sum,
                                        found);
   dwfl_end(dwfl);
   return fd;
}

int cg2d_separate_unpacked(int fd, bool has_places)
{
   int copy = fd < 0 ? -1 : cg2d_unpacked_copy(fd, has_places);
   if (copy < 0) return fd;
   close(fd);
   return copy;
}

/* The copy of what was found, which is closed; -1: it is not the object's, or
 * not packed. */
static int copy_of(int fd, const ObjectId* id, bool has_places, char** found)
{
   if (fd < 0) return -1;
   int copy =
      !id->n || has_id(fd, id) ? cg2d_unpacked_copy(fd, has_places) : -1;
   close(fd);
   if (copy >= 0) return copy;
   free(*found);
   *found = NULL;
   return -1;
}

int cg2d_separate_find(Dwfl_Module* module,
                       void** data,
                       const char* name,
                       Dwarf_Addr base,
                       const char* file,
                       const char* link,
                       GElf_Word sum,
                       char** found)
{
   GElf_Addr address;
   ObjectId id = {NULL, 0};
   if (!cg2d_plainfiles_is_link(file, link)) return -1;
   id.n = dwfl_module_build_id(module, &id.bytes, &address);
   if (id.n < 0) id.n = 0;
   int copy = copy_of(open_by_id(&id, found), &id, !*data, found);
   if (copy < 0 && file && link)
      copy = copy_of(open_by_link(file, link, id.n ? 0 : sum, found), &id,
                     !*data, found);
   if (copy >= 0) return copy;
   return dwfl_standard_find_debuginfo(module, data, name, base, file, link,
                                       sum, found);
}
