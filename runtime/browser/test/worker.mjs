// Answers a question in a worker: of browsers and Deno, or a thread of Node.
import { open } from "../kddx.js";

const parent = globalThis.self?.postMessage ? globalThis.self : (await import("node:worker_threads")).parentPort;

// The reader has what it needs where there is neither document nor process.
const answer = async ({ address, query, options }) => (await open(address)).search(query, options);

parent.addEventListener("message", ({ data }) => {
  answer(data).then((found) => parent.postMessage({ found }), (err) => parent.postMessage({ failed: String(err) }));
});
