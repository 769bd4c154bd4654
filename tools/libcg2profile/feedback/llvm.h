/* Writes a sample profile of LLVM as text. */
#ifndef CG2P_LLVM_H
#define CG2P_LLVM_H

#include "feedback/feedbackwriter.h"

void cg2p_llvm_put(FeedbackWriter* writer);

#endif
