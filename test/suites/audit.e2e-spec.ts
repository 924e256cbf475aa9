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
import { makeInstanceMember, makeMember, makeUser, unique, type TestUser } from '../make/make.js';
import { Samples } from '../contract/samples.js';
import { selected } from '../setup/selection.js';
import { BEHIND_PROXY, freshAddress, from } from '../make/sign-in.js';
import { suite } from '../setup/suite.js';

const declared = JSON.parse(await documentText());
const schemas = new Schemas(declared);
const targets = targetsOf(declared);

const ORG = '/orgs/{orgId}';
const APPLICATION = '/applications/{applicationId}';
/** What users do to their own account is in no log, but for what makes a change to an organization as well. */
const ALSO_OF_ORGANIZATIONS: ReadonlySet<string> = new Set(['me.respondToInvite', 'me.transferResources']);
/**
 * Reports and commands of devices have a history of their own, rows of data tables are data, and reads say so in
 * their body. No audit log contains them.
 */
const IN_NO_LOG: ReadonlySet<string> = new Set([
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
/** What leaves an entry for each thing that it makes or changes, and how many these are. */
const ENTRY_FOR_EACH: Readonly<Record<string, number>> = { 'experience.bootstrap': 12 };
const TURN_AND_CONTENT = ['import_turns', 'temporary_blobs'];
/**
 * Tables that change before the entry is certain. Content is expected before it arrives, and workers remove unused
 * content. The turn of an import is returned.
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
/** All changing operations. An operation without a token has no actor, and has separate tests if it writes an entry. */
const changes = targets.filter(
  ({ id, method, open, path }) =>
    method !== 'GET' &&
    !open &&
    !IN_NO_LOG.has(id) &&
    (!path.startsWith('/me') || ALSO_OF_ORGANIZATIONS.has(id)),
);

/** Independent of what the platform takes for one. */
const SECRET_NAME = /^(?!.*Ids?$).*(password|secret|token|private.?key|account.?key|key.?json|api.?key)/i;
type LogName = 'organization' | 'instance';
const TABLES: Readonly<Record<LogName, string>> = {
  organization: 'audit_logs',
  instance: 'instance_audit_logs',
};

/** Whose logs tell of an operation: what its path names, and for the beginning or end of an organization its instance. */
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

/** Whether a body may have a member. */
const has = (body: Json | undefined, name: string): boolean =>
  body !== undefined && Object.hasOwn((schemas.resolve(body).properties as Json | undefined) ?? {}, name);

// Without workers nothing but the requests of a test writes to the database.
const { test } = suite({ ...BEHIND_PROXY, LOG_LEVEL: 'fatal', PROCESS_ROLE: 'api' }, { database: 'own' });
let everyone: Samples;
let changed: ChangedRows;

beforeAll(async () => {
  everyone = new Samples(test, await makeUser(test));
  changed = await ChangedRows.of(test.dataSource);
});

/** A request that works, all that it needs, and whose it is; the logs are empty when it is returned. */
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

/** The same body about the rows of the samples, with a secret of its own in each member that may hold one. */
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
      const more = { ...rest, [name]: `${unique('Secret')}-Aa1` };
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

/** Number of entries for a change: the length of the longest log of each kind. */
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

/** Every text in members that are named like secrets. */
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

  it('stands in some log', () => expect(logs).not.toEqual([]));

  it('is told of once in each log that it belongs to, without secrets', async () => {
    const request = await requestOf(target);
    const address = freshAddress();
    const answer = await test.client.request(target.method, request.path, {
      token: request.user.token,
      body: request.body,
      headers: from(address),
    });
    expect(answer.status).toBeLessThan(300);
    expect(await countsOfEntries()).toEqual(expectedCounts(logs, target.id));
    for (const log of logs)
      for (const entry of await entriesIn(log)) expectEntry(entry, log, request, answer, address);
    const { orgId } = request.ids;
    if (orgId && logs.includes('organization'))
      expect(await entriesIn('organization')).toContainEqual(expect.objectContaining({ orgId }));
  });

  it('is in no log when it was refused', async () => {
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

  it.each(logs)('is not done when the entry in the log of the %s cannot be written', async (log) => {
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

  it('is in no log of an organization that keeps none', async () => {
    const request = await requestOf(target);
    await test.dataSource.query(
      'UPDATE orgs SET audit_log_enabled = false WHERE audit_log_enabled IS NOT FALSE',
    );
    expect((await send(request)).status).toBeLessThan(300);
    const kept = logs.filter((log) => log === 'instance' || beginsOrganization(target));
    expect(await countsOfEntries()).toEqual(expectedCounts(kept));
  });

  it('is in no log of an instance that keeps none, nor of its organizations', async () => {
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

/** Somebody who may see what the path names, and no more. */
async function lookerOf({ ids, samples, target }: Request): Promise<TestUser> {
  const { instanceId, orgId } = ids;
  if (instanceId) return makeInstanceMember(test, 'view', { instanceId });
  return makeMember(
    test,
    orgId ?? (await samples.idOf(target.path.includes(ORG) ? target.path : ORG)),
    'view',
  );
}

/** The path with an id in place of the last that nothing has. */
function withMissing({ target, ids, path }: Request): string {
  const last = ids[idsIn(target.path).at(-1)!]!;
  return path.replace(last, newId());
}

describe('A secret in a body', () => {
  /** Text that is taken and never answered is a secret, but for these. */
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

  it('is one of some', () => {
    const names = hidden.map(({ id, at }) => `${id} ${at}`);
    expect(names).toContain('org.patch body.cardToken');
    expect(names).toContain('application.patch body.archiveConfig.s3.secretAccessKey');
  });

  it.each(hidden.filter(({ name }) => !NO_SECRETS.has(name)))('is not kept: $id $at', ({ put }) => {
    const canary = unique('canary');
    expect(JSON.stringify(redact(put(canary)))).not.toContain(canary);
  });

  /** Ids, choices and times hold no secret. */
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
