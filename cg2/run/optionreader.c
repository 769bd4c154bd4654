#include "run/optionreader.h"

#include "pub_tool_options.h"

/*--- Finding the value --------------------------------------------------*/

/* Whether the option may be given now. The core says, once, if an option cannot
 * be changed any more. */
static Bool may_be_given(const HChar* arg, const HChar* option)
{
   Bool was_said = VG_(Clo_Mode)() != cloP && VG_(Clo_Recognised)();
   return !was_said && VG_(check_clom)(cloP, arg, option, True);
}

/* The text behind the name of the option if the argument begins with it and the
 * option may be given now, else NULL. */
static const HChar* behind_name(const Option* o, const HChar* arg)
{
   SizeT length = VG_(strlen)(o->name);
   if (VG_(strncmp)(arg, o->name, length) != 0) return NULL;
   const HChar* text = arg + length;
   Bool is_alone = !*text && o->bare;
   Bool has_value = o->kind == OPTION_NUMBERED ? VG_(strchr)(text, '=') != NULL
                                               : *text == '=';
   if (!is_alone && !has_value) return NULL;
   return may_be_given(arg, o->name) ? text : NULL;
}

/*--- Reading the value --------------------------------------------------*/

static void take_switch(const Option* o, const HChar* arg, const HChar* text)
{
   *o->yes = VG_STREQ(text, "yes");
   if (!*o->yes && !VG_STREQ(text, "no"))
      VG_(fmsg_bad_option)(arg,
                           "Invalid boolean value '%s'"
                           " (should be 'yes' or 'no')\n",
                           text);
   if (*o->yes && o->yes_turns_on) *o->yes_turns_on = True;
}

static void take_word(const Option* o, const HChar* arg, const HChar* text)
{
   for (const OptionWord* word = o->words; word->text; word++)
      if (VG_STREQ(text, word->text)) {
         o->set(word->value);
         return;
      }
   HChar words[OPTION_VALUES_TEXT];
   cg2_option_list(o->words, words, ", ", " or ");
   VG_(fmsg_bad_option)(arg, "expected %s\n", words);
}

/* Reads all of `text` as a number of the option's, or ends the run. */
static ULong number(const Option* o, const HChar* arg, const HChar* text)
{
   ULong n = 0;
   const HChar* end = text;
   for (; *end >= '0' && *end <= '9' && n <= o->high; end++)
      n = 10 * n + (*end - '0');
   if (end == text || *end || n < o->low || n > o->high)
      VG_(fmsg_bad_option)(arg, "expected a number from %llu to %llu\n", o->low,
                           o->high);
   return n;
}

static void
add_rule(const Option* o, const HChar* arg, const HChar* pattern, UInt value)
{
   if (!*pattern)
      VG_(fmsg_bad_option)(arg, "expected a name, which may contain * and ?\n");
   cg2_rules_add(o->rule, pattern, value, arg);
}

/* Reads a number, "=" and a pattern. */
static void take_numbered(const Option* o, const HChar* arg, const HChar* text)
{
   const HChar* equals = VG_(strchr)(text, '=');
   HChar* digits = VG_(strdup)("cg2.option", text);
   digits[equals - text] = '\0';
   UInt value = number(o, arg, digits);
   VG_(free)(digits);
   add_rule(o, arg, equals + 1, value);
}

/* Reads what is behind "=". */
static void take_value(const Option* o, const HChar* arg, const HChar* text)
{
   switch (o->kind) {
   case OPTION_SWITCH:
      take_switch(o, arg, text);
      break;
   case OPTION_WORD:
      take_word(o, arg, text);
      break;
   case OPTION_NUMBER:
      *o->number = number(o, arg, text);
      break;
   case OPTION_COUNT:
      *o->count = number(o, arg, text);
      break;
   case OPTION_TEXT:
      *o->text = text;
      break;
   case OPTION_PATTERN:
      add_rule(o, arg, text, 0);
      break;
   case OPTION_OTHER:
      o->take(o, arg, text);
      break;
   default:
      tl_assert(0);
   }
}

Bool cg2_optionreader_take(const Option* o, const HChar* arg)
{
   const HChar* text = behind_name(o, arg);
   if (!text) return False;
   if (!*text)
      *o->bare = True;
   else if (o->kind == OPTION_NUMBERED)
      take_numbered(o, arg, text);
   else
      take_value(o, arg, text + 1);
   if (o->spelling) *o->spelling = o->name;
   if (o->turns_on) *o->turns_on = True;
   if (o->turns_off) *o->turns_off = False;
   return True;
}
