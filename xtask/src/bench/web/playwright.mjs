// Playwright: page.mouse.click and page.evaluate of the same snapshot.
// Usage, where playwright-core 1.65.0 is installed: node playwright.mjs URL SECONDS [CHROMIUM]
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { SNAPSHOT, centres, counted, report } from './snapshot.mjs';

// Found from the working directory, since the packages are not installed beside this file.
const { chromium: playwright } = createRequire(join(process.cwd(), '_'))('playwright-core');
const [url, limit, executablePath = '/usr/bin/chromium'] = process.argv.slice(2);
const browser = await playwright.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-quic'] });
try {
  const page = await browser.newPage({ viewport: { width: 1024, height: 768 } });
  await page.goto(url);
  const targets = centres(await page.evaluate(SNAPSHOT));

  let actions = 0;
  let last;
  const started = performance.now();
  while (performance.now() - started < limit * 1000) {
    await page.mouse.click(...targets[actions % targets.length]);
    last = await page.evaluate(SNAPSHOT);
    actions++;
  }
  report(actions, started, counted(last));
} finally {
  await browser.close();
}
