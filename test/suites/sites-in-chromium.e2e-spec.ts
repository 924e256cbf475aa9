import { jest } from '@jest/globals';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describeInChromium } from '../doubles/chromium.js';
import { makeApplication } from '../make/make.js';
import { TestSite, VISITOR_PASSWORD } from '../make/sites.js';
import { TemplateApplication } from '../make/template-applications.js';
import { freePort } from '../setup/free-port.js';
import { suite } from '../setup/suite.js';

jest.setTimeout(180_000);

const SITES_PORT = String(await freePort());
/** Folder for screenshots; none by default. */
const { SCREENSHOTS } = process.env;
if (SCREENSHOTS) mkdirSync(SCREENSHOTS, { recursive: true });

const PHONE = { width: 360, height: 640 };

/** The experience of `experience.bootstrap`, and those of the shipped templates. */
describeInChromium('An experience in a browser', (newPage) => {
  const { test, user } = suite({ PROCESS_ROLE: 'all', SITES_PORT }, { database: 'own' });
  const faults: string[] = [];
  afterEach(() => expect(faults.splice(0)).toEqual([]));

  async function open(applicationId: string): Promise<Page> {
    const page = await newPage({ viewport: { width: 1024, height: 700 } });
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('request', (request) => {
      if (!/^data:|localhost/.test(request.url())) faults.push(`${request.url()} was requested`);
    });
    await page.goto(urlOf(applicationId));
    return page;
  }
  const urlOf = (applicationId: string, path = '/') =>
    `http://${applicationId}.localhost:${SITES_PORT}${path}`;
  /** Checks that the page fits into the screens of a desktop and of a phone, and saves screenshots of both. */
  async function look(page: Page, name: string): Promise<void> {
    const desktop = page.viewportSize()!;
    for (const [device, size] of [
      ['phone', PHONE],
      ['desktop', desktop],
    ] as const) {
      await page.setViewportSize(size);
      const [width, mode] = await page.evaluate<[number, string]>(
        '[document.documentElement.scrollWidth, document.compatMode]',
      );
      expect([name, device, mode]).toEqual([name, device, 'CSS1Compat']);
      expect([name, device, width]).toEqual([name, device, size.width]);
      if (SCREENSHOTS) await page.screenshot({ path: join(SCREENSHOTS, `${name}-${device}.png`) });
    }
  }
  const heading = (page: Page) => page.locator('h1').textContent();
  async function signIn(page: Page, email: string, password: string): Promise<void> {
    await page.getByLabel('Address').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }
  /** Makes an application from a template and sets the password of its user. */
  async function madeFrom(name: string): Promise<TemplateApplication & { email: string }> {
    const made = await TemplateApplication.make(test, user, name);
    const [visitor] = await made.items('experience/users');
    await made.call('PATCH', `experience/users/${visitor.id}`, { password: VISITOR_PASSWORD });
    return Object.assign(made, { email: visitor.email as string });
  }
  const foreign = async (application: TemplateApplication, name: string): Promise<string> =>
    (await application.named('devices', name)).id;

  it('of the example signs its user in and out', async () => {
    const { id } = await makeApplication(test, user.token);
    const site = new TestSite(test, user, { id });
    const { email, password } = await site.call('patch', 'experience/bootstrap', {});
    const page = await open(id);
    expect(page.url()).toBe(urlOf(id, '/login'));
    await signIn(page, email, 'wrong');
    expect(await page.getByRole('alert').textContent()).toBe('The address or the password is wrong.');
    await look(page, 'example-refused');
    await signIn(page, email, password);
    expect(await heading(page)).toBe('Welcome, Example');
    await look(page, 'example-home');
    await page.getByRole('link', { name: 'Sign out' }).click();
    await page.goto(urlOf(id));
    expect(page.url()).toBe(urlOf(id, '/login'));
  });

  it('of the service portal shows machines and takes requests for service', async () => {
    const portal = await madeFrom('Service portal');
    await portal.report('Compressor 1', { pressure: 7.5, hours: 120, running: true });
    const page = await open(portal.id);
    await look(page, 'service-login');
    await signIn(page, portal.email, VISITOR_PASSWORD);
    expect(await page.getByRole('row').allTextContents()).toHaveLength(3);
    await look(page, 'service-machines');
    await page.getByRole('link', { name: 'Compressor 1' }).click();
    expect(await page.getByRole('cell').allTextContents()).toEqual(['7.5 bar', '120', 'yes']);
    await page.getByLabel('What is wrong?').fill('It is "loud" & <hot>');
    await look(page, 'service-machine');
    await page.getByRole('button', { name: 'Ask for service' }).click();
    expect(await heading(page)).toBe('Your machines');
    expect((await portal.event('Service of Compressor 1', 'new')).message).toBe('It is "loud" & <hot>');
    await page.goto(urlOf(portal.id, `/machines/${await foreign(portal, 'Compressor 3')}`));
    expect(await heading(page)).toBe('There is nothing here');
    await look(page, 'service-not-there');
    await page.getByRole('link', { name: 'Sign out' }).click();
    expect(await heading(page)).toBe('Sign in');
  });

  it('of the tenant portal shows rooms and sets temperatures', async () => {
    const portal = await madeFrom('Tenant portal');
    await portal.report('Kitchen', { temperature: 20.46, setpoint: 21, valve: 35 });
    const page = await open(portal.id);
    await signIn(page, portal.email, 'wrong');
    expect(await page.getByLabel('Address').inputValue()).toBe(portal.email);
    await look(page, 'tenant-refused');
    await signIn(page, portal.email, VISITOR_PASSWORD);
    expect(await page.locator('.card h2').allTextContents()).toEqual(['Bedroom', 'Kitchen']);
    await look(page, 'tenant-rooms');
    await page.getByRole('link', { name: 'Kitchen' }).click();
    expect(await page.locator('dd').allTextContents()).toEqual(['20.5 °C', '21.0 °C', '35 %']);
    expect(await page.title()).toBe(`Kitchen · ${(await portal.call('GET', '')).name}`);
    await page.getByLabel('New setpoint').fill('22.5');
    await page.getByRole('button', { name: 'Set' }).click();
    expect(await page.getByRole('status').textContent()).toContain('will change its setpoint');
    await look(page, 'tenant-room');
    expect(await portal.commands('Kitchen')).toMatchObject([
      { name: 'setpoint', payload: { temperature: 22.5 } },
    ]);
    await page.getByLabel('New setpoint').evaluate((input: any) => input.removeAttribute('max'));
    await page.getByLabel('New setpoint').fill('80');
    await page.getByRole('button', { name: 'Set' }).click();
    expect(await page.getByRole('alert').textContent()).toBe('The setpoint must be between 5 and 28 °C.');
    await look(page, 'tenant-room-refused');
    await page.goto(urlOf(portal.id, `/rooms/${await foreign(portal, 'Living room')}`));
    expect(await heading(page)).toBe('Your rooms');
    await page.goto(urlOf(portal.id, '/nowhere'));
    expect(await heading(page)).toBe('Page not found');
    await look(page, 'tenant-not-found');
    await page.getByRole('link', { name: 'Sign out' }).click();
    expect(await heading(page)).toBe('Sign in');
  });

  it('with an API is called by pages of other origins', async () => {
    const api = await madeFrom('App API');
    await api.report('Charger 1', { charging: true, power: 11 });
    const page = await newPage();
    await page.goto(urlOf('another'));
    const call = (path: string, options: object = {}) =>
      page.evaluate(
        async ([url, init]) => {
          const response = await fetch(url, init);
          return [response.status, await response.json()] as const;
        },
        [urlOf(api.id, path), options] as const,
      );
    const post = (path: string, body: object, headers: object = {}) =>
      call(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
    expect(await post('/api/tokens', { email: api.email, password: 'wrong' })).toEqual([
      401,
      { error: 'The address or the password is wrong.' },
    ]);
    const [, signedIn] = await post('/api/tokens', { email: api.email, password: VISITOR_PASSWORD });
    const headers = { authorization: `Bearer ${(signedIn as { token: string }).token}` };
    const own = await foreign(api, 'Charger 1');
    expect(await call('/api/me')).toEqual([401, { error: 'Unauthorized' }]);
    expect(await call('/api/me', { headers })).toEqual([
      200,
      { id: expect.any(String), email: api.email, firstName: 'Ada' },
    ]);
    expect(await call('/api/chargers', { headers })).toEqual([
      200,
      { items: [{ id: own, name: 'Charger 1', charging: true }] },
    ]);
    expect(await call(`/api/chargers/${own}`, { headers })).toEqual([
      200,
      { id: own, name: 'Charger 1', charging: true, power: 11 },
    ]);
    const commands = `/api/chargers/${own}/commands`;
    expect(await post(commands, { name: 'explode' }, headers)).toEqual([
      400,
      { error: 'name must be start or stop' },
    ]);
    expect(await post(commands, { name: 'stop' }, headers)).toEqual([202, { accepted: true }]);
    expect(await api.commands('Charger 1')).toMatchObject([{ name: 'stop' }]);
    const other = await foreign(api, 'Charger 2');
    expect(await call(`/api/chargers/${other}`, { headers })).toEqual([403, { error: 'Forbidden' }]);
  });
});
