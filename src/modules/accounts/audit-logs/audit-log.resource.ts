import { ApiSchema } from '@nestjs/swagger';
import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import {
  AliasField,
  ChoiceField,
  DateField,
  IdField,
  IntegerField,
  JsonField,
  StringField,
  type JsonSchema,
} from '../../../platform/fields/fields.js';
import { pageOf, type PagePart } from '../../../platform/lists/page.js';
import { Instance } from '../instances/instance.resource.js';
import { Org } from '../orgs/org.resource.js';

export const ORG_PRIMARY_TARGETS = ['Application', 'Dashboard', 'OrgInvite'] as const;
export const ORG_SECONDARY_TARGETS = [
  'ApiToken',
  'ApplicationCertificateAuthority',
  'ApplicationCertificate',
  'ApplicationKey',
  'Credential',
  'Dashboard',
  'DataTable',
  'Device',
  'DeviceRecipe',
  'Event',
  'ExperienceDomain',
  'ExperienceEndpoint',
  'ExperienceGroup',
  'ExperienceSlug',
  'ExperienceUser',
  'ExperienceVersion',
  'ExperienceView',
  'File',
  'Flow',
  'Integration',
  'Notebook',
  'PrivateFile',
  'ResourceJob',
  'Webhook',
] as const;
export const ORG_ACTORS = ['Application', 'Device', 'Flow', 'User', 'ApiToken'] as const;
export const INSTANCE_PRIMARY_TARGETS = [
  'Organization',
  'ApiToken',
  'User',
  'InstanceCustomNode',
  'NotificationRule',
] as const;
export const INSTANCE_SECONDARY_TARGETS = ['OrgInvite', 'ApiToken'] as const;
export const INSTANCE_ACTORS = ['User', 'ApiToken'] as const;

const OBJECT: JsonSchema = { type: 'object', additionalProperties: true };

/** An entry of a log: who changed what, through which request. Written with the change itself, and never changed. */
abstract class LoggedChange {
  @PrimaryColumn({ type: 'text' })
  @IdField({ required: true, column: false, description: 'The id, 24 hexadecimal digits.' })
  id: string;

  @DateField({ required: true, description: 'When it happened.' })
  creationDate: Date;

  @IdField({ required: true, description: 'Who did it.' })
  actorId: string;

  @StringField({
    maxLength: 1024,
    description: 'Their name or e-mail address at the time.',
    example: 'ada@example.com',
  })
  actorName?: string;

  @StringField({
    required: true,
    maxLength: 1024,
    description: 'The resource of the operation.',
    example: 'application',
  })
  requestResource: string;

  @StringField({
    required: true,
    maxLength: 1024,
    description: 'Its action: `requestResource` and this make the name of the operation.',
    example: 'patch',
  })
  requestAction: string;

  @JsonField(OBJECT, {
    description:
      'The body: what was changed, and to what. Secrets are `[redacted]`; of a large body only the names of its members are kept. A body that is a list is under `items`.',
    example: { name: 'Pump station' },
  })
  requestBody?: object;

  @JsonField(OBJECT, {
    required: true,
    description:
      'The parameters of the query, and under `@address` where the request came from: its IP address.',
    example: { '@address': '203.0.113.7' },
  })
  requestQueryParams: object;

  @JsonField(OBJECT, {
    required: true,
    description: 'The parameters of the path.',
    example: { applicationId: '575ec8687ae143cd83dc4a97' },
  })
  requestPathParams: object;

  @JsonField(OBJECT, {
    description: 'What the answer was about: the id of what was made, changed or removed.',
    example: { id: '575ec8687ae143cd83dc4a97' },
  })
  responseBody?: object;

  @IntegerField({
    required: true,
    minimum: 100,
    maximum: 599,
    description: 'The status of the answer.',
    example: 200,
  })
  responseStatus: number;

  @IdField({ description: 'What was changed, or what it belongs to.' })
  primaryTargetId?: string;

  @StringField({ maxLength: 1024, description: 'Its name at the time.', example: 'Pump station' })
  primaryTargetName?: string;

  @IdField({ description: 'What was changed within the first.' })
  secondaryTargetId?: string;

  @StringField({ maxLength: 1024, description: 'Its name at the time.', example: 'Nightly report' })
  secondaryTargetName?: string;
}

@ApiSchema({ name: 'AuditLog', description: 'A change to an organization or something in it.' })
@Entity('audit_logs')
@Index('audit_logs_by_time', ['orgId', 'creationDate', 'id'])
@Index('audit_logs_by_status', ['orgId', 'responseStatus', 'id'])
@Index('audit_logs_by_actor', ['orgId', 'actorName', 'id'])
export class AuditLog extends LoggedChange {
  @AliasField('entry')
  auditLogId: string;

  @ForeignKey(() => Org, { onDelete: 'CASCADE' })
  @IdField({ required: true, description: 'The organization.' })
  orgId: string;

  @ChoiceField(ORG_ACTORS, { required: true, description: 'What they are.', example: 'User' })
  actorType: string;

  @ChoiceField(ORG_PRIMARY_TARGETS, { description: 'What that is.' })
  primaryTargetType?: string;

  @ChoiceField(ORG_SECONDARY_TARGETS, { description: 'What that is.' })
  secondaryTargetType?: string;
}

@ApiSchema({ name: 'InstanceAuditLog', description: 'A change to an instance or something in it.' })
@Entity('instance_audit_logs')
@Index('instance_audit_logs_by_time', ['instanceId', 'creationDate', 'id'])
@Index('instance_audit_logs_by_status', ['instanceId', 'responseStatus', 'id'])
@Index('instance_audit_logs_by_actor', ['instanceId', 'actorName', 'id'])
export class InstanceAuditLog extends LoggedChange {
  @AliasField('entry')
  instanceAuditLogId: string;

  @ForeignKey(() => Instance, { onDelete: 'CASCADE' })
  @IdField({ required: true, description: 'The instance.' })
  instanceId: string;

  @ChoiceField(INSTANCE_ACTORS, { required: true, description: 'What they are.', example: 'User' })
  actorType: string;

  @ChoiceField(INSTANCE_PRIMARY_TARGETS, { description: 'What that is.' })
  primaryTargetType?: string;

  @ChoiceField(INSTANCE_SECONDARY_TARGETS, { description: 'What that is.' })
  secondaryTargetType?: string;
}

const PAGED: readonly PagePart[] = ['totalCount', 'page', 'perPage', 'sortField', 'sortDirection'];
export const AuditLogs = pageOf(AuditLog, 'AuditLogs', ['orgId'], PAGED);
export const InstanceAuditLogs = pageOf(InstanceAuditLog, 'InstanceAuditLogs', ['instanceId'], PAGED);
