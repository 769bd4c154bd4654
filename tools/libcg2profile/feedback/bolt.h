/* Writes BOLT's pre-aggregated profile. */
#ifndef CG2P_BOLT_H
#define CG2P_BOLT_H

#include "feedback/feedbackwriter.h"

void cg2p_bolt_put(FeedbackWriter* writer);

#endif
