#include "base/shorten.h"

enum {
   DEPTH_MAX = 256,    /* brackets in brackets; deeper is not understood */
   ARGUMENTS_MAX = 16, /* bytes of template arguments that are said */
};

static const char folded[] = "...";

enum { FOLDED_LENGTH = sizeof folded - 1 };

/* An open bracket of the name. */
typedef struct Bracket {
   char end;           /* what closes it */
   bool has_arguments; /* template arguments, which may be folded */
   bool is_left_out;   /* parameters, which are not said */
   bool is_first;      /* argument: there is none before */
   size_t inside;      /* of what is said: behind the bracket */
   size_t argument;    /* of what is said: the end of the argument before */
   const char* argument_text; /* the argument as the name has it */
} Bracket;

/* A name while it is read; what is said of it so far. */
typedef struct Speech {
   const char *p, *end;
   const char* begin;        /* of the caller, where names of callers follow */
   const char* operator_end; /* behind the last "operator+" */
   bool is_conversion;       /* "operator T", up to its parameters */
   bool has_parameters;      /* they were read, outside brackets */
   bool says_parameters;
   char* said;
   size_t n;
   size_t said_begin; /* of the caller */
   size_t own;        /* behind the return type */
   size_t depth;
   size_t types; /* open brackets that are not braces: types are in them */
   Bracket open[DEPTH_MAX];
} Speech;

/*--- Texts, without libc ------------------------------------------------*/

static size_t length_of(const char* text)
{
   size_t n = 0;
   while (text[n])
      n++;
   return n;
}

static bool is_same(const char* a, const char* b, size_t length)
{
   for (size_t i = 0; i < length; i++)
      if (a[i] != b[i]) return false;
   return true;
}

/* To a place in front of `from`, or elsewhere. */
static void move(char* to, const char* from, size_t length)
{
   for (size_t i = 0; i < length; i++)
      to[i] = from[i];
}

/* The first `c` from `p` on, or NULL. */
static const char* find(const char* p, const char* end, char c)
{
   while (p < end && *p != c)
      p++;
   return p < end ? p : NULL;
}

static bool is_one_of(const char* letters, char c)
{
   while (*letters && *letters != c)
      letters++;
   return *letters;
}

/*--- Pieces -------------------------------------------------------------*/

static void copy(Speech* s, size_t length)
{
   move(s->said + s->n, s->p, length);
   s->n += length;
   s->p += length;
}

static bool starts(const Speech* s, const char* text)
{
   size_t length = length_of(text);
   return (size_t)(s->end - s->p) >= length && is_same(s->p, text, length);
}

static bool ends(const char* begin, const char* end, const char* text)
{
   size_t length = length_of(text);
   return (size_t)(end - begin) >= length &&
          is_same(end - length, text, length);
}

/* The character in front; 0: there is none. */
static char before(const Speech* s)
{
   return s->p > s->begin ? s->p[-1] : 0;
}

static bool is_digit(char c)
{
   return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
   return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) ||
          c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static const char* word_end(const Speech* s, const char* p)
{
   while (p < s->end && is_letter(*p))
      p++;
   return p;
}

/* How many digits of a hash are at `p`, as Rust writes it. */
static size_t count_hash(const Speech* s, const char* p)
{
   const char* digit = p;
   while (digit < s->end &&
          (is_digit(*digit) || (*digit >= 'a' && *digit <= 'f')))
      digit++;
   return digit - p;
}

/*--- Brackets -----------------------------------------------------------*/

static bool push(Speech* s, char end)
{
   if (s->depth == DEPTH_MAX) return false;
   copy(s, 1);
   s->types += end != '}';
   s->open[s->depth++] = (Bracket){.end = end, .inside = s->n};
   return true;
}

static const Bracket* pop(Speech* s)
{
   const Bracket* top = &s->open[--s->depth];
   s->types -= top->end != '}';
   return top;
}

static bool is_closing(const Speech* s, char c)
{
   return s->depth && s->open[s->depth - 1].end == c;
}

/*--- Template arguments -------------------------------------------------*/

/* What the standard libraries add where the program says nothing. */
static const char* const defaults[] = {
   "std::allocator<",      "std::char_traits<",
   "std::less<",           "std::equal_to<",
   "std::hash<",           "std::default_delete<",
   "std::__1::allocator<", "std::__1::char_traits<",
   "std::__1::less<",      "alloc::alloc::Global",
};

static bool is_default(const Speech* s, const char* text)
{
   Speech at = {.p = text, .end = s->end};
   while (at.p < at.end && *at.p == ' ')
      at.p++;
   for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++)
      if (starts(&at, defaults[i])) return true;
   return false;
}

static void end_argument(Speech* s, Bracket* top)
{
   if (!top->is_first && is_default(s, top->argument_text))
      s->n = top->argument;
   top->is_first = false;
}

static bool separate(Speech* s)
{
   if (!s->depth) return false;
   Bracket* top = &s->open[s->depth - 1];
   if (top->has_arguments) {
      end_argument(s, top);
      top->argument = s->n;
      top->argument_text = s->p + 1;
   }
   copy(s, 1);
   return true;
}

static bool begins_arguments(const Speech* s)
{
   char c = before(s);
   if (s->p == s->operator_end || c == '>' || c == ']' || c == '}') return true;
   return is_letter(c) || (c == ':' && !starts(s, "<impl "));
}

static bool open_angle(Speech* s)
{
   char c = before(s);
   bool is_operator = s->p == s->operator_end;
   if (c == ')' && !is_operator) { /* a comparison */
      if (!s->types) return false;
      while (s->p < s->end && (*s->p == '<' || *s->p == '='))
         copy(s, 1);
      return true;
   }
   if (!s->types && c == ' ' && !is_operator) return false;
   bool has_arguments = begins_arguments(s);
   if (!push(s, '>')) return false;
   Bracket* top = &s->open[s->depth - 1];
   top->has_arguments = top->is_first = has_arguments;
   top->argument_text = s->p;
   return true;
}

static bool close_angle(Speech* s)
{
   if (!is_closing(s, '>')) {
      if (s->types) copy(s, 1); /* a comparison */
      return s->types;
   }
   Bracket* top = &s->open[s->depth - 1];
   if (top->has_arguments) end_argument(s, top);
   if (s->n > top->inside && s->said[s->n - 1] == ' ') s->n--;
   if (top->has_arguments && s->n - top->inside > ARGUMENTS_MAX) {
      move(s->said + top->inside, folded, FOLDED_LENGTH);
      s->n = top->inside + FOLDED_LENGTH;
   }
   pop(s);
   copy(s, 1);
   return true;
}

/*--- Parameters ---------------------------------------------------------*/

/* Whether the parenthesis here begins parameters, not "(anonymous namespace)"
 * or the like; *is_known: it is one or the other. */
static bool begins_parameters(const Speech* s, bool* is_known)
{
   char c = before(s);
   *is_known = true;
   if (s->types) return false;
   if (s->p == s->operator_end) return true;
   if (ends(s->begin, s->p, "decltype") || ends(s->begin, s->p, "decltype "))
      return false;
   if (is_letter(c) || c == '>' || c == ']' || c == '}' || c == '\'')
      return true;
   if (s->is_conversion) return *is_known = c == '*' || c == '&';
   *is_known =
      !c || c == ':' || c == '.' || s->depth || starts(s, "(anonymous ");
   return false;
}

static bool open_parenthesis(Speech* s)
{
   bool is_known, begins = begins_parameters(s, &is_known);
   if (!is_known || !push(s, ')')) return false;
   s->open[s->depth - 1].is_left_out = begins && !s->says_parameters;
   if (begins && s->depth == 1) s->has_parameters = true;
   return true;
}

/* Says a word behind parameters, or leaves it out with them. */
static void take_qualifier(Speech* s, size_t length)
{
   if (s->says_parameters)
      copy(s, length);
   else
      s->p += length;
}

static bool skip_qualifier(Speech* s)
{
   static const char* const words[] = {" const", " volatile", " &&", " &"};
   for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
      size_t length = length_of(words[i]);
      if (!starts(s, words[i])) continue;
      if (length > 3 && word_end(s, s->p + length) != s->p + length) continue;
      take_qualifier(s, length);
      return true;
   }
   return false;
}

/* Says the mark of a copy that the compiler made, as " [clone .isra.0]". */
static bool say_clone(Speech* s)
{
   char last = starts(s, " [clone ") ? ']' : starts(s, " (.") ? ')' : 0;
   const char* found = last ? find(s->p, s->end, last) : NULL;
   if (found) copy(s, found + 1 - s->p);
   return found;
}

/* Reads what follows parameters outside brackets; whether that is usual. */
static bool follow_parameters(Speech* s)
{
   while (skip_qualifier(s) || say_clone(s))
      ;
   return s->p == s->end || *s->p == '\'' || *s->p == '.' || *s->p == '@' ||
          starts(s, "::") || starts(s, "[abi:");
}

static bool close(Speech* s)
{
   if (!is_closing(s, *s->p)) return false;
   const Bracket* top = pop(s);
   if (top->is_left_out) {
      s->n = top->inside - 1;
      s->p++;
   } else
      copy(s, 1);
   if (s->depth || !s->has_parameters || top->end != ')') return true;
   s->is_conversion = false;
   return follow_parameters(s);
}

static bool open_square(Speech* s)
{
   if (starts(s, "[abi:")) {
      const char* last = find(s->p, s->end, ']');
      if (last) s->p = last + 1;
      return last;
   }
   size_t digits = count_hash(s, s->p + 1);
   const char* last = s->p + 1 + digits;
   if (is_letter(before(s)) && digits >= 8 && digits <= 16 && last < s->end &&
       *last == ']') {
      s->p = last + 1;
      return true;
   }
   return push(s, ']');
}

/*--- Words --------------------------------------------------------------*/

static size_t operator_length(const Speech* s)
{
   static const char* const known[] = {
      "<=>", "<<=", ">>=", "->*", "()", "[]",   "<<", ">>", "<=", ">=",
      "->",  "==",  "!=",  "&&",  "||", "++",   "--", "+=", "-=", "*=",
      "/=",  "%=",  "^=",  "&=",  "|=", "\"\"", "<",  ">",  "+",  "-",
      "*",   "/",   "%",   "^",   "&",  "|",    "~",  "!",  "=",  ",",
   };
   for (size_t i = 0; i < sizeof known / sizeof *known; i++)
      if (starts(s, known[i])) return length_of(known[i]);
   return 0;
}

/* Says what stands behind " operator ": new, delete, or a type. */
static void say_named_operator(Speech* s)
{
   copy(s, 1);
   if (!starts(s, "new") && !starts(s, "delete") && !starts(s, "co_await")) {
      s->is_conversion = !s->depth;
      return;
   }
   copy(s, word_end(s, s->p) - s->p);
   if (starts(s, "[]")) copy(s, 2);
   s->operator_end = s->p;
}

static void say_operator(Speech* s)
{
   size_t length = operator_length(s);
   if (!length) {
      if (s->p < s->end && *s->p == ' ') say_named_operator(s);
      return;
   }
   bool is_literal = *s->p == '"';
   copy(s, length);
   if (is_literal && s->p < s->end) copy(s, word_end(s, s->p + 1) - s->p);
   if (starts(s, " <")) copy(s, 1);
   s->operator_end = s->p;
}

/* Whether a word is one that is not said: a version within a namespace. */
static bool skip_version(Speech* s)
{
   static const char* const versions[] = {"__cxx11::", "__1::"};
   if (!ends(s->said, s->said + s->n, "std::")) return false;
   for (size_t i = 0; i < sizeof versions / sizeof *versions; i++)
      if (starts(s, versions[i])) {
         s->p += length_of(versions[i]);
         return true;
      }
   return false;
}

static bool say_string(Speech* s)
{
   static const char full[] =
      "basic_string<char, std::char_traits<char>, std::allocator<char> >";
   if (!ends(s->said, s->said + s->n, "std::") || !starts(s, full))
      return false;
   static const char brief[] = "string";
   move(s->said + s->n, brief, sizeof brief - 1);
   s->n += sizeof brief - 1;
   s->p += sizeof full - 1;
   return true;
}

/* How many letters the word here has; "non-virtual thunk to" is one. */
static size_t word_length(const Speech* s)
{
   static const char thunk[] = "non-virtual thunk to";
   if (!s->depth && starts(s, thunk)) return sizeof thunk - 1;
   return word_end(s, s->p) - s->p;
}

static bool say_word(Speech* s)
{
   char c = before(s);
   size_t length = word_length(s);
   if (!s->depth && (c == '>' || c == ')') && s->p != s->operator_end)
      return false;
   if (skip_version(s) || say_string(s)) return true;
   bool is_operator = length == 8 && starts(s, "operator");
   copy(s, length);
   if (is_operator) say_operator(s);
   return true;
}

/*--- Marks --------------------------------------------------------------*/

/* Whether "::h0123456789abcdef" is here, Rust's hash, behind which a name may
 * only have a suffix. */
static bool skip_hash(Speech* s)
{
   enum { MARK = 3, DIGITS = 16 };
   if (s->depth || !starts(s, "::h") || count_hash(s, s->p + MARK) != DIGITS)
      return false;
   const char* last = s->p + MARK + DIGITS;
   if (last < s->end && !is_one_of(".'{@", *last)) return false;
   s->p = last;
   return true;
}

static bool say_colon(Speech* s)
{
   if (skip_hash(s)) return true;
   if (starts(s, "::"))
      copy(s, 2);
   else if (s->depth)
      copy(s, 1);
   else
      return false;
   return true;
}

static bool say_blank(Speech* s)
{
   copy(s, 1);
   if (s->depth || s->is_conversion) return true;
   s->own = s->n;
   return !s->has_parameters;
}

/* Leaves the return type out, which only a name with parameters has. What a
 * name is about, as "virtual thunk to", is none. */
static void end_name(Speech* s)
{
   const char *begin = s->said + s->said_begin, *own = s->said + s->own;
   if (!s->has_parameters || own <= begin || ends(begin, own, " to ") ||
       ends(begin, own, " for "))
      return;
   move(s->said + s->said_begin, own, s->n - s->own);
   s->n -= s->own - s->said_begin;
}

/* Says what is quoted, as 'lambda'; or begins the name of a caller, or a
 * level. */
static void say_apostrophe(Speech* s)
{
   const char* last = find(s->p + 1, s->end, '\'');
   bool is_quoted = !before(s) || before(s) == ':';
   if (is_quoted && last) {
      copy(s, last + 1 - s->p);
      return;
   }
   if (!is_quoted && s->p + 1 < s->end) end_name(s);
   copy(s, 1);
   s->begin = s->p;
   s->said_begin = s->own = s->n;
   s->has_parameters = s->is_conversion = false;
}

static bool say_mark(Speech* s)
{
   bool is_usual = s->depth || is_one_of(".@&*~", *s->p);
   bool is_arrow = starts(s, "->");
   if (is_usual) copy(s, is_arrow ? 2 : 1);
   return is_usual;
}

/*--- The name -----------------------------------------------------------*/

static bool say_next(Speech* s)
{
   char c = *s->p;
   if (is_letter(c)) return say_word(s);
   switch (c) {
   case '<':
      return open_angle(s);
   case '>':
      return close_angle(s);
   case '(':
      return open_parenthesis(s);
   case '[':
      return open_square(s);
   case '{':
      return push(s, '}');
   case ')':
   case ']':
   case '}':
      return close(s);
   case ',':
      return separate(s);
   case ':':
      return say_colon(s);
   case ' ':
      return say_blank(s);
   case '\'':
      if (s->depth) break;
      say_apostrophe(s);
      return true;
   }
   return say_mark(s);
}

static bool say_all(Speech* s)
{
   while (s->p < s->end)
      if (!say_next(s)) return false;
   if (s->depth) return false;
   end_name(s);
   return s->n > s->said_begin;
}

/* Whether a name may have parts that are not shown. */
static bool is_long(const char* name, size_t length)
{
   for (const char* p = name; p < name + length; p++)
      if (*p == '(' || *p == '<' || *p == '[' || *p == ':') return true;
   return false;
}

size_t
cg2_shorten_name(const char* name, size_t length, Saying saying, char* room)
{
   Speech s;
   s.p = s.begin = name;
   s.end = name + length;
   s.operator_end = NULL;
   s.is_conversion = s.has_parameters = false;
   s.says_parameters = saying == SAY_PARAMETERS;
   s.said = room;
   s.n = s.said_begin = s.own = s.depth = s.types = 0;
   if (saying != SAY_ALL && is_long(name, length) && say_all(&s)) return s.n;
   move(room, name, length);
   return length;
}
