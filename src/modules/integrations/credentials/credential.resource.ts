import { ApiSchema, PartialType, PickType } from '@nestjs/swagger';
import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { AuthoredResource } from '../../../platform/repositories/authored.js';
import {
  BooleanField,
  ChoiceField,
  IdField,
  JsonField,
  StringField,
} from '../../../platform/fields/fields.js';
import { holding } from '../../../platform/holdings/holding.js';
import { pageOf } from '../../../platform/lists/page.js';
import type { Config } from '../../../platform/sealed/sealed-config.js';
import { Application } from '../../applications/applications/application.resource.js';
import {
  CONFIGS,
  CREDENTIAL_TYPES,
  requestSchema,
  responseSchema,
  type CredentialType,
} from './credential.configs.js';

/** The configuration of a credential, in the property of its type. */
type Configs = Partial<Record<`${CredentialType}Config`, Config>>;

/** Declares a configuration property for each type. */
const ConfigFields =
  (kind: 'shown' | 'new' | 'changed'): ClassDecorator =>
  ({ prototype }) => {
    for (const type of CREDENTIAL_TYPES) {
      const isShown = kind === 'shown';
      const config = isShown ? responseSchema(type) : requestSchema(type, kind === 'new');
      const description = `${CONFIGS[type].about} For the type \`${type}\` only.`;
      const property = `${type}Config`;
      // The compiler emits this metadata for properties declared in the class.
      Reflect.defineMetadata('design:type', Object, prototype as object, property);
      JsonField(config, { description, ...(isShown ? {} : { column: false }) })(
        prototype as object,
        property,
      );
    }
  };

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
@ConfigFields('shown')
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
    example: 'loggly',
  })
  type: CredentialType;

  /**
   * Secrets of the configuration as an encrypted JSON object. They are encrypted rather than hashed because they are
   * sent to the service.
   */
  @Column({ type: 'text' })
  secretsSealed: string;
}

/** Returns the configurations of a credential or of a request body. */
export const configsOf = (of: object): Configs => of;

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
@ConfigFields('new')
export class CredentialPost extends PickType(Credential, ['name', 'description', 'type']) {
  @BooleanField({ column: false, description: 'Whether the credential can be used.', default: true })
  enabled?: boolean;
}

@ApiSchema({
  name: 'CredentialPatch',
  description:
    'Changes to a credential. Omitted properties keep their value, including those of the configuration.',
})
@ConfigFields('changed')
export class CredentialPatch extends PartialType(PickType(Credential, ['name', 'description', 'enabled'])) {}

export const Credentials = pageOf(Credential, 'Credentials', ['applicationId']);
