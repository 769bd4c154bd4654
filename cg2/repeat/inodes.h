/* Numbers of inodes and devices, which are told by order of first sight. */
#ifndef CG2_INODES_H
#define CG2_INODES_H

#include "base/vg.h"

/* The number that the program is told of an inode, and of a device. */
ULong cg2_inodes_told(ULong device, ULong inode);
ULong cg2_inodes_told_device(ULong device);

#endif
