import fc from 'fast-check';
import { identity, ME, member, principal, within } from '../../../test/suites/principals.js';
import { Forbidden } from '../../lib/errors/errors.js';
import { ROLES, type Role } from '../operations/operation.js';
import { atLeast } from './principal.js';
import type { InstanceRole } from './principal-data.js';

describe('atLeast', () => {
  it('orders the roles from none to admin', () => {
    const order = ['none', 'view', 'collaborate', 'edit', 'admin'] as const;
    order.forEach((role, rank) =>
      order.forEach((wanted, other) => expect(atLeast(role, wanted)).toBe(rank >= other)),
    );
  });
});

describe('Roles', () => {
  it('are admin in the user’s own sandbox and none in other sandboxes', () => {
    expect(principal().roleOn({ id: 'a', ownerId: ME })).toBe('admin');
    expect(principal().roleOn({ id: 'a', ownerId: 'other' })).toBe('none');
  });

  it.each(ROLES)('of the member apply to the applications of the organization (%s)', (role) => {
    const caller = principal({ memberships: [member('org', role)] });
    expect(caller.roleInOrganization('org')).toBe(role);
    expect(caller.roleOn({ id: 'a', ownerId: 'org' })).toBe(role);
    expect(caller.roleInOrganization('other')).toBe('none');
  });

  it('on single applications override the member’s role, in both directions', () => {
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

  it('on single applications only apply to applications of the organization', () => {
    const caller = principal({
      memberships: [member('one', 'admin', ['a', 'collaborate']), member('two', 'none')],
    });
    expect(caller.roleOn({ id: 'a', ownerId: 'two' })).toBe('none');
    expect(caller.roleOn({ id: 'a', ownerId: 'stranger' })).toBe('none');
    expect(within(caller, 'view', { id: 'a', ownerId: 'two' })).toBe(false);
    expect(within(caller, 'view', { id: 'a', ownerId: 'stranger' })).toBe(false);
  });

  it('in instances are those of the instance membership', () => {
    const caller = principal({
      instances: [
        { instanceId: 'i', role: 'view' },
        { instanceId: 'j', role: 'admin' },
      ],
    });
    expect(caller.roleInInstance('i')).toBe('view');
    expect(caller.roleInInstance('j', 'any')).toBe('admin');
    expect(caller.roleInInstance('other')).toBe('none');
    expect(caller.instancesWith('view')).toEqual(['i', 'j']);
    expect(caller.instancesWith('admin')).toEqual(['j']);
  });

  it('in an instance grant no role in its organizations or on their applications', () => {
    const caller = principal({ instances: [{ instanceId: 'i', role: 'admin' }] });
    expect(caller.roleInOrganization('org')).toBe('none');
    expect(caller.roleOn({ id: 'a', ownerId: 'org' })).toBe('none');
    expect(caller.reach('view').owners).toEqual([ME]);
  });

  it('determine the organizations in which the user has sufficient access', () => {
    const caller = principal({
      memberships: [member('a', 'admin'), member('e', 'edit'), member('v', 'view'), member('n', 'none')],
    });
    expect(caller.organizationsWith('view')).toEqual(['a', 'e', 'v']);
    expect(caller.organizationsWith('edit')).toEqual(['a', 'e']);
    expect(caller.organizationsWith('admin')).toEqual(['a']);
  });
});

describe('A role cap', () => {
  it.each(ROLES.flatMap((role) => ROLES.map((cap) => [role, cap] as const)))(
    'yields the lesser of the two roles: %s capped by %s',
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

  it('for an organization overrides the default', () => {
    const caller = principal({
      memberships: [member('named', 'admin'), member('other', 'admin')],
      cap: { defaultRole: 'none', orgRoles: [{ orgId: 'named', role: 'edit' }] },
    });
    expect(caller.roleInOrganization('named')).toBe('edit');
    expect(caller.roleInOrganization('other')).toBe('none');
    expect(caller.organizationsWith('view')).toEqual(['named']);
  });

  it('applies to the sandbox, by name or by default', () => {
    const mine = { id: 'a', ownerId: ME };
    expect(principal({ cap: { defaultRole: 'view', orgRoles: [] } }).roleOn(mine)).toBe('view');
    const named = { orgRoles: [{ orgId: 'sandbox', role: 'collaborate' as const }] };
    expect(principal({ cap: named }).roleOn(mine)).toBe('collaborate');
    expect(principal({ cap: { ...named, defaultRole: 'none' } }).roleOn(mine)).toBe('collaborate');
  });

  it('for one organization does not affect the others', () => {
    const caller = principal({
      memberships: [member('one', 'admin'), member('two', 'edit')],
      cap: { orgRoles: [{ orgId: 'one', role: 'view' }] },
    });
    expect(caller.roleInOrganization('one')).toBe('view');
    expect(caller.roleInOrganization('two')).toBe('edit');
    expect(caller.roleOn({ id: 'a', ownerId: ME })).toBe('admin');
  });

  it('on a single application overrides that of its organization, and never exceeds the member’s role', () => {
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

  it('grants no role if the user has none', () => {
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

  it('that names another user’s application does not grant access to it', () => {
    const roles = [{ resourceId: 'theirs', role: 'collaborate' as const }];
    const caller = principal({
      cap: { orgRoles: [{ orgId: 'sandbox', role: 'none', applicationRoles: roles }] },
    });
    expect(caller.roleOn({ id: 'theirs', ownerId: 'other' })).toBe('none');
    expect(within(caller, 'view', { id: 'theirs', ownerId: 'other' })).toBe(false);
    expect(within(caller, 'collaborate', { id: 'theirs', ownerId: ME })).toBe(true);
  });

  it.each<[InstanceRole, Role, Role]>([
    ['admin', 'admin', 'admin'],
    ['admin', 'edit', 'view'],
    ['admin', 'collaborate', 'view'],
    ['admin', 'view', 'view'],
    ['admin', 'none', 'none'],
    ['view', 'admin', 'view'],
    ['view', 'edit', 'view'],
    ['view', 'view', 'view'],
    ['view', 'none', 'none'],
  ])('by default applies to instances: %s capped by %s is %s', (role, cap, expected) => {
    const caller = principal({
      instances: [{ instanceId: 'i', role }],
      cap: { defaultRole: cap, orgRoles: [] },
    });
    expect(caller.roleInInstance('i')).toBe(expected);
    expect(caller.roleInInstance('i', 'org')).toBe(expected);
    expect(caller.instancesWith('view')).toEqual(expected === 'none' ? [] : ['i']);
  });

  it('for an organization also applies through its instance, and does not affect the instance itself', () => {
    const caller = principal({
      instances: [{ instanceId: 'i', role: 'admin' }],
      cap: {
        orgRoles: [
          { orgId: 'seen', role: 'view' },
          { orgId: 'hidden', role: 'none' },
        ],
      },
    });
    expect(caller.roleInInstance('i')).toBe('admin');
    expect(caller.roleInInstance('i', 'other')).toBe('admin');
    expect(caller.roleInInstance('i', 'seen')).toBe('view');
    expect(caller.roleInInstance('i', 'hidden')).toBe('none');
  });

  it('is undefined if it contains no roles', () => {
    expect(identity().cap).toBeUndefined();
    expect(identity({ cap: { orgRoles: [] } }).cap).toBeUndefined();
    expect(identity({ cap: { defaultRole: 'none', orgRoles: [] } }).cap).toBeDefined();
    expect(identity({ cap: { orgRoles: [{ orgId: 'o', role: 'admin' }] } }).cap).toBeDefined();
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
  const memberships = places(...ORGS).chain((all) =>
    fc.tuple(
      ...all.map((place) =>
        fc.record({ frozen: fc.boolean(), locked: fc.boolean() }).map((state) => ({ ...place, ...state })),
      ),
    ),
  );
  const facts = fc.record(
    {
      memberships,
      cap: fc.record(
        { defaultRole: role, orgRoles: places(...ORGS, 'sandbox', 'o3') },
        { requiredKeys: ['orgRoles'] },
      ),
    },
    { requiredKeys: ['memberships'] },
  );

  it('covers exactly the applications on which the role is sufficient', () => {
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

describe('The actor of a request', () => {
  it('is either the user in person or the API token', () => {
    expect(identity().actor).toEqual({ id: ME, type: 'user' });
    expect(identity({ token: { id: 't', name: 'T' } }).actor).toEqual({ id: 't', type: 'apiToken' });
  });

  it('must be the user if a session is required', () => {
    expect(() => identity().assertSession('no')).not.toThrow();
    expect(() => identity({ token: { id: 't', name: 'T' } }).assertSession('no')).toThrow(
      new Forbidden('no'),
    );
  });
});
