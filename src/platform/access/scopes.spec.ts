import fc from 'fast-check';
import type { OpenAPIObject } from '@nestjs/swagger';
import { operationsOf } from '../../openapi/operations.js';
import { documentText } from '../../openapi/emit.js';
import { ALL_SCOPES, ScopeGrants } from './scopes.js';

const document = JSON.parse(await documentText()) as OpenAPIObject;
/** Every operation that requires a token, with the scopes that it accepts. */
const operations = operationsOf(document)
  .map(({ operation }) => ({
    id: operation.operationId,
    // The own name is the last of the scopes.
    name: (operation['x-scopes'] as string[]).at(-1)!,
    accepts: new Set(operation['x-scopes'] as string[]),
  }))
  .filter(({ accepts }) => accepts.size > 0);
/** Every scope that some operation accepts. */
const accepted = [...new Set(operations.flatMap(({ accepts }) => [...accepts]))].sort();

/** Returns the operations that a token with these scopes may call. */
function opened(scopes: Iterable<string>): string[] {
  const held = [...scopes];
  return operations.filter(({ accepts }) => held.some((scope) => accepts.has(scope))).map(({ id }) => id);
}

/** Returns the operations that the scopes `given` allow and `held` does not. */
function beyond(held: readonly string[], given: readonly string[]): string[] {
  const mine = new Set(opened(held));
  return opened(given).filter((operation) => !mine.has(operation));
}

const granted = (grants: ScopeGrants, held: string | readonly string[], wanted: string) =>
  grants.covers(new Set(typeof held === 'string' ? [held] : held), wanted);
const grants = new ScopeGrants(operations);
const covers = (held: string | readonly string[], wanted: string) => granted(grants, held, wanted);

describe('A token that creates another token', () => {
  const power = new Map(accepted.map((scope) => [scope, new Set(opened([scope]))]));

  it('covers the scopes that operations accept', () => {
    expect(operations.length).toBeGreaterThan(20);
    expect(accepted.length).toBeGreaterThan(40);
    expect(ALL_SCOPES).toEqual(expect.arrayContaining(accepted));
  });

  it('grants no scope for an operation that it cannot call itself, for every pair of scopes', () => {
    const wider = accepted.flatMap((held) =>
      accepted
        .filter((wanted) => covers(held, wanted))
        .filter((wanted) => [...power.get(wanted)!].some((operation) => !power.get(held)!.has(operation)))
        .map((wanted) => `${held} gives ${wanted}`),
    );
    expect(wider).toEqual([]);
  });

  it('grants no set of scopes that allows more than its own set', () => {
    const scopes = fc.uniqueArray(fc.constantFrom(...accepted), { maxLength: 4 });
    fc.assert(
      fc.property(
        scopes,
        fc.uniqueArray(fc.constantFrom(...ALL_SCOPES), { maxLength: 20 }),
        (held, asked) => {
          const given = asked.filter((wanted) => covers(held, wanted));
          expect(beyond(held, given)).toEqual([]);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('grants only scopes that it was granted, through any number of tokens', () => {
    const step = fc.uniqueArray(fc.constantFrom(...accepted), { maxLength: 6 });
    fc.assert(
      fc.property(fc.array(step, { minLength: 2, maxLength: 5 }), ([first = [], ...steps]) => {
        const last = steps.reduce((held, asked) => asked.filter((wanted) => covers(held, wanted)), first);
        expect(beyond(first, last)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it('may grant every scope that it holds', () => {
    for (const scope of ALL_SCOPES) expect(covers(scope, scope)).toBe(true);
  });

  it('may grant everything if it is a session of the user', () => {
    expect(ALL_SCOPES.filter((scope) => !covers('all.User', scope))).toEqual([]);
  });

  it('may grant nothing if it holds nothing', () => {
    expect(ALL_SCOPES.filter((scope) => covers([], scope))).toEqual([]);
  });

  it.each([
    ['application.*', 'application.get'],
    ['all.User', 'all.User.read'],
    ['all.User', 'only.User.bounded'],
    ['all.User', 'all.Instance'],
    ['all.User.read', 'all.Application.read'],
    ['all.User.read', 'only.User.read'],
    ['all.User.read', 'application.get'],
    ['all.User.cli', 'all.Application.cli'],
    ['all.Organization', 'all.Application.bounded'],
    ['all.Organization', 'applications.*'],
    ['all.Application', 'application.*'],
    ['all.Application', 'all.Device.read'],
    ['only.User', 'only.User.read'],
    ['only.User', 'me.patch'],
  ])('with %s may grant %s', (held, wanted) => {
    expect(covers(held, wanted)).toBe(true);
  });

  it.each([
    ['all.User.read', 'all.User'],
    ['all.User.read', 'all.User.bounded'],
    ['all.User.read', 'only.User'],
    ['all.User.read', 'application.*'],
    ['all.User.read', 'application.patch'],
    ['all.User.bounded', 'all.User'],
    ['all.User.bounded', 'userApiTokens.post'],
    ['all.User.cli', 'all.User.read'],
    ['all.Application', 'all.Organization'],
    ['all.Application', 'all.Organization.read'],
    ['all.Application', 'applications.get'],
    ['all.Application.read', 'all.Application'],
    ['all.Organization', 'all.User.read'],
    ['all.Organization', 'me.get'],
    ['all.Instance', 'all.Organization'],
    ['all.Device', 'all.Application.read'],
    ['only.User', 'all.User'],
    ['only.User', 'all.User.read'],
    ['only.User', 'me.*'],
    ['only.User', 'only.Organization.read'],
    ['only.Organization', 'all.Organization.read'],
    ['only.User.read', 'only.User'],
    ['application.get', 'application.*'],
    ['application.get', 'applications.get'],
    ['application.*', 'applications.*'],
    ['application.*', 'applicationApiTokens.post'],
    ['application.*', 'all.Application'],
    ['userApiTokens.post', 'all.User'],
    ['userApiTokens.*', 'userApiToken.get'],
  ])('with %s may not grant %s', (held, wanted) => {
    expect(covers(held, wanted)).toBe(false);
  });

  it.each([
    'all.user',
    'ALL.USER',
    ' all.User',
    'all.User ',
    'all.*',
    '*',
    '',
    'only.*',
    'all.User.*',
    'all.User.write',
    'application.get.',
    'application.get.x',
    'application.*.x',
    'application',
    'constructor.*',
    '__proto__',
  ])('does not accept the look-alike %j as a scope, held or requested', (lookAlike) => {
    expect(ALL_SCOPES.filter((scope) => covers(lookAlike, scope))).toEqual([]);
    expect(['all.User', 'application.*', lookAlike].filter((scope) => covers(scope, lookAlike))).toEqual([]);
  });

  it('needs a scope that allows all operations that share a name', () => {
    const shared = new ScopeGrants([
      { name: 'flow.get', accepts: new Set(['all.User', 'all.User.bounded', 'all.User.read']) },
      { name: 'flow.get', accepts: new Set(['all.User', 'all.User.read', 'all.User.cli']) },
    ]);
    expect(
      ['all.User.read', 'all.User.bounded', 'all.User.cli'].map((held) => granted(shared, held, 'flow.get')),
    ).toEqual([true, false, false]);
  });

  it('has the same grants after operations are added, except for names that the new operations accept', () => {
    const answers = (of: ScopeGrants) =>
      ['all.User', 'all.User.read', 'all.Organization.read', 'flow.*', 'flow.get', 'flows.get'].flatMap(
        (held) =>
          ALL_SCOPES.filter((wanted) => granted(of, held, wanted)).map((wanted) => `${held} gives ${wanted}`),
      );
    const before = answers(new ScopeGrants([]));
    const after = answers(
      new ScopeGrants([
        { name: 'flow.get', accepts: new Set(['all.User', 'all.User.read', 'flow.*', 'flow.get']) },
        { name: 'flow.patch', accepts: new Set(['all.User', 'flow.*', 'flow.patch']) },
      ]),
    );
    expect(after).toEqual(expect.arrayContaining(before));
    expect(after.filter((answer) => !before.includes(answer))).toEqual(['all.User.read gives flow.get']);
  });
});
