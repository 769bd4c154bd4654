/* Writes AutoFDO's profile as text. */
#ifndef CG2P_AUTOFDO_H
#define CG2P_AUTOFDO_H

#include "feedback/feedbackwriter.h"

void cg2p_autofdo_put(FeedbackWriter* writer);

#endif
