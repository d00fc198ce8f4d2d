#include "textflag.h"

// Products of 6 rows of x with 8 outputs of a panel in float64, for AVX2 with FMA. The panel's inputs are 64 bytes apart.
//
// Registers: CX = k left, SI = row 0 of x and R9 = row 3, R8 = bytes between rows, DX = panel. Y0-Y11 are the sums, two a
// row; Y12 and Y13 hold 8 weights, Y14 one input. DI, R11 are rows 0 and 3 of y, R10 the bytes between.

#define ZERO(a, b) \
	VXORPD a, a, a \
	VXORPD b, b, b

#define NARROW \
	VCVTPS2PD (DX), Y12   \
	VCVTPS2PD 16(DX), Y13

#define DOUBLE \
	VMOVUPD (DX), Y12   \
	VMOVUPD 32(DX), Y13

#define ROW(x, a, b) \
	VBROADCASTSD x, Y14        \
	VFMADD231PD  Y12, Y14, a \
	VFMADD231PD  Y13, Y14, b

#define STORE(y, z, a, b) \
	VMOVUPD a, y \
	VMOVUPD b, z

// func tileFloat32(k int, x *float64, ldx int, w *float32, y *float64, ldy int)
TEXT ·tileFloat32(SB), NOSPLIT, $0-48
	MOVQ k+0(FP), CX
	MOVQ x+8(FP), SI
	MOVQ ldx+16(FP), R8
	SHLQ $3, R8
	LEAQ (R8)(R8*2), R9
	ADDQ SI, R9
	MOVQ w+24(FP), DX
	MOVQ y+32(FP), DI
	MOVQ ldy+40(FP), R10
	SHLQ $3, R10
	LEAQ (R10)(R10*2), R11
	ADDQ DI, R11
	ZERO(Y0, Y1)
	ZERO(Y2, Y3)
	ZERO(Y4, Y5)
	ZERO(Y6, Y7)
	ZERO(Y8, Y9)
	ZERO(Y10, Y11)

tileFloat32:
	NARROW
	ROW((SI), Y0, Y1)
	ROW((SI)(R8*1), Y2, Y3)
	ROW((SI)(R8*2), Y4, Y5)
	ROW((R9), Y6, Y7)
	ROW((R9)(R8*1), Y8, Y9)
	ROW((R9)(R8*2), Y10, Y11)
	ADDQ $64, DX
	ADDQ $8, SI
	ADDQ $8, R9
	DECQ CX
	JNZ  tileFloat32

	STORE((DI), 32(DI), Y0, Y1)
	STORE((DI)(R10*1), 32(DI)(R10*1), Y2, Y3)
	STORE((DI)(R10*2), 32(DI)(R10*2), Y4, Y5)
	STORE((R11), 32(R11), Y6, Y7)
	STORE((R11)(R10*1), 32(R11)(R10*1), Y8, Y9)
	STORE((R11)(R10*2), 32(R11)(R10*2), Y10, Y11)
	VZEROUPPER
	RET

// func tileFloat64(k int, x *float64, ldx int, w *float64, y *float64, ldy int)
TEXT ·tileFloat64(SB), NOSPLIT, $0-48
	MOVQ k+0(FP), CX
	MOVQ x+8(FP), SI
	MOVQ ldx+16(FP), R8
	SHLQ $3, R8
	LEAQ (R8)(R8*2), R9
	ADDQ SI, R9
	MOVQ w+24(FP), DX
	MOVQ y+32(FP), DI
	MOVQ ldy+40(FP), R10
	SHLQ $3, R10
	LEAQ (R10)(R10*2), R11
	ADDQ DI, R11
	ZERO(Y0, Y1)
	ZERO(Y2, Y3)
	ZERO(Y4, Y5)
	ZERO(Y6, Y7)
	ZERO(Y8, Y9)
	ZERO(Y10, Y11)

tileFloat64:
	DOUBLE
	ROW((SI), Y0, Y1)
	ROW((SI)(R8*1), Y2, Y3)
	ROW((SI)(R8*2), Y4, Y5)
	ROW((R9), Y6, Y7)
	ROW((R9)(R8*1), Y8, Y9)
	ROW((R9)(R8*2), Y10, Y11)
	ADDQ $64, DX
	ADDQ $8, SI
	ADDQ $8, R9
	DECQ CX
	JNZ  tileFloat64

	STORE((DI), 32(DI), Y0, Y1)
	STORE((DI)(R10*1), 32(DI)(R10*1), Y2, Y3)
	STORE((DI)(R10*2), 32(DI)(R10*2), Y4, Y5)
	STORE((R11), 32(R11), Y6, Y7)
	STORE((R11)(R10*1), 32(R11)(R10*1), Y8, Y9)
	STORE((R11)(R10*2), 32(R11)(R10*2), Y10, Y11)
	VZEROUPPER
	RET
