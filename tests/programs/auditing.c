/* A library that audits calls between objects (LD_AUDIT): the linker's resolver
 * tells it of each, and of each return from one if EXITS is defined. */

#define _GNU_SOURCE
#include <link.h>

unsigned la_version(unsigned version)
{
   return version < LAV_CURRENT ? version : LAV_CURRENT;
}

unsigned la_objopen(struct link_map* map, Lmid_t space, uintptr_t* cookie)
{
   (void)map;
   (void)space;
   (void)cookie;
   return LA_FLG_BINDTO | LA_FLG_BINDFROM;
}

uintptr_t la_x86_64_gnu_pltenter(Elf64_Sym* symbol,
                                 unsigned index,
                                 uintptr_t* from,
                                 uintptr_t* to,
                                 La_x86_64_regs* registers,
                                 unsigned* flags,
                                 const char* name,
                                 long* frame)
{
   (void)index;
   (void)from;
   (void)to;
   (void)registers;
   (void)flags;
   (void)name;
#ifdef EXITS
   *frame = 256; /* bytes of the caller's arguments, which are copied */
#else
   (void)frame;
#endif
   return symbol->st_value;
}

#ifdef EXITS
unsigned la_x86_64_gnu_pltexit(Elf64_Sym* symbol,
                               unsigned index,
                               uintptr_t* from,
                               uintptr_t* to,
                               const La_x86_64_regs* registers,
                               La_x86_64_retval* results,
                               const char* name)
{
   (void)symbol;
   (void)index;
   (void)from;
   (void)to;
   (void)registers;
   (void)results;
   (void)name;
   return 0;
}
#endif
