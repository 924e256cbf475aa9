import { DnsServer } from '../../../../test/doubles/dns-server.js';
import { makeApplication, makeOrg, uniqueName } from '../../../../test/make/make.js';
import { suite } from '../../../../test/setup/suite.js';
import { TxtRecords } from '../../../lib/http/txt-records.js';

const NOT_AVAILABLE = [400, 'experienceDomain.domainName is not available'];
const CREATED = [201, undefined];

/** Returns the path of the domains of a new application of a new organization. */
async function tenant({ test, user }: Pick<ReturnType<typeof suite>, 'test' | 'user'>): Promise<string> {
  const { id: orgId } = await makeOrg(test, user.token);
  const { id } = await makeApplication(test, user.token, { orgId });
  return `/applications/${id}/experience/domains`;
}

describe('A domain and the wildcard that covers it', () => {
  const { test, user } = suite({ PUBLIC_URL: 'https://api.platform.example' });
  let one: string;
  let other: string;
  let parent: string;
  beforeEach(async () => {
    [one, other] = [await tenant({ test, user }), await tenant({ test, user })];
    parent = `${uniqueName('d')}.example.com`;
  });
  const add = async (path: string, domainName: string) => {
    const { status, body } = await test.client.post(path, { domainName }, { token: user.token });
    return [status, body.message];
  };

  it('belong to one owner', async () => {
    expect(await add(one, `*.${parent}`)).toEqual(CREATED);
    expect(await add(other, `a.${parent}`)).toEqual(NOT_AVAILABLE);
    expect(await add(one, `a.${parent}`)).toEqual(CREATED);
    // A wildcard covers one label.
    expect(await add(other, `b.a.${parent}`)).toEqual(CREATED);
    expect(await add(other, `*.a.${parent}`)).toEqual(CREATED);
    expect(await add(other, parent)).toEqual(CREATED);
  });

  it('belong to one owner also if the name was there first', async () => {
    expect(await add(one, `a.${parent}`)).toEqual(CREATED);
    expect(await add(other, `*.${parent}`)).toEqual(NOT_AVAILABLE);
    expect(await add(other, `b.${parent}`)).toEqual(CREATED);
  });

  it('belong to one owner also if both come at once', async () => {
    const answers = await Promise.all([
      ...[1, 2, 3, 4].map((i) => add(one, `a${i}.${parent}`)),
      add(other, `*.${parent}`),
    ]);
    const { body: ofOther } = await test.client.get(other, { token: user.token });
    const { body: ofOne } = await test.client.get(one, { token: user.token });
    expect(ofOther.totalCount === 0 || ofOne.totalCount === 0).toBe(true);
    expect(answers.some(([status]) => status === 201)).toBe(true);
  });

  it('belong to one owner also after a change of the name', async () => {
    expect(await add(one, `*.${parent}`)).toEqual(CREATED);
    const free = { domainName: `${uniqueName('d')}.example.com` };
    const { body } = await test.client.post(other, free, { token: user.token });
    const rename = async (domainName: string) => {
      const answer = await test.client.patch(`${other}/${body.id}`, { domainName }, { token: user.token });
      return [answer.status, answer.body.message];
    };
    expect(await rename(`a.${parent}`)).toEqual(NOT_AVAILABLE);
    expect(await rename(`b.a.${parent}`)).toEqual([200, undefined]);
  });

  it.each([
    'api.platform.example',
    'pumps.api.platform.example',
    '*.api.platform.example',
    '*.platform.example',
  ])('cannot be %s, because slugs are hosts below the platform', async (domainName) => {
    expect(await add(one, domainName)).toEqual([400, 'experienceDomain.domainName belongs to the platform']);
  });
});

describe('A domain of an instance that requires TXT records', () => {
  const dns = new DnsServer();
  const { test, user } = suite({ DOMAIN_VERIFICATION: 'dns' });
  let path: string;
  let domainName: string;
  beforeAll(async () => {
    test.app.get(TxtRecords).servers = [await dns.start()];
  });
  afterAll(() => dns.stop());
  beforeEach(async () => {
    dns.isSilent = false;
    path = await tenant({ test, user });
    domainName = `${uniqueName('d')}.example.com`;
  });
  const add = (name: string, at = path) => test.client.post(at, { domainName: name }, { token: user.token });
  /** Returns the record that the refusal asks for. */
  const recordIn = ({ status, body }: { status: number; body: { message: string } }): [string, string] => {
    expect(status).toBe(400);
    const pattern =
      /^experienceDomain\.domainName requires the TXT record (\S+) with the value (fieldwright=[\da-f]{32})$/;
    const [, name, value] = pattern.exec(body.message)!;
    return [name!, value!];
  };

  it('is accepted once its record is there', async () => {
    const [name, value] = recordIn(await add(domainName));
    expect(name).toBe(`_fieldwright.${domainName}`);
    dns.texts.set(name, ['v=spf1 -all', value]);
    expect((await add(domainName)).status).toBe(201);
    expect(dns.asked).toContain(name);
  });

  it('needs the value of its application', async () => {
    const elsewhere = await tenant({ test, user });
    const [name, value] = recordIn(await add(domainName, elsewhere));
    dns.texts.set(name, [value]);
    expect(recordIn(await add(domainName))[1]).not.toBe(value);
    expect((await add(domainName, elsewhere)).status).toBe(201);
  });

  it('needs the record of the new name when it is renamed, and of the domain of a wildcard', async () => {
    const [name, value] = recordIn(await add(domainName));
    dns.texts.set(name, [value]);
    const { body } = await add(domainName);
    const rename = (to: string) =>
      test.client.patch(`${path}/${body.id}`, { domainName: to }, { token: user.token });
    const [other] = recordIn(await rename('*.field.example.com'));
    expect(other).toBe('_fieldwright.field.example.com');
    dns.texts.delete(name);
    expect((await rename(domainName)).status).toBe(200);
    dns.texts.set(name, [value]);
    expect((await rename(`*.${domainName}`)).status).toBe(200);
    const { status } = await test.client.patch(
      `${path}/${body.id}`,
      { version: null },
      { token: user.token },
    );
    expect(status).toBe(200);
  });

  it('is refused in bounded time if the name server does not answer', async () => {
    dns.isSilent = true;
    const since = Date.now();
    recordIn(await add(domainName));
    expect(Date.now() - since).toBeLessThan(8_000);
  }, 15_000);
});
