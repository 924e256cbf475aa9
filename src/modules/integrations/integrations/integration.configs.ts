import type { JsonSchema } from '../../../platform/fields/fields.js';
import {
  choiceSchema,
  closedSchema,
  flagSchema,
  hiddenSchema,
  portSchema,
  textSchema,
} from '../../../platform/fields/schema.js';
import { TypedConfigs } from '../../../platform/sealed/typed-configs.js';
import type { CredentialType } from '../credentials/credential-types.js';

export const INTEGRATION_TYPES = [
  'azureEventHub',
  'googlePubSub',
  'mqtt',
  'particle',
  'sqs',
  'websocket',
] as const;
export type IntegrationType = (typeof INTEGRATION_TYPES)[number];

/** Configuration of the integrations of a type. */
interface ConfigFacts {
  /** Schema in responses and bodies; its `writeOnly` properties are secret. */
  schema: JsonSchema;
  /** Schema in bodies if it differs, because it requires secrets. */
  body?: JsonSchema;
  /** Properties that decide where, as whom and how the secrets are sent. A change of one requires the secrets again. */
  destination: readonly string[];
  /** Properties that are always required, in addition to those of the schema. */
  alsoRequired?: readonly string[];
  /** Properties required unless a credential replaces them. */
  inline?: readonly string[];
  /** Type of the credential that can replace `inline`, and the properties that it requires. */
  credential?: { type: CredentialType; required: readonly string[] };
}

const text = (description: string, example: string, minLength = 1, maxLength = 1024): JsonSchema =>
  textSchema(description, example, { minLength, maxLength });
const pem = (description: string): JsonSchema => text(description, '-----BEGIN CERTIFICATE-----', 4, 32767);
const hidden = (description: string, minLength = 1, maxLength = 1024): JsonSchema =>
  hiddenSchema(description, 'Zx8pQ4', { minLength, maxLength, nullable: true });

const CONNECTION = {
  username: text('Username for the connection.', 'north-field'),
  password: hidden('Password for the connection.'),
  caCertificate: pem("Certificate of the authority that issued the server's certificate, in PEM format."),
  certificate: pem('Client certificate in PEM format.'),
  privateKey: hidden('Private key of the client certificate, in PEM format.', 4, 32767),
  disableSSLVerification: flagSchema("Whether to skip verification of the server's certificate."),
};

/** Members of `CONNECTION` that decide as whom and to which servers its secrets are sent. */
const TRUST = ['username', 'caCertificate', 'disableSSLVerification'];

const particle = (suffix: string, required: readonly string[]) =>
  closedSchema(
    `ParticleConfig${suffix}`,
    'An event stream of Particle.',
    {
      accessToken: hidden('Particle access token.'),
      deviceNameOrId: text('Name or ID of the Particle device.', 'pump-3'),
      orgSlugOrId: text('Slug or ID of the Particle organization.', 'north-field'),
      productSlugOrId: text('Slug or ID of the Particle product.', 'pumps'),
    },
    required,
  );
const websocket = (suffix: string, required: readonly string[]) => {
  const header = {
    headerKey: text('Name of the header.', 'X-Field'),
    headerValue: hiddenSchema('Value of the header.', 'Zx8pQ4', { minLength: 1, maxLength: 1024 }),
  };
  const headers = {
    type: 'array',
    maxItems: 50,
    items: closedSchema(`WebsocketHeader${suffix}`, 'A header of the connection request.', header, required),
    description: 'Headers of the connection request. Never returned, because values can be secrets.',
  };
  const url = text('URL of the server, which begins with `ws://` or `wss://`.', 'wss://events.example.com');
  return closedSchema(`WebsocketConfig${suffix}`, 'A WebSocket server.', { ...CONNECTION, url, headers }, [
    'url',
  ]);
};

/** Every integration type. The schemas, the validation and the encryption of secrets derive from this table. */
export const CONFIGS: Readonly<Record<IntegrationType, ConfigFacts>> = {
  azureEventHub: {
    schema: closedSchema('AzureEventHubConfig', 'An event hub of Microsoft Azure.', {
      hubName: text('Name of the event hub.', 'field', 1, 256),
      consumerGroup: text('Name of the consumer group.', '$Default', 1, 256),
      hostName: text(
        'Host name of the namespace. Required with a credential.',
        'f.servicebus.windows.net',
        1,
        256,
      ),
      connectionString: hidden('Connection string. Required without a credential.'),
    }),
    destination: ['hostName'],
    alsoRequired: ['hubName', 'consumerGroup'],
    inline: ['connectionString'],
    credential: { type: 'azure', required: ['hostName'] },
  },
  googlePubSub: {
    schema: closedSchema('GooglePubSubConfig', 'A Google Pub/Sub project.', {
      projectId: text('ID of the Google Cloud project.', 'north-field', 1, 255),
      keyJson: hidden('Key file of the service account. Required without a credential.', 4, 32767),
    }),
    destination: [],
    alsoRequired: ['projectId'],
    inline: ['keyJson'],
    credential: { type: 'gcp', required: [] },
  },
  mqtt: {
    schema: closedSchema(
      'MqttConfig',
      'An MQTT broker.',
      {
        ...CONNECTION,
        protocol: choiceSchema(
          ['mqtt', 'mqtts', 'ws', 'wss'],
          'Transport protocol of the connection.',
          'mqtts',
        ),
        protocolVersion: choiceSchema(['3.1.1', '5'], 'Version of the MQTT protocol.', '3.1.1'),
        host: text('Host name of the broker.', 'broker.example.com'),
        port: portSchema('Port of the broker.', 8883),
        clientId: text('MQTT client ID.', 'north-field'),
        clean: flagSchema('Whether each connection starts a clean session.'),
      },
      ['port', 'protocol', 'host'],
    ),
    destination: ['protocol', 'host', 'port', ...TRUST],
  },
  particle: {
    schema: particle('', []),
    body: particle('Post', ['accessToken']),
    destination: [],
    inline: ['accessToken'],
  },
  sqs: {
    schema: closedSchema(
      'SqsConfig',
      'An Amazon SQS queue.',
      {
        queueUrl: text('URL of the queue.', 'https://sqs.eu-central-1.amazonaws.com/1/field', 1, 256),
        region: text('AWS region of the queue.', 'eu-central-1', 4, 128),
        accessKeyId: text(
          'ID of the AWS access key. Required without a credential.',
          'AKIAIOSFODNN7',
          4,
          128,
        ),
        secretAccessKey: hidden('Secret of the AWS access key. Required without a credential.', 4, 128),
      },
      ['queueUrl'],
    ),
    destination: ['queueUrl', 'region', 'accessKeyId'],
    inline: ['accessKeyId', 'secretAccessKey'],
    credential: { type: 'aws', required: [] },
  },
  websocket: {
    schema: websocket('', []),
    body: websocket('Post', ['headerKey', 'headerValue']),
    destination: ['url', ...TRUST],
  },
};

export const INTEGRATION_CONFIGS = new TypedConfigs<IntegrationType>({
  name: 'integration',
  table: 'integrations',
  types: INTEGRATION_TYPES,
  sampled: 'particle',
  destinationOf: (type) => CONFIGS[type].destination,
  schemaOf: (type, place) => (place !== 'resource' && CONFIGS[type].body) || CONFIGS[type].schema,
});
