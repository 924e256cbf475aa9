import { describeInChromium, HOST } from '../doubles/chromium.js';
import { makeApplication, makeUser, uniqueName } from '../make/make.js';
import { codeOf, makeTwoFactorUser } from '../make/sign-in.js';
import { waitUntil } from '../setup/until.js';
import { suite } from '../setup/suite.js';
import { SwaggerUiPage } from './swagger-ui-page.js';

jest.setTimeout(120_000);

describeInChromium('the Swagger UI', (newPage) => {
  const { test } = suite();
  const open = (options?: Parameters<typeof SwaggerUiPage.open>[2], url = test.client.url) =>
    SwaggerUiPage.open(newPage, url, options);

  it('shows every group of operations in the order of the document', async () => {
    const { page, faults } = await open();
    const tags = await page
      .locator('.opblock-tag')
      .evaluateAll((headings) => headings.map((heading) => heading.getAttribute('data-tag')));
    expect(tags).toEqual(test.document.tags!.map(({ name }) => name));
    const groups = (test.document as unknown as { 'x-tagGroups': { name: string }[] })['x-tagGroups'];
    expect(await page.locator('.tag-group').allInnerTexts()).toEqual(groups.map(({ name }) => name));
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
    const ui = await open({}, address(test.client.url));
    await ui.authorize(user.token);

    const list = await ui.execute('applications_get');
    expect(list).toMatchObject({ status: '200', shown: expect.stringContaining(first.name) });

    const created = await ui.execute('applications_post', {}, JSON.stringify({ name: second }));
    expect(created).toMatchObject({ status: '201', shown: expect.stringContaining(second) });

    const again = await ui.execute('applications_get');
    expect(again).toMatchObject({ status: '200', shown: expect.stringContaining(second) });
    expect(again.shown).toContain('"totalCount": 2');
    expect(ui.faults).toEqual([]);
  });

  it('filters a list that also accepts an advanced query', async () => {
    const { token } = await makeUser(test);
    const { id: applicationId } = await makeApplication(test, token);
    for (const name of ['pump', 'valve'])
      await test.client.post(`/applications/${applicationId}/devices`, { name }, { token });
    const ui = await open();
    await ui.authorize(token);
    const { status, shown } = await ui.execute('devices_get', { applicationId, filter: 'PUMP*' });
    expect([status, JSON.parse(/\{[^]*\n\}/.exec(shown)![0])]).toMatchObject([
      '200',
      { items: [{ name: 'pump' }], totalCount: 1 },
    ]);
    expect(ui.faults).toEqual([]);
  });

  it('creates an application from the unmodified example', async () => {
    const ui = await open();
    await ui.authorize((await makeUser(test)).token);
    expect(await ui.execute('applications_post')).toMatchObject({ status: '201' });
    expect(ui.faults).toEqual([]);
  });

  it.each([
    ['certificate', ['applicationCertificates_post', 'applicationCertificateAuthority_get']],
    ['/COMPOSITEstate', ['device_getCompositeState', 'devices_getCompositeState']],
    ['streams  Closes the stream', ['applicationJobLog_get']],
  ])('finds operations, paths and descriptions with %j', async (phrase, expected) => {
    const ui = await open();
    const { page, faults } = ui;
    await ui.search(phrase);
    for (const id of expected) await ui.operation(id).waitFor();
    const found = await page.locator('.opblock').count();
    expect(await page.getByRole('status').innerText()).toBe(`${found} found`);
    expect(found).toBeLessThan(40);
    await ui.search('zebra');
    await page.getByText('0 found', { exact: true }).waitFor();
    await ui.search('');
    await page.locator('.tag-group').first().waitFor();
    expect(faults).toEqual([]);
  });

  it('opens and shows the operation that a link names', async () => {
    const ui = await open({ fragment: '#/devices/devices_get', viewport: { width: 1280, height: 800 } });
    const summary = ui.operation('devices_get').locator('.opblock-summary');
    await ui.button('Execute', ui.operation('devices_get')).waitFor({ state: 'attached' });
    const search = (await ui.page.getByRole('search').boundingBox())!;
    await waitUntil(async () => {
      const { y } = (await summary.boundingBox())!;
      return y >= search.height - 1 && y < 400;
    });
    expect(ui.faults).toEqual([]);
  });

  it('opens a documented error on request', async () => {
    const ui = await open({ fragment: '#/applications/applications_get' });
    const operation = ui.operation('applications_get');
    const example = operation.getByText('"Unauthorized"');
    const error = operation.locator('.folded[data-code="401"] button');
    await error.waitFor();
    expect(await operation.locator('.folded').count()).toBeGreaterThan(4);
    expect(await example.count()).toBe(0);
    await error.click();
    await example.waitFor();
    await error.click();
    await example.waitFor({ state: 'detached' });
    expect(ui.faults).toEqual([]);
  });

  it.each([
    ['device_stateStream', undefined],
    ['applicationJobLog_get', 'text/event-stream'],
  ])('shows the event stream of %s as a command', async (id, accept) => {
    const ui = await open();
    const requested: string[] = [];
    ui.page.on('request', (request) => requested.push(new URL(request.url()).pathname));
    await ui.authorize((await makeUser(test)).token);
    await ui.search(id);
    const operation = ui.operation(id);
    await operation.locator('.opblock-summary-control').click();
    if (accept) await operation.getByLabel('Media Type').first().selectOption(accept);
    await ui.button('Execute', operation).click();
    expect(await operation.locator('.curl').first().innerText()).toMatch(
      /^curl -N -X 'GET'[^]*accept: text\/event-stream[^]*Authorization: Bearer /,
    );
    await operation.getByText('Run the command above in a terminal').waitFor();
    expect(await operation.locator('.loading').count()).toBe(0);
    expect(requested.filter((path) => !path.startsWith('/docs/'))).toEqual([]);
    expect(ui.faults).toEqual([]);
  });

  it('signs in with a second factor, stays signed in after a reload, and signs out', async () => {
    const user = await makeTwoFactorUser(test);
    const ui = await open();
    const { page, faults } = ui;
    const stored = () => page.evaluate('[sessionStorage.length, localStorage.length, document.cookie]');
    await ui.signIn(user);
    await page.getByRole('alert').getByText('code is required').waitFor();
    expect(await stored()).toEqual([0, 0, '']);
    expect(faults.splice(0)).toEqual([expect.stringContaining('401')]);

    await ui.signIn(user, codeOf(user.key));
    await ui.button('Sign out').waitFor();
    expect(await ui.execute('me_get')).toMatchObject({
      status: '200',
      shown: expect.stringContaining(user.email),
    });
    await page.reload();
    await ui.button('Sign out').waitFor();
    expect(await ui.execute('me_get')).toMatchObject({ status: '200' });
    expect(await stored()).toEqual([1, 0, '']);

    await ui.button('Sign out').click();
    await ui.button('Sign in').waitFor();
    await page.locator('.live-responses-table').waitFor({ state: 'detached' });
    expect(await stored()).toEqual([0, 0, '']);
    expect(faults).toEqual([]);
  });

  it('forgets a token that was revoked, and asks to sign in again', async () => {
    const user = await makeUser(test);
    const ui = await open();
    const { page, faults } = ui;
    const alert = page.getByRole('alert');
    await ui.signIn(user);
    await ui.button('Sign out').waitFor();
    const tokenCutoff = new Date().toISOString();
    expect((await test.client.patch('/me', { tokenCutoff }, { token: user.token })).status).toBe(200);

    expect(await ui.execute('me_get')).toMatchObject({ status: '401' });
    await alert.getByText('Invalid access token. Sign in again.').waitFor();
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    expect(faults.splice(0)).toEqual([expect.stringContaining('401')]);

    await ui.signIn(user);
    await ui.button('Sign out').waitFor();
    expect(await ui.execute('me_get')).toMatchObject({ status: '200' });
    expect(faults).toEqual([]);
  });

  it('keeps the token if the credentials in a body are wrong', async () => {
    const { token, email } = await makeUser(test);
    const ui = await open();
    await ui.authorize(token);
    const wrong = JSON.stringify({ email, password: 'Correct-Horse-7' });
    expect(await ui.execute('auth_authenticateUser', {}, wrong)).toMatchObject({ status: '401' });
    expect(await ui.execute('me_get')).toMatchObject({ status: '200' });
    expect(await ui.page.evaluate('sessionStorage.length')).toBe(1);
  });

  it.each([
    ['light', 'rgb(250, 250, 250)'],
    ['dark', 'rgb(28, 32, 34)'],
  ] as const)('fits on a phone with %s colors', async (colorScheme, background) => {
    const phone = { colorScheme, viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
    const ui = await open({ ...phone, fragment: '#/devices/devices_get' });
    await ui.operation('devices_get').locator('.folded').first().waitFor();
    const shown = await ui.page.evaluate(
      '[document.documentElement.scrollWidth, getComputedStyle(document.body).backgroundColor]',
    );
    expect(shown).toEqual([390, background]);
    expect(ui.faults).toEqual([]);
  });

  it('has files that a second visit does not load again, and a strict policy', async () => {
    const urls = new Set<string>();
    const page = await newPage();
    page.on('response', (response) => urls.add(response.url()));
    await page.goto(`${test.client.url}/docs`);
    await page.locator('.opblock-tag').first().waitFor();
    urls.delete(`${test.client.url}/docs`);
    expect(urls.size).toBeGreaterThan(8);
    for (const url of [...urls, `${test.client.url}/openapi.json`, `${test.client.url}/openapi.yaml`]) {
      const first = await fetch(url);
      const headers = { 'If-None-Match': first.headers.get('etag')!, 'Cache-Control': 'max-age=0' };
      const second = await fetch(url, { headers });
      expect([url, first.status, second.status, await second.text()]).toEqual([url, 200, 304, '']);
      expect(second.headers.get('cache-control')).toMatch(/max-age=0|no-cache/);
    }
    const policy = (await fetch(`${test.client.url}/docs/`)).headers.get('content-security-policy')!;
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toMatch(/unsafe|https?:/);
  });
});
