import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SECRETS as ARCHIVE_SECRETS } from '../../src/modules/bundles/archives/archive-config.rules.js';
import { ARCHIVE_CONFIG } from '../../src/modules/applications/applications/application.schemas.js';
import { CREDENTIAL_TYPES } from '../../src/modules/integrations/credentials/credential-types.js';
import { CONFIGS as CREDENTIALS } from '../../src/modules/integrations/credentials/credential.configs.js';
import {
  CONFIGS as INTEGRATIONS,
  INTEGRATION_TYPES,
} from '../../src/modules/integrations/integrations/integration.configs.js';
import type { JsonSchema } from '../../src/platform/fields/fields.js';
import { startOpenArchive, type ArchiveServer } from '../doubles/archive-stores.js';
import { CONFIGS as CREDENTIAL_SAMPLES, pem } from '../make/credentials.js';
import { makeApplication, makeOrg, uniqueName } from '../make/make.js';
import { suite } from '../setup/suite.js';

// A stored secret is never sent to another place, as another user or in another way because a caller changed the members
// that say so: the change requires the secret again. Callers who cannot read the secret could otherwise receive it.

type Members = Readonly<Record<string, unknown>>;

/** A configuration with a secret, of any resource. */
interface Configured {
  /** Path in error messages, such as `credential.gitConfig`. */
  at: string;
  properties: Readonly<Record<string, JsonSchema>>;
  shown: Members;
  secrets: Members;
  destination: readonly string[];
  /** Members that other rules tie to the secret. */
  tied?: readonly string[];
  collection: 'applications' | 'credentials' | 'integrations';
  post: object;
  /** Returns the body of a PATCH that sets these members, and keeps all others. */
  patch(members: Members): object;
}

/** Members that are not a destination but must match the secret, with the reason. */
const TIED: Readonly<Record<string, readonly string[]>> = {
  // The certificate must belong to the key.
  certificateKeyPair: ['certificate'],
};
/** Modules that encrypt values of their own, and what applies the rule to them or makes it unnecessary. */
const SEALING: Readonly<Record<string, string>> = {
  'modules/engine/delivery/run-effects.ts': 'Results of effects, which only the same run reads again.',
  'platform/sealed/typed-configs.ts': 'Applies the rule to credentials and integrations.',
  'modules/bundles/archives/archive-target.ts': 'The archive settings apply the rule.',
  'modules/integrations/webhooks/webhook.rules.ts': 'Compared with what callers send, and never sent.',
  'modules/experience/experience-domains/experience-domain.rules.ts':
    'The key must match the certificate of the domain, and TLS never sends it.',
};

const credentials: Configured[] = CREDENTIAL_TYPES.map((type) => {
  const { shown, secret } = CREDENTIAL_SAMPLES[type]!;
  const { open = {}, destination } = CREDENTIALS[type];
  return {
    at: `credential.${type}Config`,
    properties: open as Configured['properties'],
    shown,
    secrets: secret,
    destination,
    tied: TIED[type],
    collection: 'credentials',
    post: { name: type, type, [`${type}Config`]: { ...shown, ...secret } },
    patch: (members) => ({ [`${type}Config`]: members }),
  };
});

const integrations: Configured[] = INTEGRATION_TYPES.map((type) => {
  const { schema, body = schema, destination } = INTEGRATIONS[type];
  const properties = body.properties as Configured['properties'];
  const isSecret = (name: string) => properties[name]!.writeOnly === true || name === 'headers';
  const samples = Object.entries(properties).map(([name, each]) => [name, sampleOf(each)] as const);
  const shown = Object.fromEntries(samples.filter(([name]) => !isSecret(name)));
  const secrets = Object.fromEntries(samples.filter(([name]) => isSecret(name)));
  const required = (body.required ?? []) as string[];
  const always = Object.fromEntries(samples.filter(([name]) => required.includes(name)));
  return {
    at: `integration.${type}Config`,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !isSecret(name))),
    shown,
    secrets,
    destination,
    collection: 'integrations',
    post: { name: type, integrationType: type, [`${type}Config`]: { ...shown, ...secrets } },
    // A PATCH replaces the configuration, and some require the secret.
    patch: (members) => ({ [`${type}Config`]: { ...shown, ...always, ...members } }),
  };
});

const archives: Configured[] = Object.entries({
  s3: {
    shown: { bucket: 'pump-archive', region: 'eu-central-1', accessKeyId: 'AKIAIOSFODNN7EXAMPLE' },
    secret: 'hidden-s3',
  },
  gcs: {
    shown: { bucket: 'pump-archive' },
    secret: JSON.stringify({ client_email: 'a@example.com', private_key: pem('idp-key') }),
  },
  azure: { shown: { bucket: 'pump-archive', account: 'northfield' }, secret: 'c2VjcmV0' },
}).map(([kind, { shown, secret }]) => {
  const { member, destination } = ARCHIVE_SECRETS[kind as keyof typeof ARCHIVE_SECRETS];
  const schemas = ARCHIVE_CONFIG.properties as Readonly<Record<string, JsonSchema>>;
  const { [member]: _, ...properties } = schemas[kind]!.properties as Record<string, JsonSchema>;
  return {
    at: `application.archiveConfig.${kind}`,
    properties,
    shown,
    secrets: { [member]: secret },
    destination,
    collection: 'applications',
    post: { archiveConfig: { [kind]: { ...shown, [member]: secret } } },
    patch: (members) => ({ archiveConfig: { [kind]: { ...shown, ...members } } }),
  };
});

const env: Record<string, string> = {};
let store: Pick<ArchiveServer, 'endpoint' | 'close'>;
beforeAll(async () => {
  store = await startOpenArchive();
  for (const kind of ['S3', 'GCS', 'AZURE']) env[`ARCHIVE_${kind}_ENDPOINT`] = store.endpoint;
});
afterAll(() => store.close());
const { test, user } = suite(env);

describe.each([...credentials, ...integrations, ...archives])('$at', (configured) => {
  const { at, properties, shown, secrets, destination, tied = [], collection, post, patch } = configured;
  const others = Object.keys(properties).filter(
    (name) => !destination.includes(name) && !tied.includes(name),
  );
  let path: string;

  beforeEach(async () => {
    const orgId = (await makeOrg(test, user.token)).id;
    const body = collection === 'applications' ? { name: uniqueName(), orgId, ...post } : post;
    const collectionPath =
      collection === 'applications'
        ? '/applications'
        : `/applications/${(await makeApplication(test, user.token)).id}/${collection}`;
    const made = await test.client.post(collectionPath, body, { token: user.token });
    expect([made.status, made.body.message]).toEqual([201, undefined]);
    path = `${collectionPath}/${made.body.id}`;
  });
  const change = async (members: Members) => {
    const { status, body } = await test.client.patch(path, patch(members), { token: user.token });
    return { status, message: body.message };
  };

  it('has secrets, and a destination among its properties', () => {
    expect(Object.keys(secrets)).not.toEqual([]);
    expect(Object.keys(properties)).toEqual(expect.arrayContaining([...destination]));
  });

  if (destination.length > 0)
    it.each(destination)('requires the secrets again when %s changes', async (name) => {
      const members = { [name]: otherThan(properties[name]!, shown[name]) };
      const missing = Object.keys(secrets).map((secret) => ({
        status: 400,
        message: `${at}.${secret} is required when ${name} changes`,
      }));
      expect(missing).toContainEqual(await change(members));
      const [first, ...rest] = Object.entries(secrets);
      if (rest.length)
        expect(missing.slice(1)).toContainEqual(await change({ ...members, [first![0]]: first![1] }));
      expect(await change({ ...members, ...secrets })).toEqual({ status: 200, message: undefined });
    });

  if (others.length > 0)
    it.each(others)('keeps the secrets when %s changes', async (name) => {
      const members = { [name]: otherThan(properties[name]!, shown[name]) };
      expect(await change(members)).toEqual({ status: 200, message: undefined });
    });

  it('keeps the secrets when the destination is set to its current value', async () => {
    expect(await change(shown)).toEqual({ status: 200, message: undefined });
  });
});

it('knows every module that encrypts values', () => {
  const root = join('src');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('spec.ts'),
  );
  const sealing = files.filter((file) =>
    readFileSync(join(root, file), 'utf8').includes('new SealedColumn('),
  );
  expect(sealing.sort()).toEqual(Object.keys(SEALING).sort());
});

/** Returns the example of a schema, also of the items of an array and the properties of an object. */
function sampleOf({ example, items, properties }: JsonSchema): unknown {
  if (items) return [sampleOf(items as JsonSchema)];
  if (!properties) return example;
  const entries = Object.entries(properties as Record<string, JsonSchema>);
  return Object.fromEntries(entries.map(([name, schema]) => [name, sampleOf(schema)]));
}

/** Returns a valid value other than `current`. */
function otherThan(schema: JsonSchema, current: unknown): unknown {
  const { type, enum: choices, example } = schema;
  if (Array.isArray(choices)) return choices.find((each) => each !== current);
  if (type === 'boolean') return current !== true;
  if (type === 'integer') return Number(current ?? example) + 1;
  return `${String(current ?? example).slice(0, -1)}0`;
}
