import { ROLES, type Role } from '../../../src/platform/operations/operation.js';
import { EVERYWHERE, NO_ROLES, standing, USER } from './callers.js';
import { outcomeOf, type ExpectedRequest, type Standing } from './expectation.js';
import type { Place } from './rules.js';
import { variantsOf } from './scope-variants.js';

const asked = (name: string, path: string, scopes = ['all.User', 'all.User.read']): ExpectedRequest => {
  const [method = '', id = ''] = name.split(' ');
  return { id, method, path, scopes };
};
const FLOW = '/applications/{applicationId}/flows/{flowId}';
const TOKENS = '/applications/{applicationId}/tokens';
const ORG = '/orgs/{orgId}';
const BELOW = '/instances/{instanceId}/orgs/{orgId}';
/** Returns the expected status, or 200 if the call is allowed. */
const statusOf = (operation: ExpectedRequest, caller: Standing): number => {
  const outcome = outcomeOf(operation, caller);
  return outcome === 'allowed' ? 200 : outcome.status;
};
const holding = (place: Place, role: Role) => standing({ roles: { ...NO_ROLES, [place]: role } });

describe('The expected outcome of a call', () => {
  it.each<[string, string, Place, number[]]>([
    // Expected statuses by role, from none to admin.
    ['GET flow.get', FLOW, 'application', [404, 200, 200, 200, 200]],
    ['PATCH flow.patch', FLOW, 'application', [404, 403, 200, 200, 200]],
    ['DELETE flow.delete', FLOW, 'application', [404, 403, 200, 200, 200]],
    ['POST flows.post', '/applications/{applicationId}/flows', 'application', [404, 403, 200, 200, 200]],
    ['PATCH application.patch', '/applications/{applicationId}', 'application', [404, 403, 200, 200, 200]],
    ['DELETE application.delete', '/applications/{applicationId}', 'application', [404, 403, 403, 200, 200]],
    ['GET applicationApiTokens.get', TOKENS, 'application', [404, 200, 200, 200, 200]],
    ['POST applicationApiTokens.post', TOKENS, 'application', [404, 403, 403, 200, 200]],
    ['POST applications.post', '/applications', 'sandbox', [404, 403, 403, 200, 200]],
    ['POST applications.import', '/applications/import', 'sandbox', [404, 403, 403, 200, 200]],
    [
      'POST application.import',
      '/applications/{applicationId}/import',
      'application',
      [404, 403, 403, 200, 200],
    ],
    [
      'POST application.export',
      '/applications/{applicationId}/export',
      'application',
      [404, 403, 403, 403, 200],
    ],
    ['GET org.get', ORG, 'organization', [404, 200, 200, 200, 200]],
    ['PATCH org.patch', ORG, 'organization', [404, 403, 403, 403, 200]],
    ['GET auditLogs.get', `${ORG}/audit-logs`, 'organization', [404, 403, 403, 403, 200]],
    ['GET org.pendingInvites', `${ORG}/invites`, 'organization', [404, 403, 403, 403, 200]],
    ['GET instance.get', '/instances/{instanceId}', 'instance', [404, 200, 200, 200, 200]],
    ['PATCH instance.patch', '/instances/{instanceId}', 'instance', [404, 403, 403, 403, 200]],
  ])('%s %s', (name, path, place, statuses) => {
    expect(ROLES.map((role) => statusOf(asked(name, path), holding(place, role)))).toEqual(statuses);
  });

  it('in an organization of an instance depends on the roles in both', () => {
    const roles = (instance: Role, instanceOrganization: Role) =>
      standing({ roles: { ...NO_ROLES, instance, instanceOrganization } });
    const [get, patch] = [asked('GET instanceOrg.get', BELOW), asked('PATCH instanceOrg.patch', BELOW)];
    expect(outcomeOf(get, roles('none', 'none'))).toEqual({ status: 404, message: 'Instance was not found' });
    expect(outcomeOf(get, roles('view', 'none'))).toEqual({
      status: 404,
      message: 'Organization was not found',
    });
    expect([get, patch].map((one) => statusOf(one, roles('admin', 'view')))).toEqual([200, 403]);
    expect(statusOf(patch, roles('admin', 'admin'))).toBe(200);
  });

  it('of an operation that creates an application also depends on the role in its organization or sandbox', () => {
    const clone = asked('POST application.clone', '/applications/{applicationId}/clone');
    const statuses = (place: Place, more: Partial<Standing> = {}) =>
      ROLES.map((role) =>
        statusOf(clone, standing({ roles: { ...NO_ROLES, application: 'admin', [place]: role }, ...more })),
      );
    expect(statuses('organization')).toEqual([404, 403, 403, 200, 200]);
    expect(statuses('sandbox', { inSandbox: true })).toEqual([404, 403, 403, 200, 200]);
    expect(statusOf(clone, standing({ roles: { ...EVERYWHERE, application: 'edit' } }))).toBe(403);
  });

  it('for a device restricted to itself depends on its role, then on the device in the path', () => {
    const device = '/applications/{applicationId}/devices/{deviceId}';
    const alone = (role: Role) =>
      standing({ roles: { ...NO_ROLES, application: role }, reachesItself: true });
    const [get, patch] = [asked('GET device.get', device), asked('PATCH device.patch', device)];
    expect(outcomeOf(get, alone('view'))).toEqual({ status: 404, message: 'Device was not found' });
    expect(statusOf(patch, alone('view'))).toBe(403);
    expect(outcomeOf(get, alone('none'))).toMatchObject({ message: 'Application was not found' });
    expect(statusOf(asked('GET devices.get', '/applications/{applicationId}/devices'), alone('view'))).toBe(
      200,
    );
  });

  it('for a gateway restricted to itself allows reports for its peripherals only', () => {
    const device = '/applications/{applicationId}/devices/{deviceId}';
    const report = asked('POST device.sendState', `${device}/state`);
    const roles = { ...NO_ROLES, application: 'collaborate' } as const;
    const gateway = standing({ roles, reachesItself: true, isGateway: true });
    expect(statusOf(report, gateway)).toBe(200);
    expect(statusOf(report, { ...gateway, isGateway: false })).toBe(404);
    expect(statusOf(asked('GET device.get', device), gateway)).toBe(404);
    expect(statusOf(asked('POST device.sendCommand', `${device}/command`), gateway)).toBe(404);
  });

  it('in a frozen organization is that of the role view for changes, and unchanged for reads', () => {
    const frozen = standing({ roles: EVERYWHERE, frozen: ['organization'] });
    const statuses = ['GET org.get', 'GET auditLogs.get', 'PATCH org.patch'].map((name) =>
      statusOf(asked(name, ORG), frozen),
    );
    expect(statuses).toEqual([200, 200, 403]);
    const out = standing({ roles: NO_ROLES, frozen: ['organization'] });
    expect(statusOf(asked('PATCH org.patch', ORG), out)).toBe(404);
  });

  it('for a role in another place is that of no role', () => {
    for (const [place, operation] of [
      ['application', asked('GET flow.get', FLOW)],
      ['organization', asked('GET org.get', ORG)],
      ['instance', asked('GET instance.get', '/instances/{instanceId}')],
    ] as const)
      expect(statusOf(operation, standing({ roles: { ...EVERYWHERE, [place]: 'none' } }))).toBe(404);
  });

  it('is determined in this order: token, scopes, second factor, visibility, role', () => {
    const operation = asked('PATCH flow.patch', FLOW);
    const roles = { ...NO_ROLES, application: 'none' } as const;
    const locked = { application: 'Turn it on' };
    const caller = standing({ refused: 'Gone', scopes: [], roles, locked });
    expect(outcomeOf(operation, caller)).toEqual({ status: 401, message: 'Gone' });
    const known = { ...caller, refused: undefined };
    expect(outcomeOf(operation, known)).toEqual({
      status: 403,
      message: 'Access is forbidden: the token needs one of the scopes all.User, all.User.read',
    });
    const wide = { ...known, scopes: ['all.User'] };
    expect(outcomeOf(operation, wide)).toEqual({ status: 403, message: 'Turn it on' });
    const open = { ...wide, locked: {} };
    expect(outcomeOf(operation, open)).toEqual({ status: 404, message: 'Application was not found' });
    expect(statusOf(operation, { ...open, roles: { ...roles, application: 'view' } })).toBe(403);
  });

  it('for accounts excludes everyone except users, and API tokens from session operations', () => {
    const [get, list, refresh] = [
      asked('GET me.get', '/me'),
      asked('GET orgs.get', '/orgs'),
      asked('GET me.refreshToken', '/me/refreshToken'),
    ];
    const user = standing({ roles: USER });
    const ofUser = standing({ inPerson: false });
    const ofApplication = standing({ subject: 'application', inPerson: false, roles: EVERYWHERE });
    const statuses = (caller: Standing) => [get, list, refresh].map((one) => statusOf(one, caller));
    expect([user, ofUser, ofApplication].map(statuses)).toEqual([
      [200, 200, 200],
      [200, 200, 403],
      [403, 200, 403],
    ]);
    expect(statusOf(asked('POST applications.post', '/applications'), ofApplication)).toBe(403);
  });

  it('is success only for accepted scopes', () => {
    const operation = asked('GET flow.get', FLOW, ['all.User', 'flow.*', 'flow.get']);
    const variants = variantsOf(operation, ['all.User', 'all.User.read', 'all.Application']);
    const open = variants.filter(
      (scope) => statusOf(operation, standing({ scopes: [scope], roles: EVERYWHERE })) === 200,
    );
    expect(open).toEqual(['all.User', 'flow.*', 'flow.get']);
    expect(variants).toEqual(
      expect.arrayContaining([
        'all.User.read',
        'flows.get',
        'FLOW.GET',
        'flow.ge',
        'flow.patch',
        'flow',
        '*',
        '',
      ]),
    );
  });
});
