import { BodyGuard } from '../../src/platform/responses/body.guard.js';
import { documentText } from '../../src/openapi/emit.js';
import { filled, idsIn, requiredQuery, targetsOf, type Target } from './hostile/operations.js';
import { Schemas } from './hostile/schemas.js';
import { Sender } from './hostile/send.js';
import { inBatches } from '../setup/in-batches.js';
import { apiTokenCalls } from '../make/api-tokens.js';
import { makeUser, type TestUser } from '../make/make.js';
import { Samples } from '../contract/samples.js';
import { timeouts, selected } from '../setup/selection.js';
import { suite } from '../setup/suite.js';

const targets = selected(targetsOf(JSON.parse(await documentText())));
const KIB = 1024;
const LARGE = 10 * 1024 * KIB;
/** Unexpected bodies: of a wrong type, malformed, and larger than what fits in flight. */
const UNSUPPORTED_BODIES = [
  ['text/xml', '<a/>'],
  ['application/json', '{'],
  ['multipart/form-data', 'x'.repeat(200 * KIB)],
] as const;
/** Operations whose own SQL statements check access; they read the body first. */
const SELF_GUARDED: ReadonlySet<string> = new Set(['application.patch']);
const UNKNOWN = '575ec8687ae143cd83dc4a97';

const { test } = suite({ LOG_LEVEL: 'error', PROCESS_ROLE: 'api' });
let sender: Sender;
let schemas: Schemas;
let user: TestUser;

beforeAll(async () => {
  sender = new Sender(test.client.url);
  schemas = new Schemas(test.document);
  user = await makeUser(test);
});
afterAll(() => sender.close());

/** Sends only the head of a request with a body of this length and returns the status. */
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
  'answers before the body arrives when the token is missing or invalid',
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
  timeouts(targets),
);

it(
  'answers before the body arrives when the token lacks the scope or the resource in the path does not exist',
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
  timeouts(targets),
);

it('rejects a body by its declared length when the caller is anonymous', async () => {
  const open = targets.filter(({ open, body }) => open && body);
  const faults = await inBatches(open, async (target) => {
    const status = await statusOfHead(target, { length: 128 * KIB + 1 });
    return status === 413 ? undefined : `${target.id}: ${status}`;
  });
  expect(faults).toEqual([]);
});

it(
  'ignores the body of operations that take none',
  async () => {
    const samples = new Samples(test, user);
    const gets = targets.filter(({ method, body, open }) => method === 'GET' && !body && !open);
    const faults: string[] = [];
    for (const target of gets) {
      const { path } = await samples.requestFor(target);
      for (const [type, body] of UNSUPPORTED_BODIES) {
        const headers = { authorization: `Bearer ${user.token}`, 'content-type': type };
        const { status } = await sender.send({ method: 'GET', path, headers, body });
        if (status !== 200 && status !== 202) faults.push(`${target.id} with ${type}: ${status}`);
      }
    }
    expect(faults).toEqual([]);
  },
  timeouts(targets),
);

it('rejects a token that is revoked while a slow body arrives', async () => {
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
