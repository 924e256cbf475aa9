import { cookieOf, SITES, TestSite } from '../../test/make/sites.js';
import { suite } from '../../test/setup/suite.js';

const { test, user, application } = suite(SITES, { database: 'own' });
let site: TestSite;

beforeEach(() => {
  site = new TestSite(test, user, application);
});

const post = (path: string, form: Record<string, string>) =>
  site.visit(path, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  });

describe.each(['', 'other'])('The example experience, with existing ones: %j', (before) => {
  it('lets its user sign in and out', async () => {
    if (before) await site.call('patch', 'experience/bootstrap', {});
    const { email, password, resourceSuffix } = await site.call('patch', 'experience/bootstrap', {});
    const [home, login, logout] = [
      `/${resourceSuffix.slice(1)}`,
      `/login${resourceSuffix}`,
      `/logout${resourceSuffix}`,
    ];
    expect(await site.visit(home)).toMatchObject({ status: 302, headers: { location: login } });
    const page = await site.visit(login);
    expect([page.status, page.text]).toEqual([
      200,
      expect.stringContaining(`<form method="post" action="${login}">`),
    ]);
    expect(page.text).toContain('Sign in</a>');
    const refused = await post(login, { email: '"<b>@example.com', password: 'wrong' });
    expect(refused.status).toBe(401);
    expect(refused.text).toContain('<p role="alert">The address or the password is wrong.</p>');
    expect(refused.text).toContain('value="&quot;&lt;b&gt;@example.com"');
    expect((await site.visit(login, { method: 'POST' })).status).toBe(401);
    const entered = await post(login, { email: email.toUpperCase(), password });
    expect(entered).toMatchObject({ status: 302, headers: { location: home } });
    expect(entered.headers['set-cookie']).toEqual([
      expect.stringMatching(/^authorization=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
    const token = cookieOf(entered, 'authorization');
    const shown = await site.visit(home, { token });
    expect([shown.status, shown.text]).toEqual([200, expect.stringContaining('<h1>Welcome, Example</h1>')]);
    expect(shown.text).toContain('You signed in a few seconds ago.');
    expect(await site.visit(login, { token })).toMatchObject({ status: 302, headers: { location: home } });
    const left = await site.visit(logout, { token });
    expect(left).toMatchObject({ status: 302, headers: { location: login } });
    expect(left.headers['set-cookie']).toEqual([
      expect.stringMatching(/^authorization=; Path=\/; Max-Age=0;/),
    ]);
    const missing = await site.visit('/nowhere');
    expect([missing.status, missing.text]).toEqual([404, expect.stringContaining('<h1>Page not found</h1>')]);
  });
});
