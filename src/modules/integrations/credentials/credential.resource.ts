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
import { Application } from '../../applications/applications/application.resource.js';
import {
  CONFIGS,
  CREDENTIAL_TYPES,
  givenSchema,
  shownSchema,
  type Config,
  type CredentialType,
} from './credential.configs.js';

/** A credential's configuration is in the member of its type. */
type Configs = Partial<Record<`${CredentialType}Config`, Config>>;

/** Declares a property for the configuration of each type. */
const ConfigFields =
  (kind: 'shown' | 'new' | 'changed'): ClassDecorator =>
  ({ prototype }) => {
    for (const type of CREDENTIAL_TYPES) {
      const isShown = kind === 'shown';
      const config = isShown ? shownSchema(type) : givenSchema(type, kind === 'new');
      const description = `${CONFIGS[type].about} Of the type \`${type}\` only.`;
      const property = `${type}Config`;
      // What the compiler says of a property that is written out.
      Reflect.defineMetadata('design:type', Object, prototype as object, property);
      JsonField(config, { description, ...(isShown ? {} : { column: false }) })(
        prototype as object,
        property,
      );
    }
  };

/** What workflows, integrations and archives sign in to other services with. */
@ApiSchema({
  name: 'Credential',
  description: 'What workflows and others of the application sign in to another service with.',
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
  @IdField({ required: true, description: 'The application that it belongs to.' })
  applicationId: string;

  @StringField({
    required: true,
    minLength: 1,
    maxLength: 255,
    description: 'Its name, unique in the application; nodes of workflows name it by it.',
    example: 'archive-store',
  })
  name: string;

  @StringField({ maxLength: 32767, description: 'What it is for.', example: 'The store of the archive' })
  description?: string;

  @BooleanField({ required: true, description: 'Whether it may be used.' })
  enabled: boolean;

  @ChoiceField(CREDENTIAL_TYPES, {
    required: true,
    description: 'The service, or the way of signing in; fixed when it is made.',
    example: 'loggly',
  })
  type: CredentialType;

  /** The secrets of its configuration, a JSON object, encrypted, since they have to be sent as they were given. */
  @Column({ type: 'text' })
  secretsSealed: string;
}

/** The configurations of a credential, or of a body about one. */
export const configsOf = (of: object): Configs => of;

export const CREDENTIALS = holding(Credential, {
  table: 'credentials',
  title: 'Credential',
  audited: 'Credential',
  count: 'credentialCount',
  limit: 'credential',
  taken: { credentials_name: 'credential.name is not available' },
});

@ApiSchema({ name: 'CredentialPost', description: 'A new credential, with the configuration of its type.' })
@ConfigFields('new')
export class CredentialPost extends PickType(Credential, ['name', 'description', 'type']) {
  @BooleanField({ column: false, description: 'Whether it may be used.', default: true })
  enabled?: boolean;
}

@ApiSchema({
  name: 'CredentialPatch',
  description: 'Changes to a credential; what is absent stays as it is, in its configuration too.',
})
@ConfigFields('changed')
export class CredentialPatch extends PartialType(PickType(Credential, ['name', 'description', 'enabled'])) {}

export const Credentials = pageOf(Credential, 'Credentials', ['applicationId']);
