import fc from 'fast-check';
import { Forbidden } from '../errors/errors.js';
import { ROLES, type Role } from '../operation.js';
import { atLeast, Principal, type OwnedApplication, type PrincipalFacts } from './principal.js';

const ME = 'me';
const principal = (facts: Partial<PrincipalFacts> = {}) =>
  new Principal({ subject: { type: 'user', id: ME }, scopes: [], issuedAt: 0, ...facts });
const member = (orgId: string, role: Role, ...applicationRoles: [resourceId: string, role: Role][]) => ({
  orgId,
  role,
  applicationRoles: applicationRoles.map(([resourceId, granted]) => ({ resourceId, role: granted })),
});

/** Whether the conditions of `reach`, as a statement has them, hold for an application. */
function within(caller: Principal, wanted: Role, { id, ownerId }: OwnedApplication): boolean {
  const { owners, except, also } = caller.reach(wanted);
  const among = (list: readonly OwnedApplication[]) =>
    list.some((each) => each.id === id && each.ownerId === ownerId);
  return (owners.includes(ownerId) && !among(except)) || among(also);
}

describe('atLeast', () => {
  it('orders the roles from none to admin', () => {
    const order = ['none', 'view', 'collaborate', 'edit', 'admin'] as const;
    order.forEach((role, rank) =>
      order.forEach((wanted, other) => expect(atLeast(role, wanted)).toBe(rank >= other)),
    );
  });
});

describe('Roles', () => {
  it('are admin in the own sandbox and none in those of others', () => {
    expect(principal().roleOn({ id: 'a', ownerId: ME })).toBe('admin');
    expect(principal().roleOn({ id: 'a', ownerId: 'other' })).toBe('none');
  });

  it.each(ROLES)('of the member reach the applications of the organization (%s)', (role) => {
    const caller = principal({ memberships: [member('org', role)] });
    expect(caller.roleInOrganization('org')).toBe(role);
    expect(caller.roleOn({ id: 'a', ownerId: 'org' })).toBe(role);
    expect(caller.roleInOrganization('other')).toBe('none');
  });

  it('on single applications go before that of the member, in both directions', () => {
    const caller = principal({
      memberships: [
        member('up', 'none', ['a', 'collaborate']),
        member('down', 'admin', ['b', 'view'], ['c', 'none']),
      ],
    });
    expect(caller.roleOn({ id: 'a', ownerId: 'up' })).toBe('collaborate');
    expect(caller.roleOn({ id: 'x', ownerId: 'up' })).toBe('none');
    expect(caller.roleOn({ id: 'b', ownerId: 'down' })).toBe('view');
    expect(caller.roleOn({ id: 'c', ownerId: 'down' })).toBe('none');
    expect(caller.roleOn({ id: 'x', ownerId: 'down' })).toBe('admin');
    expect(caller.roleInOrganization('up')).toBe('none');
    expect(caller.roleInOrganization('down')).toBe('admin');
  });

  it('on single applications count only for those of the organization', () => {
    const caller = principal({
      memberships: [member('one', 'admin', ['a', 'collaborate']), member('two', 'none')],
    });
    expect(caller.roleOn({ id: 'a', ownerId: 'two' })).toBe('none');
    expect(caller.roleOn({ id: 'a', ownerId: 'stranger' })).toBe('none');
    expect(within(caller, 'view', { id: 'a', ownerId: 'two' })).toBe(false);
    expect(within(caller, 'view', { id: 'a', ownerId: 'stranger' })).toBe(false);
  });

  it('in instances are those of the membership', () => {
    const caller = principal({ instances: [{ instanceId: 'i', role: 'view' }] });
    expect(caller.roleInInstance('i')).toBe('view');
    expect(caller.roleInInstance('other')).toBeUndefined();
  });

  it('say in which organizations they suffice', () => {
    const caller = principal({
      memberships: [member('a', 'admin'), member('e', 'edit'), member('v', 'view'), member('n', 'none')],
    });
    expect(caller.organizationsWith('view')).toEqual(['a', 'e', 'v']);
    expect(caller.organizationsWith('edit')).toEqual(['a', 'e']);
    expect(caller.organizationsWith('admin')).toEqual(['a']);
  });
});

describe('A cap', () => {
  it.each(ROLES.flatMap((role) => ROLES.map((cap) => [role, cap] as const)))(
    'leaves the lesser of the two: %s capped by %s',
    (role, cap) => {
      const lesser = ROLES[Math.min(ROLES.indexOf(role), ROLES.indexOf(cap))];
      const byDefault = principal({
        memberships: [member('org', role)],
        cap: { defaultRole: cap, orgRoles: [] },
      });
      const byName = principal({
        memberships: [member('org', role)],
        cap: { orgRoles: [{ orgId: 'org', role: cap }] },
      });
      for (const caller of [byDefault, byName]) {
        expect(caller.roleInOrganization('org')).toBe(lesser);
        expect(caller.roleOn({ id: 'a', ownerId: 'org' })).toBe(lesser);
      }
    },
  );

  it('of an organization goes before the default', () => {
    const caller = principal({
      memberships: [member('named', 'admin'), member('other', 'admin')],
      cap: { defaultRole: 'none', orgRoles: [{ orgId: 'named', role: 'edit' }] },
    });
    expect(caller.roleInOrganization('named')).toBe('edit');
    expect(caller.roleInOrganization('other')).toBe('none');
    expect(caller.organizationsWith('view')).toEqual(['named']);
  });

  it('holds in the sandbox, by its name or by default', () => {
    const mine = { id: 'a', ownerId: ME };
    expect(principal({ cap: { defaultRole: 'view', orgRoles: [] } }).roleOn(mine)).toBe('view');
    const named = { orgRoles: [{ orgId: 'sandbox', role: 'collaborate' as const }] };
    expect(principal({ cap: named }).roleOn(mine)).toBe('collaborate');
    expect(principal({ cap: { ...named, defaultRole: 'none' } }).roleOn(mine)).toBe('collaborate');
  });

  it('that names one organization leaves the others as they are', () => {
    const caller = principal({
      memberships: [member('one', 'admin'), member('two', 'edit')],
      cap: { orgRoles: [{ orgId: 'one', role: 'view' }] },
    });
    expect(caller.roleInOrganization('one')).toBe('view');
    expect(caller.roleInOrganization('two')).toBe('edit');
    expect(caller.roleOn({ id: 'a', ownerId: ME })).toBe('admin');
  });

  it('on a single application goes before that of its organization, and never above the member', () => {
    const caller = principal({
      memberships: [member('org', 'view', ['b', 'collaborate'])],
      cap: {
        orgRoles: [
          {
            orgId: 'org',
            role: 'none',
            applicationRoles: [
              { resourceId: 'a', role: 'collaborate' },
              { resourceId: 'b', role: 'collaborate' },
            ],
          },
        ],
      },
    });
    expect(caller.roleOn({ id: 'a', ownerId: 'org' })).toBe('view');
    expect(caller.roleOn({ id: 'b', ownerId: 'org' })).toBe('collaborate');
    expect(caller.roleOn({ id: 'c', ownerId: 'org' })).toBe('none');
  });

  it('gives no role where the user has none', () => {
    const caller = principal({
      cap: {
        defaultRole: 'admin',
        orgRoles: [
          { orgId: 'org', role: 'admin', applicationRoles: [{ resourceId: 'a', role: 'collaborate' }] },
        ],
      },
    });
    expect(caller.roleInOrganization('org')).toBe('none');
    expect(caller.roleOn({ id: 'a', ownerId: 'org' })).toBe('none');
  });

  it('that names an application of somebody else does not open it', () => {
    const roles = [{ resourceId: 'theirs', role: 'collaborate' as const }];
    const caller = principal({
      cap: { orgRoles: [{ orgId: 'sandbox', role: 'none', applicationRoles: roles }] },
    });
    expect(caller.roleOn({ id: 'theirs', ownerId: 'other' })).toBe('none');
    expect(within(caller, 'view', { id: 'theirs', ownerId: 'other' })).toBe(false);
    expect(within(caller, 'collaborate', { id: 'theirs', ownerId: ME })).toBe(true);
  });

  it('is absent where it says nothing', () => {
    expect(principal().cap).toBeUndefined();
    expect(principal({ cap: { orgRoles: [] } }).cap).toBeUndefined();
    expect(principal({ cap: { defaultRole: 'none', orgRoles: [] } }).cap).toBeDefined();
    expect(principal({ cap: { orgRoles: [{ orgId: 'o', role: 'admin' }] } }).cap).toBeDefined();
  });
});

describe('Reach', () => {
  const ORGS = ['o1', 'o2'];
  const IDS = ['a', 'b', 'c'];
  const role = fc.constantFrom(...ROLES);
  const grants = fc.uniqueArray(
    fc.record({
      resourceId: fc.constantFrom(...IDS),
      role: fc.constantFrom<Role>('none', 'view', 'collaborate'),
    }),
    { selector: ({ resourceId }) => resourceId, maxLength: 3 },
  );
  const places = <T extends string>(...orgIds: T[]) =>
    fc.uniqueArray(fc.record({ orgId: fc.constantFrom(...orgIds), role, applicationRoles: grants }), {
      selector: ({ orgId }) => orgId,
    });
  const facts = fc.record(
    {
      memberships: places(...ORGS),
      cap: fc.record(
        { defaultRole: role, orgRoles: places(...ORGS, 'sandbox', 'o3') },
        { requiredKeys: ['orgRoles'] },
      ),
    },
    { requiredKeys: ['memberships'] },
  );

  it('is exactly the applications on which the role suffices', () => {
    fc.assert(
      fc.property(facts, (given) => {
        const caller = principal(given);
        for (const wanted of ROLES.slice(1))
          for (const ownerId of [ME, ...ORGS, 'o3', 'stranger'])
            for (const id of [...IDS, 'x']) {
              const application = { id, ownerId };
              expect([application, wanted, within(caller, wanted, application)]).toEqual([
                application,
                wanted,
                atLeast(caller.roleOn(application), wanted),
              ]);
            }
      }),
      { numRuns: 150 },
    );
  });
});

describe('The one who speaks', () => {
  it('is the user in person, or the API token', () => {
    expect(principal().actor).toEqual({ id: ME, type: 'user' });
    expect(principal({ token: { id: 't', name: 'T' } }).actor).toEqual({ id: 't', type: 'apiToken' });
  });

  it('must be the user where a session is demanded', () => {
    expect(() => principal().demandInPerson('no')).not.toThrow();
    expect(() => principal({ token: { id: 't', name: 'T' } }).demandInPerson('no')).toThrow(
      new Forbidden('no'),
    );
  });
});
