#include "run/option.h"

void cg2_option_list(const OptionWord* words,
                     HChar* text,
                     const HChar* comma,
                     const HChar* last)
{
   UInt n = VG_(sprintf)(text, "%s", words->text);
   for (words++; words->text; words++)
      n += VG_(sprintf)(text + n, "%s%s", words[1].text ? comma : last,
                        words->text);
}

/*--- What --help says ---------------------------------------------------*/

/* What is shown behind the names of all options of a kind. */
static const HChar* const common_values[N_OPTION_KINDS] = {
   [OPTION_SWITCH] = "=no|yes", [OPTION_NUMBER] = "=<n>",
   [OPTION_COUNT] = "=<n>",     [OPTION_TEXT] = "=<f>",
   [OPTION_PATTERN] = "=<fn>",  [OPTION_NUMBERED] = "<n>=<fn>",
};

void cg2_option_values(const Option* o, HChar text[OPTION_VALUES_TEXT])
{
   if (o->values) {
      tl_assert(VG_(strlen)(o->values) < OPTION_VALUES_TEXT);
      VG_(sprintf)(text, "%s", o->values);
   } else if (o->kind == OPTION_WORD) {
      text[0] = '=';
      cg2_option_list(o->words, text + 1, "|", "|");
   } else {
      VG_(sprintf)(text, "%s", common_values[o->kind]);
   }
}

void cg2_option_preset(const Option* o, HChar text[OPTION_PRESET_TEXT])
{
   const HChar* known = o->preset;
   if (!known && o->kind == OPTION_SWITCH) known = *o->yes ? "yes" : "no";
   if (!known && o->kind == OPTION_TEXT) known = *o->text;
   text[0] = '\0';
   if (known) {
      tl_assert(VG_(strlen)(known) < OPTION_PRESET_TEXT);
      VG_(sprintf)(text, "%s", known);
   } else if (o->kind == OPTION_NUMBER) {
      VG_(sprintf)(text, "%u", *o->number);
   } else if (o->kind == OPTION_COUNT) {
      VG_(sprintf)(text, "%llu", *o->count);
   }
}
