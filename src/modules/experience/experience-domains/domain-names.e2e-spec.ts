import { DnsServer } from '../../../../test/doubles/dns-server.js';
import { makeApplication, makeOrg, uniqueName } from '../../../../test/make/make.js';
import { org, transfersIn, user as sandboxOf } from '../../../../test/make/transfers.js';
import { suite } from '../../../../test/setup/suite.js';
import { TxtRecords } from '../../../lib/http/txt-records.js';
import { rowsReadBy } from '../../../../test/suites/plans.js';
import { COVERED, COVERING, PARTED } from './domain-owners.repository.js';

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

  describe('when an application is transferred', () => {
    const { transfer, ownerOf } = transfersIn(() => test);
    let owner: string;
    let destination: string;
    let ids: string[];
    beforeEach(async () => {
      [owner, destination] = [(await makeOrg(test, user.token)).id, (await makeOrg(test, user.token)).id];
      const make = () => makeApplication(test, user.token, { orgId: owner });
      ids = [(await make()).id, (await make()).id];
    });
    const domainsOf = (id: string) => `/applications/${id}/experience/domains`;
    const refused = (id: string, domainName: string) => ({
      status: 400,
      body: {
        type: 'Validation',
        message: `resourceTransfer.applicationIds: ${id} has the domain ${domainName}, which shares a wildcard with an application of another owner or one that is not transferred`,
      },
    });

    it.each([
      ['the name', 0],
      ['the wildcard', 1],
    ])('%s moves only together with the other', async (_, moved) => {
      const names = [`a.${parent}`, `*.${parent}`];
      expect(await add(domainsOf(ids[0]!), names[0]!)).toEqual(CREATED);
      expect(await add(domainsOf(ids[1]!), names[1]!)).toEqual(CREATED);
      const part = await transfer(user.token, org(owner), org(destination), [ids[moved]!]);
      expect(part).toMatchObject(refused(ids[moved]!, names[moved]!));
      expect(await ownerOf(ids[moved]!)).toEqual(org(owner));
      expect((await transfer(user.token, org(owner), org(destination), ids)).status).toBe(200);
      expect(await add(domainsOf(ids[0]!), `b.${parent}`)).toEqual(CREATED);
    });

    it('names without a wildcard move alone', async () => {
      expect(await add(domainsOf(ids[0]!), `a.${parent}`)).toEqual(CREATED);
      expect(await add(domainsOf(ids[1]!), `b.${parent}`)).toEqual(CREATED);
      const { status } = await transfer(user.token, org(owner), org(destination), [ids[0]!]);
      expect(status).toBe(200);
    });

    it('domains do not move to a sandbox', async () => {
      expect(await add(domainsOf(ids[0]!), `a.${parent}`)).toEqual(CREATED);
      const { status, body } = await transfer(user.token, org(owner), sandboxOf(user.id), [ids[0]!]);
      expect([status, body.message]).toEqual([
        400,
        `resourceTransfer.applicationIds: ${ids[0]} has the domain a.${parent}, which is not supported in a sandbox`,
      ]);
    });

    it('belong to one owner also if a name is added during the transfer', async () => {
      const make = () => makeApplication(test, user.token, { orgId: owner });
      for (let round = 0; round < 5; round++) {
        const names = [`*.${round}.${parent}`, `a.${round}.${parent}`];
        const [moves, stays] = [await make(), await make()];
        expect(await add(domainsOf(moves.id), names[0]!)).toEqual(CREATED);
        const [moved, [added]] = await Promise.all([
          transfer(user.token, org(owner), org(destination), [moves.id]),
          add(domainsOf(stays.id), names[1]!),
        ]);
        expect([
          [200, 400],
          [400, 201],
        ]).toContainEqual([moved.status, added]);
      }
    });
  });

  it('is found by its parent without reading other domains', async () => {
    const { ownerId } = (await test.client.get(one.replace(/\/experience.*/, ''), { token: user.token }))
      .body;
    const statements = [COVERED, COVERING].map((text) => ({ text, values: [one.split('/')[2], parent] }));
    statements.push({ text: PARTED, values: [[one.split('/')[2]], ownerId] as never });
    const runner = test.dataSource.createQueryRunner();
    try {
      await runner.startTransaction();
      await runner.query(
        `INSERT INTO experience_domains (id, creation_date, last_updated, application_id, domain_name)
         SELECT 'd' || n, now(), now(), $1, 'a' || n || '.b' || n || '.example.com' FROM generate_series(1, 5000) n`,
        [other.split('/')[2]],
      );
      await runner.query('ANALYZE experience_domains');
      for (const { text, values } of statements)
        expect(await rowsReadBy(runner, { text, values })).toMatchObject({ experience_domains: 0 });
    } finally {
      await runner.rollbackTransaction();
      await runner.release();
    }
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

  it('is verified before it is used if it was added before records were required', async () => {
    const [name, value] = recordIn(await add(domainName));
    dns.texts.set(name, [value]);
    const { body } = await add(domainName);
    await test.dataSource.query('UPDATE experience_domains SET verified_at = NULL WHERE id = $1', [body.id]);
    dns.texts.delete(name);
    const versions = path.replace('domains', 'versions');
    const attach = (version: string) =>
      test.client.post(versions, { version, domainIds: [body.id] }, { token: user.token });
    const patch = () =>
      test.client.patch(`${path}/${body.id}`, { version: 'develop' }, { token: user.token });
    expect(recordIn(await patch())).toEqual([name, value]);
    const refused = await attach('one');
    expect([refused.status, refused.body.message]).toEqual([
      400,
      'experienceVersion.domainIds.0 is not verified: update the domain once its TXT record exists',
    ]);
    dns.texts.set(name, [value]);
    expect((await patch()).status).toBe(200);
    dns.texts.delete(name);
    expect((await patch()).status).toBe(200);
    expect((await attach('one')).status).toBe(201);
  });

  it('is refused if the name server does not answer', async () => {
    dns.isSilent = true;
    const [name] = recordIn(await add(domainName));
    expect(dns.asked).toContain(name);
  }, 60_000);
});
