/* Places that many take and free at the same time. */
#include "check.h"
#include "repeat/places.h"
#include <pthread.h>

static Places places;

static UInt n_with(ULong word)
{
   UInt n = 0;
   for (ULong i = 0; i < cg2_places_n(&places); i++)
      n += cg2_places_get(&places, i) == word;
   return n;
}

static void test_alone(void)
{
   CHECK(!cg2_places_add_to_free(&places, 7));
   CHECK(cg2_places_add_to_end(&places, 7));
   CHECK(cg2_places_add_to_end(&places, 8));
   CHECK_EQ(cg2_places_n(&places), 2);
   CHECK(!cg2_places_replace(&places, 0, 8, 0));
   CHECK(cg2_places_replace(&places, 0, 7, 0));
   CHECK(cg2_places_add_to_free(&places, 9));
   CHECK_EQ(cg2_places_get(&places, 0), 9);
   CHECK_EQ(cg2_places_get(&places, 1), 8);
}

static void test_full(void)
{
   for (ULong word = 1; word <= PLACES; word++)
      if (!cg2_places_add_to_end(&places, word)) CHECK_EQ(word, 0);
   CHECK(!cg2_places_add_to_end(&places, 1));
   CHECK(!cg2_places_add_to_end(&places, 1));
   CHECK_EQ(cg2_places_n(&places), PLACES);
   CHECK(!cg2_places_add_to_free(&places, 1));
   CHECK(cg2_places_replace(&places, 4, 5, 0));
   CHECK(cg2_places_add_to_free(&places, 1));
   CHECK_EQ(n_with(1), 2);
}

/* Takes the place that was counted last, and frees it, until all are counted.
 */
static void* take_last(void* data)
{
   for (ULong n = 0; n < PLACES; n = cg2_places_n(&places))
      if (n && cg2_places_replace(&places, n - 1, 0, 1))
         cg2_places_replace(&places, n - 1, 1, 0);
   return data;
}

/* Who adds to the end does so, whoever takes the place first: there are more.
 */
static void test_at_once(void)
{
   pthread_t other;
   CHECK_EQ(pthread_create(&other, NULL, take_last, NULL), 0);
   UInt n_added = 0, n_refused = 0;
   while (cg2_places_n(&places) < PLACES) {
      n_added++;
      if (!cg2_places_add_to_end(&places, 2)) n_refused++;
   }
   pthread_join(other, NULL);
   CHECK(n_refused <= 1); /* the last may have been taken */
   CHECK_EQ(n_with(1), 0);
   CHECK_EQ(n_with(2), n_added - n_refused);
}

int main(int n, char** names)
{
   static const Test tests[] = {
      {"alone", test_alone}, {"full", test_full}, {"at_once", test_at_once}};
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
