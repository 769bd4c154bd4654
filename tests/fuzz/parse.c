#include "parse.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { IDS_MAX = 1 << 16 };

/* By id; a name that is NULL is not defined yet. */
typedef struct Ids {
   const char* names[IDS_MAX];
   const char *objects[IDS_MAX], *files[IDS_MAX]; /* of a function */
   UInt n;                                        /* 1 .. n are defined */
} Ids;

static Ids object_ids, file_ids, function_ids;

typedef struct Parser {
   const WriterConfig* config;
   Parsed* parsed;
   char* next; /* line */
   UInt line;
   const char *object, *file, *function, *at_file;
   const char *callee_object, *callee_file, *callee;
   UInt id, callee_id; /* of the last name, of callee; 0 when not compressed */
   ULong instr, source_line; /* of the last cost line */
   Bool in_function;         /* a cost line came since fn= */
   char fault[200];
} Parser;

/*--- Lines --------------------------------------------------------------*/

__attribute__((format(printf, 2, 3))) static Bool
fail(Parser* p, const char* format, ...)
{
   int n = snprintf(p->fault, sizeof p->fault, "line %u: ", p->line);
   va_list args;
   va_start(args, format);
   vsnprintf(p->fault + n, sizeof p->fault - n, format, args);
   va_end(args);
   return False;
}

/* NULL at the end of the text. */
static char* next_line(Parser* p)
{
   char* line = p->next;
   char* end = strchr(line, '\n');
   if (!end) return NULL;
   *end = '\0';
   p->next = end + 1;
   p->line++;
   return line;
}

/* What follows `key` in a line that begins with it, or NULL. */
static char* behind(char* line, const char* key)
{
   SizeT n = strlen(key);
   return strncmp(line, key, n) == 0 ? line + n : NULL;
}

static Bool expect_line(Parser* p, const char* expected)
{
   const char* line = next_line(p);
   if (line && strcmp(line, expected) == 0) return True;
   return fail(p, "'%s', expected '%s'", line ? line : "", expected);
}

static Bool expect_key(Parser* p, const char* key, char** value)
{
   char* line = next_line(p);
   *value = line ? behind(line, key) : NULL;
   return *value ? True : fail(p, "no '%s'", key);
}

/*--- Numbers ------------------------------------------------------------*/

static Bool take_number(char** text, ULong* n)
{
   int base = strncmp(*text, "0x", 2) == 0 ? 16 : 10;
   const char* digits = *text + (base == 16 ? 2 : 0);
   if (!strchr("0123456789abcdef", *digits) || !*digits) return False;
   *n = strtoull(*text, text, base);
   return True;
}

/* A subposition, relative to *last, which it becomes. */
static Bool
take_position(Parser* p, char** text, ULong last, ULong* n, Bool is_hex)
{
   char sign = **text;
   if (sign == '*' || sign == '+' || sign == '-') {
      if (!p->config->compress_positions)
         return fail(p, "a difference where none is wanted");
      if (!p->in_function)
         return fail(p, "a function begins with a difference");
      ++*text;
      ULong distance = 0;
      if (sign != '*' && !take_number(text, &distance))
         return fail(p, "no number behind the sign");
      if (sign != '*' && (distance == 0 || distance >= 100))
         return fail(p, "a difference of %llu", distance);
      *n = sign == '-' ? last - distance : last + distance;
      return True;
   }
   if (is_hex != (strncmp(*text, "0x", 2) == 0))
      return fail(p, "a number of the wrong base: %s", *text);
   if (!take_number(text, n)) return fail(p, "no number: %s", *text);
   return True;
}

static Bool take_space(Parser* p, char** text)
{
   if (*(*text)++ != ' ') return fail(p, "no blank between numbers");
   return True;
}

/* All subpositions; absent ones are 0. */
static Bool take_positions(Parser* p, char** text, ULong* instr, ULong* line)
{
   const PositionConfig* shown = &p->config->positions;
   *instr = *line = 0;
   if (shown->has[POSITION_INSTR] &&
       !take_position(p, text, p->instr, instr, True))
      return False;
   if (shown->has[POSITION_INSTR] && shown->has[POSITION_LINE] &&
       !take_space(p, text))
      return False;
   return !shown->has[POSITION_LINE] ||
          take_position(p, text, p->source_line, line, False);
}

static Bool parse_sum(Parser* p, const char* key, ULong* sum)
{
   char* value;
   if (!expect_key(p, key, &value)) return False;
   if (!take_number(&value, sum) || *value) return fail(p, "no sum");
   return True;
}

/*--- Names --------------------------------------------------------------*/

static void forget(Ids* ids)
{
   for (; ids->n; ids->n--)
      ids->names[ids->n] = ids->objects[ids->n] = NULL;
}

static Bool define(Parser* p, Ids* ids, ULong id, const char* name)
{
   if (id != ids->n + 1) return fail(p, "(%llu) behind (%u)", id, ids->n);
   if (!*name) return fail(p, "an empty name");
   if (ids != &function_ids)
      for (UInt i = 1; i <= ids->n; i++)
         if (strcmp(ids->names[i], name) == 0)
            return fail(p, "'%s' has two ids", name);
   ids->names[++ids->n] = name;
   return True;
}

/* A function's id stands for a function of one object and file. */
static Bool
check_function(Parser* p, UInt id, const char* object, const char* file)
{
   if (id == 0) return True;
   if (!function_ids.objects[id]) {
      function_ids.objects[id] = object;
      function_ids.files[id] = file;
   }
   return strcmp(function_ids.objects[id], object) == 0 &&
                strcmp(function_ids.files[id], file) == 0
             ? True
             : fail(p, "(%u) is two functions", id);
}

/* "(id) name" once, then "(id)"; or the name itself. */
static Bool parse_name(Parser* p, Ids* ids, char* value, const char** name)
{
   p->id = 0;
   if (!p->config->compress_strings) {
      *name = value;
      return *value ? True : fail(p, "an empty name");
   }
   ULong id;
   if (*value++ != '(' || !take_number(&value, &id) || *value++ != ')' ||
       id == 0 || id >= IDS_MAX)
      return fail(p, "no id");
   if (*value == ' ' && !define(p, ids, id, value + 1)) return False;
   if (*value && *value != ' ') return fail(p, "no blank behind the id");
   p->id = id;
   *name = ids->names[id];
   return *name ? True : fail(p, "(%llu) is not defined", id);
}

/*--- Body ---------------------------------------------------------------*/

static Fact fact_here(const Parser* p)
{
   return (Fact){.object = p->object,
                 .file = p->file,
                 .function = p->function,
                 .at_file = p->at_file,
                 .at_instr = p->instr,
                 .at_line = p->source_line,
                 .callee_object = "",
                 .callee_file = "",
                 .callee = ""};
}

static Bool parse_cost_line(Parser* p, char* line, ULong* cost)
{
   ULong instr, source_line;
   if (!p->function) return fail(p, "a cost of no function");
   if (!take_positions(p, &line, &instr, &source_line)) return False;
   if (!take_space(p, &line)) return False;
   if (!take_number(&line, cost) || *line) return fail(p, "no cost");
   p->instr = instr;
   p->source_line = source_line;
   p->in_function = True;
   return True;
}

static Bool parse_self(Parser* p, char* line)
{
   ULong cost;
   if (!parse_cost_line(p, line, &cost)) return False;
   if (cost == 0) return fail(p, "a cost of nothing");
   Fact fact = fact_here(p);
   fact.cost = cost;
   facts_add(&p->parsed->facts, &fact);
   p->parsed->sum += cost;
   return True;
}

static Bool parse_calls(Parser* p, char* value)
{
   ULong count, instr, source_line, cost;
   if (!p->callee) return fail(p, "calls= without cfn=");
   if (!take_number(&value, &count) || count == 0)
      return fail(p, "calls= of nothing");
   if (!take_space(p, &value) ||
       !take_positions(p, &value, &instr, &source_line))
      return False;
   if (*value) return fail(p, "more behind calls=");
   char* line = next_line(p);
   if (!line) return fail(p, "no line behind calls=");
   if (!parse_cost_line(p, line, &cost)) return False;
   Fact fact = fact_here(p);
   fact.callee_object = p->callee_object ? p->callee_object : p->object;
   fact.callee_file = p->callee_file ? p->callee_file : p->at_file;
   fact.callee = p->callee;
   if (!check_function(p, p->callee_id, fact.callee_object, fact.callee_file))
      return False;
   fact.target_instr = instr;
   fact.target_line = source_line;
   fact.count = count;
   fact.cost = cost;
   facts_add(&p->parsed->facts, &fact);
   p->callee_object = p->callee_file = p->callee = NULL;
   return True;
}

static Bool parse_function(Parser* p, char* value)
{
   if (!parse_name(p, &function_ids, value, &p->function)) return False;
   p->at_file = p->file;
   p->in_function = False;
   if (!p->object || !p->file) return fail(p, "fn= before ob= and fl=");
   return check_function(p, p->id, p->object, p->file);
}

static Bool parse_callee(Parser* p, char* value)
{
   if (!parse_name(p, &function_ids, value, &p->callee)) return False;
   p->callee_id = p->id;
   return True;
}

static Bool parse_file(Parser* p, char* value)
{
   p->function = NULL;
   return parse_name(p, &file_ids, value, &p->file);
}

/* "fe=" goes back to the function's own file, "fi=" to another one. */
static Bool parse_part(Parser* p, char* value, Bool is_own)
{
   if (!parse_name(p, &file_ids, value, &p->at_file)) return False;
   return is_own == (strcmp(p->at_file, p->file) == 0)
             ? True
             : fail(p, "fi= and fe= are mixed up");
}

static Bool parse_body_line(Parser* p, char* line)
{
   char* value;
   if (!*line) return True;
   if (strchr("0123456789+-*", *line)) return parse_self(p, line);
   if ((value = behind(line, "ob=")))
      return parse_name(p, &object_ids, value, &p->object);
   if ((value = behind(line, "fl="))) return parse_file(p, value);
   if ((value = behind(line, "fi="))) return parse_part(p, value, False);
   if ((value = behind(line, "fe="))) return parse_part(p, value, True);
   if ((value = behind(line, "fn="))) return parse_function(p, value);
   if ((value = behind(line, "cob=")))
      return parse_name(p, &object_ids, value, &p->callee_object);
   if ((value = behind(line, "cfi=")))
      return parse_name(p, &file_ids, value, &p->callee_file);
   if ((value = behind(line, "cfn="))) return parse_callee(p, value);
   if ((value = behind(line, "calls="))) return parse_calls(p, value);
   return fail(p, "unknown: %s", line);
}

/*--- All of it ----------------------------------------------------------*/

static Bool parse_header(Parser* p)
{
   char* value;
   const PositionConfig* shown = &p->config->positions;
   if (!expect_line(p, "# callgrind format") || !expect_line(p, "version: 1") ||
       !expect_key(p, "creator: callgrind-", &value))
      return False;
   do {
      char* line = next_line(p);
      if (!line) return fail(p, "no positions:");
      value = behind(line, "positions:");
      if (!value && *line && !behind(line, "pid: ") && !behind(line, "cmd: ") &&
          !behind(line, "part: ") && !behind(line, "desc: "))
         return fail(p, "unknown: %s", line);
   } while (!value);
   if (strcmp(value, shown->has[POSITION_INSTR] && shown->has[POSITION_LINE]
                        ? " instr line"
                     : shown->has[POSITION_INSTR] ? " instr"
                                                  : " line") != 0)
      return fail(p, "positions:%s", value);
   return expect_line(p, "events: Ir") &&
          parse_sum(p, "summary: ", &p->parsed->summary);
}

static Bool parse(Parser* p)
{
   if (!parse_header(p)) return False;
   while (strncmp(p->next, "totals: ", 8) != 0) {
      char* line = next_line(p);
      if (!line) return fail(p, "no totals:");
      if (!parse_body_line(p, line)) return False;
   }
   if (!parse_sum(p, "totals: ", &p->parsed->totals)) return False;
   return *p->next ? fail(p, "more behind totals:") : True;
}

const char*
parse_profile(char* text, const WriterConfig* config, Parsed* parsed)
{
   static Parser p;
   p = (Parser){.config = config, .parsed = parsed, .next = text};
   *parsed = (Parsed){.facts = parsed->facts};
   parsed->facts.n = 0;
   Bool is_right = parse(&p);
   forget(&object_ids);
   forget(&file_ids);
   forget(&function_ids);
   if (!is_right) return p.fault;
   facts_merge(&parsed->facts);
   return NULL;
}
