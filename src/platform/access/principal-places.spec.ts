import { ME, member, principal, within } from '../../../test/suites/principals.js';
import { Forbidden, NotFound } from '../../lib/errors/errors.js';
import { ROLES, type Role } from '../operations/operation.js';
import type { PrincipalData } from './principal-data.js';

describe('A frozen organization', () => {
  const frozen = (role: Role, ...grants: [string, Role][]) =>
    principal({ memberships: [{ ...member('org', role, ...grants), frozen: true }] });

  it.each<[Role, Role]>([
    ['none', 'none'],
    ['view', 'view'],
    ['collaborate', 'view'],
    ['edit', 'view'],
    ['admin', 'view'],
  ])('reduces the role %s to %s', (role, left) => {
    expect(frozen(role).roleInOrganization('org')).toBe(left);
    expect(frozen(role).roleInOrganization('org', true)).toBe(role);
    expect(frozen(role).roleOn({ id: 'a', ownerId: 'org' })).toBe(left);
  });

  it('allows only read access to single applications', () => {
    const caller = frozen('none', ['a', 'collaborate'], ['b', 'none']);
    expect(caller.roleOn({ id: 'a', ownerId: 'org' })).toBe('view');
    expect(caller.roleOn({ id: 'b', ownerId: 'org' })).toBe('none');
    expect(within(caller, 'view', { id: 'a', ownerId: 'org' })).toBe(true);
    expect(within(caller, 'collaborate', { id: 'a', ownerId: 'org' })).toBe(false);
    expect(caller.roleOn({ id: 'x', ownerId: ME })).toBe('admin');
  });
});

describe('A place that requires a second factor', () => {
  const caller = principal({
    memberships: [{ ...member('org', 'admin', ['a', 'collaborate']), locked: true }],
    instances: [{ instanceId: 'i', role: 'admin', locked: true }],
  });

  it('grants no role to users without one', () => {
    expect(caller.roleInOrganization('org')).toBe('none');
    expect(caller.roleOn({ id: 'a', ownerId: 'org' })).toBe('none');
    expect(caller.roleInInstance('i')).toBe('none');
    expect(caller.organizationsWith('view')).toEqual([]);
    expect(caller.instancesWith('view')).toEqual([]);
    expect(within(caller, 'view', { id: 'a', ownerId: 'org' })).toBe(false);
  });

  it('names the requirement in the error for its members only', () => {
    const asks = (title: string) =>
      new Forbidden(`${title} requires two-factor authentication: enable it first`);
    expect(() => caller.assertRoleInOrganization('org', 'view')).toThrow(asks('Organization'));
    expect(() => caller.assertRoleOn({ id: 'a', ownerId: 'org' }, 'view')).toThrow(asks('Application'));
    expect(() => caller.assertRoleInInstance('i', 'view')).toThrow(asks('Instance'));
    expect(() => caller.assertRoleInInstance('i', 'view', 'any')).toThrow(asks('Instance'));
    expect(() => principal().assertRoleInOrganization('org', 'view')).toThrow(new NotFound('Organization'));
    expect(() => principal().assertRoleInInstance('i', 'view')).toThrow(new NotFound('Instance'));
  });
});

describe('A role check', () => {
  const caller = principal({
    memberships: [member('org', 'view', ['hidden', 'none']), member('nothing', 'none')],
    instances: [
      { instanceId: 'seen', role: 'view' },
      { instanceId: 'run', role: 'admin' },
    ],
    cap: {
      orgRoles: [
        { orgId: 'kept', role: 'none' },
        { orgId: 'looked-at', role: 'view' },
      ],
    },
  });

  it('on an application throws 404 if it is not visible and 403 if the role is insufficient', () => {
    const on = (id: string, ownerId: string, wanted: Role) => () =>
      caller.assertRoleOn({ id, ownerId }, wanted);
    expect(on('a', 'org', 'view')).not.toThrow();
    expect(on('a', ME, 'admin')).not.toThrow();
    expect(on('a', 'org', 'collaborate')).toThrow(new Forbidden());
    expect(on('hidden', 'org', 'view')).toThrow(new NotFound('Application'));
    expect(on('a', 'stranger', 'view')).toThrow(new NotFound('Application'));
  });

  it('in an organization throws 404 or 403 likewise', () => {
    const inside = (orgId: string, wanted: Role) => () => caller.assertRoleInOrganization(orgId, wanted);
    expect(inside('org', 'view')).not.toThrow();
    expect(inside('org', 'edit')).toThrow(new Forbidden());
    expect(inside('nothing', 'view')).toThrow(new NotFound('Organization'));
    expect(inside('stranger', 'admin')).toThrow(new NotFound('Organization'));
  });

  it('in an instance throws 404 or 403 likewise', () => {
    const inside = (id: string, wanted: Role) => () => caller.assertRoleInInstance(id, wanted);
    expect(inside('seen', 'view')).not.toThrow();
    expect(inside('run', 'admin')).not.toThrow();
    expect(inside('seen', 'admin')).toThrow(new Forbidden());
    expect(inside('stranger', 'view')).toThrow(new NotFound('Instance'));
  });

  it('on an organization of an instance names the resource that is not visible', () => {
    const inside = (id: string, orgId: string, wanted: Role) => () =>
      caller.assertRoleInInstance(id, wanted, orgId);
    expect(inside('run', 'any', 'admin')).not.toThrow();
    expect(inside('run', 'looked-at', 'view')).not.toThrow();
    expect(inside('run', 'looked-at', 'admin')).toThrow(new Forbidden());
    expect(inside('run', 'kept', 'view')).toThrow(new NotFound('Organization'));
    expect(inside('seen', 'any', 'admin')).toThrow(new Forbidden());
    expect(inside('stranger', 'any', 'view')).toThrow(new NotFound('Instance'));
  });
});

describe('The token of an application', () => {
  const itself = { id: 'app', ownerId: 'org' };
  const speaking = (frozen = false, cap?: PrincipalData['cap']) =>
    principal({
      subject: { type: 'application', id: 'app' },
      application: { id: 'app', ownerId: 'org', frozen },
      cap,
    });

  it('is admin on the application and has no other access', () => {
    const caller = speaking();
    expect(caller.roleOn(itself)).toBe('admin');
    expect(caller.roleOn({ id: 'sibling', ownerId: 'org' })).toBe('none');
    expect(caller.roleOn({ id: 'x', ownerId: 'app' })).toBe('none');
    expect(caller.roleInOrganization('org')).toBe('none');
    expect(caller.roleInInstance('i')).toBe('none');
    expect(caller.organizationsWith('view')).toEqual([]);
    for (const wanted of ROLES.slice(1))
      expect(caller.reach(wanted)).toEqual({ owners: [], except: [], additional: [itself] });
  });

  it('has only read access while the organization is frozen', () => {
    const caller = speaking(true);
    expect(caller.roleOn(itself)).toBe('view');
    expect(caller.reach('view').additional).toEqual([itself]);
    expect(caller.reach('collaborate')).toEqual({ owners: [], except: [], additional: [] });
    expect(() => caller.assertRoleOn(itself, 'collaborate')).toThrow(new Forbidden());
  });

  it('can be capped like any other token', () => {
    expect(speaking(false, { defaultRole: 'collaborate', orgRoles: [] }).roleOn(itself)).toBe('collaborate');
    expect(speaking(false, { defaultRole: 'none', orgRoles: [] }).reach('view').additional).toEqual([]);
  });

  it('has no user account', () => {
    expect(() => speaking().principal.userId).toThrow(new Forbidden('Only users can do this'));
    expect(speaking().principal.reachesOrganizations).toBe(true);
  });
});

describe('The token of a device', () => {
  const home = { id: 'app', ownerId: 'org' };
  const speaking = (more: Partial<PrincipalData> = {}) =>
    principal({
      subject: { type: 'device', id: 'pump' },
      application: { ...home, frozen: false },
      credentials: ['key'],
      ...more,
    });

  it('can collaborate in its application and has no other access', () => {
    const caller = speaking();
    expect(caller.roleOn(home)).toBe('collaborate');
    for (const other of [
      { id: 'sibling', ownerId: 'org' },
      { id: 'pump', ownerId: 'org' },
      { id: 'x', ownerId: 'pump' },
    ])
      expect(caller.roleOn(other)).toBe('none');
    expect(caller.roleInOrganization('org')).toBe('none');
    expect(caller.roleInInstance('i')).toBe('none');
    for (const wanted of ['view', 'collaborate'] as const)
      expect(caller.reach(wanted)).toEqual({ owners: [], except: [], additional: [home] });
    expect(caller.reach('edit').additional).toEqual([]);
  });

  it('has only read access while the organization is frozen', () => {
    expect(speaking({ application: { ...home, frozen: true } }).roleOn(home)).toBe('view');
  });

  it('is not a user, and is the actor of its own changes', () => {
    const { principal: caller } = speaking();
    expect(() => caller.userId).toThrow(new Forbidden('Only users can do this'));
    expect(caller.actor).toEqual({ id: 'pump', type: 'device' });
    expect(caller.ownerId).toBe('org');
  });

  it('depends on the device, its key, its application and the owner of the application', () => {
    const { principal: caller } = speaking();
    for (const id of ['pump', 'key', 'app', 'org']) expect(caller.dependsOn(new Set([id]))).toBe(true);
    expect(caller.dependsOn(new Set(['', 'undefined', 'other']))).toBe(false);
  });

  it('has a cache size that counts the devices, tags and addresses of its key', () => {
    expect(speaking().principal.size).toBe(1);
    const devices = { deviceIds: ['pump', 'fan'], deviceTags: [{ key: 'site' }] };
    const addresses = { type: 'whitelist', addresses: ['203.0.113.7'] } as const;
    expect(speaking({ devices, addresses }).principal.size).toBe(5);
  });
});

describe('The token of an instance', () => {
  const caller = principal({
    subject: { type: 'instance', id: 'i' },
    instances: [{ instanceId: 'i', role: 'admin' }],
  });

  it('is admin in the instance and has no access to applications', () => {
    expect(caller.roleInInstance('i', 'any')).toBe('admin');
    expect(caller.roleInInstance('other')).toBe('none');
    expect(caller.roleInOrganization('org')).toBe('none');
    for (const ownerId of ['org', 'i', ME]) expect(caller.roleOn({ id: 'a', ownerId })).toBe('none');
    for (const wanted of ROLES.slice(1))
      expect(caller.reach(wanted)).toEqual({ owners: [], except: [], additional: [] });
    expect(() => caller.principal.userId).toThrow(new Forbidden('Only users can do this'));
  });
});

describe('An application limit', () => {
  it('is reported for the sandbox and for each organization, even if it is 0', () => {
    const none = principal({ applicationLimit: null, memberships: [member('org', 'edit')] });
    expect(none.limitsApplications(ME)).toBe(false);
    expect(none.limitsApplications('org')).toBe(false);
    expect(none.limitsApplications('stranger')).toBe(false);
    const both = principal({
      applicationLimit: 0,
      memberships: [{ ...member('org', 'edit'), applicationLimit: 3 }, member('other', 'edit')],
    });
    expect(both.limitsApplications(ME)).toBe(true);
    expect(both.limitsApplications('org')).toBe(true);
    expect(both.limitsApplications('other')).toBe(false);
  });
});
