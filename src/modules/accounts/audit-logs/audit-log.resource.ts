import { ApiSchema } from '@nestjs/swagger';
import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import {
  ID_EXAMPLE,
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

/**
 * Audit log entry: who changed what, through which request. Written in the same transaction as the change and never
 * modified.
 */
abstract class LoggedChange {
  @PrimaryColumn({ type: 'text' })
  @IdField({ required: true, column: false, description: 'ID of the entry, 24 hexadecimal digits.' })
  id: string;

  @DateField({ required: true, description: 'Time of the change, in UTC.' })
  creationDate: Date;

  @IdField({ required: true, description: 'ID of the actor who made the change.' })
  actorId: string;

  @StringField({
    maxLength: 1024,
    description: 'Name or email address of the actor at the time of the change.',
    example: 'ada@example.com',
  })
  actorName?: string;

  @StringField({
    required: true,
    maxLength: 1024,
    description: 'Resource of the operation, the part of its name before the dot.',
    example: 'application',
  })
  requestResource: string;

  @StringField({
    required: true,
    maxLength: 1024,
    description:
      'Action of the operation. Together with `requestResource`, it forms the name of the operation.',
    example: 'patch',
  })
  requestAction: string;

  @JsonField(OBJECT, {
    description:
      'Request body with the changed values. Secrets are replaced with `[redacted]`. For large bodies, only the property names are kept. If the body is an array, it is in `items`.',
    example: { name: 'Pump station' },
  })
  requestBody?: object;

  @JsonField(OBJECT, {
    required: true,
    description: 'Query parameters of the request. `@address` contains the IP address of the client.',
    example: { '@address': '203.0.113.7' },
  })
  requestQueryParams: object;

  @JsonField(OBJECT, {
    required: true,
    description: 'Path parameters of the request.',
    example: { applicationId: '575ec8687ae143cd83dc4a97' },
  })
  requestPathParams: object;

  @JsonField(OBJECT, {
    description: 'Subject of the response: the ID of the resource that was created, changed or deleted.',
    example: { id: ID_EXAMPLE, name: 'Pump station' },
  })
  responseBody?: object;

  @IntegerField({
    required: true,
    minimum: 100,
    maximum: 599,
    description: 'HTTP status code of the response.',
    example: 200,
  })
  responseStatus: number;

  @IdField({ description: 'ID of the resource that was changed, or that contains the changed resource.' })
  primaryTargetId?: string;

  @StringField({
    maxLength: 1024,
    description: 'Name of the primary target at the time of the change.',
    example: 'Pump station',
  })
  primaryTargetName?: string;

  @IdField({ description: 'ID of the resource that was changed within the primary target.' })
  secondaryTargetId?: string;

  @StringField({
    maxLength: 1024,
    description: 'Name of the secondary target at the time of the change.',
    example: 'Nightly report',
  })
  secondaryTargetName?: string;
}

@ApiSchema({ name: 'AuditLog', description: 'A change to an organization or a resource in it.' })
@Entity('audit_logs')
@Index('audit_logs_by_time', ['orgId', 'creationDate', 'id'])
@Index('audit_logs_by_status', ['orgId', 'responseStatus', 'id'])
@Index('audit_logs_by_actor', ['orgId', 'actorName', 'id'])
export class AuditLog extends LoggedChange {
  @AliasField('entry')
  auditLogId: string;

  // Not a foreign key: each entry would lock the row of its organization, whose removal removes its entries first.
  @IdField({ required: true, description: 'ID of the organization that the log belongs to.' })
  orgId: string;

  @ChoiceField(ORG_ACTORS, { required: true, description: 'Type of the actor.', example: 'User' })
  actorType: string;

  @ChoiceField(ORG_PRIMARY_TARGETS, { description: 'Type of the primary target.' })
  primaryTargetType?: string;

  @ChoiceField(ORG_SECONDARY_TARGETS, { description: 'Type of the secondary target.' })
  secondaryTargetType?: string;
}

@ApiSchema({ name: 'InstanceAuditLog', description: 'A change to an instance or a resource in it.' })
@Entity('instance_audit_logs')
@Index('instance_audit_logs_by_time', ['instanceId', 'creationDate', 'id'])
@Index('instance_audit_logs_by_status', ['instanceId', 'responseStatus', 'id'])
@Index('instance_audit_logs_by_actor', ['instanceId', 'actorName', 'id'])
export class InstanceAuditLog extends LoggedChange {
  @AliasField('entry')
  instanceAuditLogId: string;

  @ForeignKey(() => Instance, { onDelete: 'CASCADE' })
  @IdField({ required: true, description: 'ID of the instance that the log belongs to.' })
  instanceId: string;

  @ChoiceField(INSTANCE_ACTORS, {
    title: 'InstanceActorType',
    required: true,
    description: 'Type of the actor.',
    example: 'User',
  })
  actorType: string;

  @ChoiceField(INSTANCE_PRIMARY_TARGETS, {
    title: 'InstancePrimaryTargetType',
    description: 'Type of the primary target.',
  })
  primaryTargetType?: string;

  @ChoiceField(INSTANCE_SECONDARY_TARGETS, {
    title: 'InstanceSecondaryTargetType',
    description: 'Type of the secondary target.',
  })
  secondaryTargetType?: string;
}

const PAGED: readonly PagePart[] = ['totalCount', 'page', 'perPage', 'sortField', 'sortDirection'];
export const AuditLogs = pageOf(AuditLog, 'AuditLogs', ['orgId'], PAGED);
export const InstanceAuditLogs = pageOf(InstanceAuditLog, 'InstanceAuditLogs', ['instanceId'], PAGED);
