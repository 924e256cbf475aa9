import { ApiSchema, PartialType, PickType } from '@nestjs/swagger';
import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { AuthoredResource } from '../../../platform/repositories/authored.js';
import { BooleanField, ChoiceField, IdField, StringField } from '../../../platform/fields/fields.js';
import { holding } from '../../../platform/holdings/holding.js';
import { pageOf } from '../../../platform/lists/page.js';
import { Application } from '../../applications/applications/application.resource.js';
import { CREDENTIAL_TYPES, type CredentialType } from './credential-types.js';
import { CREDENTIAL_CONFIGS } from './credential.configs.js';

/** Credential with which workflows, integrations and archives authenticate with other services. */
@ApiSchema({
  name: 'Credential',
  description:
    'A credential with which workflows and other resources of the application authenticate with another service.',
})
@Entity('credentials')
@Index('credentials_name', ['applicationId', 'name'], { unique: true })
@Index('credentials_by_name', ['applicationId', 'name', 'id'])
@Index('credentials_by_type', ['applicationId', 'type', 'id'])
@Index('credentials_by_creation', ['applicationId', 'creationDate', 'id'])
@Index('credentials_by_change', ['applicationId', 'lastUpdated', 'id'])
@CREDENTIAL_CONFIGS.Fields('resource')
export class Credential extends AuthoredResource {
  @ForeignKey(() => Application, { onDelete: 'CASCADE' })
  @IdField({ required: true, description: 'ID of the application that the credential belongs to.' })
  applicationId: string;

  @StringField({
    required: true,
    minLength: 1,
    maxLength: 255,
    description: 'Name, unique within the application. Workflow nodes refer to the credential by this name.',
    example: 'archive-store',
  })
  name: string;

  @StringField({
    maxLength: 32767,
    description: 'Purpose of the credential, as free text.',
    example: 'The store of the archive',
  })
  description?: string;

  @BooleanField({ required: true, description: 'Whether the credential can be used.' })
  enabled: boolean;

  @ChoiceField(CREDENTIAL_TYPES, {
    required: true,
    description: 'Service, or authentication method. Fixed at creation.',
    example: 'aws',
  })
  type: CredentialType;

  /**
   * Secrets of the configuration as an encrypted JSON object. They are encrypted rather than hashed because they are
   * sent to the service.
   */
  @Column({ type: 'text' })
  secretsSealed: string;
}

export const CREDENTIALS = holding(Credential, {
  table: 'credentials',
  title: 'Credential',
  audited: 'Credential',
  count: 'credentialCount',
  limit: 'credential',
  conflictMessages: { credentials_name: 'credential.name is not available' },
});

@ApiSchema({
  name: 'CredentialPost',
  description: 'A credential to create, with the configuration of its type.',
})
@CREDENTIAL_CONFIGS.Fields('post')
export class CredentialPost extends PickType(Credential, ['name', 'description', 'type']) {
  @BooleanField({ column: false, description: 'Whether the credential can be used.', default: true })
  enabled?: boolean;
}

@ApiSchema({
  name: 'CredentialPatch',
  description:
    'Changes to a credential. Omitted properties keep their value, including those of the configuration. Changing where or as whom a secret is used, such as the host or the username, requires the secret again.',
})
@CREDENTIAL_CONFIGS.Fields('patch')
export class CredentialPatch extends PartialType(PickType(Credential, ['name', 'description', 'enabled'])) {}

export const Credentials = pageOf(Credential, 'Credentials', ['applicationId']);
