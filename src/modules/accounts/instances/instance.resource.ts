import { ApiSchema, PartialType, PickType } from '@nestjs/swagger';
import { Entity } from 'typeorm';
import { MFA_MODES, type MfaMode } from '../../../platform/access/mfa-modes.js';
import {
  AliasField,
  BooleanField,
  ChoiceField,
  ID_EXAMPLE,
  ID_PATTERN,
  JsonField,
  StringField,
  type JsonSchema,
} from '../../../platform/fields/fields.js';
import { INSTANCE_LIMITS, limitsSchema, ORG_LIMITS } from '../../../platform/holdings/limits.js';
import { pageOf } from '../../../platform/lists/page.js';
import { Resource } from '../../../platform/repositories/resource.js';

/** When a report on usage is made, of what, and who gets it; the rest is for the one who makes it. */
export interface ReportConfig {
  id?: string;
  cron: string;
  timezone?: string;
}

const REPORT_CONFIGS: JsonSchema = {
  type: 'array',
  maxItems: 10,
  items: {
    title: 'ReportConfig',
    type: 'object',
    additionalProperties: false,
    required: ['cron'],
    description: 'A report on usage that is made again and again.',
    properties: {
      id: { type: 'string', maxLength: 48, description: 'Its id; a new one gets one.', example: 'monthly' },
      cron: {
        type: 'string',
        maxLength: 255,
        description: 'When it is made: minute, hour, day of the month, month and day of the week.',
        example: '0 6 1 * *',
      },
      timezone: {
        type: 'string',
        maxLength: 255,
        description: 'The time zone of that, by its IANA name; absent, UTC.',
        example: 'Europe/Oslo',
      },
      emails: {
        type: 'array',
        maxItems: 10,
        items: { type: 'string', format: 'email', maxLength: 1024 },
        description: 'Who gets it by mail.',
        example: ['ada@example.com'],
      },
      callbackUrl: {
        type: 'string',
        format: 'uri',
        maxLength: 1024,
        description: 'Where it is posted to.',
        example: 'https://example.com/usage',
      },
      periods: {
        type: 'integer',
        minimum: 1,
        maximum: 90,
        description: 'How many days or months.',
        example: 1,
      },
      dateGroupBy: { type: 'string', enum: ['day', 'month'], description: 'What a period is.' },
      resourceGroupBy: {
        type: 'string',
        enum: ['application', 'organization'],
        description: 'What a line is about.',
      },
      includeSandbox: { type: 'boolean', description: 'With sandboxes too.', example: false },
    },
  },
};

const MEMBERS: JsonSchema = {
  type: 'array',
  items: {
    title: 'InstanceMemberRole',
    type: 'object',
    required: ['userId', 'role'],
    description: 'A member of an instance.',
    properties: {
      userId: { type: 'string', pattern: ID_PATTERN, description: 'The user.', example: ID_EXAMPLE },
      role: { type: 'string', enum: ['admin', 'view'], description: 'Their role.' },
    },
  },
};

/** The platform as its operators see it: what organizations and users stand in. The first start makes one. */
@ApiSchema({ name: 'Instance', description: 'The platform as its operators see it.' })
@Entity('instances')
export class Instance extends Resource {
  @AliasField('instance')
  instanceId: string;

  @StringField({
    required: true,
    minLength: 1,
    maxLength: 255,
    description: 'Its name.',
    example: 'Fieldwright',
  })
  name: string;

  @ChoiceField(MFA_MODES, {
    description:
      'Which of its members must have a second factor; those without one have no rights in it meanwhile. Who sets one that asks for it has a second factor themselves.',
  })
  mfaMode?: MfaMode;

  @BooleanField({ required: true, description: 'Whether changes are written to audit logs.' })
  allowAuditLogging: boolean;

  @JsonField(limitsSchema('InstanceLimits', INSTANCE_LIMITS), {
    description: 'What it may have at most.',
  })
  limits?: object;

  @JsonField(limitsSchema('OrgDefaultLimits', ORG_LIMITS), {
    description: 'The limits that a new organization starts with.',
  })
  orgDefaultLimitConfig?: object;

  @JsonField(REPORT_CONFIGS, { description: 'Reports on usage that are made again and again.' })
  reportConfigs?: ReportConfig[];

  @JsonField(MEMBERS, { column: false, required: true, description: 'Who runs it, or may look.' })
  members: object[];
}

@ApiSchema({ name: 'InstancePatch', description: 'Changes to an instance; what is absent stays as it is.' })
export class InstancePatch extends PartialType(
  PickType(Instance, ['mfaMode', 'orgDefaultLimitConfig', 'reportConfigs']),
) {}

export const Instances = pageOf(Instance, 'Instances');
