import { documentText } from '../../src/openapi/emit.js';
import { ChangedRows } from './changed-rows.js';
import { contract } from '../contract/contract.js';
import { filled, idsIn, targetsOf, type Target } from './hostile/operations.js';
import { makeUser } from '../make/make.js';
import { makeWorld, type Caller, type Kind, type World } from './permissions/callers.js';
import { KINDS, scoped } from './permissions/kinds.js';
import { outcomeOf, type ExpectedRequest } from './permissions/expectation.js';
import { idleExceptions, ruleOf } from './permissions/rules.js';
import { groupScopes, variantsOf } from './permissions/scope-variants.js';
import { inBatches } from '../setup/in-batches.js';
import type { Samples } from '../contract/samples.js';
import { timeouts, sample, selected } from '../setup/selection.js';
import { suite } from '../setup/suite.js';

/** Number of callers with the same expected outcome that are tried in a partial run. */
const PER_OUTCOME = 4;

const targets = targetsOf(JSON.parse(await documentText()));
const guarded = targets.filter(({ open }) => !open);
const scopesFrom = contract ? 'the contract' : 'the document, as there is no contract beside the repository';

/** Returns an operation with its expected scopes, which may differ from those of the document. */
const askedOf = (target: Target): ExpectedRequest => ({
  ...target,
  scopes: contract?.get(target.id)?.scopes ?? target.scopes,
});
const groups = groupScopes(guarded.map(askedOf));

// No worker: its jobs of deleted resources would change rows during the tests.
const { test } = suite({ LOG_LEVEL: 'error', PROCESS_ROLE: 'api' }, { database: 'own' });
let world: World;
/** Other rows: of the same owner and of another user. */
let secondOfOwner: Samples;
let ofAnother: Samples;
let changed: ChangedRows;

beforeAll(async () => {
  world = await makeWorld(test);
  secondOfOwner = world.samples.of(world.owner, 'organization');
  ofAnother = world.samples.of(await makeUser(test));
  changed = await ChangedRows.of(test.dataSource);
});

const tried = selected(guarded);
const paths = [...new Set(tried.map(({ path }) => path))];
const callers = new Map<Kind, Caller>();

/** Returns a caller in the world, after creating the rows in the operation's path. */
async function callerFor(kind: Kind, target: Target): Promise<Caller> {
  const caller = callers.get(kind) ?? (await kind.make(world, paths));
  if (KINDS.includes(kind)) callers.set(kind, caller);
  await samplesAt(world, caller, target).idsOf(target.path);
  return caller;
}

describe.each(tried.map((target) => ({ name: `${target.id}: ${target.method} ${target.path}`, target })))(
  `$name (scopes from ${scopesFrom})`,
  ({ target }) => {
    const asked = askedOf(target);
    const kinds = [...KINDS, ...variantsOf(asked, groups).map(scoped)];
    const outcome = (kind: Kind) => JSON.stringify(outcomeOf(asked, kind.standing));
    const changes = target.method !== 'GET' || !ruleOf(target).reads;
    const changing = (kind: Kind) => changes && outcomeOf(asked, kind.standing) === 'allowed';

    it(
      'rejects unauthorized callers without changes',
      async () => {
        const still = kinds.filter((kind) => !changing(kind));
        const those = [];
        for (const kind of sample(target.id, still, PER_OUTCOME, outcome))
          those.push({ kind, caller: await callerFor(kind, target) });
        await changed.take();
        const faults = await inBatches(those, ({ kind, caller }) => faultOf(target, kind, caller, world));
        expect(faults).toEqual([]);
        expect(await changed.take()).toEqual([]);
      },
      timeouts(paths),
    );

    const [first, ...below] = idsIn(target.path);
    const rows = [...(first && ruleOf(target).place === undefined ? [first] : []), ...below];
    if (rows.length && !ruleOf(target).shared)
      it('does not find rows of another place', async () => {
        const ids = await world.samples.idsOf(target.path);
        const others = await elsewhere(target.path).idsOf(target.path);
        const { body, path } = await world.samples.attemptOf(target);
        const query = path.includes('?') ? path.slice(path.indexOf('?')) : '';
        await changed.take();
        for (const name of rows) {
          const at = filled(target.path, { ...ids, [name]: others[name]! }) + query;
          const answer = await test.client.request(target.method, at, { token: world.owner.token, body });
          expect({ name, status: answer.status }).toEqual({ name, status: 404 });
        }
        expect(await changed.take()).toEqual([]);
      });

    // Each runs in a new world, because a deleted row would be missing for the next caller.
    const changers = sample(target.id, kinds.filter(changing), PER_OUTCOME);
    if (changers.length)
      it('accepts authorized callers', async () => {
        const faults = await inBatches(changers, async (kind) => {
          const fresh = await makeWorld(test, world);
          return faultOf(target, kind, await kind.make(fresh, [target.path]), fresh);
        });
        expect(faults).toEqual([]);
      });
  },
);

describe('An operation without a token', () => {
  it.each(targets.filter(({ open }) => open).map(({ id }) => id))('is one in the contract: %s', (id) => {
    if (contract) expect(contract.get(id)?.scopes ?? []).toEqual([]);
  });
});

describe('the suite itself', () => {
  it('covers callers of every kind and operations of every place', () => {
    expect(new Set(KINDS.map(({ name }) => name)).size).toBe(KINDS.length);
    const places = new Set(guarded.map((target) => ruleOf(target).place));
    expect(places).toEqual(
      new Set([undefined, 'application', 'organization', 'instance', 'instanceOrganization', 'sandbox']),
    );
  });

  it('has no unused exceptions', () => {
    const ids = guarded.map(({ id }) => id);
    expect(idleExceptions(ids)).toEqual([]);
  });
});

/** Rows of other places: of the same owner, or of another user if the path is about an account. */
const elsewhere = (path: string): Samples => (path.startsWith('/me/') ? ofAnother : secondOfOwner);

/** Returns the rows in the path for a caller. */
function samplesAt(where: World, { samples }: Caller, target: Target): Samples {
  const { place = 'own' } = ruleOf(target);
  return samples[place === 'sandbox' ? 'own' : place] ?? where.samples;
}

/** Returns the fault in a caller's response, or `undefined`. */
async function faultOf(
  target: Target,
  { name, standing }: Kind,
  caller: Caller,
  where: World,
): Promise<string | undefined> {
  const expected = outcomeOf(askedOf(target), standing);
  try {
    const samples = samplesAt(where, caller, target);
    const request =
      expected === 'allowed'
        ? await samples.requestFor(target, caller.user)
        : await samples.attemptOf(target);
    const { token } = caller;
    const { status, body } = await test.client.request(target.method, request.path, {
      token,
      body: request.body,
    });
    const got = `${name}: ${status} ${status < 300 ? '' : JSON.stringify(body)}`;
    if (expected === 'allowed') return status < 300 ? undefined : `${got} in place of success`;
    const met = status === expected.status && body.message === expected.message;
    return met ? undefined : `${got} in place of ${expected.status} ${expected.message}`;
  } catch (error) {
    return `${name}: ${(error as Error).message}`;
  }
}
