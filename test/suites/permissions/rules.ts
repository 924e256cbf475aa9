import type { Role } from '../../../src/platform/operations/operation.js';

/** What a path can name that rights hang on. An organization below its instance is a matter of the instance's roles. */
export type Place = 'application' | 'organization' | 'instance' | 'instanceOrganization' | 'sandbox';

/** The role that an operation needs, and on what. */
export interface Rule {
  /** Absent if the place is the caller's own account. */
  place?: Place;
  role: Role;
  /** Additional role in the organization of the application, or in the sandbox. */
  beside?: Role;
  /** An API token may not; the message says why. */
  inPerson?: string;
  /** Nor may a token whose roles are capped in single organizations. */
  uncapped?: string;
  /** A token with a capped role for the new resource is refused too. */
  uncappedAnew?: string;
  /** Message of the 400 that replaces 404 if the body names the place. */
  unseen?: string;
  /** Message of the 400 in a sandbox, for operations of organizations only. */
  forOrganizations?: string;
  /** It changes nothing: a GET, or a request with the read parameters in its body. */
  reads?: boolean;
  /** Also for callers other than users: they see the resources that they reach, possibly none. */
  anyone?: boolean;
  /** A device asks it of itself alone. */
  ofItself?: boolean;
  /** What its path names belongs to nobody, so there is no other's. */
  shared?: boolean;
}

// Rules of the roles by the platform's semantics. `view` reads. `collaborate` changes applications and their
// contents. `edit` also creates and deletes applications and manages their tokens. `admin` also manages settings,
// members, invitations, transfers and the audit log of the organization. In an instance, `view` reads and `admin`
// changes.

interface Named extends Partial<Rule> {
  because: string;
}

const CAPPED =
  'A token with roles capped in single organizations cannot make or change tokens of an instance';
const READS: Named = { role: 'view', reads: true, because: 'its body says what is read' };
const CATALOGUE: Named = {
  role: 'view',
  reads: true,
  anyone: true,
  shared: true,
  because: 'the catalogue is the same for everybody',
};
const ARCHIVES: Named = {
  role: 'collaborate',
  reads: false,
  because: 'it has something written to a store, though it is a GET',
};
const AGENT: Named = { ofItself: true, because: 'it is what a device says and gets of what it runs' };
const JOINS = 'A token with capped roles cannot make or join organizations';

/** What the rules do not say by method and resource, by operation or by resource. */
const EXCEPTIONS: Readonly<Record<string, Named>> = {
  'application.delete': { role: 'edit', because: 'who may make applications may delete them, nobody below' },
  'application.export': { role: 'admin', because: 'all that there is leaves the platform' },
  'application.clone': {
    role: 'admin',
    beside: 'edit',
    because: 'it is an export, and makes an application where that one is',
  },
  'application.import': { role: 'edit', because: 'it adds as much as there is to an application' },
  'application.applyTemplate': { role: 'edit', because: 'it adds as much as an import' },
  'applicationApiTokens.post': { role: 'edit', because: 'a token of an application is all of its power' },
  'applicationApiToken.patch': { role: 'edit', because: 'as making one' },
  'applicationApiToken.delete': { role: 'edit', because: 'as making one' },
  'application.archiveData': ARCHIVES,
  'application.backfillArchiveData': ARCHIVES,
  'application.fullEventsArchive': ARCHIVES,
  'application.fullDataTablesArchive': ARCHIVES,
  'embeddedDeployments.hello': AGENT,
  'embeddedDeployments.bundle': AGENT,
  auditLogs: { role: 'admin', because: 'the log tells what everybody did' },
  auditLog: { role: 'admin', because: 'the log tells what everybody did' },
  'org.pendingInvites': { role: 'admin', because: 'invitations are the business of who manages members' },
  'applications.post': {
    place: 'sandbox',
    role: 'edit',
    because: 'without an organization in its body it makes one in the sandbox of the caller',
  },
  'applications.import': {
    place: 'sandbox',
    role: 'edit',
    because: 'without an owner in its form it makes one in the sandbox of the caller',
  },
  'me.transferResources': {
    place: 'sandbox',
    role: 'admin',
    because: 'it gives away what is in the sandbox',
  },
  'me.addRecentItem': {
    place: 'sandbox',
    role: 'view',
    unseen: 'recentItem.itemId names no application that you see',
    because: 'what is listed must be in sight, and its body names an application of the sandbox',
  },
  'experienceDomains.post': {
    forOrganizations: 'experienceDomain is supported only for applications of an organization',
    because: 'domains are of organizations',
  },
  'instanceApiTokens.post': { uncapped: CAPPED, because: 'a token of the instance would be above the cap' },
  'instanceApiToken.patch': { uncapped: CAPPED, because: 'as making one' },
  'applications.get': { anyone: true, because: 'it lists what the caller reaches' },
  'orgs.get': { anyone: true, because: 'it lists what the caller reaches' },
  'instances.get': { anyone: true, because: 'it lists what the caller reaches' },
  applicationTemplates: CATALOGUE,
  applicationTemplate: CATALOGUE,
  'data.timeSeriesQuery': READS,
  'data.lastValueQuery': READS,
  'dataTableRows.query': READS,
  'orgs.post': { uncappedAnew: JOINS, because: 'its maker is an admin of it' },
  'me.respondToInvite': { uncappedAnew: JOINS, because: 'who accepts has a role there' },
  'me.delete': {
    inPerson: 'An API token cannot delete the account',
    because: 'a program must not end the account that it acts for',
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
        because: 'what a token leads to must end with it',
      },
    ]),
  ),
  'me.refreshToken': {
    inPerson: 'An API token cannot be refreshed',
    because: 'an API token must not live on under another name',
  },
};

/** The rule of an operation, from its method and path and the exceptions. */
export function ruleOf({ id, method, path }: { id: string; method: string; path: string }): Rule {
  const { because: _because, ...exception } = EXCEPTIONS[id] ??
    EXCEPTIONS[id.split('.')[0]!] ?? { because: '' };
  const place = placeOf(path);
  const reads = method === 'GET';
  return { place, reads, role: reads ? 'view' : writer(place), ...exception };
}

/** Exceptions that no operation needs. */
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
