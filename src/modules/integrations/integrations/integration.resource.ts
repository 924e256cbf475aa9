import { ApiSchema, IntersectionType, PartialType, PickType } from '@nestjs/swagger';
import { Column, Entity, ForeignKey, Index } from 'typeorm';
import {
  AliasField,
  BooleanField,
  ChoiceField,
  IdField,
  JsonField,
  StringField,
} from '../../../platform/fields/fields.js';
import { holding } from '../../../platform/holdings/holding.js';
import { pageOf } from '../../../platform/lists/page.js';
import { Resource } from '../../../platform/repositories/resource.js';
import type { Config } from '../../../platform/sealed/sealed-config.js';
import { Application } from '../../applications/applications/application.resource.js';
import { CONFIGS, INTEGRATION_TYPES, type IntegrationType } from './integration.configs.js';

/** Declares the configuration of a type: a column in the resource, otherwise a property of bodies. */
const ConfigField = (type: IntegrationType, options: { column?: false } = {}): PropertyDecorator => {
  const { schema, body = schema } = CONFIGS[type];
  const description = `Configuration of the type \`${type}\`.`;
  return JsonField(options.column === false ? body : schema, { description, ...options });
};
const TITLE = 'An integration, which receives messages of another service for workflows.';
const CREDENTIAL_NAME =
  'Name of the service credential that replaces the secrets of the configuration. For the types `azureEventHub`, `googlePubSub` and `sqs`.';

/** Connection to another service whose messages trigger workflows. */
@ApiSchema({ name: 'Integration', description: TITLE })
@Entity('integrations')
@Index('integrations_by_application', ['applicationId', 'id'])
@Index('integrations_by_name', ['applicationId', 'name', 'id'])
@Index('integrations_by_type', ['applicationId', 'integrationType', 'id'])
@Index('integrations_by_creation', ['applicationId', 'creationDate', 'id'])
@Index('integrations_by_change', ['applicationId', 'lastUpdated', 'id'])
export class Integration extends Resource {
  @AliasField('integration')
  integrationId: string;

  @ForeignKey(() => Application, { onDelete: 'CASCADE' })
  @IdField({ required: true, description: 'ID of the application that the integration belongs to.' })
  applicationId: string;

  @StringField({
    required: true,
    minLength: 1,
    maxLength: 255,
    description: 'Display name; does not need to be uniqueName.',
    example: 'Orders',
  })
  name: string;

  @ChoiceField(INTEGRATION_TYPES, {
    required: true,
    description: 'Service that the integration subscribes to. Fixed at creation.',
    example: 'particle',
  })
  integrationType: IntegrationType;

  @BooleanField({ required: true, description: 'Whether the integration connects to the service.' })
  enabled: boolean;

  @StringField({ minLength: 1, maxLength: 255, description: CREDENTIAL_NAME, example: 'archive-store' })
  credentialName?: string | null;

  @JsonField(
    { type: 'array', uniqueItems: true, items: { type: 'string', minLength: 1, maxLength: 1024 } },
    { description: 'Topics, or names of events, that the integration subscribes to.', example: ['field/#'] },
  )
  topics?: string[];

  @ConfigField('azureEventHub')
  azureEventHubConfig?: Config;

  @ConfigField('googlePubSub')
  googlePubSubConfig?: Config;

  @ConfigField('mqtt')
  mqttConfig?: Config;

  @ConfigField('particle')
  particleConfig?: Config;

  @ConfigField('sqs')
  sqsConfig?: Config;

  @ConfigField('websocket')
  websocketConfig?: Config;

  @JsonField(
    { type: 'object', additionalProperties: true },
    { column: false, description: 'Status of the connection. Absent if the integration never connected.' },
  )
  status?: object;

  /** Secrets of the configuration as an encrypted JSON object, because they are sent to the service. */
  @Column({ type: 'text' })
  secretsSealed: string;
}

export const INTEGRATIONS = holding(Integration, {
  table: 'integrations',
  title: 'Integration',
  audited: 'Integration',
  count: 'integrationCount',
  limit: 'integration',
});

const CHANGEABLE = [
  'name',
  'enabled',
  'credentialName',
  'topics',
  'azureEventHubConfig',
  'googlePubSubConfig',
  'mqttConfig',
  'particleConfig',
  'sqsConfig',
  'websocketConfig',
] as const;

@ApiSchema({
  name: 'IntegrationPatch',
  description: 'Changes to an integration. Omitted properties and omitted secrets keep their value.',
})
export class IntegrationPatch extends PartialType(PickType(Integration, CHANGEABLE)) {
  @StringField({
    column: false,
    nullable: true,
    minLength: 1,
    maxLength: 255,
    description: `${CREDENTIAL_NAME} \`null\` removes it.`,
    example: 'archive-store',
  })
  declare credentialName?: string | null;

  @ConfigField('particle', { column: false })
  declare particleConfig?: Config;

  @ConfigField('websocket', { column: false })
  declare websocketConfig?: Config;
}

@ApiSchema({
  name: 'IntegrationPost',
  description: 'An integration to create, with the configuration of its type.',
})
export class IntegrationPost extends IntersectionType(
  IntegrationPatch,
  PickType(Integration, ['name', 'integrationType']),
) {
  @BooleanField({
    column: false,
    description: 'Whether the integration connects to the service.',
    default: true,
  })
  declare enabled?: boolean;
}

export const Integrations = pageOf(Integration, 'Integrations', ['applicationId']);
