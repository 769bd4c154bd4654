/* The words of a table's lines. What is wrong ends the operation, with the
 * line. */
#ifndef CG2P_COREWORDS_H
#define CG2P_COREWORDS_H

#include "base/failure.h"
#include "base/text.h"

typedef struct CoreWords {
   Failure* failure;
   uint64_t number; /* of the line, from 1 */
   Text line;       /* without what stands behind # */
   const char* at;  /* behind the last word */
} CoreWords;

/* Begins with the next line. */
void cg2p_corewords_begin(CoreWords* words, Text line);
/* The next word; false: there is none. */
bool cg2p_corewords_next(CoreWords* words, Text* word);
/* The next word, which has to be key=value; false: there is none. */
bool cg2p_corewords_pair(CoreWords* words, Text* key, Text* value);
/* The words up to the first that has a = in it. */
Text cg2p_corewords_until_pair(CoreWords* words);
/* What is left of the line. */
Text cg2p_corewords_rest(CoreWords* words);

bool cg2p_corewords_is(Text text, const char* word);
/* Where the first of some characters stands; the end: nowhere. */
const char* cg2p_corewords_find(Text text, const char* characters);

/* A value that has to be a number from `least` to `most`. */
uint64_t cg2p_corewords_number(CoreWords* words,
                               const char* key,
                               Text value,
                               uint64_t least,
                               uint64_t most);
/* A value of at most `most`, with a fraction, in sixteenths. */
uint64_t cg2p_corewords_grains(CoreWords* words,
                               const char* key,
                               Text value,
                               uint64_t most);
/* yes is 1, no is 0. */
uint64_t cg2p_corewords_yes(CoreWords* words, const char* key, Text value);

/* Ends the operation: a piece of the line is not what was expected. */
_Noreturn void
cg2p_corewords_refuse(CoreWords* words, Text piece, const char* expected);

#endif
