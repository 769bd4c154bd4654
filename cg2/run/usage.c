#include "run/usage.h"

#include "model/described/catalog.h"
#include "model/described/description.h"

enum {
   INDENT = 4,  /* of an option */
   COLUMN = 32, /* where texts begin, if the option leaves room for that */
   GAP = 2,     /* before the text where it does not */
   WIDTH = 80
};

/*--- Options ------------------------------------------------------------*/

/* A line that is being put together. */
typedef struct HelpLine {
   HChar text[WIDTH + 1];
   UInt n; /* characters */
} HelpLine;

/* Puts a word at a column that the line has not come to, or on a new line. */
static void
add_word(HelpLine* line, UInt column, const HChar* word, SizeT length)
{
   if (column + length > WIDTH) {
      VG_(printf)("%s\n", line->text);
      line->n = 0;
      column = COLUMN;
   }
   while (line->n < column)
      line->text[line->n++] = ' ';
   for (SizeT i = 0; i < length; i++)
      line->text[line->n++] = word[i];
   line->text[line->n] = '\0';
}

/* Puts the words of a text, the first at a column, the others behind it. */
static void add_text(HelpLine* line, UInt column, const HChar* text)
{
   while (*text) {
      SizeT length = 0;
      while (text[length] && text[length] != ' ')
         length++;
      add_word(line, column, text, length);
      column = line->n + 1;
      text += text[length] ? length + 1 : length;
   }
}

static void print_option(const Option* o)
{
   HChar values[OPTION_VALUES_TEXT], preset[OPTION_PRESET_TEXT];
   cg2_option_values(o, values);
   cg2_option_preset(o, preset);
   HelpLine line = {.n = 0};
   add_text(&line, INDENT, o->name);
   add_text(&line, line.n, values);
   add_text(&line, line.n + GAP > COLUMN ? line.n + GAP : COLUMN, o->help);
   if (preset[0]) {
      HChar shown[OPTION_PRESET_TEXT + 2];
      VG_(sprintf)(shown, "[%s]", preset);
      add_text(&line, line.n + 1, shown);
   }
   VG_(printf)("%s\n", line.text);
}

void cg2_usage_print(const OptionGroup* group)
{
   if (group->title) VG_(printf)("\n   %s:\n", group->title);
   for (UInt i = 0; i < group->n; i++)
      print_option(&group->options[i]);
   if (group->print_more) group->print_more();
}

/*--- Machines -----------------------------------------------------------*/

/* Prints the line of one machine: its name, and what the machine is. */
static void print_machine(const HChar* name)
{
   Processor p;
   HChar error[PROCESSOR_TEXT];
   const HChar* why;
   UInt line;
   HChar* path = cg2_catalog_path(name);
   HChar* text = cg2_catalog_read(path, &why);
   if (text && cg2_description_parse(text, &p, error, &line))
      VG_(printf)("    %-16s %s\n", name, p.name);
   if (text) VG_(free)(text);
   VG_(free)(path);
}

void cg2_usage_print_machines(void)
{
   VG_(printf)("\n   machines that --machine=<name> simulates:\n");
   cg2_catalog_list(print_machine);
}
