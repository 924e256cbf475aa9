import type { Membership } from '../../src/platform/access/memberships.js';
import { atLeast, Principal, type AccessibleApplications } from '../../src/platform/access/principal.js';
import type { OwnedApplication, PrincipalData } from '../../src/platform/access/principal-data.js';
import type { Role } from '../../src/platform/operations/operation.js';

/** ID of the calling user. */
export const ME = 'me';

/** A caller with all memberships; each decision receives the relevant one. */
export class TestCaller {
  constructor(
    readonly principal: Principal,
    readonly memberships: readonly Membership[],
  ) {}

  roleOn(application: OwnedApplication): Role {
    return this.principal.roleOn(application, this.in(application.ownerId));
  }

  assertRoleOn(application: OwnedApplication, wanted: Role): Role {
    return this.principal.assertRoleOn(application, wanted, this.in(application.ownerId));
  }

  roleInOrganization(orgId: string, reading?: boolean): Role {
    return this.principal.roleInOrganization(orgId, this.in(orgId), reading);
  }

  assertRoleInOrganization(orgId: string, wanted: Role): void {
    this.principal.assertRoleInOrganization(orgId, wanted, this.in(orgId));
  }

  organizationsWith(wanted: Role): string[] {
    const all = this.memberships.map(({ orgId }) => orgId);
    return all.filter((orgId) => atLeast(this.roleInOrganization(orgId), wanted));
  }

  roleInInstance(...place: Parameters<Principal['roleInInstance']>): Role {
    return this.principal.roleInInstance(...place);
  }

  assertRoleInInstance(...wanted: Parameters<Principal['assertRoleInInstance']>): void {
    this.principal.assertRoleInInstance(...wanted);
  }

  instancesWith(wanted: Role): string[] {
    return this.principal.instancesWith(wanted);
  }

  limitsApplications(ownerId: string): boolean {
    return this.principal.limitsApplications(ownerId, this.in(ownerId));
  }

  reach(wanted: Role): AccessibleApplications {
    return this.principal.reach(wanted, this.memberships);
  }

  private in(orgId: string): Membership | undefined {
    return this.memberships.find((membership) => membership.orgId === orgId);
  }
}

type Facts = Partial<PrincipalData> & { memberships?: readonly Membership[] };

export const principal = ({ memberships = [], ...facts }: Facts = {}) => {
  const isMember = memberships.length > 0;
  const user = { subject: { type: 'user', id: ME }, scopes: [], issuedAt: 0, isMember } as const;
  return new TestCaller(new Principal({ ...user, ...facts }), memberships);
};

/** Same as `principal`, for cases without memberships. */
export const identity = (facts: Partial<PrincipalData> = {}) => principal(facts).principal;

export const member = (
  orgId: string,
  role: Role,
  ...applicationRoles: [resourceId: string, role: Role][]
) => ({
  orgId,
  role,
  applicationRoles: applicationRoles.map(([resourceId, granted]) => ({ resourceId, role: granted })),
});

/** Whether the SQL conditions of `reach` hold for an application. */
export function within(caller: TestCaller, wanted: Role, { id, ownerId }: OwnedApplication): boolean {
  const { owners, except, additional } = caller.reach(wanted);
  const among = (list: readonly OwnedApplication[]) =>
    list.some((each) => each.id === id && each.ownerId === ownerId);
  return (owners.includes(ownerId) && !among(except)) || among(additional);
}
