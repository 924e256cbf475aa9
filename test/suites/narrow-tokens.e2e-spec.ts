import { ApiToken } from '../../src/modules/accounts/api-tokens/api-token.resource.js';
import { documentText } from '../../src/openapi/emit.js';
import { ScopeGrants } from '../../src/platform/access/scopes.js';
import { ChangedRows } from './changed-rows.js';
import { targetsOf, type Target } from './hostile/operations.js';
import { apiToken, makeWorld, type World } from './permissions/callers.js';
import type { SampleRequest } from '../contract/samples.js';
import { timeouts, selected } from '../setup/selection.js';
import { claimsOf } from '../make/sign-in.js';
import { suite } from '../setup/suite.js';

// API tokens never change how their user signs in, whatever their scopes. API tokens with capped roles also cannot
// create tokens without that cap, or change rows outside the account of the user.

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
const JWT = /eyJ[\w-]+\.[\w-]+\.[\w-]+/g;

const targets = selected(targetsOf(JSON.parse(await documentText()))).filter(({ open }) => !open);

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
