#include "machine/wideform.h"

#include <stdio.h>

/* ------------------------------------------------------------ the table */

/* An operand: which field of the code names it, and what it is. */
typedef enum WideOperand {
   NO_OPERAND,
   REG_V, /* ModRM.reg, a vector */
   REG_K, /* a mask */
   REG_G, /* a general register */
   VVVV_V,
   VVVV_K,
   RM_V, /* ModRM.rm, a vector or memory of the vector's size */
   RM_K,
   RM_G,
   RM_X, /* a vector of 128 bits, or memory of an element */
   IMMEDIATE,
} WideOperand;

/* What operands an instruction has; the first is written. */
typedef enum Shape {
   KVV,
   KVVI,
   VVV,
   VVVI,
   NVI, /* VVVV is written */
   VV,
   VVI,
   VX,
   VK,
   KV,
   KKM,
   KMK,
   KG,
   GK,
   KKK,
   KTEST,
   KKI,
} Shape;

static const uint8_t shapes[][4] = {
   [KVV] = {REG_K, VVVV_V, RM_V},
   [KVVI] = {REG_K, VVVV_V, RM_V, IMMEDIATE},
   [VVV] = {REG_V, VVVV_V, RM_V},
   [VVVI] = {REG_V, VVVV_V, RM_V, IMMEDIATE},
   [NVI] = {VVVV_V, RM_V, IMMEDIATE},
   [VV] = {REG_V, RM_V},
   [VVI] = {REG_V, RM_V, IMMEDIATE},
   [VX] = {REG_V, RM_X},
   [VK] = {REG_V, RM_K},
   [KV] = {REG_K, RM_V},
   [KKM] = {REG_K, RM_K},
   [KMK] = {RM_K, REG_K},
   [KG] = {REG_K, RM_G},
   [GK] = {REG_G, RM_K},
   [KKK] = {REG_K, VVVV_K, RM_K},
   [KTEST] = {REG_K, RM_K},
   [KKI] = {REG_K, RM_K, IMMEDIATE},
};

enum { ANY = -1 };
enum { MERGES = 1 << 0, TAKES_FLAGS = 1 << 1, CLEARS_SAME = 1 << 2 };

/* A row is an instruction: opcode map (1: 0f, 2: 0f38, 3: 0f3a), prefix (0:
 * none, 1: 66, 2: f3, 3: f2), opcode, the digit in ModRM.reg, W. */
typedef struct WideRow {
   const char* mnemonic;
   uint8_t map, prefix, opcode;
   int8_t digit, wide;
   uint8_t shape, marks;
} WideRow;

static const WideRow evex[] = {
   {"vpcmpeqb", 1, 1, 0x74, ANY, ANY, KVV, 0},
   {"vpcmpeqw", 1, 1, 0x75, ANY, ANY, KVV, 0},
   {"vpcmpeqd", 1, 1, 0x76, ANY, 0, KVV, 0},
   {"vpcmpeqq", 2, 1, 0x29, ANY, 1, KVV, 0},
   {"vpcmpgtb", 1, 1, 0x64, ANY, ANY, KVV, 0},
   {"vpcmpgtw", 1, 1, 0x65, ANY, ANY, KVV, 0},
   {"vpcmpgtd", 1, 1, 0x66, ANY, 0, KVV, 0},
   {"vpcmpgtq", 2, 1, 0x37, ANY, 1, KVV, 0},
   {"vpcmpub", 3, 1, 0x3e, ANY, 0, KVVI, 0},
   {"vpcmpuw", 3, 1, 0x3e, ANY, 1, KVVI, 0},
   {"vpcmpb", 3, 1, 0x3f, ANY, 0, KVVI, 0},
   {"vpcmpw", 3, 1, 0x3f, ANY, 1, KVVI, 0},
   {"vpcmpud", 3, 1, 0x1e, ANY, 0, KVVI, 0},
   {"vpcmpuq", 3, 1, 0x1e, ANY, 1, KVVI, 0},
   {"vpcmpd", 3, 1, 0x1f, ANY, 0, KVVI, 0},
   {"vpcmpq", 3, 1, 0x1f, ANY, 1, KVVI, 0},
   {"vcmpps", 1, 0, 0xc2, ANY, 0, KVVI, 0},
   {"vcmppd", 1, 1, 0xc2, ANY, 1, KVVI, 0},
   {"vptestmb", 2, 1, 0x26, ANY, 0, KVV, 0},
   {"vptestmw", 2, 1, 0x26, ANY, 1, KVV, 0},
   {"vptestmd", 2, 1, 0x27, ANY, 0, KVV, 0},
   {"vptestmq", 2, 1, 0x27, ANY, 1, KVV, 0},
   {"vptestnmb", 2, 2, 0x26, ANY, 0, KVV, 0},
   {"vptestnmw", 2, 2, 0x26, ANY, 1, KVV, 0},
   {"vptestnmd", 2, 2, 0x27, ANY, 0, KVV, 0},
   {"vptestnmq", 2, 2, 0x27, ANY, 1, KVV, 0},
   {"vpmadd52luq", 2, 1, 0xb4, ANY, 1, VVV, MERGES},
   {"vpmadd52huq", 2, 1, 0xb5, ANY, 1, VVV, MERGES},
   {"vpdpbusd", 2, 1, 0x50, ANY, 0, VVV, MERGES},
   {"vpdpbusds", 2, 1, 0x51, ANY, 0, VVV, MERGES},
   {"vpdpwssd", 2, 1, 0x52, ANY, 0, VVV, MERGES},
   {"vpdpwssds", 2, 1, 0x53, ANY, 0, VVV, MERGES},
   {"vprold", 1, 1, 0x72, 1, 0, NVI, 0},
   {"vprolq", 1, 1, 0x72, 1, 1, NVI, 0},
   {"vprord", 1, 1, 0x72, 0, 0, NVI, 0},
   {"vprorq", 1, 1, 0x72, 0, 1, NVI, 0},
   {"vpsrlw", 1, 1, 0x71, 2, ANY, NVI, 0},
   {"vpsraw", 1, 1, 0x71, 4, ANY, NVI, 0},
   {"vpsllw", 1, 1, 0x71, 6, ANY, NVI, 0},
   {"vpsrld", 1, 1, 0x72, 2, 0, NVI, 0},
   {"vpsrad", 1, 1, 0x72, 4, 0, NVI, 0},
   {"vpsraq", 1, 1, 0x72, 4, 1, NVI, 0},
   {"vpslld", 1, 1, 0x72, 6, 0, NVI, 0},
   {"vpsrlq", 1, 1, 0x73, 2, 1, NVI, 0},
   {"vpsrldq", 1, 1, 0x73, 3, ANY, NVI, 0},
   {"vpsllq", 1, 1, 0x73, 6, 1, NVI, 0},
   {"vpslldq", 1, 1, 0x73, 7, ANY, NVI, 0},
   {"vprolvd", 2, 1, 0x15, ANY, 0, VVV, 0},
   {"vprolvq", 2, 1, 0x15, ANY, 1, VVV, 0},
   {"vprorvd", 2, 1, 0x14, ANY, 0, VVV, 0},
   {"vprorvq", 2, 1, 0x14, ANY, 1, VVV, 0},
   {"vpsrlvw", 2, 1, 0x10, ANY, 1, VVV, 0},
   {"vpsrlvd", 2, 1, 0x45, ANY, 0, VVV, 0},
   {"vpsrlvq", 2, 1, 0x45, ANY, 1, VVV, 0},
   {"vpsravw", 2, 1, 0x11, ANY, 1, VVV, 0},
   {"vpsravd", 2, 1, 0x46, ANY, 0, VVV, 0},
   {"vpsravq", 2, 1, 0x46, ANY, 1, VVV, 0},
   {"vpsllvw", 2, 1, 0x12, ANY, 1, VVV, 0},
   {"vpsllvd", 2, 1, 0x47, ANY, 0, VVV, 0},
   {"vpsllvq", 2, 1, 0x47, ANY, 1, VVV, 0},
   {"valignd", 3, 1, 0x03, ANY, 0, VVVI, 0},
   {"valignq", 3, 1, 0x03, ANY, 1, VVVI, 0},
   {"vpalignr", 3, 1, 0x0f, ANY, ANY, VVVI, 0},
   {"vshuff32x4", 3, 1, 0x23, ANY, 0, VVVI, 0},
   {"vshuff64x2", 3, 1, 0x23, ANY, 1, VVVI, 0},
   {"vshufi32x4", 3, 1, 0x43, ANY, 0, VVVI, 0},
   {"vshufi64x2", 3, 1, 0x43, ANY, 1, VVVI, 0},
   {"vshufps", 1, 0, 0xc6, ANY, 0, VVVI, 0},
   {"vshufpd", 1, 1, 0xc6, ANY, 1, VVVI, 0},
   {"vpternlogd", 3, 1, 0x25, ANY, 0, VVVI, MERGES},
   {"vpternlogq", 3, 1, 0x25, ANY, 1, VVVI, MERGES},
   {"vpermq", 3, 1, 0x00, ANY, 1, VVI, 0},
   {"vpermpd", 3, 1, 0x01, ANY, 1, VVI, 0},
   {"vpermilps", 3, 1, 0x04, ANY, 0, VVI, 0},
   {"vpermilpd", 3, 1, 0x05, ANY, 1, VVI, 0},
   {"vpshufd", 1, 1, 0x70, ANY, 0, VVI, 0},
   {"vpshufhw", 1, 2, 0x70, ANY, ANY, VVI, 0},
   {"vpshuflw", 1, 3, 0x70, ANY, ANY, VVI, 0},
   {"vpshufb", 2, 1, 0x00, ANY, ANY, VVV, 0},
   {"vpermb", 2, 1, 0x8d, ANY, 0, VVV, 0},
   {"vpermw", 2, 1, 0x8d, ANY, 1, VVV, 0},
   {"vpermd", 2, 1, 0x36, ANY, 0, VVV, 0},
   {"vpermq", 2, 1, 0x36, ANY, 1, VVV, 0},
   {"vpermps", 2, 1, 0x16, ANY, 0, VVV, 0},
   {"vpermpd", 2, 1, 0x16, ANY, 1, VVV, 0},
   {"vpermi2b", 2, 1, 0x75, ANY, 0, VVV, MERGES},
   {"vpermi2w", 2, 1, 0x75, ANY, 1, VVV, MERGES},
   {"vpermi2d", 2, 1, 0x76, ANY, 0, VVV, MERGES},
   {"vpermi2q", 2, 1, 0x76, ANY, 1, VVV, MERGES},
   {"vpermi2ps", 2, 1, 0x77, ANY, 0, VVV, MERGES},
   {"vpermi2pd", 2, 1, 0x77, ANY, 1, VVV, MERGES},
   {"vpermt2b", 2, 1, 0x7d, ANY, 0, VVV, MERGES},
   {"vpermt2w", 2, 1, 0x7d, ANY, 1, VVV, MERGES},
   {"vpermt2d", 2, 1, 0x7e, ANY, 0, VVV, MERGES},
   {"vpermt2q", 2, 1, 0x7e, ANY, 1, VVV, MERGES},
   {"vpermt2ps", 2, 1, 0x7f, ANY, 0, VVV, MERGES},
   {"vpermt2pd", 2, 1, 0x7f, ANY, 1, VVV, MERGES},
   {"vpunpcklbw", 1, 1, 0x60, ANY, ANY, VVV, 0},
   {"vpunpcklwd", 1, 1, 0x61, ANY, ANY, VVV, 0},
   {"vpunpckldq", 1, 1, 0x62, ANY, 0, VVV, 0},
   {"vpunpckhbw", 1, 1, 0x68, ANY, ANY, VVV, 0},
   {"vpunpckhwd", 1, 1, 0x69, ANY, ANY, VVV, 0},
   {"vpunpckhdq", 1, 1, 0x6a, ANY, 0, VVV, 0},
   {"vpunpcklqdq", 1, 1, 0x6c, ANY, 1, VVV, 0},
   {"vpunpckhqdq", 1, 1, 0x6d, ANY, 1, VVV, 0},
   {"vpminub", 1, 1, 0xda, ANY, ANY, VVV, 0},
   {"vpmaxub", 1, 1, 0xde, ANY, ANY, VVV, 0},
   {"vpminsq", 2, 1, 0x39, ANY, 1, VVV, 0},
   {"vpminuq", 2, 1, 0x3b, ANY, 1, VVV, 0},
   {"vpmaxsq", 2, 1, 0x3d, ANY, 1, VVV, 0},
   {"vpmaxuq", 2, 1, 0x3f, ANY, 1, VVV, 0},
   {"vpandd", 1, 1, 0xdb, ANY, 0, VVV, 0},
   {"vpandq", 1, 1, 0xdb, ANY, 1, VVV, 0},
   {"vpandnd", 1, 1, 0xdf, ANY, 0, VVV, 0},
   {"vpandnq", 1, 1, 0xdf, ANY, 1, VVV, 0},
   {"vpord", 1, 1, 0xeb, ANY, 0, VVV, 0},
   {"vporq", 1, 1, 0xeb, ANY, 1, VVV, 0},
   {"vpxord", 1, 1, 0xef, ANY, 0, VVV, CLEARS_SAME},
   {"vpxorq", 1, 1, 0xef, ANY, 1, VVV, CLEARS_SAME},
   {"vpsadbw", 1, 1, 0xf6, ANY, ANY, VVV, 0},
   {"vpmaddubsw", 2, 1, 0x04, ANY, ANY, VVV, 0},
   {"vpmaddwd", 1, 1, 0xf5, ANY, ANY, VVV, 0},
   {"vpmullq", 2, 1, 0x40, ANY, 1, VVV, 0},
   {"vpabsq", 2, 1, 0x1f, ANY, 1, VV, 0},
   {"vplzcntd", 2, 1, 0x44, ANY, 0, VV, 0},
   {"vplzcntq", 2, 1, 0x44, ANY, 1, VV, 0},
   {"vpconflictd", 2, 1, 0xc4, ANY, 0, VV, 0},
   {"vpconflictq", 2, 1, 0xc4, ANY, 1, VV, 0},
   {"vpopcntd", 2, 1, 0x55, ANY, 0, VV, 0},
   {"vpopcntq", 2, 1, 0x55, ANY, 1, VV, 0},
   {"vpopcntb", 2, 1, 0x54, ANY, 0, VV, 0},
   {"vpopcntw", 2, 1, 0x54, ANY, 1, VV, 0},
   {"vpbroadcastb", 2, 1, 0x78, ANY, 0, VX, 0},
   {"vpbroadcastw", 2, 1, 0x79, ANY, 0, VX, 0},
   {"vpbroadcastd", 2, 1, 0x58, ANY, 0, VX, 0},
   {"vpbroadcastq", 2, 1, 0x59, ANY, 1, VX, 0},
   {"vpblendmb", 2, 1, 0x66, ANY, 0, VVV, 0},
   {"vpblendmw", 2, 1, 0x66, ANY, 1, VVV, 0},
   {"vpblendmd", 2, 1, 0x64, ANY, 0, VVV, 0},
   {"vpblendmq", 2, 1, 0x64, ANY, 1, VVV, 0},
   {"vblendmps", 2, 1, 0x65, ANY, 0, VVV, 0},
   {"vblendmpd", 2, 1, 0x65, ANY, 1, VVV, 0},
   {"vpmovm2b", 2, 2, 0x28, ANY, 0, VK, 0},
   {"vpmovm2w", 2, 2, 0x28, ANY, 1, VK, 0},
   {"vpmovm2d", 2, 2, 0x38, ANY, 0, VK, 0},
   {"vpmovm2q", 2, 2, 0x38, ANY, 1, VK, 0},
   {"vpmovb2m", 2, 2, 0x29, ANY, 0, KV, 0},
   {"vpmovw2m", 2, 2, 0x29, ANY, 1, KV, 0},
   {"vpmovd2m", 2, 2, 0x39, ANY, 0, KV, 0},
   {"vpmovq2m", 2, 2, 0x39, ANY, 1, KV, 0},
   {"vpclmulqdq", 3, 1, 0x44, ANY, ANY, VVVI, 0},
   {"vaesenc", 2, 1, 0xdc, ANY, ANY, VVV, 0},
   {"vaesenclast", 2, 1, 0xdd, ANY, ANY, VVV, 0},
   {"vaesdec", 2, 1, 0xde, ANY, ANY, VVV, 0},
   {"vaesdeclast", 2, 1, 0xdf, ANY, ANY, VVV, 0},
   {"vgf2p8affineqb", 3, 1, 0xce, ANY, 1, VVVI, 0},
   {"vgf2p8affineinvqb", 3, 1, 0xcf, ANY, 1, VVVI, 0},
   {"vgf2p8mulb", 2, 1, 0xcf, ANY, 0, VVV, 0},
   {"vpmultishiftqb", 2, 1, 0x83, ANY, 1, VVV, 0},
   {"vpshldd", 3, 1, 0x71, ANY, 0, VVVI, 0},
   {"vpshldq", 3, 1, 0x71, ANY, 1, VVVI, 0},
   {"vpshrdd", 3, 1, 0x73, ANY, 0, VVVI, 0},
   {"vpshrdq", 3, 1, 0x73, ANY, 1, VVVI, 0},
   {NULL, 0, 0, 0, 0, 0, 0, 0},
};

static const WideRow vex[] = {
   {"kmovw", 1, 0, 0x90, ANY, 0, KKM, 0},
   {"kmovb", 1, 1, 0x90, ANY, 0, KKM, 0},
   {"kmovq", 1, 0, 0x90, ANY, 1, KKM, 0},
   {"kmovd", 1, 1, 0x90, ANY, 1, KKM, 0},
   {"kmovw", 1, 0, 0x91, ANY, 0, KMK, 0},
   {"kmovb", 1, 1, 0x91, ANY, 0, KMK, 0},
   {"kmovq", 1, 0, 0x91, ANY, 1, KMK, 0},
   {"kmovd", 1, 1, 0x91, ANY, 1, KMK, 0},
   {"kmovw", 1, 0, 0x92, ANY, 0, KG, 0},
   {"kmovb", 1, 1, 0x92, ANY, 0, KG, 0},
   {"kmovd", 1, 3, 0x92, ANY, 0, KG, 0},
   {"kmovq", 1, 3, 0x92, ANY, 1, KG, 0},
   {"kmovw", 1, 0, 0x93, ANY, 0, GK, 0},
   {"kmovb", 1, 1, 0x93, ANY, 0, GK, 0},
   {"kmovd", 1, 3, 0x93, ANY, 0, GK, 0},
   {"kmovq", 1, 3, 0x93, ANY, 1, GK, 0},
   {"kortestw", 1, 0, 0x98, ANY, 0, KTEST, TAKES_FLAGS},
   {"kortestb", 1, 1, 0x98, ANY, 0, KTEST, TAKES_FLAGS},
   {"kortestq", 1, 0, 0x98, ANY, 1, KTEST, TAKES_FLAGS},
   {"kortestd", 1, 1, 0x98, ANY, 1, KTEST, TAKES_FLAGS},
   {"ktestw", 1, 0, 0x99, ANY, 0, KTEST, TAKES_FLAGS},
   {"ktestb", 1, 1, 0x99, ANY, 0, KTEST, TAKES_FLAGS},
   {"ktestq", 1, 0, 0x99, ANY, 1, KTEST, TAKES_FLAGS},
   {"ktestd", 1, 1, 0x99, ANY, 1, KTEST, TAKES_FLAGS},
   {"kandw", 1, 0, 0x41, ANY, 0, KKK, 0},
   {"kandb", 1, 1, 0x41, ANY, 0, KKK, 0},
   {"kandq", 1, 0, 0x41, ANY, 1, KKK, 0},
   {"kandd", 1, 1, 0x41, ANY, 1, KKK, 0},
   {"kandnw", 1, 0, 0x42, ANY, 0, KKK, 0},
   {"kandnb", 1, 1, 0x42, ANY, 0, KKK, 0},
   {"kandnq", 1, 0, 0x42, ANY, 1, KKK, 0},
   {"kandnd", 1, 1, 0x42, ANY, 1, KKK, 0},
   {"knotw", 1, 0, 0x44, ANY, 0, KKM, 0},
   {"knotb", 1, 1, 0x44, ANY, 0, KKM, 0},
   {"knotq", 1, 0, 0x44, ANY, 1, KKM, 0},
   {"knotd", 1, 1, 0x44, ANY, 1, KKM, 0},
   {"korw", 1, 0, 0x45, ANY, 0, KKK, 0},
   {"korb", 1, 1, 0x45, ANY, 0, KKK, 0},
   {"korq", 1, 0, 0x45, ANY, 1, KKK, 0},
   {"kord", 1, 1, 0x45, ANY, 1, KKK, 0},
   {"kxnorw", 1, 0, 0x46, ANY, 0, KKK, 0},
   {"kxnorb", 1, 1, 0x46, ANY, 0, KKK, 0},
   {"kxnorq", 1, 0, 0x46, ANY, 1, KKK, 0},
   {"kxnord", 1, 1, 0x46, ANY, 1, KKK, 0},
   {"kxorw", 1, 0, 0x47, ANY, 0, KKK, CLEARS_SAME},
   {"kxorb", 1, 1, 0x47, ANY, 0, KKK, CLEARS_SAME},
   {"kxorq", 1, 0, 0x47, ANY, 1, KKK, CLEARS_SAME},
   {"kxord", 1, 1, 0x47, ANY, 1, KKK, CLEARS_SAME},
   {"kaddw", 1, 0, 0x4a, ANY, 0, KKK, 0},
   {"kaddb", 1, 1, 0x4a, ANY, 0, KKK, 0},
   {"kaddq", 1, 0, 0x4a, ANY, 1, KKK, 0},
   {"kaddd", 1, 1, 0x4a, ANY, 1, KKK, 0},
   {"kunpckbw", 1, 1, 0x4b, ANY, 0, KKK, 0},
   {"kunpckwd", 1, 0, 0x4b, ANY, 0, KKK, 0},
   {"kunpckdq", 1, 0, 0x4b, ANY, 1, KKK, 0},
   {"kshiftrb", 3, 1, 0x30, ANY, 0, KKI, 0},
   {"kshiftrw", 3, 1, 0x30, ANY, 1, KKI, 0},
   {"kshiftrd", 3, 1, 0x31, ANY, 0, KKI, 0},
   {"kshiftrq", 3, 1, 0x31, ANY, 1, KKI, 0},
   {"kshiftlb", 3, 1, 0x32, ANY, 0, KKI, 0},
   {"kshiftlw", 3, 1, 0x32, ANY, 1, KKI, 0},
   {"kshiftld", 3, 1, 0x33, ANY, 0, KKI, 0},
   {"kshiftlq", 3, 1, 0x33, ANY, 1, KKI, 0},
   {"vbroadcasti128", 2, 1, 0x5a, ANY, 0, VX, 0},
   {"vpclmulqdq", 3, 1, 0x44, ANY, ANY, VVVI, 0},
   {"vaesenc", 2, 1, 0xdc, ANY, ANY, VVV, 0},
   {"vaesenclast", 2, 1, 0xdd, ANY, ANY, VVV, 0},
   {"vaesdec", 2, 1, 0xde, ANY, ANY, VVV, 0},
   {"vaesdeclast", 2, 1, 0xdf, ANY, ANY, VVV, 0},
   {"vgf2p8affineqb", 3, 1, 0xce, ANY, 1, VVVI, 0},
   {"vgf2p8mulb", 2, 1, 0xcf, ANY, 0, VVV, 0},
   {"vpdpbusd", 2, 1, 0x50, ANY, 0, VVV, MERGES},
   {"vpdpwssd", 2, 1, 0x52, ANY, 0, VVV, MERGES},
   {NULL, 0, 0, 0, 0, 0, 0, 0},
};

/* ------------------------------------------------------------ the code */

/* The fields of an instruction. */
typedef struct Wide {
   const uint8_t* at; /* what comes next */
   const uint8_t* end;
   uint64_t address;
   unsigned length;
   unsigned map, prefix, opcode;
   unsigned reg, rm, vvvv, base_bit, index_bit; /* registers, their high bits */
   unsigned bytes;                              /* of a vector */
   unsigned mask;                               /* 0: none */
   bool wide, broadcasts, is_zeroing, is_evex, is_memory, is_relative;
   cg2p_access access;
} Wide;

static unsigned bit(unsigned byte, unsigned n)
{
   return byte >> n & 1;
}

static bool read_evex(Wide* to)
{
   const uint8_t* p = to->at;
   if (to->end - p < 6 || p[0] != 0x62) return false;
   to->is_evex = true;
   to->map = p[1] & 7;
   to->reg = !bit(p[1], 7) << 3 | !bit(p[1], 4) << 4;
   to->index_bit = !bit(p[1], 6) << 3;
   to->base_bit = !bit(p[1], 5) << 3;
   to->wide = bit(p[2], 7);
   to->vvvv = (~p[2] >> 3 & 15) | !bit(p[3], 3) << 4;
   to->prefix = p[2] & 3;
   to->is_zeroing = bit(p[3], 7);
   to->bytes = 16u << (p[3] >> 5 & 3);
   to->broadcasts = bit(p[3], 4);
   to->mask = p[3] & 7;
   to->at += 4;
   return true;
}

static bool read_vex(Wide* to)
{
   const uint8_t* p = to->at;
   bool is_long = p[0] == 0xc4;
   if (to->end - p < 5 || (!is_long && p[0] != 0xc5)) return false;
   unsigned last = p[is_long ? 2 : 1];
   to->reg = !bit(p[1], 7) << 3;
   to->map = is_long ? p[1] & 31 : 1;
   to->index_bit = is_long ? !bit(p[1], 6) << 3 : 0;
   to->base_bit = is_long ? !bit(p[1], 5) << 3 : 0;
   to->wide = is_long && bit(last, 7);
   to->vvvv = ~last >> 3 & 15;
   to->bytes = 16u << bit(last, 2);
   to->prefix = last & 3;
   to->at += is_long ? 3 : 2;
   return true;
}

static bool has_immediate(const Wide* wide)
{
   unsigned opcode = wide->opcode;
   return wide->map == 3 ||
          (wide->map == 1 &&
           ((opcode >= 0x70 && opcode <= 0x73) || opcode == 0xc2 ||
            (opcode >= 0xc4 && opcode <= 0xc6)));
}

static int64_t displacement(Wide* wide, unsigned bytes)
{
   int64_t value = 0;
   for (unsigned i = 0; i < bytes; i++)
      value |= (int64_t)wide->at[i] << 8 * i;
   wide->at += bytes;
   return bytes == 1 ? (int8_t)value : (int32_t)value;
}

/* A displacement of a byte counts what the instruction accesses. */
static unsigned unit_of(const Wide* wide)
{
   if (!wide->is_evex) return 1;
   return wide->broadcasts ? wide->wide ? 8 : 4 : wide->bytes;
}

static void read_index(Wide* wide, unsigned mode, bool* has_base)
{
   unsigned sib = *wide->at++;
   unsigned index = (sib >> 3 & 7) | wide->index_bit;
   wide->access.scale = 1 << (sib >> 6);
   if (index != 4) wide->access.index = index;
   *has_base = !((sib & 7) == 5 && mode == 0);
   wide->access.base =
      *has_base ? (sib & 7) | wide->base_bit : CG2P_NO_REGISTER;
}

static bool read_memory(Wide* wide, unsigned mode, unsigned rm)
{
   bool has_base = true;
   wide->is_relative = mode == 0 && rm == 5;
   wide->access = (cg2p_access){
      .base = rm | wide->base_bit, .index = CG2P_NO_REGISTER, .scale = 1};
   if (rm == 4) read_index(wide, mode, &has_base);
   unsigned bytes = mode == 1                                     ? 1
                    : mode == 2 || wide->is_relative || !has_base ? 4
                                                                  : 0;
   if (wide->end - wide->at < (ptrdiff_t)bytes) return false;
   wide->access.displacement = displacement(wide, bytes);
   if (mode == 1) wide->access.displacement *= unit_of(wide);
   if (wide->is_relative) wide->access.base = CG2P_NO_REGISTER;
   return true;
}

static bool read_operands(Wide* wide)
{
   const uint8_t* start = wide->at;
   wide->opcode = *wide->at++;
   unsigned modrm = *wide->at++, mode = modrm >> 6;
   wide->reg |= modrm >> 3 & 7;
   wide->rm =
      (modrm & 7) | wide->base_bit | (wide->is_evex ? wide->index_bit << 1 : 0);
   wide->is_memory = mode != 3;
   if (wide->is_memory &&
       (wide->end - start < 3 || !read_memory(wide, mode, modrm & 7)))
      return false;
   if (has_immediate(wide)) wide->at++;
   return wide->at <= wide->end;
}

/* ------------------------------------------------------------ the operation */

static const WideRow* row_of(const Wide* wide, const WideRow* row)
{
   for (; row->mnemonic; row++)
      if (row->map == wide->map && row->prefix == wide->prefix &&
          row->opcode == wide->opcode &&
          (row->digit == ANY || (wide->reg & 7) == (unsigned)row->digit) &&
          (row->wide == ANY || row->wide == (int)wide->wide))
         return row;
   return NULL;
}

static uint8_t register_of(const Wide* wide, WideOperand operand)
{
   switch (operand) {
   case REG_V:
      return FIRST_VECTOR + wide->reg;
   case REG_K:
      return FIRST_MASK + (wide->reg & 7);
   case REG_G:
      return wide->reg & 15;
   case VVVV_V:
      return FIRST_VECTOR + wide->vvvv;
   case VVVV_K:
      return FIRST_MASK + (wide->vvvv & 7);
   case RM_V:
   case RM_X:
      return FIRST_VECTOR + wide->rm;
   case RM_K:
      return FIRST_MASK + (wide->rm & 7);
   case RM_G:
      return wide->rm & 15;
   default:
      return CG2P_NO_REGISTER;
   }
}

static bool is_rm(WideOperand operand)
{
   return operand == RM_V || operand == RM_K || operand == RM_G ||
          operand == RM_X;
}

/* Bytes of an element or mask, by the last letter of a mnemonic. */
static unsigned element_of(const WideRow* row)
{
   switch (row->mnemonic[strlen(row->mnemonic) - 1]) {
   case 'b':
      return 1;
   case 'w':
      return 2;
   case 'd':
      return 4;
   case '8': /* vbroadcasti128 */
      return 16;
   default:
      return 8;
   }
}

static unsigned
bytes_of(const Wide* wide, const WideRow* row, WideOperand operand)
{
   if (operand == RM_V) return wide->bytes;
   return element_of(row);
}

static void
put_kind(const Wide* wide, const WideRow* row, WideOperand operand, char* to)
{
   const char* vector = wide->bytes == 64 ? "z" : wide->bytes == 32 ? "y" : "x";
   if (is_rm(operand) && wide->is_memory)
      sprintf(to, "m%u", bytes_of(wide, row, operand) * 8);
   else if (operand == REG_V || operand == VVVV_V || operand == RM_V)
      strcpy(to, vector);
   else if (operand == REG_G || operand == RM_G)
      strcpy(to, element_of(row) == 8 ? "r64" : "r32");
   else
      strcpy(to, operand == IMMEDIATE ? "i" : operand == RM_X ? "x" : "k");
}

static const char*
form_of(Decoder* decoder, const Wide* wide, const WideRow* row)
{
   char text[64];
   const uint8_t* operands = shapes[row->shape];
   int length = sprintf(text, "%s", row->mnemonic);
   for (unsigned i = 0; i < 4 && operands[i]; i++) {
      text[length++] = i ? ',' : ' ';
      put_kind(wide, row, operands[i], text + length);
      length += strlen(text + length);
   }
   return cg2d_decoder_form(decoder, text);
}

static void take_memory(const Wide* wide,
                        const WideRow* row,
                        unsigned i,
                        cg2p_operation* to)
{
   to->access = wide->access;
   to->access.size = wide->broadcasts
                        ? wide->wide ? 8 : 4
                        : bytes_of(wide, row, shapes[row->shape][i]);
   to->access.stores = i == 0;
   to->access.loads = i != 0;
   if (wide->is_relative)
      to->access.displacement += wide->address + wide->length;
   cg2d_decoder_address(to, to->access.base);
   cg2d_decoder_address(to, to->access.index);
}

static void
take_operands(const Wide* wide, const WideRow* row, cg2p_operation* to)
{
   const uint8_t* operands = shapes[row->shape];
   bool is_written = !(row->marks & TAKES_FLAGS);
   bool keeps = row->marks & MERGES || (wide->mask && !wide->is_zeroing);
   for (unsigned i = 0; i < 4 && operands[i]; i++) {
      uint8_t number = register_of(wide, operands[i]);
      if (is_rm(operands[i]) && wide->is_memory) {
         take_memory(wide, row, i, to);
         continue;
      }
      if (i || !is_written || (keeps && number < FIRST_MASK))
         cg2d_decoder_read(to, number);
      if (i == 0 && is_written) cg2d_decoder_write(to, number);
      if (number >= FIRST_VECTOR && number < CARRY) to->is_vector = 1;
   }
   if (wide->mask) cg2d_decoder_read(to, FIRST_MASK + wide->mask);
}

static void
take_meaning(const Wide* wide, const WideRow* row, cg2p_operation* to)
{
   bool is_same = wide->vvvv == wide->rm && !wide->is_memory;
   if (row->marks & TAKES_FLAGS) {
      cg2d_decoder_write(to, CARRY);
      cg2d_decoder_write(to, OTHER_FLAGS);
      return;
   }
   to->rule_destination = to->n_writes ? to->writes[0] : CG2P_NO_REGISTER;
   to->rule = to->n_writes ? CG2P_VALUE_OTHER : CG2P_VALUE_NONE;
   if (row->marks & CLEARS_SAME && is_same && !wide->mask) {
      to->is_move = CG2P_ZEROES;
      to->n_reads = 0;
      to->rule = CG2P_VALUE_CONSTANT;
   } else if (wide->is_memory && row->shape == KMK) {
      to->rule = CG2P_VALUE_COPY;
      to->rule_source = to->reads[0];
   } else if (wide->is_memory && (row->shape == VX || row->shape == KKM) &&
              element_of(row) >= 4) {
      to->rule = CG2P_VALUE_LOAD;
   }
}

bool cg2d_wideform_take(Decoder* decoder,
                        const uint8_t* bytes,
                        size_t left,
                        uint64_t address,
                        cg2p_operation* to)
{
   Wide wide = {.at = bytes, .end = bytes + left, .address = address};
   if (!(read_evex(&wide) || read_vex(&wide)) || !read_operands(&wide))
      return false;
   wide.length = wide.at - bytes;
   to->step = (cg2p_step){0, wide.length, CG2P_GOES_ON};
   const WideRow* row = row_of(&wide, wide.is_evex ? evex : vex);
   if (!row) return true;
   to->form = form_of(decoder, &wide, row);
   take_operands(&wide, row, to);
   take_meaning(&wide, row, to);
   return true;
}
