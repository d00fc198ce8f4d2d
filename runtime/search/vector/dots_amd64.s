#include "textflag.h"

// func dotsAVX2(dst *int32, q *int16, rows *byte, n, dim int)
//
// Two accumulators of eight int32 each; VPMADDWD adds neighbouring products of sixteen int16.
TEXT ·dotsAVX2(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), DI
	MOVQ q+8(FP), SI
	MOVQ rows+16(FP), DX
	MOVQ n+24(FP), CX
	MOVQ dim+32(FP), R8

row:
	TESTQ CX, CX
	JZ    done
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	MOVQ  SI, R9
	MOVQ  R8, R10

pair:
	CMPQ      R10, $32
	JLT       single
	VPMOVSXBW (DX), Y2
	VPMOVSXBW 16(DX), Y3
	VPMADDWD  (R9), Y2, Y2
	VPMADDWD  32(R9), Y3, Y3
	VPADDD    Y2, Y0, Y0
	VPADDD    Y3, Y1, Y1
	ADDQ      $32, DX
	ADDQ      $64, R9
	SUBQ      $32, R10
	JMP       pair

single:
	TESTQ     R10, R10
	JZ        sum
	VPMOVSXBW (DX), Y2
	VPMADDWD  (R9), Y2, Y2
	VPADDD    Y2, Y0, Y0
	ADDQ      $16, DX
	ADDQ      $32, R9
	SUBQ      $16, R10
	JMP       single

sum:
	VPADDD       Y1, Y0, Y0
	VEXTRACTI128 $1, Y0, X1
	VPADDD       X1, X0, X0
	VPSHUFD      $0x4e, X0, X1
	VPADDD       X1, X0, X0
	VPSHUFD      $0xb1, X0, X1
	VPADDD       X1, X0, X0
	VMOVD        X0, (DI)
	ADDQ         $4, DI
	DECQ         CX
	JMP          row

done:
	VZEROUPPER
	RET
