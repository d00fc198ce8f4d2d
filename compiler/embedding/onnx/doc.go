// Package onnx writes BERT sentence encoders as ONNX files.
//
// A sentence-transformers model comes as a table of weights and a few lines of configuration. Write turns them into one
// self-contained graph, ids in and a sentence vector out, that ONNX Runtime evaluates without a tokenizer, a mask or
// any arithmetic around it:
//
//	ids int32 [texts, n] → embeddings → layers × (attention, feed forward) → pooling → L2 norm → embedding [texts, dim]
//
// The graph has two forms. Fused is the one to use: ONNX Runtime's contributed operators for attention, for
// LayerNorm with its residual and for GELU with its bias, which it would otherwise have to discover. Plain has standard
// operators only, for other runtimes and for measuring what the fusion gives.
//
// All texts of a run have n ids: there is no mask, since there is no padding.
//
// The protobuf encoding is written by hand (ONNX uses a handful of its messages), streaming, so that writing 90 MB
// of weights takes little more memory than the largest tensor. The bytes depend on the weights and the form alone.
//
// The package does not read ONNX files and does not evaluate them.
package onnx
