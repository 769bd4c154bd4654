/* Reads formulas from its standard input, one a line, evaluates each by
   recursive descent, and remembers variables in a hash table; checked against
   gcov built from the same source. Every call stands on a line of its own. */

#include "counted.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 16
#define NAME    16

typedef struct Variable {
   char name[NAME];
   long value;
   struct Variable* next;
} Variable;

typedef long Operator(long, long);

static Variable* buckets[BUCKETS];
static const char* rest; // what is not read yet of the line
static int errors;

COUNTED unsigned int hash(const char* name)
{
   unsigned int h = 5381;
   while (*name)
      h = h * 33 + (unsigned char)*name++;
   return h % BUCKETS;
}

COUNTED Variable* find(const char* name)
{
   unsigned int bucket = hash(name);
   Variable* v = buckets[bucket];
   while (v) {
      int differs = strcmp(v->name, name);
      if (!differs) {
         return v;
      }
      v = v->next;
   }
   return NULL;
}

COUNTED Variable* intern(const char* name)
{
   Variable* v = find(name);
   if (v) {
      return v;
   }
   v = calloc(1, sizeof *v);
   if (!v) {
      abort();
   }
   strcpy(v->name, name);
   unsigned int bucket = hash(name);
   v->next = buckets[bucket];
   buckets[bucket] = v;
   return v;
}

COUNTED long add(long a, long b)
{
   return a + b;
}
COUNTED long subtract(long a, long b)
{
   return a - b;
}
COUNTED long multiply(long a, long b)
{
   return a * b;
}
COUNTED long divide(long a, long b)
{
   return b == 0 ? 0 : a / b;
}

COUNTED Operator* operator_of(char c)
{
   switch (c) {
   case '+':
      return add;
   case '-':
      return subtract;
   case '*':
      return multiply;
   case '/':
      return divide;
   default:
      return NULL;
   }
}

COUNTED void skip_blanks(void)
{
   while (*rest == ' ')
      rest++;
}

COUNTED long number(void)
{
   long value = 0;
   while (*rest >= '0' && *rest <= '9')
      value = value * 10 + *rest++ - '0';
   return value;
}

COUNTED void read_name(char name[NAME])
{
   size_t n = 0;
   while (*rest >= 'a' && *rest <= 'z' && n < NAME - 1)
      name[n++] = *rest++;
   name[n] = 0;
}

COUNTED long sum(void);

COUNTED void fail(const char* what)
{
   errors++;
   fputs(what, stdout);
   rest = "";
}

COUNTED long factor(void)
{
   skip_blanks();
   if (*rest >= '0' && *rest <= '9') {
      long value = number();
      return value;
   }
   if (*rest >= 'a' && *rest <= 'z') {
      char name[NAME];
      read_name(name);
      Variable* v = find(name);
      return v ? v->value : 0;
   }
   if (*rest != '(') {
      fail("a number, a name or ( expected\n");
      return 0;
   }
   rest++;
   long value = sum();
   if (*rest == ')')
      rest++;
   else
      fail(") expected\n");
   return value;
}

COUNTED long product(void)
{
   long value = factor();
   skip_blanks();
   while (*rest == '*' || *rest == '/') {
      Operator* apply = operator_of(*rest++);
      long right = factor();
      value = apply(value, right);
      skip_blanks();
   }
   return value;
}

COUNTED long sum(void)
{
   long value = product();
   while (*rest == '+' || *rest == '-') {
      Operator* apply = operator_of(*rest++);
      long right = product();
      value = apply(value, right);
   }
   return value;
}

COUNTED void statement(const char* line)
{
   char name[NAME];
   rest = line;
   read_name(name);
   skip_blanks();
   if (*rest != '=') {
      fail("= expected\n");
      return;
   }
   rest++;
   long value = sum();
   Variable* v = intern(name);
   v->value = value;
   printf("%s = %ld\n", name, value);
}

int main(void)
{
   char line[200];
   while (fgets(line, sizeof line, stdin)) {
      line[strcspn(line, "\n")] = 0;
      statement(line);
   }
   return errors == 2 ? 0 : 1;
}
