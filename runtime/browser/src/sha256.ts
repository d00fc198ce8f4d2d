// What is used of @noble/hashes: SHA-256 for pages without WebCrypto, such as those of an http host in an intranet.
export { sha256 } from "@noble/hashes/sha2.js";
