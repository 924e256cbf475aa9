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
import { Application } from '../../applications/applications/application.resource.js';
import { INTEGRATION_CONFIGS, INTEGRATION_TYPES, type IntegrationType } from './integration.configs.js';

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
@INTEGRATION_CONFIGS.Fields('resource')
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
    description: 'Display name. It need not be unique.',
    example: 'Pumps',
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

  @StringField({
    sampled: false,
    minLength: 1,
    maxLength: 255,
    description: CREDENTIAL_NAME,
    example: 'archive-store',
  })
  credentialName?: string | null;

  @JsonField(
    { type: 'array', uniqueItems: true, items: { type: 'string', minLength: 1, maxLength: 1024 } },
    { description: 'Topics, or names of events, that the integration subscribes to.', example: ['pressure'] },
  )
  topics?: string[];

  @JsonField(
    { type: 'object', additionalProperties: true },
    {
      column: false,
      sampled: false,
      description: 'Status of the connection. Absent if the integration never connected.',
    },
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

@ApiSchema({
  name: 'IntegrationPatch',
  description:
    'Changes to an integration. Omitted properties and omitted secrets keep their value. Changing where or as whom a secret is used, such as the host or the username, requires the secret again.',
})
@INTEGRATION_CONFIGS.Fields('patch')
export class IntegrationPatch extends PartialType(
  PickType(Integration, ['name', 'enabled', 'credentialName', 'topics']),
) {
  @StringField({
    column: false,
    nullable: true,
    minLength: 1,
    maxLength: 255,
    description: `${CREDENTIAL_NAME} \`null\` removes it.`,
    example: 'archive-store',
  })
  declare credentialName?: string | null;
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
