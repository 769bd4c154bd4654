/* Writes a sample profile of LLVM as text. */
#ifndef CG2P_LLVM_H
#define CG2P_LLVM_H

#include "feedback/feedbackwriter.h"

void cg2p_llvm_put(FeedbackWriter* writer);
/* Frees what that has made, whether it came to its end or not. */
void cg2p_llvm_free(FeedbackWriter* writer);

#endif
