import fc from 'fast-check';
import type { OpenAPIObject } from '@nestjs/swagger';
import { operationsOf } from '../../../openapi/operations.js';
import { documentText } from '../../../openapi/emit.js';
import { atLeast, Principal } from '../../../platform/access/principal.js';
import type { PrincipalData } from '../../../platform/access/principal-data.js';
import { ALL_SCOPES, ScopeGrants } from '../../../platform/access/scopes.js';
import { principal as asking } from '../../../../test/suites/principals.js';
import { ApiError, Forbidden, ValidationError } from '../../../lib/errors/errors.js';
import { ROLES, type Role } from '../../../platform/operations/operation.js';
import { expiryOfNew, rolesOfChange, rolesOfNew, scopesOfNew, type TokenOwner } from './api-token.rules.js';

const document = JSON.parse(await documentText()) as OpenAPIObject;
const operations = operationsOf(document)
  .map(({ path, operation }) => ({
    path,
    id: operation.operationId,
    // The own name is the last of the scopes.
    name: (operation['x-scopes'] as string[]).at(-1)!,
    accepts: new Set(operation['x-scopes'] as string[]),
  }))
  .filter(({ accepts }) => accepts.size > 0);
const grants = new ScopeGrants(operations);

/** Returns the operations that a token with these scopes can call. */
const opened = (scopes: Iterable<string>) => {
  const held = [...scopes];
  return operations.filter(({ accepts }) => held.some((scope) => accepts.has(scope)));
};

const ME = 'me';
const principal = (facts: Partial<PrincipalData> = {}) =>
  new Principal({ subject: { type: 'user', id: ME }, scopes: [], issuedAt: 0, ...facts });
const APPLICATION = { id: 'app', ownerId: 'org', ownerType: 'organization' } as const;
const USER: TokenOwner = { type: 'user', id: ME };
/** The application, accessed by a caller with the given role. */
const ofApplication = (role: Role): TokenOwner => ({
  type: 'application',
  id: 'app',
  application: { ...APPLICATION, role },
});
const OF_INSTANCE: TokenOwner = { type: 'instance', id: 'inst' };
const TYPES = ['user', 'application', 'instance'] as const;

/** Half of the generated scopes are groups, because only groups cover other scopes. */
const scope = fc.oneof(
  fc.constantFrom(...ALL_SCOPES.filter((each) => /^(all|only)\./.test(each))),
  fc.constantFrom(...ALL_SCOPES),
);
const type = fc.constantFrom(...TYPES);

/** Returns the result of the rule, or `undefined` if the rule rejects the request. */
function given<T>(rule: () => T): T | undefined {
  try {
    return rule();
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

describe('Scopes of a new token', () => {
  it('never allow an operation that the scopes of its creator do not allow, for any type of owner', () => {
    const held = fc.uniqueArray(scope, { maxLength: 8 });
    const asked = fc.option(fc.uniqueArray(scope, { minLength: 1, maxLength: 3 }), { nil: undefined });
    let minted = 0;
    fc.assert(
      fc.property(held, type, asked, (scopes, of, wanted) => {
        const mint = given(() => scopesOfNew(grants, principal({ scopes }), of, wanted));
        if (!mint?.length) return;
        minted++;
        const mine = new Set(opened(scopes).map(({ id }) => id));
        expect(opened(mint).filter(({ id }) => !mine.has(id))).toEqual([]);
      }),
      { numRuns: 5_000 },
    );
    expect(minted).toBeGreaterThan(500);
  });

  it.each([
    ['application', '{applicationId}'],
    ['instance', '{instanceId}'],
  ] as const)('default, for an %s, to operations whose path names one', (of, parameter) => {
    const whole = new Set(scopesOfNew(grants, principal({ scopes: ['all.User'] }), of, undefined));
    const open = opened(ALL_SCOPES.filter((scope) => grants.covers(whole, scope)));
    expect(open.length).toBeGreaterThan(5);
    expect(open.filter((operation) => !operation.path.includes(parameter))).toEqual([]);
  });

  it.each([
    ['application', 'all.Application'],
    ['instance', 'all.Instance'],
  ] as const)('default, for an %s, to all scopes of its family', (of, whole) => {
    for (const held of ['all.User', whole])
      expect(scopesOfNew(grants, principal({ scopes: [held] }), of, undefined)).toEqual([whole]);
    for (const held of ['all.User.bounded', `${whole}.bounded`, 'applicationApiTokens.post'])
      expect(() => scopesOfNew(grants, principal({ scopes: [held] }), of, undefined)).toThrow(Forbidden);
  });

  it('default, for a user, to the scopes of the creator, and are empty if an empty list is requested', () => {
    const caller = principal({ scopes: ['me.get', 'userApiTokens.post'] });
    expect(scopesOfNew(grants, caller, 'user', undefined)).toEqual(['me.get', 'userApiTokens.post']);
    for (const of of TYPES) expect(scopesOfNew(grants, caller, of, [])).toEqual([]);
  });

  it.each(TYPES)('of %ss can be any scopes that those of the creator cover', (of) => {
    const caller = principal({ scopes: ['all.User'] });
    for (const scope of ALL_SCOPES) expect(scopesOfNew(grants, caller, of, [scope])).toEqual([scope]);
  });
});

describe('Roles of a new token', () => {
  const role = fc.constantFrom(...ROLES);
  const callers = fc
    .record(
      {
        role,
        single: fc.constantFrom<Role>('none', 'view', 'collaborate'),
        frozen: fc.boolean(),
        capRole: role,
        orgCap: role,
      },
      { requiredKeys: ['role'] },
    )
    .map(({ role: own, single, frozen, capRole, orgCap }) =>
      asking({
        memberships: [
          {
            orgId: 'org',
            role: own,
            applicationRoles: single ? [{ resourceId: 'app', role: single }] : [],
            frozen,
          },
        ],
        cap: { defaultRole: capRole, orgRoles: orgCap ? [{ orgId: 'org', role: orgCap }] : [] },
      }),
    );
  /** The application as caller, with the cap of a token created with this role. */
  const itself = (defaultRole: Role | undefined) =>
    asking({
      subject: { type: 'application', id: 'app' },
      application: { id: 'app', ownerId: 'org', frozen: false },
      cap: { defaultRole, orgRoles: [] },
    });

  it('of an application never exceed the role of the creator, through any chain of tokens', () => {
    const asked = fc.array(fc.option(role, { nil: undefined }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(callers, asked, (caller, wanted) => {
        const own = caller.roleOn(APPLICATION);
        let maker = caller;
        for (const defaultRole of wanted) {
          const roles = given(() =>
            rolesOfNew(maker.principal, ofApplication(maker.roleOn(APPLICATION)), { defaultRole }),
          );
          if (!roles) continue;
          maker = itself(roles.defaultRole);
          expect(atLeast(own, maker.roleOn(APPLICATION))).toBe(true);
          if (defaultRole) expect(maker.roleOn(APPLICATION)).toBe(defaultRole);
        }
      }),
    );
  });

  it('of an application are stored unless the creator is an admin', () => {
    for (const own of ROLES) {
      const { defaultRole } = rolesOfNew(principal(), ofApplication(own), {});
      expect(defaultRole).toBe(own === 'admin' ? undefined : own);
    }
  });

  it('cannot be raised above the caller’s own role by an update', () => {
    for (const own of ROLES)
      for (const defaultRole of ROLES) {
        const change = () => rolesOfChange(itself(own).principal, ofApplication(own), { defaultRole });
        if (atLeast(own, defaultRole)) expect(change()).toEqual({ defaultRole });
        else expect(change).toThrow(Forbidden);
      }
  });

  it.each([ofApplication('admin'), OF_INSTANCE])(
    'in organizations are rejected for $type tokens',
    (owner) => {
      const caller = principal({ scopes: ['all.User'] });
      for (const orgRoles of [[], [{ orgId: 'org', role: 'view' as const }]])
        for (const rule of [rolesOfNew, rolesOfChange])
          expect(() => rule(caller, owner, { orgRoles })).toThrow(
            new ValidationError('apiToken.orgRoles is supported only for tokens of users'),
          );
    },
  );

  it('of an instance cannot be set by a token with roles in individual organizations', () => {
    const instances = [{ instanceId: 'inst', role: 'admin' as const }];
    const capped = principal({ instances, cap: { orgRoles: [{ orgId: 'org', role: 'none' }] } });
    expect(capped.roleInInstance('inst')).toBe('admin');
    for (const rule of [rolesOfNew, rolesOfChange])
      expect(() => rule(capped, OF_INSTANCE, {})).toThrow(Forbidden);
    expect(rolesOfNew(principal({ instances }), OF_INSTANCE, {})).toEqual({ defaultRole: undefined });
    expect(rolesOfNew(principal({ instances }), OF_INSTANCE, { defaultRole: 'view' })).toEqual({
      defaultRole: 'view',
    });
  });

  it('of a user are inherited from a capped creator, which cannot set others', () => {
    const cap = { defaultRole: 'view' as const, orgRoles: [] };
    expect(rolesOfNew(principal({ cap }), USER, {})).toEqual(cap);
    expect(() => rolesOfNew(principal({ cap }), USER, { defaultRole: 'none' })).toThrow(Forbidden);
  });
});

describe('Expiration of a new token', () => {
  const seconds = fc.integer({ min: 60, max: 1e6 });
  const after = (s: number) => new Date(Date.now() + s * 1000);

  it('is never later than that of the API token that creates it', () => {
    fc.assert(
      fc.property(seconds, fc.option(seconds, { nil: undefined }), (mine, asked) => {
        const expiresAt = after(mine).getTime() / 1000;
        const caller = principal({ token: { id: 't', name: 'T' }, expiresAt });
        const end = given(() => expiryOfNew(caller, asked === undefined ? undefined : after(asked)));
        if (end) expect(end.getTime()).toBeLessThanOrEqual(Math.ceil(expiresAt * 1000));
        else expect(asked).toBeGreaterThanOrEqual(mine);
      }),
    );
  });

  it('is unset if the creating token never expires or is a session token', () => {
    expect(expiryOfNew(principal({ token: { id: 't', name: 'T' } }), undefined)).toBeUndefined();
    expect(expiryOfNew(principal({ expiresAt: Date.now() / 1000 + 60 }), undefined)).toBeUndefined();
  });
});
