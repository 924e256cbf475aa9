import type { ApiToken } from '../../../src/modules/accounts/api-tokens/api-token.resource.js';
import { ROLES, type Role } from '../../../src/platform/operations/operation.js';
import { newId } from '../../../src/platform/repositories/resource.js';
import {
  apiToken,
  applicationOf,
  EVERYWHERE,
  instanceOf,
  NO_ROLES,
  organizationOf,
  standing,
  USER,
  type Kind,
  type World,
} from './callers.js';
import { MEMBERS } from './people.js';
import type { Place } from './rules.js';

const lesser = (a: Role, b: Role): Role => (ROLES.indexOf(a) < ROLES.indexOf(b) ? a : b);
/** An instance has two roles: a cap below `admin` leaves `view`, and `none` leaves nothing. */
const inInstance = (cap: Role): Role => (cap === 'admin' ? 'admin' : lesser(cap, 'view'));

type Cap = Pick<ApiToken, 'defaultRole' | 'orgRoles'>;

/** A token of the owner of all resources, limited by a cap. */
const capped = (
  name: string,
  roles: Partial<Record<Place, Role>>,
  cap: (ids: { orgId: string; applicationId: string; instanceOrgId: string }) => Cap,
  capAnew?: Role,
): Kind => ({
  name: `a token of a user ${name}`,
  standing: standing({
    inPerson: false,
    cappedInPlaces: capAnew === undefined,
    capAnew,
    roles: { ...EVERYWHERE, ...roles },
  }),
  make: async (world, paths) => {
    const { test, owner, samples } = world;
    // An organization of the instance is created only for paths that need one.
    const below = paths.some((path) => path.includes('{instanceId}/orgs/{orgId}'));
    const ids = {
      orgId: await organizationOf(world),
      applicationId: await applicationOf(world),
      instanceOrgId: below ? await samples.idOf('/instances/{instanceId}/orgs/{orgId}') : newId(),
    };
    await instanceOf(world);
    const token = await apiToken(test, { type: 'user', id: owner.id }, ['all.User'], cap(ids));
    return { token, user: owner, samples: {} };
  },
});

export const TOKENS: readonly Kind[] = [
  ...ROLES.map((role) =>
    capped(
      `capped to ${role}`,
      {
        application: role,
        organization: role,
        instance: inInstance(role),
        instanceOrganization: inInstance(role),
        sandbox: role,
      },
      () => ({ defaultRole: role }),
      role,
    ),
  ),
  ...ROLES.map((role) =>
    capped(
      `capped to ${role} in the organization`,
      { application: role, organization: role },
      ({ orgId }) => ({ orgRoles: [{ orgId, role }] }),
    ),
  ),
  ...(['none', 'view', 'collaborate'] as const).map((role) =>
    capped(
      `capped to none in the organization and ${role} on the application`,
      { application: role, organization: 'none' },
      ({ orgId, applicationId }) => ({
        orgRoles: [{ orgId, role: 'none', applicationRoles: [{ resourceId: applicationId, role }] }],
      }),
    ),
  ),
  capped('capped to view in the sandbox', { sandbox: 'view' }, () => ({
    orgRoles: [{ orgId: 'sandbox', role: 'view' }],
  })),
  capped(
    'capped to view in an organization of the instance',
    { instanceOrganization: 'view' },
    ({ instanceOrgId }) => ({ orgRoles: [{ orgId: instanceOrgId, role: 'view' }] }),
  ),
  {
    name: 'a token of a member with the role view, capped to admin',
    standing: standing({
      inPerson: false,
      cappedInPlaces: true,
      roles: { ...USER, application: 'view', organization: 'view' },
    }),
    make: async (world, paths) => {
      const caller = await MEMBERS.find(({ name }) => name.endsWith('role view'))!.make(world, paths);
      const orgId = await organizationOf(world);
      const orgRoles = [{ orgId, role: 'admin' as const }];
      const owner = { type: 'user' as const, id: caller.user.id };
      return { ...caller, token: await apiToken(world.test, owner, ['all.User'], { orgRoles }) };
    },
  },
];

/** A token that belongs to an application or instance. */
const belonging = (
  name: string,
  subject: 'application' | 'instance',
  scopes: readonly string[],
  roles: Partial<Record<Place, Role>>,
  ownerOf: (world: World) => Promise<string>,
): Kind => ({
  name,
  standing: standing({ subject, inPerson: false, scopes, roles: { ...NO_ROLES, ...roles } }),
  make: async (world) => ({
    token: await apiToken(world.test, { type: subject, id: await ownerOf(world) }, scopes),
    user: world.owner,
    samples: {},
  }),
});

const ALL_FAMILIES = ['all.User', 'all.Organization', 'all.Application', 'all.Instance', 'all.Device'];
const ITSELF = { application: 'admin' } as const;
const WHOLE = { instance: 'admin', instanceOrganization: 'admin' } as const;
const anotherApplication = ({ samples, owner }: World) => samples.of(owner).insertApplication();
const anotherInstance = ({ samples, owner }: World) => samples.of(owner).insertInstance();

export const BELONGING: readonly Kind[] = [
  belonging('a token of the application', 'application', ['all.Application'], ITSELF, applicationOf),
  belonging(
    'a read-only token of the application',
    'application',
    ['all.Application.read'],
    ITSELF,
    applicationOf,
  ),
  belonging('a token of the application for devices', 'application', ['all.Device'], ITSELF, applicationOf),
  belonging(
    'a read-only token of the application for devices',
    'application',
    ['all.Device.read'],
    ITSELF,
    applicationOf,
  ),
  belonging('a token of another application', 'application', ['all.Application'], {}, anotherApplication),
  // The platform never issues such a token; even so, it would not give access to another place.
  belonging(
    'a token of the application with every scope',
    'application',
    ALL_FAMILIES,
    ITSELF,
    applicationOf,
  ),
  belonging('a token of the instance', 'instance', ['all.Instance'], WHOLE, instanceOf),
  belonging('a read-only token of the instance', 'instance', ['all.Instance.read'], WHOLE, instanceOf),
  belonging('a token of another instance', 'instance', ['all.Instance'], {}, anotherInstance),
  belonging('a token of the instance with every scope', 'instance', ALL_FAMILIES, WHOLE, instanceOf),
];
