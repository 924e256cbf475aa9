import { BARE, importsOf, placeholder, yamlOf } from '../../../../test/make/bundle-imports.js';
import { credentialOf } from '../../../../test/make/credentials.js';
import { makeFlow } from '../../../../test/make/flows.js';
import { suite } from '../../../../test/setup/suite.js';
import { SecretBox } from '../../../lib/crypto/secrets.js';
import { INTEGRATION_CONFIGS } from './integration.configs.js';

const { test, user, application } = suite();
let path: string;

beforeEach(() => {
  path = `/applications/${application.id}/integrations`;
});

const BROKER = { host: 'broker.example.com', port: 8883, protocol: 'mqtts' };
const QUEUE = { queueUrl: 'https://sqs.example.com/1/field' };
const HUB = { hubName: 'field', consumerGroup: '$Default' };
const MQTT = {
  name: 'Broker',
  integrationType: 'mqtt',
  topics: ['field/#'],
  mqttConfig: { ...BROKER, username: 'north', password: 'hidden-1', privateKey: 'hidden-2' },
};
const create = (body: object) => test.client.post(path, body, { token: user.token });
const patch = (id: string, body: object) => test.client.patch(`${path}/${id}`, body, { token: user.token });
const makeCredential = async (type: string, name: string) =>
  (
    await test.client.post(`/applications/${application.id}/credentials`, credentialOf(type, name), {
      token: user.token,
    })
  ).body;

/** Decrypts the secrets of the row. */
async function secretsOf(id: string): Promise<unknown> {
  const [row] = await test.dataSource.query('SELECT secrets_sealed FROM integrations WHERE id = $1', [id]);
  return INTEGRATION_CONFIGS.sealed.openSecrets(id, row.secrets_sealed, test.app.get(SecretBox));
}

describe('An integration', () => {
  it('is created, returned, changed and deleted without showing its secrets', async () => {
    const { status, body: made } = await create(MQTT);
    expect(status).toBe(201);
    const { password: _, privateKey: __, ...mqttConfig } = MQTT.mqttConfig;
    expect(made).toMatchObject({ ...MQTT, mqttConfig, enabled: true, integrationId: made.id });
    expect(made.mqttConfig).toEqual(mqttConfig);
    expect(await secretsOf(made.id)).toEqual({ password: 'hidden-1', privateKey: 'hidden-2' });
    const changed = await patch(made.id, { enabled: false });
    expect(changed.body).toEqual({ ...made, enabled: false, lastUpdated: expect.any(String) });
    const own = `${path}/${made.id}`;
    expect((await test.client.get(own, { token: user.token })).body).toEqual(changed.body);
    expect((await test.client.delete(own, { token: user.token })).body).toEqual({ success: true });
    expect((await test.client.get(own, { token: user.token })).status).toBe(404);
  });

  it('keeps omitted secrets if its configuration is replaced', async () => {
    const { id } = (await create(MQTT)).body;
    const mqttConfig = { ...BROKER, username: 'north', clean: true };
    const { body } = await patch(id, { mqttConfig: { ...mqttConfig, privateKey: null } });
    expect(body.mqttConfig).toEqual(mqttConfig);
    expect(await secretsOf(id)).toEqual({ password: 'hidden-1' });
  });

  it('requires its secrets again when they would be sent to another server', async () => {
    const { id } = (await create(MQTT)).body;
    const mqttConfig = { ...MQTT.mqttConfig, host: 'elsewhere.example.com' };
    const { privateKey: _, ...partial } = mqttConfig;
    expect((await patch(id, { mqttConfig: partial })).body).toEqual({
      type: 'Validation',
      message: 'integration.mqttConfig.privateKey is required when host changes',
    });
    expect((await patch(id, { mqttConfig })).status).toBe(200);
  });

  it('keeps the headers of a WebSocket request secret', async () => {
    const headers = [{ headerKey: 'Authorization', headerValue: 'hidden-3' }];
    const websocketConfig = { url: 'wss://events.example.com', headers };
    const { body } = await create({ name: 'a', integrationType: 'websocket', websocketConfig });
    expect(body.websocketConfig).toEqual({ url: 'wss://events.example.com' });
    expect(await secretsOf(body.id)).toEqual({ headers });
  });

  it.each([
    ['mqtt', {}, 'integration.mqttConfig is required'],
    ['amqp', {}, `integration.integrationType must be one of azureEventHub, googlePubSub`],
    ['mqtt', { mqttConfig: { host: 'a', protocol: 'mqtt' } }, 'integration.mqttConfig.port is required'],
    [
      'sqs',
      { sqsConfig: QUEUE, mqttConfig: BROKER },
      'integration.mqttConfig does not apply to an integration of the type sqs',
    ],
    ['sqs', { sqsConfig: QUEUE }, 'integration.sqsConfig.accessKeyId is required'],
    [
      'azureEventHub',
      { azureEventHubConfig: HUB },
      'integration.azureEventHubConfig.connectionString is required',
    ],
    [
      'azureEventHub',
      { azureEventHubConfig: HUB, credentialName: 'a' },
      'integration.azureEventHubConfig.hostName is required',
    ],
    ['googlePubSub', { googlePubSubConfig: {} }, 'integration.googlePubSubConfig.projectId is required'],
    ['particle', { particleConfig: {} }, 'integration.particleConfig.accessToken is required'],
    [
      'websocket',
      { websocketConfig: { url: 'https://events.example.com' } },
      'integration.websocketConfig.url must begin with ws:// or wss://',
    ],
    [
      'mqtt',
      { mqttConfig: BROKER, credentialName: 'a' },
      'integration.credentialName does not apply to an integration of the type mqtt',
    ],
  ])('of the type %s is not made of %j', async (integrationType, body, message) => {
    const answer = await create({ name: 'a', integrationType, ...body });
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining(message)]);
  });

  it('has a fixed type', async () => {
    const { id } = (await create(MQTT)).body;
    expect((await patch(id, { integrationType: 'sqs' })).body.message).toBe(
      'integration.integrationType is not a property of integration',
    );
    expect((await patch(id, { sqsConfig: QUEUE })).status).toBe(400);
  });
});

describe('The credential of an integration', () => {
  const named = (credentialName: string) =>
    create({ name: 'Orders', integrationType: 'sqs', sqsConfig: QUEUE, credentialName });

  it('replaces its secrets, and lists it among the linked resources', async () => {
    const { id } = await makeCredential('aws', 'queue');
    const made = await named('queue');
    expect(made.status).toBe(201);
    const linked = await test.client.get(
      `/applications/${application.id}/credentials/${id}/linkedResources`,
      {
        token: user.token,
      },
    );
    expect(linked.body.integrations).toMatchObject({ items: [made.body], totalCount: 1 });
    expect((await patch(made.body.id, { credentialName: null })).body.message).toBe(
      'integration.sqsConfig.accessKeyId is required',
    );
  });

  it('exists and has the matching type', async () => {
    await makeCredential('gcp', 'other');
    for (const name of ['other', 'none'])
      expect((await named(name)).body).toEqual({
        type: 'Validation',
        message: 'integration.credentialName must name a credential of the type aws',
      });
  });
});

describe('DELETE of an integration', () => {
  it('with includeWorkflows deletes the workflows that it triggers', async () => {
    const [one, other] = [(await create(MQTT)).body, (await create(MQTT)).body];
    const flowOf = async ({ id }: { id: string }) =>
      (
        await makeFlow(test, user.token, application.id, {
          triggers: [{ type: 'integration', key: id, config: { message: true } }],
        })
      ).id;
    const kept = await flowOf(other);
    await flowOf(one);
    for (const [id, query] of [
      [other.id, ''],
      [one.id, '?includeWorkflows=true'],
    ])
      expect((await test.client.delete(`${path}/${id}${query}`, { token: user.token })).status).toBe(200);
    const flows = await test.client.get(`/applications/${application.id}/flows`, { token: user.token });
    expect(flows.body.items).toMatchObject([{ id: kept }]);
  });
});

describe('An imported integration', () => {
  it('is disabled and has no secrets', async () => {
    const imports = importsOf(test, user);
    const { name, integrationType, mqttConfig } = MQTT;
    const bundled = {
      id: placeholder('integration', 'broker'),
      name,
      integrationType,
      mqttConfig,
      enabled: true,
    };
    const { status, body } = await imports.new({
      ...BARE,
      'integrations.yaml': yamlOf('Integration', [bundled]),
    });
    expect([status, body.message]).toEqual([201, undefined]);
    const [imported] = await imports.list(body.application.id, 'integrations');
    expect(imported).toMatchObject({ name, enabled: false, mqttConfig: { ...BROKER, username: 'north' } });
    expect(await secretsOf(imported.id)).toEqual({});
  });

  it.each([
    ['keeps its secrets', {}, { password: 'hidden-1', privateKey: 'hidden-2' }],
    ['loses its secrets with another host', { host: 'elsewhere.example.com' }, {}],
  ])('%s when it is replaced', async (_, change, secrets) => {
    const { id } = (await create(MQTT)).body;
    const { password: __, privateKey: ___, ...shown } = MQTT.mqttConfig;
    const bundled = {
      ...MQTT,
      id: placeholder('integration', 'broker'),
      mqttConfig: { ...shown, ...change },
    };
    const { status } = await importsOf(test, user).into(
      application.id,
      { ...BARE, 'integrations.yaml': yamlOf('Integration', [bundled]) },
      { conflictBehavior: 'replace' },
    );
    expect(status).toBe(200);
    const { body } = await test.client.get(`${path}/${id}`, { token: user.token });
    expect(body.mqttConfig).toEqual({ ...shown, ...change });
    expect(await secretsOf(id)).toEqual(secrets);
  });
});
