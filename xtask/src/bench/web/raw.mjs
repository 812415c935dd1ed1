// The floor: a raw DevTools loop over the debugging pipe. Press, release, small snapshot, one after the other,
// with no settling. Usage: node raw.mjs URL SECONDS [CHROMIUM]
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SNAPSHOT, centres, counted, report } from './snapshot.mjs';

const [url, limit, chromium = 'chromium'] = process.argv.slice(2);
const profile = mkdtempSync(join(tmpdir(), 'bench-raw-'));
const browser = spawn(chromium, ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync', '--window-size=1024,768',
  `--user-data-dir=${profile}`, '--remote-debugging-pipe', 'about:blank'],
  { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });

const waiting = new Map();
const listeners = new Map();
let lastId = 0;
let buffered = '';
browser.stdio[4].setEncoding('utf8').on('data', (chunk) => {
  const messages = (buffered + chunk).split('\0');
  buffered = messages.pop();
  for (const message of messages.map((text) => JSON.parse(text))) {
    if (message.id) {
      const { resolve, reject } = waiting.get(message.id);
      waiting.delete(message.id);
      message.error ? reject(new Error(message.error.message)) : resolve(message.result);
    } else listeners.get(message.method)?.(message.params);
  }
});
const send = (method, params = {}, sessionId) => new Promise((resolve, reject) => {
  waiting.set(++lastId, { resolve, reject });
  browser.stdio[3].write(`${JSON.stringify({ id: lastId, method, params, sessionId })}\0`);
});

try {
  const { targetId } = await send('Target.createTarget', { url: 'about:blank' });
  const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true });
  const page = (method, params) => send(method, params, sessionId);
  await page('Page.enable');
  const loaded = new Promise((resolve) => listeners.set('Page.loadEventFired', resolve));
  await page('Page.navigate', { url });
  await loaded;
  const snapshot = async () =>
    (await page('Runtime.evaluate', { expression: SNAPSHOT, returnByValue: true })).result.value;
  const targets = centres(await snapshot());

  let actions = 0;
  let last;
  const started = performance.now();
  while (performance.now() - started < limit * 1000) {
    const [x, y] = targets[actions % targets.length];
    const button = { x, y, button: 'left', clickCount: 1 };
    await page('Input.dispatchMouseEvent', { type: 'mousePressed', ...button });
    await page('Input.dispatchMouseEvent', { type: 'mouseReleased', ...button });
    last = await snapshot();
    actions++;
  }
  report(actions, started, counted(last));
  await send('Browser.close');
} finally {
  browser.kill();
  await new Promise((resolve) => (browser.exitCode ?? browser.signalCode) === null ? browser.on('exit', resolve) : resolve());
  // The children of the browser may still write to it; a figure is worth more than a clean directory.
  try {
    rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  } catch {}
}
