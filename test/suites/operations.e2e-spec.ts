import { Samples } from '../contract/samples.js';
import { UNKNOWN, scopedToken } from '../make/api-tokens.js';
import { makeDevice, makeKey } from '../make/device-tokens.js';
import { makeApplication, type TestUser } from '../make/make.js';
import { NOT_TRIED, OUT_OF_REACH } from '../remote/reasons.js';
import { blackBox, blackBoxDocument } from '../setup/black-box.js';
import { sample, selected } from '../setup/selection.js';
import { filled, idsIn, targetsOf, type Target } from './hostile/operations.js';
import { Schemas } from './hostile/schemas.js';

// The success and the common errors of every operation, through HTTP alone. The client compares each response with the
// document.

const document = await blackBoxDocument();
const schemas = new Schemas(document);
const isRemote = process.env.TEST_REMOTE !== undefined;
const all = selected(targetsOf(document));
/** A sample in this process, where `permissions` and `hostile` send more to each operation. */
const targets = isRemote ? all : sample('operations', all, 60);
const notTried = isRemote ? NOT_TRIED : OUT_OF_REACH;
const { API_OTHER_EMAIL, API_ADMIN_EMAIL } = process.env;
/** Paths with a row of another user. */
const OF_OTHERS = /^\/me\/invites\/|\/members?(\/|$)|\/sandboxes\/\{/;

const { test, user } = blackBox();
/** Rows that no test changes, of the user and of an administrator of the instance. */
let kept: { mine?: Samples; administered?: Samples };
/** API tokens with a scope that most operations do not accept. */
let narrow: { scope: string; token: string }[];

beforeAll(() => {
  kept = {};
  narrow = [];
});

const ofInstance = ({ path }: Target): boolean => path.startsWith('/instance');

/** Whether a deployed platform lacks the account that an operation needs. */
const lacksAccount = (target: Target): boolean =>
  isRemote && ((ofInstance(target) && !API_ADMIN_EMAIL) || (OF_OTHERS.test(target.path) && !API_OTHER_EMAIL));

/** Returns the account that an operation needs. */
const callerOf = (target: Target): Promise<TestUser> =>
  ofInstance(target) ? test.administrator() : Promise.resolve({ ...user });

/** Returns rows that no test changes. */
async function keptFor(target: Target): Promise<Samples> {
  if (ofInstance(target))
    return (kept.administered ??= new Samples(test, await callerOf(target), 'organization'));
  return (kept.mine ??= new Samples(test, await callerOf(target), 'organization'));
}

/** Returns a token whose only scope the operation does not accept. */
async function narrowToken({ scopes }: Target): Promise<string> {
  if (narrow.length === 0)
    for (const scope of ['me.get', 'orgs.get'])
      narrow.push({ scope, token: await scopedToken(test, user, [scope]) });
  return narrow.find(({ scope }) => !scopes.includes(scope))!.token;
}

/** Returns the path with unknown IDs; the checks of tokens precede those of IDs. */
const unknownPath = ({ path }: Target): string =>
  filled(path, Object.fromEntries(idsIn(path).map((name) => [name, UNKNOWN])));

describe.each(targets.map((target) => ({ id: target.id, target })))('$id', ({ target }) => {
  const { method, path } = target;
  const ids = idsIn(path);
  const within = lacksAccount(target) ? it.skip : it;

  if (!(target.id in notTried))
    within('succeeds', async () => {
      const samples =
        method === 'GET' ? await keptFor(target) : new Samples(test, await callerOf(target), 'organization');
      const request = (await publicRequest(target)) ?? (await samples.requestFor(target));
      const { token } = samples.user;
      const answer = await test.client.request(method, request.path, { body: request.body, token });
      expect([answer.status, answer.status < 300 || answer.body]).toEqual([expect.any(Number), true]);
    });

  if (!target.open) {
    it('returns 401 without a token and with an invalid one', async () => {
      for (const token of [undefined, 'bad'])
        expect((await test.client.request(method, unknownPath(target), { token })).status).toBe(401);
    });

    it('returns 403 for a token without the scope', async () => {
      const token = await narrowToken(target);
      expect((await test.client.request(method, unknownPath(target), { token })).status).toBe(403);
    });
  }

  /** Sends a request of the owner of the kept rows, with changes, and returns its status. */
  async function statusWith(changes: { ids?: object; query?: string; body?: unknown }): Promise<number> {
    const samples = await keptFor(target);
    const attempt = await samples.attemptOf(target);
    const { body = attempt.body, query = attempt.path.split('?')[1] } = changes;
    const at = filled(path, { ...(await samples.idsOf(path)), ...changes.ids });
    const { token } = samples.user;
    return (await test.client.request(method, query ? `${at}?${query}` : at, { token, body })).status;
  }

  if (target.body)
    within('returns 400 for a body that is not JSON', async () => {
      expect(await statusWith({ body: '{' })).toBe(400);
    });

  if (target.form)
    within('returns 400 for a form with an unknown field', async () => {
      const body = new FormData();
      body.append('unknownField', 'a');
      expect(await statusWith({ body })).toBe(400);
    });

  const typed = target.query.find(({ schema }) => !schemas.validator(schema)('~'));
  if (typed)
    within(`returns 400 for an invalid ${typed.name}`, async () => {
      expect(await statusWith({ query: `${typed.name}=~` })).toBe(400);
    });

  if (ids.length) {
    within('returns 400 for a malformed ID', async () => {
      expect(await statusWith({ ids: { [ids[0]!]: '~' } })).toBe(400);
    });

    within('returns 404 for an unknown ID', async () => {
      expect(await statusWith({ ids: { [ids.at(-1)!]: UNKNOWN } })).toBe(404);
    });
  }
});

/** Returns the request of a sign-in, which depends on its own account or key. */
async function publicRequest({ id, path }: Target): Promise<{ path: string; body: object } | undefined> {
  if (id === 'auth.authenticateUser') return { path, body: { email: user.email, password: user.password } };
  if (id !== 'auth.authenticateDevice') return undefined;
  const application = await makeApplication(test, user.token);
  const device = await makeDevice(test, user.token, application.id);
  const { key, secret } = await makeKey(test, user.token, application.id);
  return { path, body: { deviceId: device.id, key, secret } };
}
