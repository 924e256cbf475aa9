import { connect as connectTls, type PeerCertificate } from 'node:tls';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { issueForDomain, pemKeyOf } from '../../../test/make/certificates.js';
import { makeApplication, makeOrg, uniqueName } from '../../../test/make/make.js';
import { SITES, sitesPort, TestSite, visit } from '../../../test/make/sites.js';
import { freePort } from '../../../test/setup/free-port.js';
import { suite } from '../../../test/setup/suite.js';

const NO_SITE = { status: 404, text: '{"error":"No experience found for domain"}' };

/** Returns the site of a new application of an organization, which can have domains. */
async function siteOfOrg({ test, user }: Pick<ReturnType<typeof suite>, 'test' | 'user'>): Promise<TestSite> {
  const { id: orgId } = await makeOrg(test, user.token);
  return new TestSite(test, user, await makeApplication(test, user.token, { orgId }));
}

describe('The host of a request', () => {
  const { test, user } = suite(SITES, { database: 'own' });
  let site: TestSite;
  beforeEach(async () => {
    site = await siteOfOrg({ test, user });
    await site.page('/', 'develop');
  });
  const domain = (domainName: string, more: object = { version: 'develop' }) =>
    site.call('post', 'experience/domains', { domainName, ...more });
  const slug = (name: string, more: object = {}) =>
    site.call('post', 'experience/slugs', { slug: name, ...more });
  const at = (host: string) => site.visit('/', { host });
  const textAt = async (host: string) => (await at(host)).text;

  it('leads to the slug that each application has, and to others', async () => {
    const name = uniqueName('slug');
    expect(await at(`${name}.sites.test`)).toMatchObject(NO_SITE);
    expect(await textAt(site.host)).toBe('develop');
    await slug(name);
    for (const host of [`${name}.sites.test`, `${name.toUpperCase()}.Sites.Test:8080`, `${name}.sites.test.`])
      expect(await textAt(host)).toBe('develop');
    expect(await at(`x.${name}.sites.test`)).toMatchObject(NO_SITE);
    expect(await at('sites.test')).toMatchObject(NO_SITE);
    expect(await at('127.0.0.1')).toMatchObject(NO_SITE);
  });

  it('leads to the version that the slug or domain names, until it changes', async () => {
    const [name, host] = [uniqueName('slug'), `${uniqueName('d')}.example.com`];
    const { id: slugId } = await slug(name);
    const { id: domainId } = await domain(host, {});
    expect(await at(host)).toMatchObject(NO_SITE);
    const { id: versionId } = await site.call('post', 'experience/versions', {
      version: 'v1',
      slugIds: [slugId],
    });
    const [page] = (await site.call('get', 'experience/views')).items;
    await site.call('patch', `experience/views/${page.id}`, { body: 'changed {{experience.version}}' });
    expect(await textAt(site.host)).toBe('changed develop');
    expect(await textAt(`${name}.sites.test`)).toBe('develop');
    await site.call('patch', `experience/domains/${domainId}`, { version: 'v1' });
    expect(await textAt(host)).toBe('develop');
    await site.call('patch', `experience/domains/${domainId}`, { version: 'develop' });
    expect(await textAt(host)).toBe('changed develop');
    await site.call('delete', `experience/versions/${versionId}`);
    expect(await at(`${name}.sites.test`)).toMatchObject(NO_SITE);
    await site.call('patch', `experience/slugs/${slugId}`, { version: 'develop', slug: `${name}-2` });
    expect(await at(`${name}.sites.test`)).toMatchObject(NO_SITE);
    expect(await textAt(`${name}-2.sites.test`)).toBe('changed develop');
    await site.call('delete', `experience/slugs/${slugId}`);
    expect(await at(`${name}-2.sites.test`)).toMatchObject(NO_SITE);
  });

  it('leads to the domain of its name, or to the wildcard one label above', async () => {
    const parent = `${uniqueName('d')}.example.com`;
    await site.call('post', 'experience/versions', { version: 'v1' });
    await domain(`*.${parent}`, { version: 'v1' });
    await domain(`a.${parent}`);
    const [page] = (await site.call('get', 'experience/views')).items;
    await site.call('patch', `experience/views/${page.id}`, { body: 'exact' });
    expect(await textAt(`a.${parent}`)).toBe('exact');
    expect(await textAt(`b.${parent}`)).toBe('develop');
    for (const host of [parent, `x.b.${parent}`]) expect(await at(host)).toMatchObject(NO_SITE);
    // A name without a version is no site, even if a wildcard covers it.
    await domain(`c.${parent}`, {});
    expect(await at(`c.${parent}`)).toMatchObject(NO_SITE);
  });

  it('leads nowhere once the application is deleted or its organization disabled', async () => {
    const admin = await test.administrator();
    expect(await textAt(site.host)).toBe('develop');
    const { body } = await test.client.get(`/applications/${site.application.id}`, { token: user.token });
    const path = `/instances/${admin.instanceId}/orgs/${body.ownerId}`;
    const disable = (disabledAt: string) => test.client.patch(path, { disabledAt }, { token: admin.token });
    expect((await disable('2020-01-01T00:00:00.000Z')).status).toBe(200);
    expect(await at(site.host)).toMatchObject(NO_SITE);
    await disable('2999-01-01T00:00:00.000Z');
    expect(await textAt(site.host)).toBe('develop');
    await test.client.delete(`/applications/${site.application.id}`, { token: user.token });
    expect(await at(site.host)).toMatchObject(NO_SITE);
  });

  it('does not reach the API', async () => {
    for (const path of ['/health', '/docs', '/openapi.json', `/applications/${site.application.id}`])
      expect(await site.visit(path)).toMatchObject({
        status: 404,
        text: '{"error":"No endpoint found for route"}',
      });
  });

  it('of another tenant is never served, whatever proxies claim', async () => {
    const other = await siteOfOrg({ test, user });
    await other.page('/', 'other');
    const forwarded = await site.visit('/', { headers: { 'x-forwarded-host': other.host } });
    expect(forwarded.text).toBe('develop');
  });
});

describe('Several processes', () => {
  const { test, other, user, application } = suite(SITES, { database: 'own' });

  it('serve each change at once', async () => {
    const site = new TestSite(test, user, application);
    const there = (path: string) => visit(sitesPort(other), path, { host: site.host });
    const view = await site.view('page', 'p', 'one {{globals.g}}');
    const endpoint = await site.endpoint('/p', { staticReply: { type: 'page', value: view.id } });
    for (let round = 1; round <= 5; round++) {
      await site.call('patch', `experience/views/${view.id}`, { body: `round ${round} {{globals.g}}` });
      expect((await there('/p')).text).toBe(`round ${round} `);
    }
    await test.client.patch(
      `/applications/${application.id}`,
      { globals: [{ key: 'g', json: '"G"' }] },
      { token: user.token },
    );
    expect((await there('/p')).text).toBe('round 5 G');
    await site.call('patch', `experience/endpoints/${endpoint.id}`, { enabled: false });
    expect((await there('/p')).status).toBe(404);
    await site.call('patch', `experience/endpoints/${endpoint.id}`, { enabled: true, route: '/q' });
    expect((await there('/q')).text).toBe('round 5 G');
    await site.call('delete', `experience/endpoints/${endpoint.id}`);
    expect((await there('/q')).status).toBe(404);
    const name = uniqueName('slug');
    const host = `${name}.sites.test`;
    expect(await visit(sitesPort(other), '/', { host })).toMatchObject(NO_SITE);
    await site.call('post', 'experience/slugs', { slug: name });
    expect((await visit(sitesPort(other), '/', { host })).text).toBe(
      '{"error":"No endpoint found for route"}',
    );
  });
});

describe('Behind a proxy', () => {
  const { test, user } = suite({ ...SITES, TRUST_PROXY: '1' }, { database: 'own' });
  let site: TestSite;
  beforeEach(async () => {
    site = await siteOfOrg({ test, user });
    await site.replying('/', { bodyTemplate: '{{data.headers.host}} {{data.headers.x-forwarded-proto}}' });
  });

  it('the forwarded host and scheme count', async () => {
    const headers = {
      'x-forwarded-host': `${site.host}:8443`,
      'x-forwarded-proto': 'https',
      'x-forwarded-for': '192.0.2.1',
    };
    await site.replying('/from', {
      bodyTemplate: '{{data.headers.x-forwarded-for}} {{data.headers.x-forwarded-host}}',
    });
    const from = await site.visit('/from', { host: 'internal:3001', headers });
    expect(from.text).toBe(`192.0.2.1 ${site.host}:8443`);
    const answer = await site.visit('/', { host: 'internal:3001', headers });
    expect(answer.text).toBe(`${site.host}:8443 https`);
    expect(answer.headers['strict-transport-security']).toBe('max-age=31536000');
    // Values before that of the proxy come from the client.
    const claimed = {
      'x-forwarded-host': `evil.example.com, ${site.host}`,
      'x-forwarded-proto': 'https, http',
    };
    expect((await site.visit('/', { host: 'internal', headers: claimed })).text).toBe(`${site.host} http`);
  });

  it('a forwarded host does not replace the host of another site', async () => {
    const other = await siteOfOrg({ test, user });
    await other.page('/', 'other');
    const headers = { 'x-forwarded-host': other.host };
    expect(await site.visit('/', { headers })).toMatchObject(NO_SITE);
    expect((await site.visit('/', { headers: { 'x-forwarded-host': site.host } })).text).toBe(
      `${site.host} http`,
    );
  });

  it('files are not served under the host of a site', async () => {
    const headers = { 'x-forwarded-host': `files.${SITES.SITES_DOMAIN}` };
    const path = `/${site.host.split('.')[0]}/missing.html`;
    expect((await site.visit(path, { host: 'internal', headers })).json).toEqual({
      error: expect.stringContaining('file'),
    });
    expect(await site.visit(path, { headers })).toMatchObject(NO_SITE);
  });
});

describe('A domain that must be verified', () => {
  const { test, user } = suite({ ...SITES, DOMAIN_VERIFICATION: 'dns' }, { database: 'own' });

  it('is served only after its record was seen', async () => {
    const site = await siteOfOrg({ test, user });
    await site.page('/', 'verified');
    const domainName = `${uniqueName('d')}.example.com`;
    // A domain from the time before records were required.
    await test.dataSource.query(
      `INSERT INTO experience_domains (id, creation_date, last_updated, application_id, domain_name, version_id)
       VALUES (left(md5($1), 24), now(), now(), $2, $1, $2)`,
      [domainName, site.application.id],
    );
    expect(await site.visit('/', { host: domainName })).toMatchObject(NO_SITE);
    await test.dataSource.query('UPDATE experience_domains SET verified_at = now() WHERE domain_name = $1', [
      domainName,
    ]);
    await site.call('patch', 'experience/versions/develop', { description: 'changed' });
    expect((await site.visit('/', { host: domainName })).text).toBe('verified');
  });
});

const folder = mkdtempSync(join(tmpdir(), 'fieldwright-tls-'));
const TLS = {
  SITES_TLS_PORT: await freePort(),
  SITES_TLS_CERT: join(folder, 'cert.pem'),
  SITES_TLS_KEY: join(folder, 'key.pem'),
};

describe('TLS', () => {
  const { test, user } = suite({ ...SITES, ...TLS }, { database: 'own' });
  beforeAll(async () => {
    const slugs = await issueForDomain(['*.sites.test', 'sites.test']);
    writeFileSync(TLS.SITES_TLS_CERT, slugs.pem);
    writeFileSync(TLS.SITES_TLS_KEY, await pemKeyOf(slugs));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Returns the names of the certificate for a server name, and the response. */
  const ask = (servername: string): Promise<{ names: string | undefined; head: string }> =>
    new Promise((resolve, reject) => {
      const socket = connectTls({
        port: Number(TLS.SITES_TLS_PORT),
        host: '127.0.0.1',
        servername,
        rejectUnauthorized: false,
      });
      let head = '';
      let names: PeerCertificate['subjectaltname'];
      socket.once('secureConnect', () => {
        names = socket.getPeerCertificate().subjectaltname;
        socket.write(`GET / HTTP/1.1\r\nHost: ${servername}\r\nConnection: close\r\n\r\n`);
      });
      socket.on('data', (chunk: Buffer) => (head += chunk.toString()));
      socket.once('error', reject);
      socket.once('close', () => resolve({ names, head }));
    });

  it('uses the certificate of the domain, or that of the operator for slugs', async () => {
    const site = await siteOfOrg({ test, user });
    await site.replying('/', {
      bodyTemplate: '{{data.headers.x-forwarded-proto}}',
      cookieInfo: [{ nameTemplate: 'a', valueTemplate: 'b' }],
    });
    const slug = await ask(site.host);
    expect(slug.names).toBe('DNS:*.sites.test, DNS:sites.test');
    expect(slug.head).toMatch(/^HTTP\/1\.1 200 OK/);
    expect(slug.head).toContain('strict-transport-security: max-age=31536000');
    expect(slug.head).toContain('set-cookie: a=b; Path=/; HttpOnly; SameSite=Lax; Secure');
    expect(slug.head.endsWith('https')).toBe(true);
    const domainName = `${uniqueName('d')}.example.com`;
    await expect(ask(domainName)).rejects.toThrow();
    const { id } = await site.call('post', 'experience/domains', { domainName, version: 'develop' });
    await expect(ask(domainName)).rejects.toThrow();
    const own = await issueForDomain([domainName]);
    await site.call('patch', `experience/domains/${id}`, { sslCert: own.pem, sslKey: await pemKeyOf(own) });
    expect((await ask(domainName)).names).toBe(`DNS:${domainName}`);
    await site.call('patch', `experience/domains/${id}`, { sslCert: null, sslKey: null });
    await expect(ask(domainName)).rejects.toThrow();
  });
});
