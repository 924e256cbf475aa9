import { AuditLog, InstanceAuditLog } from '../../src/modules/accounts/audit-logs/audit-log.resource.js';
import { documentText } from '../../src/openapi/emit.js';
import { ID_PATTERN } from '../../src/platform/fields/fields.js';
import { redact } from '../../src/platform/audit/redact.js';
import { newId } from '../../src/platform/repositories/resource.js';
import { ChangedRows } from './changed-rows.js';
import type { Answer } from '../contract/client.js';
import { placesOf } from './hostile/bodies.js';
import { idsIn, targetsOf, type Target } from './hostile/operations.js';
import { Schemas, type Json } from './hostile/schemas.js';
import { makeInstanceMember, makeMember, makeUser, uniqueName, type TestUser } from '../make/make.js';
import { Samples } from '../contract/samples.js';
import { selected } from '../setup/selection.js';
import { BEHIND_PROXY, freshAddress, clientAddress } from '../make/sign-in.js';
import { suite } from '../setup/suite.js';

const declared = JSON.parse(await documentText());
const schemas = new Schemas(declared);
const targets = targetsOf(declared);

const ORG = '/orgs/{orgId}';
const APPLICATION = '/applications/{applicationId}';
/** Users' changes to their own account are not logged, except for changes that also affect an organization. */
const ALSO_OF_ORGANIZATIONS: ReadonlySet<string> = new Set(['me.respondToInvite', 'me.transferResources']);
/**
 * Operations that appear in no audit log: messages are not stored, device data and commands have their own history,
 * rows of data tables are data, and some `POST` operations only read.
 */
const IN_NO_LOG: ReadonlySet<string> = new Set([
  'application.mqttPublishMessage',
  'device.sendState',
  'embeddedDeployments.hello',
  'device.setConnectionStatus',
  'device.sendCommand',
  'devices.sendCommand',
  'data.timeSeriesQuery',
  'data.lastValueQuery',
  'dataTableRows.post',
  'dataTableRows.query',
  'dataTableRow.patch',
  'dataTableRow.delete',
]);
/** Operations that write an entry for each resource they create or change, with the number of entries. */
const ENTRY_FOR_EACH: Readonly<Record<string, number>> = { 'experience.bootstrap': 15 };
const TURN_AND_CONTENT = ['import_turns', 'temporary_blobs'];
/**
 * Tables that operations change before the audit log entry is written: expected uploads are registered first, and
 * workers remove those that are abandoned; the turn of an import is returned.
 */
const BEFOREHAND: Readonly<Record<string, readonly string[]>> = {
  'file.upload': ['file_uploads', 'temporary_blobs'],
  'privateFile.upload': ['file_uploads', 'temporary_blobs'],
  'applications.import': TURN_AND_CONTENT,
  'application.import': TURN_AND_CONTENT,
  'application.applyTemplate': TURN_AND_CONTENT,
  'application.clone': TURN_AND_CONTENT,
  'application.export': ['temporary_blobs'],
};
/**
 * All operations that change something. Operations without a token have no actor; those that are logged have separate
 * tests.
 */
const changes = targets.filter(
  ({ id, method, open, path }) =>
    method !== 'GET' &&
    !open &&
    !IN_NO_LOG.has(id) &&
    (!path.startsWith('/me') || ALSO_OF_ORGANIZATIONS.has(id)),
);

/** Independent of the platform's own definition of a secret. */
const SECRET_NAME = /^(?!.*Ids?$).*(password|secret|token|private.?key|account.?key|key.?json|api.?key)/i;
type LogName = 'organization' | 'instance';
const TABLES: Readonly<Record<LogName, string>> = {
  organization: 'audit_logs',
  instance: 'instance_audit_logs',
};

/**
 * Returns the logs that an operation appears in: those of resources in its path, and the instance log when an
 * organization is created or deleted.
 */
function logsOf({ id, method, path, body, form }: Target): LogName[] {
  const begins = beginsOrganization({ method, path });
  const ends = method === 'DELETE' && path.endsWith(ORG);
  const named =
    /\{(orgId|applicationId)\}/.test(path) ||
    (path.split('/').length === 2 && has(body, 'orgId')) ||
    has(form, 'ownerId');
  return [
    ...((named || begins || ALSO_OF_ORGANIZATIONS.has(id)) && !ends ? ['organization' as const] : []),
    ...(path.includes('{instanceId}') || begins || ends ? ['instance' as const] : []),
  ];
}

const beginsOrganization = ({ method, path }: Pick<Target, 'method' | 'path'>): boolean =>
  method === 'POST' && path.endsWith('/orgs');

/** Whether a body may have a property of this name. */
const has = (body: Json | undefined, name: string): boolean =>
  body !== undefined && Object.hasOwn((schemas.resolve(body).properties as Json | undefined) ?? {}, name);

// No workers, so that only the requests of a test write to the database.
const { test } = suite({ ...BEHIND_PROXY, LOG_LEVEL: 'fatal', PROCESS_ROLE: 'api' }, { database: 'own' });
let everyone: Samples;
let changed: ChangedRows;

beforeAll(async () => {
  everyone = new Samples(test, await makeUser(test));
  changed = await ChangedRows.of(test.dataSource);
});

/** Returns a valid request with its resources and its caller. The logs are empty when it returns. */
async function requestOf(target: Target) {
  const user = await makeUser(test);
  const samples = everyone.of(user, target.path.startsWith('/me') ? 'sandbox' : 'organization');
  const ids = await samples.idsOf(target.path);
  const request = await samples.requestFor(target);
  const body = target.body ? await filled(target.body, request.body, samples) : request.body;
  if (body instanceof FormData && has(target.form, 'ownerId')) {
    body.set('ownerId', await samples.idOf(ORG));
    body.set('ownerType', 'organization');
  }
  await test.dataSource.query('DELETE FROM audit_logs');
  await test.dataSource.query('DELETE FROM instance_audit_logs');
  return { target, user, samples, ids, path: request.path, body };
}

/** Points the body at the sample rows and sets a unique secret in each property that may contain one. */
async function filled(schema: Json, body: unknown, samples: Samples): Promise<unknown> {
  if (Array.isArray(body)) return body;
  const whole = {
    ...(body as Json),
    ...(has(schema, 'orgId') ? { orgId: await samples.idOf(ORG) } : {}),
    ...(has(schema, 'applicationIds') ? { applicationIds: [await samples.idOf(APPLICATION)] } : {}),
  };
  const valid = schemas.validator(schema);
  return Object.keys((schemas.resolve(schema).properties as Json | undefined) ?? {}).reduce<Json>(
    (rest, name) => {
      const more = { ...rest, [name]: `${uniqueName('Secret')}-Aa1` };
      return SECRET_NAME.test(name) && valid(more) ? more : rest;
    },
    whole,
  );
}

type Request = Awaited<ReturnType<typeof requestOf>>;

const send = (
  { target, user, path, body }: Request,
  change: { token?: string; path?: string; body?: unknown } = {},
) =>
  test.client.request(target.method, change.path ?? path, {
    token: change.token ?? user.token,
    body: 'body' in change ? change.body : body,
  });

async function entriesIn(log: LogName): Promise<(AuditLog | InstanceAuditLog)[]> {
  const { manager } = test.dataSource;
  return log === 'organization' ? manager.find(AuditLog) : manager.find(InstanceAuditLog);
}

/** Returns the number of entries in the longest log of each kind. */
async function countsOfEntries(): Promise<Record<LogName, number>> {
  const longest = async (log: LogName) => {
    const owners = (await entriesIn(log)).map((entry) => ('orgId' in entry ? entry.orgId : entry.instanceId));
    return Math.max(0, ...owners.map((owner) => owners.filter((other) => other === owner).length));
  };
  return { organization: await longest('organization'), instance: await longest('instance') };
}

const expectedCounts = (logs: readonly LogName[], id = ''): Record<LogName, number> => ({
  organization: logs.includes('organization') ? (ENTRY_FOR_EACH[id] ?? 1) : 0,
  instance: logs.includes('instance') ? 1 : 0,
});

/** Returns the texts of properties whose names suggest secrets. */
function secretsIn(value: unknown, secret = false): string[] {
  if (typeof value === 'string') return secret ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    secretsIn(member, secret || SECRET_NAME.test(name)),
  );
}

describe.each(
  selected(changes).map((target) => ({ name: `${target.id}: ${target.method} ${target.path}`, target })),
)('$name', ({ target }) => {
  const logs = logsOf(target);

  it('belongs to at least one log', () => expect(logs).not.toEqual([]));

  it('is logged once in each of its logs, without secrets', async () => {
    const request = await requestOf(target);
    const address = freshAddress();
    const answer = await test.client.request(target.method, request.path, {
      token: request.user.token,
      body: request.body,
      headers: clientAddress(address),
    });
    expect(answer.status).toBeLessThan(300);
    expect(await countsOfEntries()).toEqual(expectedCounts(logs, target.id));
    for (const log of logs)
      for (const entry of await entriesIn(log)) expectEntry(entry, log, request, answer, address);
    const { orgId } = request.ids;
    if (orgId && logs.includes('organization'))
      expect(await entriesIn('organization')).toContainEqual(expect.objectContaining({ orgId }));
  });

  it('is not logged when it is refused', async () => {
    const request = await requestOf(target);
    const answers: Answer[] = [];
    if (target.body) answers.push(await send(request, { body: 'text' }));
    const hasIds = idsIn(target.path).length > 0;
    if (hasIds || target.form) {
      const { token } = await makeUser(test);
      answers.push(await send(request, { token }));
      answers.push(await send(request, { token: (await lookerOf(request)).token }));
    }
    if (hasIds) answers.push(await send(request, { path: withMissing(request) }));
    expect(answers.length).toBeGreaterThan(0);
    for (const { status } of answers) expect([400, 403, 404]).toContain(status);
    expect(await countsOfEntries()).toEqual({ organization: 0, instance: 0 });
  });

  it.each(logs)('changes nothing when the audit log entry of the %s cannot be written', async (log) => {
    const request = await requestOf(target);
    const jobs = () => test.dataSource.query('SELECT id FROM jobs ORDER BY id');
    const queued = await jobs();
    await changed.take();
    await test.dataSource.query(`ALTER TABLE ${TABLES[log]} ADD CONSTRAINT refused CHECK (false) NOT VALID`);
    try {
      expect((await send(request)).status).toBe(500);
    } finally {
      await test.dataSource.query(`ALTER TABLE ${TABLES[log]} DROP CONSTRAINT refused`);
    }
    expect(await changed.take()).toEqual(BEFOREHAND[target.id] ?? []);
    expect(await test.dataSource.query('SELECT owner_id FROM import_turns')).toEqual([]);
    expect(await jobs()).toEqual(queued);
  });

  it('is not logged for an organization with a disabled audit log', async () => {
    const request = await requestOf(target);
    await test.dataSource.query(
      'UPDATE orgs SET audit_log_enabled = false WHERE audit_log_enabled IS NOT FALSE',
    );
    expect((await send(request)).status).toBeLessThan(300);
    const kept = logs.filter((log) => log === 'instance' || beginsOrganization(target));
    expect(await countsOfEntries()).toEqual(expectedCounts(kept));
  });

  it('is not logged for an instance with a disabled audit log, or for its organizations', async () => {
    const request = await requestOf(target);
    await test.dataSource.query('UPDATE instances SET allow_audit_logging = false');
    try {
      expect((await send(request)).status).toBeLessThan(300);
    } finally {
      await test.dataSource.query('UPDATE instances SET allow_audit_logging = true');
    }
    expect(await countsOfEntries()).toEqual({ organization: 0, instance: 0 });
  });
});

function expectEntry(
  entry: AuditLog | InstanceAuditLog,
  log: LogName,
  { target, user, ids, path, body }: Request,
  { status, body: answered }: Answer,
  address: string,
): void {
  const [requestResource, requestAction] = target.id.split('.');
  const query = Object.fromEntries(new URLSearchParams(path.split('?')[1] ?? ''));
  expect(entry).toMatchObject({
    actorId: user.id,
    actorType: 'User',
    actorName: user.email,
    requestResource,
    requestAction,
    requestPathParams: ids,
    requestQueryParams: { ...query, '@address': address },
    responseStatus: status,
  });
  const { orgId, instanceId, applicationId } = ids;
  if (log === 'organization') {
    if (applicationId)
      expect(entry).toMatchObject({ primaryTargetType: 'Application', primaryTargetId: applicationId });
  } else {
    if (instanceId) expect(entry).toMatchObject({ instanceId });
    if (orgId) expect(entry).toMatchObject({ primaryTargetType: 'Organization', primaryTargetId: orgId });
  }
  for (const rank of ['primary', 'secondary'] as const) {
    const named = [entry[`${rank}TargetId`], entry[`${rank}TargetType`], entry[`${rank}TargetName`]];
    expect(named.every((part) => part === null) || named.every((part) => typeof part === 'string')).toBe(
      true,
    );
  }
  const given = Array.isArray(body) ? ['items'] : Object.keys(body ?? {});
  expect(Object.keys(entry.requestBody ?? {}).sort()).toEqual(given.sort());
  const text = JSON.stringify(entry);
  for (const secret of [...secretsIn(body), ...secretsIn(answered)]) expect(text).not.toContain(secret);
}

/** Creates a user with no permissions beyond viewing the resources in the path. */
async function lookerOf({ ids, samples, target }: Request): Promise<TestUser> {
  const { instanceId, orgId } = ids;
  if (instanceId) return makeInstanceMember(test, 'view', { instanceId });
  return makeMember(
    test,
    orgId ?? (await samples.idOf(target.path.includes(ORG) ? target.path : ORG)),
    'view',
  );
}

/** Returns the path with its last ID replaced by an unknown one. */
function withMissing({ target, ids, path }: Request): string {
  const last = ids[idsIn(target.path).at(-1)!]!;
  return path.replace(last, newId());
}

describe('Request body properties', () => {
  /** Text properties that are accepted but never returned are secrets, except these. */
  const NO_SECRETS: ReadonlySet<string> = new Set([
    'SAMLDomain',
    'attribute',
    'attributeName',
    'bundle',
    'csv',
    'descriptionColumn',
    'gatewayIdColumn',
    'nameColumn',
    'newVersion',
    'oldVersion',
    'parentIdColumn',
    'releaseTag',
    'sourceVersionIdOrName',
    'tagKey',
  ]);
  const answered = new Set<string>();
  for (const { responses } of Object.values(declared.paths).flatMap((item) => Object.values(item as object)))
    for (const [status, response] of Object.entries(responses))
      if (status < '300') namesIn(response, answered);

  const hidden = targets.flatMap(({ id, body }) =>
    body
      ? placesOf(body, schemas.sample(body), schemas)
          .map((place) => ({ ...place, id, name: /(\w+)[^.]*$/.exec(place.at)![1]! }))
          .filter(({ schema, name }) => isText(schema) && (!answered.has(name) || SECRET_NAME.test(name)))
      : [],
  );

  it('include secrets', () => {
    const names = hidden.map(({ id, at }) => `${id} ${at}`);
    expect(names).toContain('org.patch body.cardToken');
    expect(names).toContain('application.patch body.archiveConfig.s3.secretAccessKey');
  });

  it.each(hidden.filter(({ name }) => !NO_SECRETS.has(name)))(
    'that are secret are not logged: $id $at',
    ({ put }) => {
      const canary = uniqueName('canary');
      expect(JSON.stringify(redact(put(canary)))).not.toContain(canary);
    },
  );

  /** IDs, enumerations and times are never secret. */
  function isText({ type, enum: choices, pattern, format }: Json): boolean {
    return type === 'string' && !choices && pattern !== ID_PATTERN && format !== 'date-time';
  }

  function namesIn(node: unknown, found: Set<string>, seen = new Set<unknown>()): void {
    if (typeof node !== 'object' || node === null || seen.has(node)) return;
    seen.add(node);
    const schema = node as Json;
    if (typeof schema.$ref === 'string')
      namesIn(declared.components.schemas[schema.$ref.split('/').pop()!], found, seen);
    for (const name of Object.keys((schema.properties as Json | undefined) ?? {})) found.add(name);
    for (const child of Object.values(schema)) namesIn(child, found, seen);
  }
});
