/* What all parts of the interface share: errors, and the number that is none.
 */
#ifndef CG2PROFILE_COMMON_H
#define CG2PROFILE_COMMON_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CG2P_API __attribute__((visibility("default")))

/* No object: no function, caller or instance. */
#define CG2P_NONE UINT32_MAX

/* Why an operation failed. */
typedef enum cg2p_error_kind {
   CG2P_MALFORMED = 1, /* the file is no proper profile; `line` says where */
   CG2P_SYSTEM,        /* the system refused; `code` is its errno */
   CG2P_MEMORY,        /* there is no memory left */
   CG2P_CUT_OFF,       /* the file has lost its end; `line` says where, 0: not
                          known. CG2P_PARTIAL reads what there is */
} cg2p_error_kind;

typedef struct cg2p_error {
   cg2p_error_kind kind;
   int code;               /* errno: ENOMEM of CG2P_MEMORY, 0 without one */
   uint64_t line;          /* of the file, from 1; 0: no line is to blame */
   char text[4096 + 1024]; /* "path:line: message", one line, UTF-8 as read */
} cg2p_error;

#ifdef __cplusplus
}
#endif
#endif
