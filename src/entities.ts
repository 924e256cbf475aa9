import { ApiToken } from './modules/api-tokens/api-token.resource.js';
import { Application } from './modules/applications/application.resource.js';
import { SamlId, SsoDomain } from './modules/auth/auth.resource.js';
import { Instance, InstanceMember } from './modules/instances/instance.resource.js';
import { Me } from './modules/me/me.resource.js';
import { Org, OrgMember } from './modules/orgs/org.resource.js';
import { Job } from './platform/jobs/job.entity.js';

/** Every class that has a table. */
export const entities = [
  ApiToken,
  Application,
  Instance,
  InstanceMember,
  Job,
  Me,
  Org,
  OrgMember,
  SamlId,
  SsoDomain,
];
