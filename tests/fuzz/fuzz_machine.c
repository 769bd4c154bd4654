/* Any text is a description of a processor that can be simulated, or is refused
 * in one line that says where. */
#include "model/described/description.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void fail(const char* what)
{
   fprintf(stderr, "%s\n", what);
   abort();
}

static UInt count_lines(const char* text)
{
   UInt n = 1;
   for (; *text; text++)
      n += *text == '\n';
   return n;
}

static void check_refusal(const char* text, const HChar* error, UInt line)
{
   if (!error[0]) fail("it is refused without a word");
   if (strlen(error) >= PROCESSOR_TEXT) fail("the error has no room");
   for (const char* p = error; *p; p++)
      if ((unsigned char)*p < ' ') fail("the error is not one line of text");
   if (line < 1 || line > count_lines(text)) fail("there is no such line");
}

static void check_processor(const Processor* p)
{
   if (!p->n_levels || p->n_levels > PROCESSOR_LEVELS_MAX)
      fail("another number of levels");
   HChar name[PROCESSOR_NAME];
   if (strlen(p->name) >= sizeof p->name) fail("the name has no room");
   cg2_processor_predictor_name(&p->predictor, name);
   if (strlen(name) >= sizeof name) fail("the predictor's name has no room");
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
   static Processor processor;
   HChar error[PROCESSOR_TEXT];
   UInt line = 0;
   char* text = strndup((const char*)data, size);
   if (cg2_description_parse(text, &processor, error, &line))
      check_processor(&processor);
   else
      check_refusal(text, error, line);
   free(text);
   return 0;
}
