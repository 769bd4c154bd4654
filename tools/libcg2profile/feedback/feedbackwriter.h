/* What the forms share: the object's control, and where it is written. */
#ifndef CG2P_FEEDBACKWRITER_H
#define CG2P_FEEDBACKWRITER_H

#include "base/output.h"
#include "feedback/control.h"

struct cg2p_feedback {
   Counts counts;
   Control control;
   uint64_t base;               /* address of the object's first segment */
   const cg2p_sources* sources; /* NULL: not added */
   const cg2p_bodies* bodies;   /* NULL: not added */
   char* path;                  /* of the profile */
};

typedef struct FeedbackWriter {
   Failure failure;
   Output output;
   const cg2p_feedback* feedback;
   Arena arena;
   struct Samples* samples; /* of the form that has them */
} FeedbackWriter;

/* Writes an address in hexadecimal digits alone. */
void cg2p_feedbackwriter_put_address(FeedbackWriter* writer, uint64_t address);

#endif
