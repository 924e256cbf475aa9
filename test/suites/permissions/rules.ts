import type { Role } from '../../../src/platform/operations/operation.js';

/** Places in a path that roles refer to. Access to an organization below its instance depends on the instance roles. */
export type Place = 'application' | 'organization' | 'instance' | 'instanceOrganization' | 'sandbox';

/** Role that an operation requires, with its place. */
export interface Rule {
  /** Unset if the place is the caller's own account. */
  place?: Place;
  role: Role;
  /** Additional role required in the organization or sandbox of the application. */
  beside?: Role;
  /** Error message for API tokens, which must not call the operation. */
  inPerson?: string;
  /** Error message for tokens whose roles are capped in single organizations. */
  uncapped?: string;
  /** Error message for tokens whose default cap would limit the new resource. */
  uncappedAnew?: string;
  /** Message of a `400` instead of the `404`, if the place is in the body. */
  unseen?: string;
  /** Message of the `400` for an application in a sandbox, if the operation requires an organization. */
  forOrganizations?: string;
  /** Whether the operation changes nothing: a GET, or a POST with a query in its body. */
  reads?: boolean;
  /**
   * Whether callers other than users are accepted; the response contains only resources they can access, possibly none.
   */
  anyone?: boolean;
  /** Whether a device may call it only for itself. */
  ofItself?: boolean;
  /** Whether a gateway may call it for its own peripherals, even if its key does not cover them. */
  forPeripherals?: boolean;
  /** Whether resources in its path belong to no tenant. */
  shared?: boolean;
}

// Role rules according to the platform's semantics. `view` reads. `collaborate` changes applications and their
// contents. `edit` also creates and deletes applications and manages their tokens. `admin` also manages settings,
// members, invitations, transfers and the audit log of the organization. In an instance, `view` reads and `admin`
// changes.

interface Named extends Partial<Rule> {
  because: string;
}

const CAPPED =
  'A token with roles capped in single organizations cannot create or change tokens of an instance';
const READS: Named = { role: 'view', reads: true, because: 'the query is in the body' };
const CATALOGUE: Named = {
  role: 'view',
  reads: true,
  anyone: true,
  shared: true,
  because: 'the catalogue is the same for all callers',
};
const ARCHIVES: Named = {
  role: 'collaborate',
  reads: false,
  because: 'it writes to a store, although it is a GET',
};
const AGENT: Named = { ofItself: true, because: "it exchanges data about the device's own modules" };
const DEBUGS: Named = {
  role: 'collaborate',
  reads: false,
  because: 'payloads of runs contain what callers of webhooks sent, which readers do not see',
};
const JOINS = 'A token with capped roles cannot create or join organizations';

/** Exceptions from the rules by method and resource, keyed by operation or resource. */
const EXCEPTIONS: Readonly<Record<string, Named>> = {
  'application.delete': {
    role: 'edit',
    because: 'callers who can create applications can delete them, lower roles cannot',
  },
  'application.export': { role: 'admin', because: 'all data leaves the platform' },
  'application.clone': {
    role: 'admin',
    beside: 'edit',
    because: 'it is an export, and creates an application next to the source',
  },
  'application.import': { role: 'edit', because: 'it adds any number of resources to an application' },
  'application.applyTemplate': { role: 'edit', because: 'it adds as much as an import' },
  'applicationApiTokens.post': {
    role: 'edit',
    because: 'a token of an application has all of its permissions',
  },
  'applicationApiToken.patch': { role: 'edit', because: 'same as creating one' },
  'applicationApiToken.delete': { role: 'edit', because: 'same as creating one' },
  'application.archiveData': ARCHIVES,
  'application.debugStream': DEBUGS,
  'device.debugStream': DEBUGS,
  'flow.debugStream': DEBUGS,
  'flowRun.get': DEBUGS,
  'application.backfillArchiveData': ARCHIVES,
  'application.fullEventsArchive': ARCHIVES,
  'application.fullDataTablesArchive': ARCHIVES,
  'device.sendState': {
    forPeripherals: true,
    because: 'a peripheral has no key of its own, and its gateway reports for it',
  },
  'embeddedDeployments.hello': AGENT,
  'embeddedDeployments.bundle': AGENT,
  auditLogs: { role: 'admin', because: 'the log contains the actions of all members' },
  auditLog: { role: 'admin', because: 'the log contains the actions of all members' },
  'org.pendingInvites': { role: 'admin', because: 'invitations are managed with members' },
  'applications.post': {
    place: 'sandbox',
    role: 'edit',
    because: 'without an organization in its body it creates one in the sandbox of the caller',
  },
  'applications.import': {
    place: 'sandbox',
    role: 'edit',
    because: 'without an owner in its form it creates one in the sandbox of the caller',
  },
  'me.transferResources': {
    place: 'sandbox',
    role: 'admin',
    because: 'it transfers resources out of the sandbox',
  },
  'me.addRecentItem': {
    place: 'sandbox',
    role: 'view',
    unseen: 'recentItem.itemId does not match any application that you can access',
    because: 'listed items must be visible, and the body names an application of the sandbox',
  },
  'experienceDomains.post': {
    forOrganizations: 'experienceDomain is supported only for applications of an organization',
    because: 'domains belong to organizations',
  },
  'instanceApiTokens.post': { uncapped: CAPPED, because: 'a token of the instance would exceed the cap' },
  'instanceApiToken.patch': { uncapped: CAPPED, because: 'same as creating one' },
  'applications.get': { anyone: true, because: 'it lists only what the caller can access' },
  'orgs.get': { anyone: true, because: 'it lists only what the caller can access' },
  'instances.get': { anyone: true, because: 'it lists only what the caller can access' },
  applicationTemplates: CATALOGUE,
  applicationTemplate: CATALOGUE,
  'data.timeSeriesQuery': READS,
  'data.lastValueQuery': READS,
  'dataTableRows.query': READS,
  'orgs.post': { uncappedAnew: JOINS, because: 'its creator becomes its admin' },
  'me.respondToInvite': { uncappedAnew: JOINS, because: 'accepting grants a role there' },
  'me.delete': {
    inPerson: 'An API token cannot delete the account',
    because: 'a program must not delete the account that it acts for',
  },
  ...Object.fromEntries(
    [
      'me.changePassword',
      'me.disconnectGithub',
      'me.generateTwoFactorAuth',
      'me.enableTwoFactorAuth',
      'me.disableTwoFactorAuth',
    ].map((id) => [
      id,
      {
        inPerson: 'An API token cannot change how its user signs in',
        because: 'access gained with a token must end with it',
      },
    ]),
  ),
  'me.refreshToken': {
    inPerson: 'An API token cannot be refreshed',
    because: 'an API token must not be renewable under another identity',
  },
};

/** Returns the rule of an operation from its method, path and exceptions. */
export function ruleOf({ id, method, path }: { id: string; method: string; path: string }): Rule {
  const { because: _because, ...exception } = EXCEPTIONS[id] ??
    EXCEPTIONS[id.split('.')[0]!] ?? { because: '' };
  const place = placeOf(path);
  const reads = method === 'GET';
  return { place, reads, role: reads ? 'view' : writer(place), ...exception };
}

/** Returns exceptions that match no operation. */
export function idleExceptions(ids: readonly string[]): string[] {
  const known = new Set(ids.flatMap((id) => [id, id.split('.')[0]!]));
  return Object.keys(EXCEPTIONS).filter((name) => !known.has(name));
}

function writer(place: Place | undefined): Role {
  return place === 'application' ? 'collaborate' : 'admin';
}

function placeOf(path: string): Place | undefined {
  if (path.includes('{applicationId}')) return 'application';
  const inOrganization = path.includes('{orgId}');
  if (path.includes('{instanceId}')) return inOrganization ? 'instanceOrganization' : 'instance';
  return inOrganization ? 'organization' : undefined;
}
