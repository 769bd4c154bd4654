#include "profile/files/profileconfig.h"

/* Reason for a mutable file-scope object: configuration. */
ProfileConfig cg2_profile_config = {
   .writer = {.positions = {.has[POSITION_LINE] = True},
              .compress_strings = True,
              .compress_positions = True},
   .keeps_all = True,
};
