import { documentText } from '../../src/openapi/emit.js';
import { DEVICE_SCOPES } from '../../src/platform/access/scope-names.js';
import { ChangedRows } from './changed-rows.js';
import { deviceToken, makeCertificate, makeDevice, makeKey } from '../make/device-tokens.js';
import { filled, requiredQuery, targetsOf, type Target } from './hostile/operations.js';
import { Schemas } from './hostile/schemas.js';
import { makeApplication, makeUser, uniqueName, type TestUser } from '../make/make.js';
import { timeouts, selected } from '../setup/selection.js';
import { suite } from '../setup/suite.js';

// The access key or certificate of a device determines which devices its token can access. Other devices are treated as
// nonexistent, whether they are in a path, in a list or selected by a body. A gateway also reports for its peripherals.

const IN_PATH = '{deviceId}';
/** Tag of all devices. */
const FLEET = { key: 'fleet', value: 'all' };
/** Selections of all devices, by the name of the parameter or property. */
const ALL = {
  deviceQuery: { tags: { $tagKey: FLEET.key } },
  query: JSON.stringify({ tags: { $tagKey: FLEET.key } }),
  tagFilter: JSON.stringify([FLEET]),
  deviceTags: [FLEET],
};
/** Operations that embedded devices call for themselves only; another suite tests them. */
const FOR_ITSELF_ALONE: ReadonlySet<string> = new Set([
  'embeddedDeployments.bundle',
  'embeddedDeployments.hello',
]);
/** Operations that a gateway may call for its own peripherals, even if they are out of reach. */
const FOR_OWN_PERIPHERALS: ReadonlySet<string> = new Set(['device.sendState']);
const CANARY = uniqueName('Canary');
/** Attribute that all devices report; the examples in the document use it. */
const ATTRIBUTE = 'pressure';

const scopesForDevices: ReadonlySet<string> = new Set(DEVICE_SCOPES);
const document = JSON.parse(await documentText()) as Parameters<typeof targetsOf>[0];
const schemas = new Schemas(document);
const targets = selected(targetsOf(document)).filter(({ scopes }) =>
  scopes.some((scope) => scopesForDevices.has(scope)),
);
const named = targets.filter(({ path }) => path.includes(IN_PATH));
const others = targets.filter(({ path }) => !path.includes(IN_PATH));

// No worker: its jobs would change rows during the tests.
const { test } = suite({ LOG_LEVEL: 'error', PROCESS_ROLE: 'api' }, { database: 'own' });
let owner: TestUser;
let applicationId: string;
/**
 * The calling gateway, a peripheral that its key or certificate can access by a tag, one that it cannot, and devices out
 * of reach that are no peripherals of the gateway.
 */
let own: string;
let near: string;
let far: string;
let foreign: string[];
/** Tokens of a restricted key and of a restricted certificate. */
let restricted: string[];
let unrestricted: string;
let changed: ChangedRows;
/** Operations that returned the restricted device to an unrestricted token. */
const telling = new Set<string>();

beforeAll(async () => {
  // Created before any report, so that partitions created for reports inherit the triggers of their table.
  changed = await ChangedRows.of(test.dataSource);
  owner = await makeUser(test);
  ({ id: applicationId } = await makeApplication(test, owner.token));
  const site = 'site';
  const deviceOf = async (value: string, body: object = {}): Promise<string> => {
    const attributes = [{ name: ATTRIBUTE, dataType: 'number' }];
    const tags = [FLEET, { key: site, value }];
    const made = { tags, attributes, ...body };
    const { id } = (await makeDevice(test, owner.token, applicationId, made)) as { id: string };
    const path = `/applications/${applicationId}/devices/${id}/state`;
    await test.client.post(path, { data: { [ATTRIBUTE]: 7 } }, { token: owner.token });
    return id;
  };
  own = await deviceOf('none', { deviceClass: 'gateway' });
  near = await deviceOf('north', { deviceClass: 'peripheral', gatewayId: own });
  far = await deviceOf('south', { name: CANARY, deviceClass: 'peripheral', gatewayId: own });
  const gatewayId = await deviceOf('south', { deviceClass: 'gateway' });
  foreign = [
    gatewayId,
    await deviceOf('south', { deviceClass: 'peripheral', gatewayId }),
    await deviceOf('south', { deviceClass: 'floating' }),
    await deviceOf('south'),
  ];
  const body = { deviceIds: [own], deviceTags: [{ key: site, value: 'north' }] };
  const key = await makeKey(test, owner.token, applicationId, body);
  const certificate = await makeCertificate(test, owner.token, applicationId, { body });
  const open = await makeKey(test, owner.token, applicationId);
  const scopes = DEVICE_SCOPES;
  restricted = [key.id, certificate.claim].map((credential) => deviceToken(test, own, credential, scopes));
  unrestricted = deviceToken(test, own, open.id, scopes);
});

/** Sends the example request about `deviceId`, if the path names a device, with `more` added. */
async function send(target: Target, token: string, deviceId = own, more: Record<string, unknown> = {}) {
  const { method, body: schema, example, query } = target;
  const path = filled(target.path, { applicationId, deviceId, name: ATTRIBUTE, bundleVersion: '1' });
  const asked = new URLSearchParams(requiredQuery(query, schemas));
  if (method === 'GET') for (const [name, value] of Object.entries(more)) asked.set(name, String(value));
  const given = schema && { ...((example ?? schemas.sample(schema)) as object), ...more };
  return test.client.request(method, `${path}?${asked.toString()}`, { token, body: given });
}

const cases = (some: readonly Target[]) =>
  some.map((target) => ({ name: `${target.id}: ${target.method} ${target.path}`, target }));

if (named.length)
  describe.each(cases(named))('$name', ({ target }) => {
    const isForPeripherals = FOR_OWN_PERIPHERALS.has(target.id);

    it('treats a device out of reach as nonexistent for every scope, and does not change it', async () => {
      const given = { deviceIds: [own] };
      const { id } = await makeKey(test, owner.token, applicationId, given);
      const { claim } = await makeCertificate(test, owner.token, applicationId, { body: given });
      await changed.take();
      const scopes = target.scopes.filter((each) => scopesForDevices.has(each));
      for (const [scope, credential] of scopes.flatMap((each) => [
        [each, id] as const,
        [each, claim] as const,
      ])) {
        for (const id of isForPeripherals ? foreign : [far, ...foreign]) {
          const { status, body } = await send(target, deviceToken(test, own, credential, [scope]), id);
          expect([scope, status, body]).toEqual([
            scope,
            404,
            { type: 'NotFound', message: 'Device was not found' },
          ]);
        }
      }
      expect(await changed.take()).toEqual([]);
    });

    // A stream never ends.
    if (!target.streams && !FOR_ITSELF_ALONE.has(target.id))
      it('finds devices in reach', async () => {
        for (const token of restricted)
          for (const id of [own, near, ...(isForPeripherals ? [far] : [])])
            expect((await send(target, token, id)).status).toBeLessThan(300);
        expect((await send(target, unrestricted, far)).status).toBeLessThan(300);
      });
  });

if (others.length)
  describe.each(cases(others))('$name', ({ target }) => {
    const known = [...Object.keys(propertiesOf(target)), ...target.query.map(({ name }) => name)];
    const choices = Object.entries(ALL).filter(([name]) => known.includes(name));
    const wanted: Record<string, unknown>[] = choices.map(([name, value]) => ({ [name]: value }));
    if (target.method === 'GET') wanted.push({});

    it(
      'excludes devices out of reach, however they are selected',
      async () => {
        if (known.includes('deviceIds')) wanted.push({ deviceIds: [own, near, far] });
        for (const more of wanted) {
          for (const token of restricted) {
            const answer = await send(target, token, own, more);
            expect([more, answer.status < 300]).toEqual([more, true]);
            expect(tellsOfFar(answer.body)).toBe(false);
          }
          if (tellsOfFar((await send(target, unrestricted, own, more)).body)) telling.add(target.id);
        }
        expect(wanted.length).toBeGreaterThan(0);
      },
      timeouts(wanted),
    );
  });

if (targets.some(({ id }) => id === 'devices.sendCommand'))
  it('sends a command to all devices only to those in reach', async () => {
    const name = uniqueName('command');
    const commandsOf = (id: string) =>
      test.client.get(`/applications/${applicationId}/devices/${id}/command`, { token: owner.token });
    const path = `/applications/${applicationId}/devices/command`;
    for (const token of restricted) await test.client.post(path, { name, deviceTags: [FLEET] }, { token });
    expect(JSON.stringify((await commandsOf(near)).body)).toContain(name);
    expect(JSON.stringify((await commandsOf(far)).body)).not.toContain(name);
  });

it('includes the restricted device in lists for unrestricted tokens', () => {
  const lists = others.filter(({ id }) => /^devices\.get|Query$/.test(id)).map(({ id }) => id);
  expect([...telling]).toEqual(expect.arrayContaining(lists));
});

const tellsOfFar = (body: unknown): boolean => {
  const text = JSON.stringify(body ?? null);
  return text.includes(far) || text.includes(CANARY);
};

function propertiesOf({ body }: Target): object {
  return (body && (schemas.resolve(body) as { properties?: object }).properties) ?? {};
}
