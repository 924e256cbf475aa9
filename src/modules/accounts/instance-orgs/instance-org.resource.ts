import { ApiSchema, OmitType, PartialType, PickType } from '@nestjs/swagger';
import { MFA_MODES } from '../../../platform/access/mfa-modes.js';
import {
  BooleanField,
  IdField,
  JsonField,
  StringField,
  type JsonSchema,
} from '../../../platform/fields/fields.js';
import type { ListSpec } from '../../../platform/lists/list-query.js';
import { pageOf } from '../../../platform/lists/page.js';
import { Org } from '../orgs/org.resource.js';
import { MEMBER_IDS } from './instance-org.columns.js';
import { INSTANCE_ORG_MEMBER_POST, type InstanceOrgMemberPost } from './instance-org-member.resource.js';

const TAGS: JsonSchema = {
  type: 'array',
  maxItems: 100,
  items: {
    title: 'OrgTag',
    type: 'object',
    additionalProperties: false,
    required: ['key', 'value'],
    description: 'Tag for finding organizations.',
    properties: {
      key: {
        type: 'string',
        pattern: '^[0-9a-zA-Z_-]{1,255}$',
        description: 'Key of the tag: letters, digits, `_` and `-`.',
        example: 'region',
      },
      value: {
        type: 'string',
        minLength: 1,
        maxLength: 255,
        description: 'Value of the tag.',
        example: 'north',
      },
    },
  },
};

/** Organization as managed through its instance. Its table is that of `Org`. */
@ApiSchema({ name: 'InstanceOrg', description: 'An organization, as managed through its instance.' })
export class InstanceOrg extends OmitType(Org, [
  'members',
  'isEnterprise',
  'instanceId',
  'auditLogEnabled',
  'tags',
  'referralId',
]) {
  @IdField({
    column: false,
    required: true,
    description: 'ID of the instance that the organization belongs to.',
  })
  instanceId: string;

  @BooleanField({
    column: false,
    required: true,
    description: 'Whether changes to the organization are recorded in its audit log.',
  })
  auditLogEnabled: boolean;

  @JsonField(TAGS, { column: false, required: true, description: 'Tags for finding the organization.' })
  tags: { key: string; value: string }[];

  @StringField({
    column: false,
    maxLength: 1024,
    description: 'ID of the organization in another system, or of its referrer.',
    example: 'crm-4711',
  })
  referralId?: string;

  @StringField({
    column: false,
    maxLength: 1024,
    description: 'ID of the customer in a billing system, if any.',
    example: 'customer-1',
  })
  customerId?: string;

  @StringField({
    column: false,
    maxLength: 1024,
    description: 'ID of the subscription in a billing system, if any.',
    example: 'subscription-1',
  })
  subscriptionId?: string;
}

const DISABLED_AT: JsonSchema = {
  oneOf: [{ type: 'string', format: 'date-time' }, { type: 'boolean' }],
};

class InstanceOrgChanges extends PickType(InstanceOrg, [
  'name',
  'description',
  'iconColor',
  'mfaMode',
  'limits',
  'banner',
  'whitelistedEmailDomains',
  'referralId',
]) {
  @BooleanField({ column: false, description: 'Whether members can only read.', default: false })
  isReadOnly?: boolean;

  @JsonField(DISABLED_AT, {
    column: false,
    description:
      'Time from which members can only read: a date, `true` for immediately, or `false` for never.',
    example: false,
  })
  disabledAt?: string | boolean;

  @BooleanField({
    column: false,
    description: 'Whether changes to the organization are recorded in its audit log.',
    default: true,
  })
  auditLogEnabled?: boolean;

  @JsonField(TAGS, { column: false, description: 'Tags for finding the organization.' })
  tags?: { key: string; value: string }[];
}

@ApiSchema({ name: 'InstanceOrgPost', description: 'Properties of a new organization of an instance.' })
export class InstanceOrgPost extends InstanceOrgChanges {
  @JsonField(
    { type: 'array', maxItems: 10, items: INSTANCE_ORG_MEMBER_POST },
    { column: false, description: 'Initial members of the organization.' },
  )
  members?: InstanceOrgMemberPost[];
}

@ApiSchema({
  name: 'InstanceOrgPatch',
  description: 'Changes to an organization. Omitted properties keep their value.',
})
export class InstanceOrgPatch extends PartialType(InstanceOrgChanges) {}

export const InstanceOrgs = pageOf(InstanceOrg, 'InstanceOrgs', ['instanceId']);

/** Organization as managed through its instance. */
export interface OrgOfInstance {
  instanceId: string;
  orgId: string;
}

/** Fields of advanced queries for organizations of an instance. */
export const INSTANCE_ORG_QUERY: ListSpec['query'] = {
  name: 'AdvancedInstanceOrgQuery',
  example: { isReadOnly: false, tags: { region: 'north' } },
  fields: {
    id: { kind: 'id', column: 't.id' },
    name: { kind: 'string', column: 't.name' },
    creationDate: { kind: 'date', column: 't.creation_date' },
    lastUpdated: { kind: 'date', column: 't.last_updated' },
    mfaMode: { kind: 'string', column: 't.mfa_mode', values: MFA_MODES },
    isReadOnly: { kind: 'boolean', column: 't.is_read_only' },
    disabledAt: { kind: 'date', column: 't.disabled_at' },
    auditLogEnabled: { kind: 'boolean', column: 't.audit_log_enabled' },
    referralId: { kind: 'string', column: 't.referral_id' },
    tags: { kind: 'tags', column: 't.tags' },
    memberId: { kind: 'ids', column: MEMBER_IDS },
  },
};
