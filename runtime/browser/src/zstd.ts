// What is used of fzstd: bundled into a file of its own, which is loaded when a text is read first.
export { Decompress } from "fzstd";
