/* Text in UTF-8, maybe with bytes that are none. */
#ifndef CG2P_UTF8_H
#define CG2P_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
   UTF8_REPLACEMENT = 0xfffd
}; /* what stands for bytes that are no UTF-8 */

/* A character, and how many bytes it has. */
typedef struct Character {
   uint32_t code;
   uint32_t length;
   bool is_bad; /* the bytes are no UTF-8; the code is UTF8_REPLACEMENT */
} Character;

/* Whether a text has ASCII characters alone. */
bool cg2p_utf8_is_ascii(const char* text, size_t length);

/* The character at `text`, which has `length` bytes, one or more. Bytes that
 * begin one and do not go on are one replacement; any others are one each. */
Character cg2p_utf8_first(const char* text, size_t length);

#endif
