import { ID_EXAMPLE, ID_PATTERN, type JsonSchema } from '../../../platform/fields/fields.js';

const text = (description: string, example = 'north-field'): JsonSchema => ({
  type: 'string',
  maxLength: 1024,
  description,
  example,
});
const hidden = (description: string): JsonSchema => ({ ...text(description, 'Zx8pQ4'), writeOnly: true });
const flag = (description: string): JsonSchema => ({ type: 'boolean', description, example: true });
const whole = (description: string, example: number): JsonSchema => ({
  type: 'integer',
  description,
  example,
});
const id = (description: string): JsonSchema => ({
  type: 'string',
  pattern: ID_PATTERN,
  description,
  example: ID_EXAMPLE,
});
const time = (description: string): JsonSchema => ({
  type: 'string',
  format: 'date-time',
  description,
  example: '2026-06-13T04:00:00.000Z',
});
const object = (title: string, description: string, properties: JsonSchema): JsonSchema => ({
  title,
  type: 'object',
  additionalProperties: false,
  description,
  properties,
});
const TLS = {
  caCertificate: text("The authority of the server's certificate, PEM.", '-----BEGIN CERTIFICATE-----'),
  certificate: text('The certificate to show, PEM.', '-----BEGIN CERTIFICATE-----'),
  disableSSLVerification: flag("Whether the server's certificate is taken unchecked."),
  username: text('The user.'),
  password: hidden('The password; never shown.'),
  privateKey: hidden('The key of the certificate; never shown.'),
};

const INTEGRATION = object('LinkedIntegration', 'An integration that signs in with a credential.', {
  id: id('The id, 24 hexadecimal digits.'),
  integrationId: id("The integration's id, again."),
  applicationId: id('The application that it belongs to.'),
  creationDate: time('When it was made.'),
  lastUpdated: time('When it was changed last.'),
  name: text('Its name.'),
  enabled: flag('Whether it is on.'),
  credentialName: text('The credential that it signs in with.', 'archive-store'),
  integrationType: {
    type: 'string',
    enum: ['azureEventHub', 'googlePubSub', 'mqtt', 'particle', 'sqs', 'websocket'],
    description: 'The service that it listens to.',
  },
  topics: {
    type: 'array',
    items: { type: 'string', minLength: 1, maxLength: 1024 },
    description: 'The topics that it listens to.',
    example: ['field/#'],
  },
  status: { type: 'object', additionalProperties: true, description: 'How its connection is.' },
  azureEventHubConfig: object('LinkedAzureEventHub', 'An event hub of Azure.', {
    hubName: text('The hub.'),
    consumerGroup: text('The group of consumers.'),
    hostName: text('The host.', 'field.servicebus.windows.net'),
    connectionString: hidden('How one connects; never shown.'),
  }),
  googlePubSubConfig: object('LinkedGooglePubSub', 'A project of Google Pub/Sub.', {
    projectId: text('The project.'),
    keyJson: hidden('The key file; never shown.'),
  }),
  mqttConfig: object('LinkedMqtt', 'An MQTT broker.', {
    ...TLS,
    protocol: { type: 'string', enum: ['mqtt', 'mqtts', 'ws', 'wss'], description: 'The protocol.' },
    protocolVersion: { type: 'string', enum: ['3.1.1', '5'], description: 'Its version.' },
    host: text('The host.', 'broker.example.com'),
    port: whole('The port.', 8883),
    clientId: text('The id to connect with.'),
    clean: flag('Whether each connection starts a session of its own.'),
  }),
  particleConfig: object('LinkedParticle', 'Events of Particle.', {
    accessToken: hidden('The access token; never shown.'),
    deviceNameOrId: text('The device.'),
    orgSlugOrId: text('The organization.'),
    productSlugOrId: text('The product.'),
  }),
  sqsConfig: object('LinkedSqs', 'A queue of Amazon SQS.', {
    queueUrl: text('The queue.', 'https://sqs.eu-central-1.amazonaws.com/1/field'),
    region: text('The region.', 'eu-central-1'),
    accessKeyId: text('The id of the key.', 'AKIAIOSFODNN7EXAMPLE'),
    secretAccessKey: hidden('Its secret; never shown.'),
  }),
  websocketConfig: object('LinkedWebsocket', 'A websocket.', {
    ...TLS,
    url: text('The address.', 'wss://events.example.com'),
    headers: {
      type: 'array',
      maxItems: 50,
      items: object('LinkedHeader', 'A header to connect with.', {
        headerKey: text('Its name.', 'X-Field'),
        headerValue: hidden('Its value; never shown.'),
      }),
      description: 'Headers to connect with.',
    },
  }),
});

/** Until there are integrations, a page of none. */
export const NO_INTEGRATIONS = {
  items: [],
  count: 0,
  totalCount: 0,
  page: 0,
  perPage: 1000,
  sortField: 'name',
  sortDirection: 'asc',
} as const;

/** A page of integrations. */
export const LINKED_INTEGRATIONS = object('LinkedIntegrations', 'A page of integrations.', {
  items: { type: 'array', items: INTEGRATION, description: 'The items of this page.' },
  count: whole('How many items are on this page.', 0),
  totalCount: whole('How many items there are.', 0),
  page: whole('The page, counted from 0.', 0),
  perPage: whole('Items a page.', 1000),
  sortField: text('The field that the items are sorted by.', 'name'),
  sortDirection: { type: 'string', enum: ['asc', 'desc', 'ASC', 'DESC'], description: 'The direction.' },
  applicationId: id('The application that the items belong to.'),
  filter: text('The filter, where one was given.', 'pump*'),
  filterField: text('The field that was filtered, where a filter was given.', 'name'),
});
