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

/** URL to which external services send requests that trigger workflows. */
@ApiSchema({
  name: 'Webhook',
  description: 'A URL, `/webhooks/{token}`. Requests to it trigger workflows.',
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
  @IdField({ required: true, description: 'ID of the application that the webhook belongs to.' })
  applicationId: string;

  @StringField({
    required: true,
    minLength: 1,
    maxLength: 255,
    description: 'Display name; does not need to be unique.',
    example: 'Orders',
  })
  name: string;

  @StringField({
    maxLength: 32767,
    description: 'Purpose of the webhook, as free text.',
    example: 'Orders of the shop',
  })
  description?: string;

  @Index('webhooks_token', { unique: true })
  @StringField({
    required: true,
    minReaderRole: 'collaborate',
    minLength: 1,
    description: 'Token in the URL, `/webhooks/{token}`. Generated at creation and never changes.',
    example: 'V1StGXR8_Z5jdHi6B-myT',
  })
  token: string;

  @BooleanField({ required: true, description: 'Whether requests trigger workflows.' })
  enabled: boolean;

  @BooleanField({
    required: true,
    example: false,
    description:
      'Whether the webhook accepts WebSocket connections instead of HTTP requests. Fixed at creation.',
  })
  isWebsocket: boolean;

  @BooleanField({
    required: true,
    example: false,
    description: 'Whether the response waits for the reply of a workflow, up to one minute.',
  })
  waitForReply: boolean;

  @IntegerField({
    required: true,
    minimum: 100,
    maximum: 599,
    description: 'Status code of the response if no workflow replies.',
    example: 200,
  })
  responseCode: number;

  @ChoiceField(VERIFICATION_TYPES, {
    required: true,
    description: 'Service whose requests are verified, and its method of verification.',
    example: 'none',
  })
  verificationType: (typeof VERIFICATION_TYPES)[number];

  @StringField({
    secret: true,
    minReaderRole: 'collaborate',
    column: false,
    maxLength: 32767,
    sampled: false,
    description: 'Code or secret with which the service signs its requests, or that it sends.',
    example: 'v3r1fy',
  })
  verificationCode?: string;

  @StringField({ maxLength: 255, description: 'Username that callers must send.', example: 'orders' })
  basicAuthUsername?: string;

  @StringField({
    secret: true,
    column: false,
    maxLength: 255,
    description:
      'Password that callers must send. Only included in the response to the request that sets it.',
    example: 'Correct-Horse-7',
  })
  basicAuthPassword?: string;

  @ChoiceField(['array', 'binary', 'utf8', 'base64', 'hex'], {
    sampled: false,
    description: 'Encoding of binary content in the payload of workflows.',
    example: 'base64',
  })
  castBuffersAs?: string;

  @BooleanField({
    required: true,
    example: false,
    description: 'Whether parts of multipart forms include their file name and content type.',
  })
  annotateMultipart: boolean;

  /** Encrypted rather than hashed, because it is required to verify signatures. */
  @Column({ type: 'text', nullable: true })
  verificationCodeSealed: string | null;

  /** Plain text stored by older versions of the software; a worker encrypts it. */
  @Column({ type: 'text', nullable: true, name: 'verification_code' })
  verificationCodePlain: string | null;

  /** Encrypted, because it is compared with the submitted password in plain text. */
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

@ApiSchema({
  name: 'WebhookPatch',
  description: 'Changes to a webhook. Omitted properties keep their value.',
})
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

@ApiSchema({ name: 'WebhookPost', description: 'A webhook to create.' })
export class WebhookPost extends WebhookPatch {
  @StringField({
    column: false,
    required: true,
    minLength: 1,
    maxLength: 255,
    description: 'Display name; does not need to be unique.',
    example: 'Orders',
  })
  declare name: string;
}

export const Webhooks = pageOf(Webhook, 'Webhooks', ['applicationId']);
