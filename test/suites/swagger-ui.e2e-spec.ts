import type { Page } from 'playwright-core';
import { describeInChromium, HOST } from '../doubles/chromium.js';
import { makeApplication, makeUser, uniqueName } from '../make/make.js';
import { suite } from '../setup/suite.js';

describeInChromium('the Swagger UI', (newPage) => {
  const { test } = suite();
  let page: Page;
  /** Errors on the page, and requests to other hosts. */
  let faults: string[];

  beforeEach(() => {
    faults = [];
  });

  it('shows every group of operations in the order of the document', async () => {
    await open(test.client.url);
    const groups = await page
      .locator('.opblock-tag')
      .evaluateAll((headings) => headings.map((heading) => heading.getAttribute('data-tag')));
    expect(groups).toEqual(test.document.tags!.map(({ name }) => name));
    expect(await page.title()).toBe('Fieldwright API');
    expect(faults).toEqual([]);
  });

  it.each([
    ['on this machine', (url: string) => url],
    ['at another host name, without TLS', (url: string) => url.replace('127.0.0.1', HOST)],
  ])('lists and creates applications with a token %s', async (_where, address) => {
    const user = await makeUser(test);
    const first: { name: string } = await makeApplication(test, user.token);
    const second = uniqueName('from-the-page');
    await open(address(test.client.url));
    await authorize(user.token);
    await page.locator('#operations-tag-applications').click();

    const list = await execute('applications_get');
    expect(list).toMatchObject({ status: '200', shown: expect.stringContaining(first.name) });

    const created = await execute('applications_post', JSON.stringify({ name: second }));
    expect(created).toMatchObject({ status: '201', shown: expect.stringContaining(second) });

    const again = await execute('applications_get');
    expect(again).toMatchObject({ status: '200', shown: expect.stringContaining(second) });
    expect(again.shown).toContain('"totalCount": 2');
    expect(faults).toEqual([]);
  });

  it('creates an application from the unmodified example', async () => {
    const user = await makeUser(test);
    await open(test.client.url);
    await authorize(user.token);
    await page.locator('#operations-tag-applications').click();
    expect(await execute('applications_post')).toMatchObject({ status: '201' });
    expect(faults).toEqual([]);
  });

  async function open(url: string): Promise<void> {
    page = await newPage({ viewport: { width: 1280, height: 1600 } });
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) faults.push(message.text());
    });
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('request', (request) => {
      if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(`${url}/`))
        faults.push(`${request.url()} was asked for`);
    });
    await page.goto(`${url}/docs`);
    await page.locator('.opblock-tag').first().waitFor();
  }

  /** Enters a token in the authorization dialog of the page. */
  async function authorize(token: string): Promise<void> {
    await page.locator('.btn.authorize').click();
    const dialog = page.locator('.dialog-ux');
    await dialog.locator('input').fill(token);
    await dialog.locator('.btn.authorize').click();
    await dialog.locator('.btn-done').click();
  }

  /** Executes an operation on the page, with the body if given, and returns the displayed response. */
  async function execute(id: string, body?: string): Promise<{ status: string; shown: string }> {
    const operation = page.locator(`#operations-applications-${id}`);
    const button = (name: string) => operation.getByRole('button', { name, exact: true });
    if (await button('Clear').isVisible()) await button('Clear').click();
    else await operation.locator('.opblock-summary-control').click();
    if (body !== undefined) await operation.locator('textarea').fill(body);
    await button('Execute').click();
    const answer = operation.locator('.live-responses-table .response');
    const shown = answer.locator('.response-col_description pre').first();
    await shown.waitFor();
    return {
      status: (await answer.locator('.response-col_status').innerText()).trim(),
      shown: await shown.innerText(),
    };
  }
});
