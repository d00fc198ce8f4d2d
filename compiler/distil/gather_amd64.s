#include "textflag.h"

// func gatherAVX2(dst, x *lane, index *int32, values *float32, n int)
//
// Y0-Y3 are the sums over even k, Y4-Y7 those over odd k, as gatherGo has them: eight chains keep the adders busy.
// Products are rounded before they are added, since not every processor can do without. AX and R8 are byte offsets of
// rows of x, 128 bytes each.

#define ROW(at, value, a, b, c, d) \
	SHLQ   $7, at                   \
	VMULPS (SI)(at*1), value, Y10   \
	VMULPS 32(SI)(at*1), value, Y11 \
	VMULPS 64(SI)(at*1), value, Y12 \
	VMULPS 96(SI)(at*1), value, Y13 \
	VADDPS Y10, a, a                \
	VADDPS Y11, b, b                \
	VADDPS Y12, c, c                \
	VADDPS Y13, d, d

TEXT ·gatherAVX2(SB), NOSPLIT, $0-40
	MOVQ   dst+0(FP), DI
	MOVQ   x+8(FP), SI
	MOVQ   index+16(FP), BX
	MOVQ   values+24(FP), DX
	MOVQ   n+32(FP), CX
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	VXORPS Y2, Y2, Y2
	VXORPS Y3, Y3, Y3
	VXORPS Y4, Y4, Y4
	VXORPS Y5, Y5, Y5
	VXORPS Y6, Y6, Y6
	VXORPS Y7, Y7, Y7
	SUBQ   $2, CX
	JLT    last

two:
	MOVLQSX      (BX), AX
	MOVLQSX      4(BX), R8
	VBROADCASTSS (DX), Y8
	VBROADCASTSS 4(DX), Y9
	ROW(AX, Y8, Y0, Y1, Y2, Y3)
	ROW(R8, Y9, Y4, Y5, Y6, Y7)
	ADDQ         $8, BX
	ADDQ         $8, DX
	SUBQ         $2, CX
	JGE          two

last:
	ADDQ         $2, CX
	JEQ          done
	MOVLQSX      (BX), AX
	VBROADCASTSS (DX), Y8
	ROW(AX, Y8, Y0, Y1, Y2, Y3)

done:
	VADDPS  Y4, Y0, Y0
	VADDPS  Y5, Y1, Y1
	VADDPS  Y6, Y2, Y2
	VADDPS  Y7, Y3, Y3
	VMOVUPS Y0, (DI)
	VMOVUPS Y1, 32(DI)
	VMOVUPS Y2, 64(DI)
	VMOVUPS Y3, 96(DI)
	VZEROUPPER
	RET
