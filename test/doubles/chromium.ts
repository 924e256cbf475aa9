import { existsSync } from 'node:fs';
import { chromium, type Browser, type Page } from 'playwright-core';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
/** A name that browsers do not treat as local, like that of a server on a network. */
export const HOST = 'platform.example';
const FLAGS = [
  // Chromium's sandbox does not run as root, and its background services contact other hosts.
  '--no-sandbox --disable-gpu --disable-quic --no-first-run --no-proxy-server',
  '--disable-background-networking --disable-component-update --disable-sync',
];

const installed = existsSync(CHROMIUM);

/** Declares browser tests, skipped if Chromium is missing. `open` opens a page that is closed after its test. */
export function describeInChromium(
  what: string,
  tests: (open: (options?: Parameters<Browser['newPage']>[0]) => Promise<Page>) => void,
): void {
  const describeIf = installed ? describe : describe.skip;
  describeIf(`${what}${installed ? '' : ` (skipped: Chromium was not found at ${CHROMIUM})`}`, () => {
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
