import { SCOPE_FAMILIES } from './scope-names.js';

type Level = 'read' | 'bounded' | 'cli';

/** Returns `all.<family>` for each family, and the same scope with each level: `all.User`, `all.User.read`. */
export const all = (families: string, ...levels: Level[]): string[] =>
  families
    .split(' ')
    .flatMap((family) => [`all.${family}`, ...levels.map((level) => `all.${family}.${level}`)]);

/** Like `all`, for tokens that only have access to their own level and to none of its sub-resources. */
const only = (family: string, ...levels: Level[]): string[] => [
  `only.${family}`,
  ...levels.map((level) => `only.${family}.${level}`),
];

// Group scopes that operations accept in addition to their own `<resource>.*` and `<resource>.<action>`. Operations
// refer to them by name, so that each set is only defined once.
export const APPLICATION_GET = [
  ...all('Application', 'read'),
  ...all('Organization', 'read'),
  ...all('User', 'read'),
  'all.Application.cli',
  'all.User.cli',
];
export const APPLICATION_WRITE = all('Application Organization User');
export const APPLICATION_GLOBALS = [
  ...all('Application Organization User'),
  'all.Application.cli',
  'all.User.cli',
];
export const APPLICATION_CONFIGURE = [
  ...all('Application User', 'bounded', 'cli'),
  ...all('Organization', 'bounded'),
];
export const APPLICATION_BROWSE = [
  ...all('Application User', 'read', 'bounded', 'cli'),
  ...all('Organization', 'read', 'bounded'),
];
export const USER_OR_ORGANIZATION_READ = all('Organization User', 'read');
export const APPLICATIONS_READ = [...USER_OR_ORGANIZATION_READ, 'all.User.cli'];
export const APPLICATIONS_WRITE = all('Organization User');
export const APPLICATION_READ = all('Application Organization User', 'read');
export const APPLICATION_CHILDREN_WRITE = all('Application Organization User', 'bounded');
export const ORGANIZATION_READ = [
  ...all('Organization User', 'read', 'bounded'),
  ...only('Organization', 'read', 'bounded'),
];
export const ORGANIZATION_WRITE = [
  ...all('Organization User', 'bounded'),
  ...only('Organization', 'bounded'),
];
export const ORGANIZATION_MANAGE = [...all('Organization User'), ...only('Organization')];
export const APPLICATION_CHILDREN_READ = all('Application Organization User', 'read', 'bounded');
export const DEVICE_ATTRIBUTE_READ = [
  ...all('Application Organization User', 'read'),
  ...all('Device', 'read'),
];
export const DEVICES_READ = [
  ...all('Application Organization User', 'read', 'bounded'),
  ...all('Device', 'read'),
];
export const DEVICE_WRITE = [...all('Application Organization User', 'bounded'), ...all('Device')];
export const EMBEDDED_AGENT = all('Application Organization User Device');
export const EMBEDDED_AGENT_READ = all('Application Organization User Device', 'read');
export const INSTANCE_READ = all('Instance User', 'read', 'bounded');
export const INSTANCE_WRITE = all('Instance User', 'bounded');
export const INSTANCE_MEMBERS_READ = all('Instance User', 'read');
export const INSTANCE_MANAGE = all('Instance User');
export const USER_LIST = all('User', 'read');
export const USER_CREATE = all('User');
export const USER_READ = [...all('User', 'read', 'bounded'), ...only('User', 'read', 'bounded')];
export const USER_WRITE = [...all('User', 'bounded'), ...only('User', 'bounded')];
export const USER_ACCOUNT = [...all('User'), ...only('User')];

export type ScopeFamily = keyof typeof SCOPE_FAMILIES;

const FAMILY_SCOPES = Object.fromEntries(
  Object.entries(SCOPE_FAMILIES).map(([family, { groups, resources }]) => [
    family,
    [
      ...groups,
      ...Object.entries(resources).flatMap(([resource, actions]) => [
        `${resource}.*`,
        ...(actions as readonly string[]).map((action) => `${resource}.${action}`),
      ]),
    ],
  ]),
) as Record<ScopeFamily, string[]>;

/** Every scope that a token may have. */
export const ALL_SCOPES: readonly string[] = [...new Set(Object.values(FAMILY_SCOPES).flat())].sort();
const KNOWN_SCOPES: ReadonlySet<string> = new Set(ALL_SCOPES);

/**
 * Families that each group scope includes: a token with the key may create tokens with any scope of the listed
 * families.
 */
const WHOLE_FAMILIES: ReadonlyMap<string, readonly ScopeFamily[]> = new Map([
  ['all.User', ['User', 'Organization', 'Application', 'Instance']],
  ['all.Organization', ['Organization', 'Application']],
  ['all.Application', ['Application']],
  ['all.Instance', ['Instance']],
]);

/** The scopes that an operation accepts, and its name among them. */
export interface AcceptedScopes {
  name: string;
  accepts: ReadonlySet<string>;
}

/** Decides which scopes a token may grant to another, from what the operations accept. */
export class ScopeGrants {
  private readonly accepted = new Map<string, ReadonlySet<string>>();

  /** Several operations may share a name in scopes: only a scope that all of them accept is equivalent to the name. */
  constructor(operations: Iterable<AcceptedScopes>) {
    for (const { name, accepts } of operations) {
      const known = this.accepted.get(name);
      this.accepted.set(name, known ? new Set([...accepts].filter((scope) => known.has(scope))) : accepts);
    }
  }

  /**
   * Returns whether the scopes `held` already include the permissions of `wanted`. The result must not depend on
   * operations that are added later, so anything that cannot be proven is denied.
   */
  covers(held: ReadonlySet<string>, wanted: string): boolean {
    if (!KNOWN_SCOPES.has(wanted)) return false;
    if (held.has(wanted)) return true;
    for (const scope of held) {
      if (WHOLE_FAMILIES.get(scope)?.some((family) => FAMILY_SCOPES[family].includes(wanted))) return true;
    }
    const [resource, action] = wanted.split('.', 2);
    if (resource === 'all') return coversGroup(held, wanted);
    if (resource === 'only')
      return [...held].some(
        (scope) => scope.replace(/^all\./, 'only.') === wanted || wanted.startsWith(`${scope}.`),
      );
    if (held.has(`${resource}.*`)) return true;
    if (action === '*') return false;
    const scopes = this.accepted.get(wanted);
    return scopes !== undefined && [...held].some((scope) => scopes.has(scope));
  }
}

/** `all.Application.read` is included in `all.User.read` and in every wider level of its own family. */
function coversGroup(held: ReadonlySet<string>, wanted: string): boolean {
  const [, family = '', level] = wanted.split('.');
  if (level === undefined) return false;
  if (held.has(`all.${family}`)) return true;
  const above = [...WHOLE_FAMILIES].filter(([, families]) => families.includes(family as ScopeFamily));
  return above.some(([group]) => held.has(`${group}.${level}`));
}
