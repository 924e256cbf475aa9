import { BodyGuard } from '../../src/platform/responses/body.guard.js';
import { documentText } from '../../src/openapi/emit.js';
import { filled, idsIn, requiredQuery, targetsOf, type Target } from './hostile/operations.js';
import { Schemas } from './hostile/schemas.js';
import { Sender } from './hostile/send.js';
import { inBatches } from '../setup/in-batches.js';
import { apiTokenCalls } from '../make/api-tokens.js';
import { makeUser, withEveryScope, type TestUser } from '../make/make.js';
import { Samples } from '../contract/samples.js';
import { patience, selected } from '../setup/selection.js';
import { suite } from '../setup/suite.js';

const targets = selected(targetsOf(JSON.parse(await documentText())));
const KIB = 1024;
const LARGE = 10 * 1024 * KIB;
/** Unwanted bodies: of a wrong type, invalid, or larger than one network buffer. */
const UNASKED = [
  ['text/xml', '<a/>'],
  ['application/json', '{'],
  ['multipart/form-data', 'x'.repeat(200 * KIB)],
] as const;
/** Their own statements decide about the place, and these take the body. */
const SELF_GUARDED: ReadonlySet<string> = new Set(['application.patch']);
const UNKNOWN = '575ec8687ae143cd83dc4a97';

const { test } = suite({ LOG_LEVEL: 'error', PROCESS_ROLE: 'api' });
let sender: Sender;
let schemas: Schemas;
let user: TestUser;

beforeAll(async () => {
  sender = new Sender(test.client.url);
  schemas = new Schemas(test.document);
  user = withEveryScope(test, await makeUser(test));
});
afterAll(() => sender.close());

/** The status that the head of a request gets whose body, so long, never comes. */
async function statusOfHead(
  target: Target,
  { length = LARGE, token = '', id = UNKNOWN } = {},
): Promise<number> {
  const ids = Object.fromEntries(idsIn(target.path).map((name) => [name, id]));
  const path = `${filled(target.path, ids)}?${requiredQuery(target.query, schemas)}`;
  const lines = [
    `${target.method} ${path} HTTP/1.1`,
    'Host: a',
    'Connection: close',
    'Content-Type: application/json',
    `Content-Length: ${length}`,
    ...(token ? [`Authorization: Bearer ${token}`] : []),
  ];
  const answer = await sender.sendText(`${lines.join('\r\n')}\r\n\r\n`);
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
}

it(
  'is not waited for where there is no token, or a bad one',
  async () => {
    const faults = await inBatches(
      targets.filter(({ open }) => !open),
      async (target) => {
        const statuses = [await statusOfHead(target), await statusOfHead(target, { token: 'bad' })];
        return statuses.every((status) => status === 401) ? undefined : `${target.id}: ${statuses.join()}`;
      },
    );
    expect(faults).toEqual([]);
  },
  patience(targets),
);

it(
  'is not waited for where the token has another scope, or what the path names is not there',
  async () => {
    const { token: narrow } = await apiTokenCalls(() => test).make(user.token, { scope: ['me.get'] });
    const guarded = targets.filter(({ open, body, scopes }) => !open && body && !scopes.includes('me.get'));
    const faults = await inBatches(guarded, async (target) => {
      const refused = await statusOfHead(target, { token: narrow });
      return refused === 403 ? undefined : `${target.id}: ${refused}`;
    });
    expect(faults).toEqual([]);
    const placed = guarded.filter(
      ({ id, path }) => /\{(applicationId|orgId|instanceId)\}/.test(path) && !SELF_GUARDED.has(id),
    );
    expect(
      await inBatches(placed, async (target) => {
        const missing = await statusOfHead(target, { token: user.token });
        return [403, 404].includes(missing) ? undefined : `${target.id}: ${missing}`;
      }),
    ).toEqual([]);
  },
  patience(targets),
);

it('is refused by its length where nobody is known', async () => {
  const open = targets.filter(({ open, body }) => open && body);
  const faults = await inBatches(open, async (target) => {
    const status = await statusOfHead(target, { length: 128 * KIB + 1 });
    return status === 413 ? undefined : `${target.id}: ${status}`;
  });
  expect(faults).toEqual([]);
});

it(
  'is left where it is by operations that take none',
  async () => {
    const samples = new Samples(test, user);
    const gets = targets.filter(({ method, body, open }) => method === 'GET' && !body && !open);
    const faults: string[] = [];
    for (const target of gets) {
      const { path } = await samples.requestFor(target);
      for (const [type, body] of UNASKED) {
        const headers = { authorization: `Bearer ${user.token}`, 'content-type': type };
        const { status } = await sender.send({ method: 'GET', path, headers, body });
        if (status !== 200 && status !== 202) faults.push(`${target.id} with ${type}: ${status}`);
      }
    }
    expect(faults).toEqual([]);
  },
  patience(targets),
);

it('takes no longer than a moment of trust: what is revoked meanwhile is refused', async () => {
  const guard = test.app.get(BodyGuard);
  const { trustMs } = guard;
  const calls = apiTokenCalls(() => test);
  const { token, id } = await calls.make(user.token, { scope: ['me.patch'] });
  const patched = async (whileItComes: () => Promise<unknown>) => {
    const body = new TransformStream<Uint8Array, Uint8Array>();
    const writer = body.writable.getWriter();
    const sent = fetch(`${test.client.url}/me`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: body.readable,
      duplex: 'half',
    });
    await writer.write(Buffer.from('{"firstName":'));
    await whileItComes();
    await writer.write(Buffer.from('"Ada"}'));
    await writer.close();
    return (await sent).status;
  };
  try {
    guard.trustMs = 0;
    expect(await patched(async () => undefined)).toBe(200);
    expect(await patched(() => calls.remove(user.token, id))).toBe(401);
  } finally {
    guard.trustMs = trustMs;
  }
});
