import { ApiSchema, PartialType, PickType } from '@nestjs/swagger';
import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MFA_MODES, type MfaMode } from '../../../platform/access/mfa-modes.js';
import { ResourceRolesField, type ResourceRole } from '../../../platform/access/resource-roles.js';
import { orgSummary } from '../../../platform/counts/summaries.js';
import {
  AliasField,
  BooleanField,
  ChoiceField,
  DateField,
  IdField,
  JsonField,
  ObjectField,
  StringField,
  type JsonSchema,
} from '../../../platform/fields/fields.js';
import { limitsSchema, ORG_LIMITS } from '../../../platform/holdings/limits.js';
import { pageOf } from '../../../platform/lists/page.js';
import { ROLE, ROLES, type Role } from '../../../platform/operations/operation.js';
import { Resource } from '../../../platform/repositories/resource.js';
import { Instance } from '../instances/instance.resource.js';
import { User } from '../users/user.entity.js';

@ApiSchema({ name: 'OrgMember', description: 'A user with a role in an organization.' })
export class OrgMemberView {
  @IdField({ column: false, required: true, description: 'ID of the user.' })
  userId: string;

  @StringField({
    column: false,
    required: true,
    maxLength: 1024,
    format: 'email',
    description: 'Email address of the user.',
    example: 'ada@example.com',
  })
  email: string;

  @StringField({
    column: false,
    minLength: 1,
    maxLength: 1024,
    description: 'First name of the user.',
    example: 'Ada',
  })
  firstName?: string;

  @StringField({ column: false, maxLength: 1024, description: 'Last name of the user.', example: 'Lovelace' })
  lastName?: string;

  @StringField({
    column: false,
    maxLength: 1024,
    format: 'uri',
    description: "URL of the user's profile picture.",
    example: 'https://example.com/ada.png',
  })
  avatarUrl?: string;

  @ChoiceField(ROLE, {
    column: false,
    required: true,
    description: 'Role in the organization.',
    example: 'edit',
  })
  role: Role;

  @ResourceRolesField('applications', { column: false, required: true })
  applicationRoles: ResourceRole[];

  @ResourceRolesField('dashboards', { column: false, required: true })
  dashboardRoles: ResourceRole[];

  @BooleanField({
    column: false,
    required: true,
    description: 'Whether two-factor authentication is enabled.',
  })
  twoFactorAuthEnabled: boolean;

  @BooleanField({
    column: false,
    required: true,
    description: 'Whether the user signs in through an identity provider.',
  })
  ssoLinked: boolean;
}

export const DISABLED_AT: JsonSchema = {
  oneOf: [
    { type: 'boolean', enum: [false] },
    { type: 'string', format: 'date-time' },
  ],
};

export const BANNER: JsonSchema = {
  title: 'OrgBanner',
  type: 'object',
  additionalProperties: false,
  description: 'Notice shown to the members of the organization.',
  properties: {
    message: {
      type: 'string',
      maxLength: 2048,
      description: 'Text of the notice.',
      example: 'Maintenance on Sunday from 02:00 UTC',
    },
    level: { type: 'string', enum: ['info', 'warning', 'critical'], description: 'Severity of the notice.' },
  },
};

/** Maximum number of members up to which responses embed them. Reading a single organization returns all members. */
export const MAX_EMBEDDED_MEMBERS = 100;

/** Group of users, with the resources that they own together. */
@ApiSchema({ name: 'Org', description: 'A group of users, with the applications that they own together.' })
@Entity('orgs')
@Index('orgs_of_instance_by_name', ['instanceId', 'name', 'id'], { where: 'deleted_at IS NULL' })
@Index('orgs_of_instance_by_creation', ['instanceId', 'creationDate', 'id'], { where: 'deleted_at IS NULL' })
@Index('orgs_of_instance_by_change', ['instanceId', 'lastUpdated', 'id'], { where: 'deleted_at IS NULL' })
@Index('orgs_by_instance', ['instanceId', 'id'])
export class Org extends Resource {
  @AliasField('organization')
  orgId: string;

  @ForeignKey(() => Instance)
  @Column({ type: 'text' })
  instanceId: string;

  @StringField({
    required: true,
    minLength: 1,
    maxLength: 255,
    description: 'Display name of the organization.',
    example: 'North Field',
  })
  name: string;

  @StringField({
    maxLength: 32767,
    description: 'Free-text description of the organization.',
    example: 'The team of the north field',
  })
  description?: string;

  @StringField({
    maxLength: 64,
    description: 'Color of the organization in user interfaces.',
    example: '#4CAF50',
  })
  iconColor?: string;

  @StringField({
    maxLength: 1024,
    format: 'email',
    description: 'Email address for invoices.',
    example: 'billing@example.com',
  })
  billingEmail?: string;

  @StringField({
    maxLength: 1024,
    description: 'ID of the plan, if the operator offers plans.',
    example: 'standard',
  })
  planId?: string;

  @ChoiceField(MFA_MODES, {
    description:
      'Which members must use two-factor authentication. Members without it have no access to the organization until they enable it. Members who set a mode that requires it must use it themselves.',
  })
  mfaMode?: MfaMode;

  @JsonField(limitsSchema('OrgLimits', ORG_LIMITS), { description: 'Resource limits of the organization.' })
  limits?: object;

  @ObjectField(() => OrgMemberView, {
    column: false,
    list: true,
    description: `Members of the organization. Absent if there are more than ${MAX_EMBEDDED_MEMBERS}, except when reading a single organization: \`org.get\` always returns all members.`,
  })
  members?: OrgMemberView[];

  @JsonField(orgSummary.schema('OrgSummary'), {
    column: false,
    required: true,
    description: "Counts of the organization's resources, as selected by the request.",
  })
  summary: object;

  @DateField({ column: false, description: 'Start of the current billing period, in UTC.' })
  currentPeriodStart?: Date;

  @DateField({ column: false, description: 'End of the current billing period, in UTC.' })
  currentPeriodEnd?: Date;

  @ChoiceField(['trialing', 'active', 'past_due', 'canceled', 'unpaid'], {
    column: false,
    description: "Status of the organization's subscription, if any.",
    example: 'active',
  })
  subscriptionStatus?: string;

  @BooleanField({ column: false, description: 'Whether the organization has a custom agreement.' })
  isEnterprise?: boolean;

  @BooleanField({
    required: true,
    example: false,
    description: 'Whether the organization is read-only: members cannot change anything in it.',
  })
  isReadOnly: boolean;

  /** The column is null while the organization is not disabled, which the document represents as `false`. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  @JsonField(DISABLED_AT, {
    column: false,
    required: true,
    description:
      'Time at which the organization was disabled, after which members can only read; `false` if it is not disabled.',
    example: false,
  })
  disabledAt: Date | string | false | null;

  @JsonField(BANNER, { description: 'Notice shown to the members of the organization.' })
  banner?: object;

  @JsonField(
    { type: 'array', items: { type: 'string', minLength: 3, maxLength: 45 } },
    {
      description: 'Email domains that new members must have. If absent or empty, any domain is allowed.',
      example: ['example.com'],
    },
  )
  whitelistedEmailDomains?: string[];

  /** Operator's tags for finding organizations, shown by `InstanceOrg`. */
  @Column({ type: 'jsonb', default: [] })
  tags: { key: string; value: string }[];

  @Column({ type: 'text', nullable: true })
  referralId: string | null;

  @Column({ type: 'boolean', default: true })
  auditLogEnabled: boolean;

  /** Set on deletion; a job then removes the contents of the organization. */
  @Index('orgs_deleted', { where: 'deleted_at IS NOT NULL' })
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  deletedAt: Date | null;
}

@ApiSchema({ name: 'OrgPost', description: 'Properties of a new organization.' })
export class OrgPost extends PickType(Org, [
  'name',
  'description',
  'iconColor',
  'billingEmail',
  'planId',
  'mfaMode',
]) {
  @StringField({
    secret: true,
    column: false,
    maxLength: 1024,
    description: 'Accepted for compatibility; payment cards are neither used nor stored.',
    example: '',
  })
  cardToken?: string;
}

@ApiSchema({
  name: 'OrgPatch',
  description: 'Changes to an organization. Omitted properties keep their value.',
})
export class OrgPatch extends PartialType(OrgPost) {}

@ApiSchema({
  name: 'OrgMemberPatch',
  description: 'Changes to the roles of a member. Omitted properties keep their value.',
})
export class OrgMemberPatch extends PickType(OrgMemberView, ['userId']) {
  @ChoiceField(ROLE, { column: false, description: 'Role in the organization.', example: 'edit' })
  role?: Role;

  @ResourceRolesField('applications', { column: false })
  applicationRoles?: ResourceRole[];

  @ResourceRolesField('dashboards', { column: false })
  dashboardRoles?: ResourceRole[];
}

export const Orgs = pageOf(Org, 'Orgs');

/** Membership of a user in an organization. */
@Entity('org_members')
export class OrgMember {
  @ForeignKey(() => Org, { onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'text' })
  orgId: string;

  @Index('org_members_by_user')
  @ForeignKey(() => User, { onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'text' })
  userId: string;

  @Column({ type: 'enum', enum: ROLES, enumName: 'role' })
  role: Role;

  @Column({ type: 'jsonb', default: [] })
  applicationRoles: ResourceRole[];

  @Column({ type: 'jsonb', default: [] })
  dashboardRoles: ResourceRole[];

  @Column({ type: 'timestamptz', precision: 3 })
  creationDate: Date;
}
