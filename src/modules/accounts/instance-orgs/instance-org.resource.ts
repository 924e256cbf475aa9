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
    description: 'A word to find organizations by.',
    properties: {
      key: {
        type: 'string',
        pattern: '^[0-9a-zA-Z_-]{1,255}$',
        description: 'What it tells of.',
        example: 'region',
      },
      value: {
        type: 'string',
        minLength: 1,
        maxLength: 255,
        description: 'What it tells.',
        example: 'north',
      },
    },
  },
};

/** An organization as those see it who run its instance. Its row is that of `Org`. */
@ApiSchema({ name: 'InstanceOrg', description: 'An organization, for those who run its instance.' })
export class InstanceOrg extends OmitType(Org, [
  'members',
  'isEnterprise',
  'instanceId',
  'auditLogEnabled',
  'tags',
  'referralId',
]) {
  @IdField({ column: false, required: true, description: 'The instance that it belongs to.' })
  instanceId: string;

  @BooleanField({ column: false, required: true, description: 'Whether changes in it are logged.' })
  auditLogEnabled: boolean;

  @JsonField(TAGS, { column: false, required: true, description: 'Words to find it by.' })
  tags: { key: string; value: string }[];

  @StringField({
    column: false,
    maxLength: 1024,
    description: 'What another system calls it, or who sent it here.',
    example: 'crm-4711',
  })
  referralId?: string;

  @StringField({
    column: false,
    maxLength: 1024,
    description: 'The customer in a billing system, where there is one.',
    example: 'customer-1',
  })
  customerId?: string;

  @StringField({
    column: false,
    maxLength: 1024,
    description: 'The subscription in a billing system, where there is one.',
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
  @BooleanField({ column: false, description: 'Whether members may look and no more.', default: false })
  isReadOnly?: boolean;

  @JsonField(DISABLED_AT, {
    column: false,
    description:
      'From when on members may look and no more: a date, `true` for at once, `false` for not at all.',
    example: false,
  })
  disabledAt?: string | boolean;

  @BooleanField({ column: false, description: 'Whether changes in it are logged.', default: true })
  auditLogEnabled?: boolean;

  @JsonField(TAGS, { column: false, description: 'Words to find it by.' })
  tags?: { key: string; value: string }[];
}

@ApiSchema({ name: 'InstanceOrgPost', description: 'A new organization of an instance.' })
export class InstanceOrgPost extends InstanceOrgChanges {
  @JsonField(
    { type: 'array', maxItems: 10, items: INSTANCE_ORG_MEMBER_POST },
    { column: false, description: 'Its first members.' },
  )
  members?: InstanceOrgMemberPost[];
}

@ApiSchema({
  name: 'InstanceOrgPatch',
  description: 'Changes to an organization; what is absent stays as it is.',
})
export class InstanceOrgPatch extends PartialType(InstanceOrgChanges) {}

export const InstanceOrgs = pageOf(InstanceOrg, 'InstanceOrgs', ['instanceId']);

/** An organization as its instance runs it. */
export interface OrgOfInstance {
  instanceId: string;
  orgId: string;
}

/** What an advanced query may ask of the organizations of an instance. */
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
