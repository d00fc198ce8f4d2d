#include "textflag.h"

// Products of 1 to 6 rows of x with a panel of 16 outputs, for AVX2 with FMA.
//
//	func (k int, x *float32, ldx int, w *T, scale, bias *[16]float32, y *float32, ldy int)
//
// Registers: CX = k left, SI = row 0 of x and R9 = row 3, R8 = bytes between rows, DX = panel. Y0-Y11 are the sums, two a
// row; Y12 and Y13 hold 16 weights, Y14 one input. Six rows need 12 multiply-adds for 8 loads a step: the multiplier is
// busy all the time. At the end Y12, Y13 are the scale, Y14, Y15 the bias; DI, R11 rows 0 and 3 of y, R10 bytes between.

#define PROLOGUE \
	MOVQ k+0(FP), CX       \
	MOVQ x+8(FP), SI       \
	MOVQ ldx+16(FP), R8    \
	SHLQ $2, R8            \
	LEAQ (R8)(R8*2), R9    \
	ADDQ SI, R9            \
	MOVQ w+24(FP), DX      \
	MOVQ scale+32(FP), AX  \
	MOVQ bias+40(FP), BX   \
	MOVQ y+48(FP), DI      \
	MOVQ ldy+56(FP), R10   \
	SHLQ $2, R10           \
	LEAQ (R10)(R10*2), R11 \
	ADDQ DI, R11

#define ZERO(a, b) \
	VXORPS a, a, a \
	VXORPS b, b, b

#define FLOAT_WEIGHTS \
	VMOVUPS (DX), Y12   \
	VMOVUPS 32(DX), Y13 \
	ADDQ    $64, DX

#define INT8_WEIGHTS \
	VPMOVSXBD (DX), Y12  \
	VPMOVSXBD 8(DX), Y13 \
	VCVTDQ2PS Y12, Y12   \
	VCVTDQ2PS Y13, Y13   \
	ADDQ      $16, DX

#define ROW(x, a, b) \
	VBROADCASTSS x, Y14        \
	VFMADD231PS  Y12, Y14, a \
	VFMADD231PS  Y13, Y14, b

#define NEXT \
	ADDQ $4, SI \
	ADDQ $4, R9 \
	DECQ CX

#define SCALES \
	VMOVUPS (AX), Y12   \
	VMOVUPS 32(AX), Y13 \
	VMOVUPS (BX), Y14   \
	VMOVUPS 32(BX), Y15

#define STORE(y, z, a, b) \
	VFMADD213PS Y14, Y12, a \
	VFMADD213PS Y15, Y13, b \
	VMOVUPS     a, y        \
	VMOVUPS     b, z


// func floatTile1(k int, x *float32, ldx int, w *float32, scale, bias *[16]float32, y *float32, ldy int)
TEXT ·floatTile1(SB), NOSPLIT, $0-64
	PROLOGUE
	ZERO(Y0, Y1)

floatTile1:
	FLOAT_WEIGHTS
	ROW((SI), Y0, Y1)
	NEXT
	JNZ floatTile1

	SCALES
	STORE((DI), 32(DI), Y0, Y1)
	VZEROUPPER
	RET

// func floatTile2(k int, x *float32, ldx int, w *float32, scale, bias *[16]float32, y *float32, ldy int)
TEXT ·floatTile2(SB), NOSPLIT, $0-64
	PROLOGUE
	ZERO(Y0, Y1)
	ZERO(Y2, Y3)

floatTile2:
	FLOAT_WEIGHTS
	ROW((SI), Y0, Y1)
	ROW((SI)(R8*1), Y2, Y3)
	NEXT
	JNZ floatTile2

	SCALES
	STORE((DI), 32(DI), Y0, Y1)
	STORE((DI)(R10*1), 32(DI)(R10*1), Y2, Y3)
	VZEROUPPER
	RET

// func floatTile3(k int, x *float32, ldx int, w *float32, scale, bias *[16]float32, y *float32, ldy int)
TEXT ·floatTile3(SB), NOSPLIT, $0-64
	PROLOGUE
	ZERO(Y0, Y1)
	ZERO(Y2, Y3)
	ZERO(Y4, Y5)

floatTile3:
	FLOAT_WEIGHTS
	ROW((SI), Y0, Y1)
	ROW((SI)(R8*1), Y2, Y3)
	ROW((SI)(R8*2), Y4, Y5)
	NEXT
	JNZ floatTile3

	SCALES
	STORE((DI), 32(DI), Y0, Y1)
	STORE((DI)(R10*1), 32(DI)(R10*1), Y2, Y3)
	STORE((DI)(R10*2), 32(DI)(R10*2), Y4, Y5)
	VZEROUPPER
	RET

// func floatTile4(k int, x *float32, ldx int, w *float32, scale, bias *[16]float32, y *float32, ldy int)
TEXT ·floatTile4(SB), NOSPLIT, $0-64
	PROLOGUE
	ZERO(Y0, Y1)
	ZERO(Y2, Y3)
	ZERO(Y4, Y5)
	ZERO(Y6, Y7)

floatTile4:
	FLOAT_WEIGHTS
	ROW((SI), Y0, Y1)
	ROW((SI)(R8*1), Y2, Y3)
	ROW((SI)(R8*2), Y4, Y5)
	ROW((R9), Y6, Y7)
	NEXT
	JNZ floatTile4

	SCALES
	STORE((DI), 32(DI), Y0, Y1)
	STORE((DI)(R10*1), 32(DI)(R10*1), Y2, Y3)
	STORE((DI)(R10*2), 32(DI)(R10*2), Y4, Y5)
	STORE((R11), 32(R11), Y6, Y7)
	VZEROUPPER
	RET

// func floatTile5(k int, x *float32, ldx int, w *float32, scale, bias *[16]float32, y *float32, ldy int)
TEXT ·floatTile5(SB), NOSPLIT, $0-64
	PROLOGUE
	ZERO(Y0, Y1)
	ZERO(Y2, Y3)
	ZERO(Y4, Y5)
	ZERO(Y6, Y7)
	ZERO(Y8, Y9)

floatTile5:
	FLOAT_WEIGHTS
	ROW((SI), Y0, Y1)
	ROW((SI)(R8*1), Y2, Y3)
	ROW((SI)(R8*2), Y4, Y5)
	ROW((R9), Y6, Y7)
	ROW((R9)(R8*1), Y8, Y9)
	NEXT
	JNZ floatTile5

	SCALES
	STORE((DI), 32(DI), Y0, Y1)
	STORE((DI)(R10*1), 32(DI)(R10*1), Y2, Y3)
	STORE((DI)(R10*2), 32(DI)(R10*2), Y4, Y5)
	STORE((R11), 32(R11), Y6, Y7)
	STORE((R11)(R10*1), 32(R11)(R10*1), Y8, Y9)
	VZEROUPPER
	RET

// func floatTile6(k int, x *float32, ldx int, w *float32, scale, bias *[16]float32, y *float32, ldy int)
TEXT ·floatTile6(SB), NOSPLIT, $0-64
	PROLOGUE
	ZERO(Y0, Y1)
	ZERO(Y2, Y3)
	ZERO(Y4, Y5)
	ZERO(Y6, Y7)
	ZERO(Y8, Y9)
	ZERO(Y10, Y11)

floatTile6:
	FLOAT_WEIGHTS
	ROW((SI), Y0, Y1)
	ROW((SI)(R8*1), Y2, Y3)
	ROW((SI)(R8*2), Y4, Y5)
	ROW((R9), Y6, Y7)
	ROW((R9)(R8*1), Y8, Y9)
	ROW((R9)(R8*2), Y10, Y11)
	NEXT
	JNZ floatTile6

	SCALES
	STORE((DI), 32(DI), Y0, Y1)
	STORE((DI)(R10*1), 32(DI)(R10*1), Y2, Y3)
	STORE((DI)(R10*2), 32(DI)(R10*2), Y4, Y5)
	STORE((R11), 32(R11), Y6, Y7)
	STORE((R11)(R10*1), 32(R11)(R10*1), Y8, Y9)
	STORE((R11)(R10*2), 32(R11)(R10*2), Y10, Y11)
	VZEROUPPER
	RET

// func int8Tile1(k int, x *float32, ldx int, w *byte, scale, bias *[16]float32, y *float32, ldy int)
TEXT ·int8Tile1(SB), NOSPLIT, $0-64
	PROLOGUE
	ZERO(Y0, Y1)

int8Tile1:
	INT8_WEIGHTS
	ROW((SI), Y0, Y1)
	NEXT
	JNZ int8Tile1

	SCALES
	STORE((DI), 32(DI), Y0, Y1)
	VZEROUPPER
	RET

// func int8Tile2(k int, x *float32, ldx int, w *byte, scale, bias *[16]float32, y *float32, ldy int)
TEXT ·int8Tile2(SB), NOSPLIT, $0-64
	PROLOGUE
	ZERO(Y0, Y1)
	ZERO(Y2, Y3)

int8Tile2:
	INT8_WEIGHTS
	ROW((SI), Y0, Y1)
	ROW((SI)(R8*1), Y2, Y3)
	NEXT
	JNZ int8Tile2

	SCALES
	STORE((DI), 32(DI), Y0, Y1)
	STORE((DI)(R10*1), 32(DI)(R10*1), Y2, Y3)
	VZEROUPPER
	RET

// func int8Tile3(k int, x *float32, ldx int, w *byte, scale, bias *[16]float32, y *float32, ldy int)
TEXT ·int8Tile3(SB), NOSPLIT, $0-64
	PROLOGUE
	ZERO(Y0, Y1)
	ZERO(Y2, Y3)
	ZERO(Y4, Y5)

int8Tile3:
	INT8_WEIGHTS
	ROW((SI), Y0, Y1)
	ROW((SI)(R8*1), Y2, Y3)
	ROW((SI)(R8*2), Y4, Y5)
	NEXT
	JNZ int8Tile3

	SCALES
	STORE((DI), 32(DI), Y0, Y1)
	STORE((DI)(R10*1), 32(DI)(R10*1), Y2, Y3)
	STORE((DI)(R10*2), 32(DI)(R10*2), Y4, Y5)
	VZEROUPPER
	RET

// func int8Tile4(k int, x *float32, ldx int, w *byte, scale, bias *[16]float32, y *float32, ldy int)
TEXT ·int8Tile4(SB), NOSPLIT, $0-64
	PROLOGUE
	ZERO(Y0, Y1)
	ZERO(Y2, Y3)
	ZERO(Y4, Y5)
	ZERO(Y6, Y7)

int8Tile4:
	INT8_WEIGHTS
	ROW((SI), Y0, Y1)
	ROW((SI)(R8*1), Y2, Y3)
	ROW((SI)(R8*2), Y4, Y5)
	ROW((R9), Y6, Y7)
	NEXT
	JNZ int8Tile4

	SCALES
	STORE((DI), 32(DI), Y0, Y1)
	STORE((DI)(R10*1), 32(DI)(R10*1), Y2, Y3)
	STORE((DI)(R10*2), 32(DI)(R10*2), Y4, Y5)
	STORE((R11), 32(R11), Y6, Y7)
	VZEROUPPER
	RET

// func int8Tile5(k int, x *float32, ldx int, w *byte, scale, bias *[16]float32, y *float32, ldy int)
TEXT ·int8Tile5(SB), NOSPLIT, $0-64
	PROLOGUE
	ZERO(Y0, Y1)
	ZERO(Y2, Y3)
	ZERO(Y4, Y5)
	ZERO(Y6, Y7)
	ZERO(Y8, Y9)

int8Tile5:
	INT8_WEIGHTS
	ROW((SI), Y0, Y1)
	ROW((SI)(R8*1), Y2, Y3)
	ROW((SI)(R8*2), Y4, Y5)
	ROW((R9), Y6, Y7)
	ROW((R9)(R8*1), Y8, Y9)
	NEXT
	JNZ int8Tile5

	SCALES
	STORE((DI), 32(DI), Y0, Y1)
	STORE((DI)(R10*1), 32(DI)(R10*1), Y2, Y3)
	STORE((DI)(R10*2), 32(DI)(R10*2), Y4, Y5)
	STORE((R11), 32(R11), Y6, Y7)
	STORE((R11)(R10*1), 32(R11)(R10*1), Y8, Y9)
	VZEROUPPER
	RET

// func int8Tile6(k int, x *float32, ldx int, w *byte, scale, bias *[16]float32, y *float32, ldy int)
TEXT ·int8Tile6(SB), NOSPLIT, $0-64
	PROLOGUE
	ZERO(Y0, Y1)
	ZERO(Y2, Y3)
	ZERO(Y4, Y5)
	ZERO(Y6, Y7)
	ZERO(Y8, Y9)
	ZERO(Y10, Y11)

int8Tile6:
	INT8_WEIGHTS
	ROW((SI), Y0, Y1)
	ROW((SI)(R8*1), Y2, Y3)
	ROW((SI)(R8*2), Y4, Y5)
	ROW((R9), Y6, Y7)
	ROW((R9)(R8*1), Y8, Y9)
	ROW((R9)(R8*2), Y10, Y11)
	NEXT
	JNZ int8Tile6

	SCALES
	STORE((DI), 32(DI), Y0, Y1)
	STORE((DI)(R10*1), 32(DI)(R10*1), Y2, Y3)
	STORE((DI)(R10*2), 32(DI)(R10*2), Y4, Y5)
	STORE((R11), 32(R11), Y6, Y7)
	STORE((R11)(R10*1), 32(R11)(R10*1), Y8, Y9)
	STORE((R11)(R10*2), 32(R11)(R10*2), Y10, Y11)
	VZEROUPPER
	RET
