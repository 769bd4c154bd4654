/* What libcg2debug says of the instructions of an object, whose addresses stand
 * on standard input: a line for each. */
#include "cg2debug.h"

#include <stdio.h>
#include <stdlib.h>

static void print_set(const char* name, const uint8_t* set, unsigned n)
{
   printf(" %s", name);
   for (unsigned i = 0; i < n; i++)
      printf("%s%u", i ? "," : "=", set[i]);
}

static void print_number(const char* name, unsigned number)
{
   if (number == CG2P_NO_REGISTER)
      printf("%s-", name);
   else
      printf("%s%u", name, number);
}

static void print_access(const cg2p_access* access)
{
   int is_named =
      access->base != CG2P_NO_REGISTER || access->index != CG2P_NO_REGISTER;
   if (!access->size && !is_named && !access->displacement) return;
   printf(" %s%s%u%s:", access->loads ? "L" : "", access->stores ? "S" : "",
          access->size, access->segment ? "t" : "");
   print_number("", access->base);
   print_number("+", access->index);
   printf("*%u%+lld", access->index == CG2P_NO_REGISTER ? 1 : access->scale,
          (long long)access->displacement);
}

static void print(const cg2p_operation* it)
{
   static const char* const rules[] = {"other",   "copy", "add", "constant",
                                       "address", "load", "none"};
   static const char* const moves[] = {"", " moves", " zeroes", " sets",
                                       " idles"};
   printf("%u %u %llx|%s|", it->step.length, it->step.kind,
          (unsigned long long)it->step.target, it->form);
   print_set("a", it->address, it->n_address);
   print_set("r", it->reads, it->n_reads);
   print_set("w", it->writes, it->n_writes);
   print_access(&it->access);
   print_access(&it->access2);
   printf(" %s", rules[it->rule]);
   if (it->rule == CG2P_VALUE_COPY || it->rule == CG2P_VALUE_ADD)
      print_number(":", it->rule_source);
   if (it->rule != CG2P_VALUE_NONE) print_number(">", it->rule_destination);
   if (it->rule == CG2P_VALUE_ADD || it->rule == CG2P_VALUE_CONSTANT)
      printf("%+lld", (long long)it->rule_immediate);
   printf("%s%s%s%s\n", moves[it->is_move], it->fuses ? " fuses" : "",
          it->is_vector ? " vector" : "", it->adds_floats ? " adds" : "");
}

static size_t read_addresses(uint64_t** addresses)
{
   char line[64];
   size_t n = 0, room = 0;
   *addresses = NULL;
   while (fgets(line, sizeof line, stdin)) {
      if (n == room)
         *addresses = realloc(*addresses, (room = 2 * room + 64) * 8);
      (*addresses)[n++] = strtoull(line, NULL, 16);
   }
   return n;
}

int main(int n_arguments, char** arguments)
{
   cg2p_error error;
   uint64_t* addresses;
   cg2d_object* object =
      n_arguments == 2 ? cg2d_object_open_code(arguments[1], &error) : NULL;
   if (!object) return 1;
   size_t n = read_addresses(&addresses);
   const cg2p_operation* all =
      cg2d_object_operations(object, addresses, n, &error);
   if (!all) puts(error.text);
   for (size_t i = 0; all && i < n; i++)
      print(&all[i]);
   cg2d_object_free(object);
   free(addresses);
   return 0;
}
