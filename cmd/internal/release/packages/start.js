#!/usr/bin/env node
"use strict";
// Starts the program kddq of the package for this platform, which npm installs as an optional dependency.
const { spawn } = require("node:child_process");
const { constants } = require("node:os");

const name = `kddq-${process.platform}-${process.arch}`;
const known = require("./package.json").optionalDependencies;

function fail(text) {
  process.stderr.write(`kddq: ${text}\n`);
  process.exit(1);
}

let program;
if (process.env.KDDQ_BINARY) {
  program = process.env.KDDQ_BINARY;
} else if (!(name in known)) {
  fail(`no build for ${process.platform} on ${process.arch}; there are ${Object.keys(known).join(", ")}`);
} else {
  try {
    program = require.resolve(`${name}/bin/kddq${process.platform === "win32" ? ".exe" : ""}`);
  } catch {
    fail(`the package ${name} is missing, which holds the program; install again without --omit=optional, or, where ` +
      "node_modules came from another machine, on this one; or name a kddq with KDDQ_BINARY");
  }
}

const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
// A terminal sends SIGINT to both itself.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => (signal === "SIGINT" && process.stdin.isTTY) || child.kill(signal));
}
child.on("error", (error) => fail(`${program}: ${error.message}`));
child.on("exit", (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : code));
