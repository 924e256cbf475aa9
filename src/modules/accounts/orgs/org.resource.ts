import { ApiSchema, PartialType, PickType } from '@nestjs/swagger';
import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MFA_MODES, type MfaMode } from '../../../platform/access/mfa-modes.js';
import { resourceRolesSchema, type ResourceRole } from '../../../platform/access/resource-roles.js';
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

@ApiSchema({ name: 'OrgMember', description: 'A user in an organization.' })
export class OrgMemberView {
  @IdField({ column: false, required: true, description: 'The user.' })
  userId: string;

  @StringField({
    column: false,
    required: true,
    maxLength: 1024,
    format: 'email',
    description: 'Their e-mail address.',
    example: 'ada@example.com',
  })
  email: string;

  @StringField({
    column: false,
    minLength: 1,
    maxLength: 1024,
    description: 'Their first name.',
    example: 'Ada',
  })
  firstName?: string;

  @StringField({ column: false, maxLength: 1024, description: 'Their last name.', example: 'Lovelace' })
  lastName?: string;

  @StringField({
    column: false,
    maxLength: 1024,
    format: 'uri',
    description: 'Their picture.',
    example: 'https://example.com/ada.png',
  })
  avatarUrl?: string;

  @ChoiceField(ROLE, { column: false, required: true, description: 'Their role.', example: 'edit' })
  role: Role;

  @JsonField(resourceRolesSchema(), {
    column: false,
    required: true,
    description: 'Other roles on single applications.',
  })
  applicationRoles: ResourceRole[];

  @JsonField(resourceRolesSchema(), {
    column: false,
    required: true,
    description: 'Other roles on single dashboards.',
  })
  dashboardRoles: ResourceRole[];

  @BooleanField({
    column: false,
    required: true,
    description: 'Whether they sign in with a second factor.',
  })
  twoFactorAuthEnabled: boolean;

  @BooleanField({
    column: false,
    required: true,
    description: 'Whether they sign in through an identity provider.',
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
  description: 'A notice for its members.',
  properties: {
    message: {
      type: 'string',
      maxLength: 2048,
      description: 'The text.',
      example: 'Maintenance on Sunday from 02:00 UTC',
    },
    level: { type: 'string', enum: ['info', 'warning', 'critical'], description: 'How loud.' },
  },
};

/** Answers with organizations show the members of those that have no more; reading one shows all. */
export const MOST_EMBEDDED = 100;

/** Users together, and what they own together. */
@ApiSchema({ name: 'Org', description: 'Users together, and the applications they own together.' })
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
    description: 'Its name.',
    example: 'North Field',
  })
  name: string;

  @StringField({ maxLength: 32767, description: 'What it is.', example: 'The team of the north field' })
  description?: string;

  @StringField({ maxLength: 64, description: 'Its colour in user interfaces.', example: '#4CAF50' })
  iconColor?: string;

  @StringField({
    maxLength: 1024,
    format: 'email',
    description: 'Where bills go.',
    example: 'billing@example.com',
  })
  billingEmail?: string;

  @StringField({
    maxLength: 1024,
    description: 'The plan, where the operator has plans.',
    example: 'standard',
  })
  planId?: string;

  @ChoiceField(MFA_MODES, {
    description:
      'Which members must have a second factor; those without one have no rights in the organization meanwhile. Members who set one that asks for it have a second factor themselves.',
  })
  mfaMode?: MfaMode;

  @JsonField(limitsSchema('OrgLimits', ORG_LIMITS), { description: 'What it may have at most.' })
  limits?: object;

  @ObjectField(() => OrgMemberView, {
    column: false,
    list: true,
    description: `Its members, all of them. Left out where they are more than ${MOST_EMBEDDED}, but not where the organization is read by itself: \`org.get\` always has them.`,
  })
  members?: OrgMemberView[];

  @JsonField(orgSummary.schema('OrgSummary'), {
    column: false,
    required: true,
    description: 'Counts of what it has, as asked for.',
  })
  summary: object;

  @DateField({ column: false, description: 'When the current billing period began.' })
  currentPeriodStart?: Date;

  @DateField({ column: false, description: 'When it ends.' })
  currentPeriodEnd?: Date;

  @ChoiceField(['trialing', 'active', 'past_due', 'canceled', 'unpaid'], {
    column: false,
    description: 'The state of its subscription, where there are any.',
    example: 'active',
  })
  subscriptionStatus?: string;

  @BooleanField({ column: false, description: 'Whether it has an agreement of its own.' })
  isEnterprise?: boolean;

  @BooleanField({
    required: true,
    description: 'Whether nothing in it may change: members may look, no more.',
  })
  isReadOnly: boolean;

  /** Null while it is not disabled, which the document calls `false`. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  @JsonField(DISABLED_AT, {
    column: false,
    required: true,
    description: 'When it was disabled, from when on members may look and no more; false when it is not.',
    example: false,
  })
  disabledAt: Date | string | false | null;

  @JsonField(BANNER, { description: 'A notice for its members.' })
  banner?: object;

  @JsonField(
    { type: 'array', items: { type: 'string', minLength: 3, maxLength: 45 } },
    {
      description: 'The e-mail domains that new members must have; none means any.',
      example: ['example.com'],
    },
  )
  whitelistedEmailDomains?: string[];

  /** Words of the operator for finding organizations; `InstanceOrg` shows them. */
  @Column({ type: 'jsonb', default: [] })
  tags: { key: string; value: string }[];

  @Column({ type: 'text', nullable: true })
  referralId: string | null;

  @Column({ type: 'boolean', default: true })
  auditLogEnabled: boolean;

  /** Set when it was deleted; a job then removes what belonged to it. */
  @Index('orgs_deleted', { where: 'deleted_at IS NOT NULL' })
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  deletedAt: Date | null;
}

@ApiSchema({ name: 'OrgPost', description: 'A new organization.' })
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
    description: 'Accepted for older clients; payment cards are neither used nor stored.',
    example: '',
  })
  cardToken?: string;
}

@ApiSchema({ name: 'OrgPatch', description: 'Changes to an organization; what is absent stays as it is.' })
export class OrgPatch extends PartialType(OrgPost) {}

@ApiSchema({
  name: 'OrgMemberPatch',
  description: "A change of a member's roles; what is absent stays as it is.",
})
export class OrgMemberPatch extends PickType(OrgMemberView, ['userId']) {
  @ChoiceField(ROLE, { column: false, description: 'Their role.', example: 'edit' })
  role?: Role;

  @JsonField(resourceRolesSchema(), { column: false, description: 'Other roles on single applications.' })
  applicationRoles?: ResourceRole[];

  @JsonField(resourceRolesSchema(), { column: false, description: 'Other roles on single dashboards.' })
  dashboardRoles?: ResourceRole[];
}

export const Orgs = pageOf(Org, 'Orgs');

/** A user's place in an organization. */
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
