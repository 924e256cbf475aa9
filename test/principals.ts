import { Principal, type OwnedApplication, type PrincipalFacts } from '../src/platform/access/principal.js';
import type { Role } from '../src/platform/operation.js';

/** The id of the user who asks. */
export const ME = 'me';

export const principal = (facts: Partial<PrincipalFacts> = {}) =>
  new Principal({ subject: { type: 'user', id: ME }, scopes: [], issuedAt: 0, ...facts });

export const member = (
  orgId: string,
  role: Role,
  ...applicationRoles: [resourceId: string, role: Role][]
) => ({
  orgId,
  role,
  applicationRoles: applicationRoles.map(([resourceId, granted]) => ({ resourceId, role: granted })),
});

/** Whether the conditions of `reach`, as a statement has them, hold for an application. */
export function within(caller: Principal, wanted: Role, { id, ownerId }: OwnedApplication): boolean {
  const { owners, except, also } = caller.reach(wanted);
  const among = (list: readonly OwnedApplication[]) =>
    list.some((each) => each.id === id && each.ownerId === ownerId);
  return (owners.includes(ownerId) && !among(except)) || among(also);
}
