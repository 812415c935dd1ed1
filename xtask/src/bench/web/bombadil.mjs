// Bombadil, with its default specification or the one given. Its actions are the entries of its trace that have
// one; the time is that between the first and last entry, so that its start-up does not count against it.
// Usage, where @antithesishq/bombadil 0.7.0 is installed and with chromium on the PATH:
// node bombadil.mjs URL SECONDS [SPECIFICATION]
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [url, limit, ...specification] = process.argv.slice(2);
// The binary itself and not the package's wrapper, so that the time limit ends the right process.
const binary = join(process.cwd(), 'node_modules/@antithesishq/bombadil/binaries', `bombadil-${process.platform}-${process.arch}`);
const output = mkdtempSync(join(tmpdir(), 'bench-bombadil-'));
try {
  const run = spawnSync(binary, ['browser', 'test', '--headless', '--no-sandbox',
    '--time-limit', `${limit}s`, '--output-path', output, '--output-path-overwrite', url, ...specification],
    { encoding: 'utf8', timeout: (Number(limit) + 60) * 1000 });
  const trace = readFileSync(join(output, 'trace.jsonl'), 'utf8').trim().split('\n').map((line) => JSON.parse(line));
  const actions = trace.filter((step) => step.action !== null).length;
  if (actions === 0) throw new Error(`no action in the trace:\n${run.stdout}${run.stderr}`);
  console.log(JSON.stringify({ actions, seconds: (trace.at(-1).timestamp - trace[0].timestamp) / 1e6 }));
} finally {
  rmSync(output, { recursive: true, force: true });
}
