#include "machine/image.h"

#include <gelf.h>

/* The segment of the file that has an address; false: none. */
static bool find_segment(Elf* elf, uint64_t address, GElf_Phdr* segment)
{
   size_t n;
   if (elf_getphdrnum(elf, &n) != 0) return false;
   for (size_t i = 0; i < n; i++)
      if (gelf_getphdr(elf, i, segment) && segment->p_type == PT_LOAD &&
          segment->p_vaddr <= address &&
          address - segment->p_vaddr < segment->p_filesz)
         return true;
   return false;
}

const uint8_t* cg2d_image_bytes_at(cg2d_object* object,
                                   uint64_t low,
                                   uint64_t high,
                                   size_t* length)
{
   GElf_Addr bias;
   GElf_Phdr segment;
   Elf* elf = dwfl_module_getelf(object->module, &bias);
   *length = 0;
   if (!elf || !find_segment(elf, low, &segment)) return NULL;
   uint64_t inner = low - segment.p_vaddr;
   uint64_t size = high - low;
   if (size > segment.p_filesz - inner) size = segment.p_filesz - inner;
   Elf_Data* data =
      elf_getdata_rawchunk(elf, segment.p_offset + inner, size, ELF_T_BYTE);
   if (!data) return NULL;
   *length = data->d_size;
   return data->d_buf;
}
