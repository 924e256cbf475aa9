import { ApiSchema, PartialType, PickType } from '@nestjs/swagger';
import { Column, Entity, ForeignKey, Index } from 'typeorm';
import {
  AliasField,
  BooleanField,
  ChoiceField,
  IdField,
  IntegerField,
  StringField,
} from '../../../platform/fields/fields.js';
import { holding } from '../../../platform/holdings/holding.js';
import { pageOf } from '../../../platform/lists/page.js';
import { Resource } from '../../../platform/repositories/resource.js';
import { Application } from '../../applications/applications/application.resource.js';

export const VERIFICATION_TYPES = ['facebook', 'fitbit', 'none', 'twilio', 'alexa'] as const;

/** An address to which others post what workflows are to hear of. */
@ApiSchema({
  name: 'Webhook',
  description: 'An address, `/webhooks/{token}`, whose requests trigger workflows.',
})
@Entity('webhooks')
@Index('webhooks_unsealed', ['id'], { where: 'verification_code IS NOT NULL' })
@Index('webhooks_by_application', ['applicationId', 'id'])
@Index('webhooks_by_name', ['applicationId', 'name', 'id'])
@Index('webhooks_by_creation', ['applicationId', 'creationDate', 'id'])
@Index('webhooks_by_change', ['applicationId', 'lastUpdated', 'id'])
export class Webhook extends Resource {
  @AliasField('webhook')
  webhookId: string;

  @ForeignKey(() => Application, { onDelete: 'CASCADE' })
  @IdField({ required: true, description: 'The application that it belongs to.' })
  applicationId: string;

  @StringField({ required: true, minLength: 1, maxLength: 255, description: 'Its name.', example: 'Orders' })
  name: string;

  @StringField({ maxLength: 32767, description: 'What it is for.', example: 'Orders of the shop' })
  description?: string;

  @Index('webhooks_token', { unique: true })
  @StringField({
    required: true,
    shownFrom: 'collaborate',
    minLength: 1,
    description: 'Stands in its address, `/webhooks/{token}`, and never changes.',
    example: 'V1StGXR8_Z5jdHi6B-myT',
  })
  token: string;

  @BooleanField({ required: true, description: 'Whether what is received triggers workflows.' })
  enabled: boolean;

  @BooleanField({ required: true, description: 'Whether it takes websockets; fixed when it is made.' })
  isWebsocket: boolean;

  @BooleanField({
    required: true,
    description: 'Whether the caller waits until a workflow replies, a minute at most.',
  })
  waitForReply: boolean;

  @IntegerField({
    required: true,
    minimum: 100,
    maximum: 599,
    description: 'The status that the caller gets where no workflow replies.',
    example: 200,
  })
  responseCode: number;

  @ChoiceField(VERIFICATION_TYPES, {
    required: true,
    description: 'How requests are known to come from the service that they claim.',
    example: 'none',
  })
  verificationType: (typeof VERIFICATION_TYPES)[number];

  @StringField({
    secret: true,
    shownFrom: 'collaborate',
    column: false,
    maxLength: 32767,
    description: 'The code or secret that the service signs with, or asks for.',
    example: 'v3r1fy',
  })
  verificationCode?: string;

  @StringField({ maxLength: 255, description: 'The user that callers must name.', example: 'orders' })
  basicAuthUsername?: string;

  @StringField({
    secret: true,
    column: false,
    maxLength: 255,
    description: 'The password that callers must send. In the answer that sets it only.',
    example: 'Correct-Horse-7',
  })
  basicAuthPassword?: string;

  @ChoiceField(['array', 'binary', 'utf8', 'base64', 'hex'], {
    description: 'How content that is no text reaches workflows.',
    example: 'base64',
  })
  castBuffersAs?: string;

  @BooleanField({ required: true, description: 'Whether parts of forms tell of their names and types.' })
  annotateMultipart: boolean;

  /** Encrypted, as services sign with it. */
  @Column({ type: 'text', nullable: true })
  verificationCodeSealed: string | null;

  /** As it was kept before; a worker seals it. */
  @Column({ type: 'text', nullable: true, name: 'verification_code' })
  verificationCodePlain: string | null;

  /** Encrypted, since it has to be compared as it was given. */
  @Column({ type: 'text', nullable: true })
  basicAuthSealed: string | null;
}

export const WEBHOOKS = holding(Webhook, {
  table: 'webhooks',
  title: 'Webhook',
  audited: 'Webhook',
  count: 'webhookCount',
  limit: 'webhook',
});

@ApiSchema({ name: 'WebhookPatch', description: 'Changes to a webhook; what is absent stays as it is.' })
export class WebhookPatch extends PartialType(
  PickType(Webhook, [
    'name',
    'description',
    'enabled',
    'isWebsocket',
    'waitForReply',
    'responseCode',
    'verificationType',
    'verificationCode',
    'basicAuthUsername',
    'basicAuthPassword',
    'castBuffersAs',
    'annotateMultipart',
  ]),
) {}

@ApiSchema({ name: 'WebhookPost', description: 'A new webhook.' })
export class WebhookPost extends WebhookPatch {
  @StringField({
    column: false,
    required: true,
    minLength: 1,
    maxLength: 255,
    description: 'Its name.',
    example: 'Orders',
  })
  declare name: string;
}

export const Webhooks = pageOf(Webhook, 'Webhooks', ['applicationId']);
