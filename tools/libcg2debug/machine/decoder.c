#include "machine/decoder.h"

#include <stdlib.h>

/* ------------------------------------------------------------ forms */

const char* cg2d_decoder_form(Decoder* decoder, const char* form)
{
   FormTexts* forms = &decoder->forms;
   size_t length = strlen(form);
   uint32_t hash = cg2p_hash_text(form, length);
   uint32_t number =
      cg2p_hash_find(&forms->table, hash, i, strcmp(forms->all[i], form) == 0);
   if (number != CG2P_NONE) return forms->all[number];
   forms->all = cg2p_memory_grow(decoder->failure, forms->all, &forms->room,
                                 forms->n + 1, sizeof *forms->all);
   forms->all[forms->n] =
      cg2p_arena_text(decoder->arena, decoder->failure, form, length);
   cg2p_hash_add(&forms->table, decoder->failure, hash, forms->n);
   return forms->all[forms->n++];
}

/* ------------------------------------------------------------ registers */

static void add(uint8_t* set, uint8_t* n, size_t room, uint8_t number)
{
   if (number == CG2P_NO_REGISTER || *n == room) return;
   for (unsigned i = 0; i < *n; i++)
      if (set[i] == number) return;
   set[(*n)++] = number;
}

void cg2d_decoder_read(cg2p_operation* to, uint8_t number)
{
   add(to->reads, &to->n_reads, sizeof to->reads, number);
}

void cg2d_decoder_write(cg2p_operation* to, uint8_t number)
{
   add(to->writes, &to->n_writes, sizeof to->writes, number);
}

void cg2d_decoder_address(cg2p_operation* to, uint8_t number)
{
   add(to->address, &to->n_address, sizeof to->address, number);
}

/* ------------------------------------------------------------ decoding */

bool cg2d_decoder_begin(Decoder* decoder)
{
   cs_mode mode = decoder->word == 8 ? CS_MODE_64 : CS_MODE_32;
   cs_err error = decoder->is_arm
                     ? cs_open(CS_ARCH_ARM64, CS_MODE_ARM, &decoder->handle)
                     : cs_open(CS_ARCH_X86, mode, &decoder->handle);
   if (error != CS_ERR_OK) return false;
   cs_option(decoder->handle, CS_OPT_DETAIL, CS_OPT_ON);
   decoder->instruction = cs_malloc(decoder->handle);
   return decoder->instruction;
}

void cg2d_decoder_end(Decoder* decoder)
{
   if (decoder->instruction) cs_free(decoder->instruction, 1);
   if (decoder->handle) cs_close(&decoder->handle);
   cg2p_hash_free(&decoder->forms.table);
   free(decoder->forms.all);
}
