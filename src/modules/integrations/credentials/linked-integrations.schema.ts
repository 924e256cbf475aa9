import type { JsonSchema } from '../../../platform/fields/fields.js';
import {
  closedSchema,
  flagSchema,
  hiddenSchema,
  idSchema,
  textSchema,
  timeSchema,
} from '../../../platform/fields/schema.js';

const text = (description: string, example = 'north-field'): JsonSchema =>
  textSchema(description, example, { maxLength: 1024 });
const hidden = (description: string): JsonSchema => hiddenSchema(description, 'Zx8pQ4', { maxLength: 1024 });
const whole = (description: string, example: number): JsonSchema => ({
  type: 'integer',
  description,
  example,
});
const TLS = {
  caCertificate: text(
    "Certificate of the authority that issued the server's certificate, in PEM format.",
    '-----BEGIN CERTIFICATE-----',
  ),
  certificate: text('Client certificate in PEM format.', '-----BEGIN CERTIFICATE-----'),
  disableSSLVerification: flagSchema("Whether to skip verification of the server's certificate."),
  username: text('Username for the connection.'),
  password: hidden('Password for the connection.'),
  privateKey: hidden('Private key of the client certificate.'),
};

const INTEGRATION = closedSchema(
  'LinkedIntegration',
  'An integration that authenticates with a credential.',
  {
    id: idSchema('ID of the integration, 24 hexadecimal digits.'),
    integrationId: idSchema('ID of the integration; same as `id`.'),
    applicationId: idSchema('ID of the application that the integration belongs to.'),
    creationDate: timeSchema('Time at which the integration was created, in UTC.'),
    lastUpdated: timeSchema('Time at which the integration was last updated, in UTC.'),
    name: text('Display name of the integration.'),
    enabled: flagSchema('Whether the integration is enabled.'),
    credentialName: text('Name of the credential with which the integration authenticates.', 'archive-store'),
    integrationType: {
      type: 'string',
      enum: ['azureEventHub', 'googlePubSub', 'mqtt', 'particle', 'sqs', 'websocket'],
      description: 'Service that the integration subscribes to.',
    },
    topics: {
      type: 'array',
      items: { type: 'string', minLength: 1, maxLength: 1024 },
      description: 'Topics that the integration subscribes to.',
      example: ['field/#'],
    },
    status: { type: 'object', additionalProperties: true, description: 'Status of the connection.' },
    azureEventHubConfig: closedSchema('LinkedAzureEventHub', 'Configuration of an Azure event hub.', {
      hubName: text('Name of the event hub.'),
      consumerGroup: text('Name of the consumer group.'),
      hostName: text('Host name of the event hub.', 'field.servicebus.windows.net'),
      connectionString: hidden('Connection string.'),
    }),
    googlePubSubConfig: closedSchema('LinkedGooglePubSub', 'Configuration of a Google Pub/Sub project.', {
      projectId: text('ID of the Google Cloud project.'),
      keyJson: hidden('Key file of the service account.'),
    }),
    mqttConfig: closedSchema('LinkedMqtt', 'Configuration of an MQTT broker.', {
      ...TLS,
      protocol: {
        type: 'string',
        enum: ['mqtt', 'mqtts', 'ws', 'wss'],
        description: 'Transport protocol of the connection.',
      },
      protocolVersion: { type: 'string', enum: ['3.1.1', '5'], description: 'Version of the MQTT protocol.' },
      host: text('Host name of the broker.', 'broker.example.com'),
      port: whole('Port of the broker.', 8883),
      clientId: text('MQTT client ID.'),
      clean: flagSchema('Whether each connection starts a clean session.'),
    }),
    particleConfig: closedSchema('LinkedParticle', 'Configuration of a Particle event stream.', {
      accessToken: hidden('Particle access token.'),
      deviceNameOrId: text('Name or ID of the Particle device.'),
      orgSlugOrId: text('Slug or ID of the Particle organization.'),
      productSlugOrId: text('Slug or ID of the Particle product.'),
    }),
    sqsConfig: closedSchema('LinkedSqs', 'Configuration of an Amazon SQS queue.', {
      queueUrl: text('URL of the queue.', 'https://sqs.eu-central-1.amazonaws.com/1/field'),
      region: text('AWS region of the queue.', 'eu-central-1'),
      accessKeyId: text('ID of the AWS access key.', 'AKIAIOSFODNN7EXAMPLE'),
      secretAccessKey: hidden('Secret of the AWS access key.'),
    }),
    websocketConfig: closedSchema('LinkedWebsocket', 'A websocket.', {
      ...TLS,
      url: text('URL of the WebSocket server.', 'wss://events.example.com'),
      headers: {
        type: 'array',
        maxItems: 50,
        items: closedSchema('LinkedHeader', 'A header of the connection request.', {
          headerKey: text('Name of the header.', 'X-Field'),
          headerValue: hidden('Value of the header.'),
        }),
        description: 'Headers of the connection request.',
      },
    }),
  },
);

/** Empty page, until integrations are implemented. */
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
export const LINKED_INTEGRATIONS = closedSchema('LinkedIntegrations', 'A page of integrations.', {
  items: { type: 'array', items: INTEGRATION, description: 'Integrations on this page.' },
  count: whole('Number of items on this page.', 0),
  totalCount: whole('Total number of items.', 0),
  page: whole('Page number, starting at 0.', 0),
  perPage: whole('Maximum number of items per page.', 1000),
  sortField: text('Field by which the items are sorted.', 'name'),
  sortDirection: { type: 'string', enum: ['asc', 'desc', 'ASC', 'DESC'], description: 'Sort direction.' },
  applicationId: idSchema('ID of the application that the items belong to.'),
  filter: text('Filter pattern, if any.', 'pump*'),
  filterField: text('Field that the filter applies to, if any.', 'name'),
});
