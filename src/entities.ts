import { ApiToken } from './modules/api-tokens/api-token.resource.js';
import { Application } from './modules/applications/application.resource.js';
import { AuditLog, InstanceAuditLog } from './modules/audit-logs/audit-log.resource.js';
import { SamlId, SsoDomain } from './modules/auth/auth.resource.js';
import { InstanceMember } from './modules/instances/instance-member.resource.js';
import { Instance } from './modules/instances/instance.resource.js';
import { OrgInvite } from './modules/invites/org-invite.resource.js';
import { Me } from './modules/me/me.resource.js';
import { RecentItem } from './modules/me/recent-item.resource.js';
import { Org, OrgMember } from './modules/orgs/org.resource.js';
import { Job } from './platform/jobs/job.entity.js';

/** Every class that has a table. */
export const entities = [
  ApiToken,
  Application,
  AuditLog,
  Instance,
  InstanceAuditLog,
  InstanceMember,
  Job,
  Me,
  Org,
  OrgInvite,
  OrgMember,
  RecentItem,
  SamlId,
  SsoDomain,
];
