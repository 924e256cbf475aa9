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

/** Schedule, contents and recipients of a usage report; other properties are interpreted by the report generator. */
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
    description: 'A recurring usage report.',
    properties: {
      id: {
        type: 'string',
        maxLength: 48,
        description: 'ID of the report configuration; generated if absent.',
        example: 'monthly',
      },
      cron: {
        type: 'string',
        maxLength: 255,
        description:
          'Schedule of the report as a cron expression: minute, hour, day of the month, month and day of the week.',
        example: '0 6 1 * *',
      },
      timezone: {
        type: 'string',
        maxLength: 255,
        description: 'IANA name of the time zone of the schedule. Default: UTC.',
        example: 'Europe/Oslo',
      },
      emails: {
        type: 'array',
        maxItems: 10,
        items: { type: 'string', format: 'email', maxLength: 1024 },
        description: 'Email addresses that receive the report.',
        example: ['ada@example.com'],
      },
      callbackUrl: {
        type: 'string',
        format: 'uri',
        maxLength: 1024,
        description: 'URL to which the report is posted.',
        example: 'https://example.com/usage',
      },
      periods: {
        type: 'integer',
        minimum: 1,
        maximum: 90,
        description: 'Number of days or months that the report covers.',
        example: 1,
      },
      dateGroupBy: {
        type: 'string',
        enum: ['day', 'month'],
        description: 'Length of a period in the report.',
      },
      resourceGroupBy: {
        type: 'string',
        enum: ['application', 'organization'],
        description: 'Type of resource that each line of the report covers.',
      },
      includeSandbox: {
        type: 'boolean',
        description: 'Whether the report includes sandboxes.',
        example: false,
      },
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
      userId: { type: 'string', pattern: ID_PATTERN, description: 'ID of the user.', example: ID_EXAMPLE },
      role: { type: 'string', enum: ['admin', 'view'], description: 'Role in the instance.' },
    },
  },
};

/**
 * The platform as managed by its operators, containing organizations and users. The first start creates an instance.
 */
@ApiSchema({ name: 'Instance', description: 'The platform as managed by its operators.' })
@Entity('instances')
export class Instance extends Resource {
  @AliasField('instance')
  instanceId: string;

  @StringField({
    required: true,
    minLength: 1,
    maxLength: 255,
    description: 'Display name of the instance.',
    example: 'Fieldwright',
  })
  name: string;

  @ChoiceField(MFA_MODES, {
    description:
      'Which members must use two-factor authentication. Members without it have no access to the instance until they enable it. Setting a mode that requires it requires that you use it yourself.',
  })
  mfaMode?: MfaMode;

  @BooleanField({ required: true, description: 'Whether changes are recorded in audit logs.' })
  allowAuditLogging: boolean;

  @JsonField(limitsSchema('InstanceLimits', INSTANCE_LIMITS), {
    description: 'Resource limits of the instance.',
  })
  limits?: object;

  @JsonField(limitsSchema('OrgDefaultLimits', ORG_LIMITS), {
    description: 'Default limits of new organizations.',
  })
  orgDefaultLimitConfig?: object;

  @JsonField(REPORT_CONFIGS, { description: 'Recurring usage reports.' })
  reportConfigs?: ReportConfig[];

  @JsonField(MEMBERS, {
    column: false,
    required: true,
    description: 'Members of the instance with their roles.',
  })
  members: object[];
}

@ApiSchema({
  name: 'InstancePatch',
  description: 'Changes to an instance. Omitted properties keep their value.',
})
export class InstancePatch extends PartialType(
  PickType(Instance, ['mfaMode', 'orgDefaultLimitConfig', 'reportConfigs']),
) {}

export const Instances = pageOf(Instance, 'Instances');
