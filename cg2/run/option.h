/* An option of the command line: its name, its values, what --help says about
 * it, and what it sets.
 *
 * All that is known of an option is its row in run/options.c. How the value is
 * read (run/optionreader.h), and how --help shows it, follows from the option's
 * kind. */
#ifndef CG2_OPTION_H
#define CG2_OPTION_H

#include "code/rules.h"
#include "model/cache/geometry.h"

typedef enum OptionKind {
   OPTION_SWITCH,   /* yes or no: sets `yes` */
   OPTION_WORD,     /* one of `words`: calls `set` */
   OPTION_NUMBER,   /* from `low` to `high`: sets `number` */
   OPTION_COUNT,    /* the same, with 64 bits: sets `count` */
   OPTION_TEXT,     /* sets `text` */
   OPTION_PATTERN,  /* of names: adds a rule of the kind `rule` */
   OPTION_NUMBERED, /* the same, with a number behind the option's name */
   OPTION_OTHER,    /* `take` reads the value */
   N_OPTION_KINDS
} OptionKind;

typedef struct OptionWord {
   const HChar* text; /* NULL: behind the last word */
   UInt value;
} OptionWord;

typedef struct Option Option;

/* Fields that an option does not need are 0. */
struct Option {
   const HChar* name; /* with the dashes, without a number and "=" */
   OptionKind kind;
   const HChar* help;   /* of --help, without the default */
   const HChar* values; /* of --help; NULL: what all of the kind have */
   const HChar* preset; /* the default; NULL: what the option sets says it */
   union {
      Bool* yes;
      UInt* number;
      ULong* count;
      const HChar** text;
      RuleKind rule;
      Geometry* cache; /* for `take` */
      void (*set)(UInt value);
   };
   const OptionWord* words;
   ULong low, high;
   void (*take)(const Option* o, const HChar* arg, const HChar* text);
   const HChar** spelling; /* is set to the option's name */
   Bool* bare;             /* is set where the option has no value */
   Bool* turns_on;         /* is set by any value */
   Bool* yes_turns_on;     /* is set by yes */
   Bool* turns_off;        /* is cleared by any value */
};

enum { OPTION_VALUES_TEXT = 80, OPTION_PRESET_TEXT = 80 };

/* The texts of words, with `comma` between them, but `last` before the last
 * one.
 */
void cg2_option_list(const OptionWord* words,
                     HChar* text,
                     const HChar* comma,
                     const HChar* last);

/* What --help shows behind the name: "=no|yes". */
void cg2_option_values(const Option* o, HChar text[OPTION_VALUES_TEXT]);

/* The default, as long as no option has been taken. Empty: there is none. */
void cg2_option_preset(const Option* o, HChar text[OPTION_PRESET_TEXT]);

#endif
