import type { OpenAPIObject } from '@nestjs/swagger';
import { InstanceMember } from '../../src/modules/accounts/instance-members/instance-member.resource.js';
import { operationsOf } from '../../src/openapi/operations.js';
import { documentText } from '../../src/openapi/emit.js';
import { alternativesOf } from '../../src/platform/responses/schema.js';
import { MIN_SECRETS_ROLE, MIN_READER_ROLE } from '../../src/platform/responses/shape.js';
import { deviceToken, makeDevice, makeKey } from '../make/device-tokens.js';
import { filled, targetsOf } from './hostile/operations.js';
import { Schemas, type Json } from './hostile/schemas.js';
import { inBatches } from '../setup/in-batches.js';
import { makeMember, makeUser, tokenOf, uniqueName } from '../make/make.js';
import { Samples } from '../contract/samples.js';
import { timeouts, selected } from '../setup/selection.js';
import { suite } from '../setup/suite.js';

// Callers with read-only access, by role or scope, never see data that lets them act.

/** Secrets returned to any permitted caller, with the reason. */
const SHOWN_ONCE: Readonly<Record<string, string>> = {
  'ApiToken.token': 'It is in the answer that makes the token and in no other.',
  'ApplicationKeyPostResponse.secret': 'It is in the answer that makes the key and in no other.',
  'AuthedDevice.token': 'It is the answer to a sign-in.',
  'AuthedUser.token': 'It is the answer to a sign-in.',
  'ExperienceBootstrapResult.password': 'It is in the answer that makes the user and in no other.',
  'MultiFactorAuthInfo.key': 'It is for the user whose it is, in person.',
  'MultiFactorAuthInfo.keyUri': 'It is for the user whose it is, in person.',
  'Webhook.basicAuthPassword': 'It is in the answer that sets it and in no other.',
};
const CANARY = uniqueName('Canary');
/** A free-form value with secrets in typical places. */
const FREE = {
  password: CANARY,
  headers: [{ keyTemplate: 'Authorization', valueTemplate: CANARY }],
  url: `https://ada:${CANARY}@example.com`,
  message: 'plain',
};

const document = JSON.parse(await documentText()) as OpenAPIObject;
const components = document.components!.schemas as Json;
const schemas = new Schemas(document);
const targets = targetsOf(document);

/** Returns the properties of components in a response as `Component.property`. */
function shownIn(schema: Json, found = new Map<string, Json>(), name = ''): Map<string, Json> {
  const own = typeof schema.$ref === 'string' ? schema.$ref.split('/').pop()! : name;
  for (const part of alternativesOf(schema, components)) {
    const at = typeof part.title === 'string' ? part.title : own;
    for (const [property, value] of Object.entries((part.properties ?? {}) as Record<string, Json>)) {
      if (found.has(`${at}.${property}`)) continue;
      found.set(`${at}.${property}`, value);
      shownIn(value, found, at);
    }
    for (const below of [part.items, part.additionalProperties] as (Json | undefined)[])
      if (typeof below === 'object') shownIn(below, found, at);
  }
  return found;
}

const answers = operationsOf(document).flatMap(({ operation }) =>
  Object.entries(operation.responses as Record<string, { content?: Record<string, { schema?: Json }> }>)
    .filter(([status]) => status.startsWith('2'))
    .map(([, { content }]) => content?.['application/json']?.schema)
    .filter((schema) => schema !== undefined)
    .map((schema) => ({ id: operation.operationId.replace('_', '.'), shown: shownIn(schema) })),
);
const guardedOf = (shown: ReadonlyMap<string, Json>) =>
  [...shown].filter(([, schema]) => MIN_READER_ROLE in schema).map(([name]) => name.split('.')[1]!);

describe('A secret in a response', () => {
  it('has a minimum role, or is returned once for a documented reason', () => {
    const secrets = new Map(answers.flatMap(({ shown }) => [...shown]));
    const open = [...secrets]
      .filter(
        ([, schema]) => schema.format === 'password' && !schema.writeOnly && !(MIN_READER_ROLE in schema),
      )
      .map(([name]) => name);
    expect(new Set(open)).toEqual(new Set(Object.keys(SHOWN_ONCE)));
  });

  it('may be in free-form values only if these are redacted', () => {
    const resources = /^(Flow|InstanceCustomNode)/;
    const free = answers.flatMap(({ shown }) =>
      [...shown].filter(
        ([name, { type, properties, additionalProperties }]) =>
          resources.test(name) && type === 'object' && !properties && !additionalProperties,
      ),
    );
    expect(free.length).toBeGreaterThan(0);
    expect(free.filter(([, schema]) => !(MIN_SECRETS_ROLE in schema)).map(([name]) => name)).toEqual([]);
  });
});

describe('A read-only caller', () => {
  const readable = selected(targets).filter(
    ({ method, open, path, streams }) =>
      method === 'GET' && !open && !streams && /\{(application|instance)Id\}/.test(path),
  );
  const { test } = suite({ LOG_LEVEL: 'error', PROCESS_ROLE: 'api' });
  let owner: Samples;
  /** Read-only tokens, by the reason they are read-only. */
  const readers = new Map<string, string>();
  /** Guarded data that the owner received and readers must not. */
  const seen = new Set<string>();

  beforeAll(async () => {
    const user = await makeUser(test);
    owner = new Samples(test, user).of(user, 'organization');
    const orgId = await owner.idOf('/orgs/{orgId}');
    const instanceId = await owner.idOf('/instances/{instanceId}');
    const viewer = await makeMember(test, orgId, 'view');
    await test.dataSource.manager.insert(InstanceMember, { instanceId, userId: viewer.id, role: 'view' });
    readers.set('the role view', tokenOf(test, viewer.id, ['all.User'], 7200));
    readers.set('a scope that reads', tokenOf(test, user.id, ['all.User.read']));
    const applicationId = await owner.idOf('/applications/{applicationId}');
    const device = await makeDevice(test, user.token, applicationId);
    const { id: keyId } = await makeKey(test, user.token, applicationId);
    // The platform never issues such a token; even so, it would be read-only.
    readers.set('a device', deviceToken(test, device.id, keyId, ['all.Application.read', 'all.Device.read']));
    await plant();
  }, timeouts(targets));

  /** Puts a canary into every guarded property that can be changed, so that any response could return it. */
  async function plant(): Promise<void> {
    for (const { path } of readable) await owner.idsOf(path);
    for (const target of targets.filter(({ method, body }) => method === 'PATCH' && body)) {
      if (!readable.some(({ path }) => path === target.path)) continue;
      const at = filled(target.path, await owner.idsOf(target.path));
      const { token } = owner.user;
      const { body: row } = await test.client.get(at, { token });
      const { properties = {} } = schemas.resolve(target.body!) as { properties?: Record<string, Json> };
      for (const [name, schema] of Object.entries(properties)) {
        const value = withSecrets(schema, row?.[name]);
        if (value !== undefined) await test.client.patch(at, { [name]: value }, { token });
      }
    }
  }

  /** Returns the value of a property with secrets added; `undefined` if it has no guarded parts or is recursive. */
  function withSecrets(given: Json, value: unknown, above: readonly Json[] = []): unknown {
    const resolved = schemas.resolve(given);
    if (above.includes(resolved)) return undefined;
    const path = [...above, resolved];
    const { items, properties, ...schema } = resolved as { items?: Json; properties?: Record<string, Json> };
    if (MIN_READER_ROLE in schema) return CANARY;
    if (MIN_SECRETS_ROLE in schema)
      return properties ? { key: 'token', json: JSON.stringify(CANARY) } : { ...(value as Json), ...FREE };
    if (items) {
      const known = (value as unknown[] | undefined)?.length ? (value as unknown[]) : [undefined];
      const changed = known.map((item) => withSecrets(items, item, path));
      return changed.some((item) => item !== undefined) ? changed : undefined;
    }
    const members = Object.entries(properties ?? {})
      .map(([name, of]) => [name, withSecrets(of, (value as Json | undefined)?.[name], path)] as const)
      .filter(([, member]) => member !== undefined);
    return members.length ? { ...(value as Json), ...Object.fromEntries(members) } : undefined;
  }

  it.each(readable.map((target) => ({ name: `${target.id}: ${target.path}`, target })))(
    'receives no secrets from $name',
    async ({ target }) => {
      const { path } = await owner.requestFor(target);
      const guarded = guardedOf(answers.find(({ id }) => id === target.id)!.shown);
      const told = (token: string) =>
        test.client.request('GET', path, { token }).then(({ body }) => JSON.stringify(body ?? null));
      const whole = await told(owner.user.token);
      if (whole.includes(CANARY)) seen.add(target.id);
      for (const name of guarded) if (whole.includes(`"${name}":`)) seen.add(name);
      const faults = await inBatches([...readers], async ([kind, token]) => {
        const text = await told(token);
        const names = guarded.filter((name) => text.includes(`"${name}":`));
        return names.length || text.includes(CANARY) ? `${kind}: ${names.join(', ')} ${text}` : undefined;
      });
      expect(faults).toEqual([]);
    },
  );

  it('is denied data that others receive', () => {
    if (readable.length < 30) return;
    expect([...seen]).toEqual(
      expect.arrayContaining([
        'token',
        'verificationCode',
        'flow.get',
        'flows.get',
        'instanceCustomNode.get',
      ]),
    );
  });
});
