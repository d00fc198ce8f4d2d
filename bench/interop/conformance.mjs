// Runs the public conformance suite against a server and compares each scenario with a baseline of expected failures.
//
//   node conformance.mjs MODULES URL REVISION BASELINE OUT
//
// MODULES is a folder with node_modules, REVISION a requirement set of the suite, BASELINE a file in the form that the
// suite's --expected-failures takes, in which each scenario stands with its reason: "  - NAME # REASON". OUT is replaced
// and keeps the results. A scenario fails here with any check that is FAILURE or WARNING. Unlike the suite's own
// comparison this one looks at the scenarios too that are run and not scored. The exit code is 0 where exactly the
// expected scenarios fail.

import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';

const [modules, url, revision, baselineFile, out] = process.argv.slice(2);

const expected = new Map();
for (const line of readFileSync(baselineFile, 'utf8').split('\n')) {
  const entry = /^ {2}- (\S+)(?: # (.+))?$/.exec(line);
  if (!entry) continue;
  if (!entry[2]) throw new Error(`${baselineFile}: ${entry[1]} has no reason`);
  expected.set(entry[1], entry[2]);
}

rmSync(out, { recursive: true, force: true });
const suite = join(modules, 'node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js');
const run = spawnSync(process.execPath, [suite, 'server', '--url', url, '--requirements', revision, '-o', out], { encoding: 'utf8', timeout: 300_000 });
if (run.error) throw run.error;

const failures = new Map(); // scenario to what failed
let scenarios = 0;
let checks = 0;
for (const folder of readdirSync(out)) {
  const name = /^server-(.+)-\d{4}-\d{2}-\d{2}T[\d-]+Z$/.exec(folder)?.[1];
  if (!name) throw new Error(`${out}/${folder}: not the name of a result`);
  scenarios++;
  for (const c of JSON.parse(readFileSync(join(out, folder, 'checks.json'), 'utf8'))) {
    if (c.status === 'SUCCESS') checks++;
    if (c.status === 'FAILURE' || c.status === 'WARNING') failures.set(name, [...(failures.get(name) ?? []), `${c.id}: ${c.errorMessage ?? c.description}`]);
  }
}
if (scenarios < 30) throw new Error(`the suite ran only ${scenarios} scenarios:\n${run.stdout}\n${run.stderr}`);

let surprises = 0;
for (const [name, messages] of failures) {
  if (expected.has(name)) continue;
  surprises++;
  console.error(`${name} fails, and is not expected to:\n  ${messages.join('\n  ')}`);
}
for (const name of expected.keys()) {
  if (failures.has(name)) continue;
  surprises++;
  console.error(`${name} is expected to fail and does not: take it out of ${baselineFile}`);
}
console.log(`conformance of ${basename(baselineFile, '.yml')}: ${scenarios} scenarios, ${checks} checks passed, ${failures.size} scenarios fail, ${expected.size} are expected to`);
process.exit(surprises > 0 ? 1 : 0);
