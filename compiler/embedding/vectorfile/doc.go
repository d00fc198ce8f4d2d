// Package vectorfile reads and writes files of vectors, by the SHA-256 of the text that each is of: the parts of a
// build that several machines embed, and the cache of one machine.
//
//	"KDDVEC3\n" · u32 n · head, n bytes of JSON ·
//	rows × {key [32], check [8], dim × float32} ·
//	rows × {key [32], check [8], u32 age, u32 0} ·
//	u64 rows · SHA-256(head, with what is before it ‖ the table ‖ rows) · "KDDVEND\n"
//
// Numbers are little-endian, keys ascend, and no two are equal. check is the beginning of SHA-256(key ‖ row). age counts
// the saves of a cache since the row was last used. A file that is being written has no table yet: what is there can be
// told row by row, so that a run that was killed goes on where it was.
//
// Files are read as if somebody else had written them: each length is checked before it is believed, and each row when
// it is read.
package vectorfile
