import { ApiToken } from '../../src/modules/accounts/api-tokens/api-token.resource.js';
import { documentText } from '../../src/openapi/emit.js';
import { ALL_SCOPES, ScopeGrants } from '../../src/platform/access/scopes.js';
import { newId } from '../../src/platform/repositories/resource.js';
import { ChangedRows } from './changed-rows.js';
import { filled, idsIn, targetsOf, type Target } from './hostile/operations.js';
import { apiToken, makeWorld, type World } from './permissions/callers.js';
import type { SampleRequest } from '../contract/samples.js';
import { timeouts, selected } from '../setup/selection.js';
import { claimsOf } from '../make/sign-in.js';
import { suite } from '../setup/suite.js';

// API tokens never change how their user signs in, whatever their scopes. API tokens with capped roles also cannot
// create tokens without that cap, or change rows outside the account of the user. API tokens with read scopes change no
// row at all.

/** Columns that determine how a user signs in, or that end sessions. */
const SIGN_IN = [
  'email',
  'password_hash',
  'sso_linked',
  'codehost_id',
  'two_factor_key',
  'two_factor_pending',
  'token_cutoff',
  'permanent_deletion',
];
/** Tables that a capped token may change: the profile, recently viewed items, and tokens, which this suite checks. */
const OF_THE_ACCOUNT = ['api_tokens', 'count_deltas', 'recent_items', 'users'];
/** Group scopes that only read. */
const READ_SCOPES = ALL_SCOPES.filter((scope) => scope.endsWith('.read'));
const QUERY = 'The query is in the body.';
const EXPORT = 'Creates a file for the caller, or a job that does.';
/** Operations other than GET that accept a read scope, with the reason. */
const READING: Readonly<Record<string, string>> = {
  'dataTableRows.query': QUERY,
  'data.lastValueQuery': QUERY,
  'data.timeSeriesQuery': QUERY,
  'devices.payloadCounts': 'Counts payloads, and sends the counts if they take long.',
  'dataTableRows.export': EXPORT,
  'data.export': EXPORT,
  'devices.export': EXPORT,
  'device.export': EXPORT,
  'embeddedDeployments.export': EXPORT,
  'events.export': EXPORT,
  'instance.generateReport': EXPORT,
};
/** Tables that exports add rows to: the audit log, the file with the result. */
const OF_EXPORTS = ['audit_logs', 'count_deltas', 'instance_audit_logs', 'temporary_blobs'];
const JWT = /eyJ[\w-]+\.[\w-]+\.[\w-]+/g;

const all = targetsOf(JSON.parse(await documentText())).filter(({ open }) => !open);
const targets = selected(all);

// No worker: its jobs of deleted resources would change rows during the tests.
const { test } = suite({ LOG_LEVEL: 'error', PROCESS_ROLE: 'api' }, { database: 'own' });
let first: World;
let changed: ChangedRows;

beforeAll(async () => {
  first = await makeWorld(test);
  changed = await ChangedRows.of(test.dataSource);
});

describe.each(targets.map((target) => ({ name: `${target.id}: ${target.method} ${target.path}`, target })))(
  '$name does not escalate permissions',
  ({ target }) => {
    /** A user with a valid request, reused until a call changes something. */
    let asked: (World & { request: SampleRequest }) | undefined;

    it.each([
      ['an API token that is capped to nothing', { defaultRole: 'none' as const }],
      ['an API token that is capped', { defaultRole: 'view' as const }],
      ['an API token', {}],
    ])(
      'with %s',
      async (_kind, cap) => {
        const { owner, request } = (asked ??= await ask(target));
        const token = await apiToken(test, { type: 'user', id: owner.id }, ['all.User'], cap);
        const before = await signInOf(owner.id);
        await changed.take();
        const answer = await test.client.request(target.method, request.path, { token, body: request.body });
        const tables = await changed.take();
        if (tables.length > 0) asked = undefined;
        expect(await signInOf(owner.id)).toEqual(before);
        if ('defaultRole' in cap) expect(tables.filter((name) => !OF_THE_ACCOUNT.includes(name))).toEqual([]);
        for (const made of JSON.stringify(answer.body ?? null).match(JWT) ?? [])
          expect(await rightsOf(made)).toMatchObject({ covered: true, ...cap });
      },
      timeouts([]),
    );
  },
);

describe('An API token with every read scope', () => {
  const writing = targets.filter(({ method }) => method !== 'GET');
  let token: string;
  beforeAll(async () => {
    token = await apiToken(test, { type: 'user', id: first.owner.id }, READ_SCOPES);
  });

  it('reads', async () => {
    expect(READ_SCOPES).toEqual(expect.arrayContaining(['all.User.read', 'all.Application.read']));
    expect((await test.client.get('/applications', { token })).status).toBe(200);
  });

  it.each(writing.filter(({ id }) => !(id in READING)).map((target) => [target.id, target] as const))(
    'is refused by %s',
    async (_id, { method, path }) => {
      // The scopes are checked before the rows in the path.
      const ids = Object.fromEntries(idsIn(path).map((name) => [name, newId()]));
      await changed.take();
      const { status, body } = await test.client.request(method, filled(path, ids), { token });
      expect([status, body.message]).toEqual([403, expect.stringMatching(/^Access is forbidden: the token/)]);
      expect(await changed.take()).toEqual([]);
    },
  );

  const reading = writing.filter(({ id }) => id in READING);
  if (reading.length)
    it.each(reading.map((target) => [target.id, target] as const))(
      'changes nothing with %s, apart from what an export adds',
      async (_id, target) => {
        const { owner, request } = await ask(target);
        const own = await apiToken(test, { type: 'user', id: owner.id }, READ_SCOPES);
        await changed.take();
        const { path, body } = request;
        const { status } = await test.client.request(target.method, path, { token: own, body });
        expect(status).toBeLessThan(300);
        const tables = await changed.take();
        expect(tables.filter((name) => !OF_EXPORTS.includes(name))).toEqual([]);
      },
      timeouts([]),
    );

  it('has no unused exceptions', () => {
    const accepting = all.filter(
      ({ method, scopes }) => method !== 'GET' && scopes.some((scope) => READ_SCOPES.includes(scope)),
    );
    expect(accepting.map(({ id }) => id).sort()).toEqual(Object.keys(READING).sort());
  });
});

async function ask(target: Target): Promise<World & { request: SampleRequest }> {
  const world = await makeWorld(test, first);
  return { ...world, request: await world.samples.requestFor(target, world.owner) };
}

async function signInOf(id: string): Promise<unknown> {
  const [row] = await test.dataSource.query(`SELECT ${SIGN_IN.join(', ')} FROM users WHERE id = $1`, [id]);
  return row;
}

/** Returns the permissions of a token; session tokens have no cap. */
async function rightsOf(token: string): Promise<object> {
  const { jti, scope } = claimsOf(token);
  const covered = scope.every((each) => test.app.get(ScopeGrants).covers(new Set(['all.User']), each));
  const row = jti === undefined ? null : await test.dataSource.manager.findOneBy(ApiToken, { id: jti });
  return { covered: covered && row !== null, defaultRole: row?.defaultRole };
}
