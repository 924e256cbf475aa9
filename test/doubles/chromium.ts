import { existsSync } from 'node:fs';
import { chromium, type Browser, type Page } from 'playwright-core';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
/** A name that browsers do not take for this machine, as that of a server in a network is. */
export const HOST = 'platform.example';
const FLAGS = [
  // Chromium's own sandbox does not run as root, and its errands reach for other hosts.
  '--no-sandbox --disable-gpu --disable-quic --no-first-run --no-proxy-server',
  '--disable-background-networking --disable-component-update --disable-sync',
];

const installed = existsSync(CHROMIUM);

/**
 * Describes behaviour in a browser, and is skipped if no browser is installed. `open` opens a page and closes it
 * after the test.
 */
export function describeInChromium(
  what: string,
  tests: (open: (options?: Parameters<Browser['newPage']>[0]) => Promise<Page>) => void,
): void {
  const describeIf = installed ? describe : describe.skip;
  describeIf(`${what}${installed ? '' : ` (skipped: there is no Chromium at ${CHROMIUM})`}`, () => {
    let browser: Browser;
    let pages: Page[] = [];
    beforeAll(async () => {
      browser = await chromium.launch({
        executablePath: CHROMIUM,
        args: [...FLAGS.flatMap((line) => line.split(' ')), `--host-resolver-rules=MAP ${HOST} 127.0.0.1`],
      });
    }, 60_000);
    afterAll(() => browser?.close());
    afterEach(async () => {
      await Promise.all(pages.map((page) => page.close()));
      pages = [];
    });
    tests(async (options) => {
      const page = await browser.newPage(options);
      pages.push(page);
      return page;
    });
  });
}
