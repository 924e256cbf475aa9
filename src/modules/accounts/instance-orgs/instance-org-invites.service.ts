import { Injectable } from '@nestjs/common';
import type { Author } from '../../../platform/audit/author.js';
import type { ListParameters } from '../../../platform/lists/list-query.js';
import { StoredPage } from '../../../platform/responses/stored-resources.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { InvitesService } from '../invites/invites.service.js';
import type { OrgInvite, OrgInvitePost } from '../orgs/org-invite.resource.js';
import type { OrgOfInstance } from './instance-org.resource.js';

/** Invitations to organizations, managed by members of the instance. The rules are those of `InvitesService`. */
@Injectable()
export class InstanceOrgInvitesService {
  constructor(private readonly invites: InvitesService) {}

  async list({ instanceId, orgId }: OrgOfInstance, list?: ListParameters): Promise<StoredPage<OrgInvite>> {
    const { items, envelope } = await this.invites.list(orgId, list);
    return new StoredPage(items, { ...envelope, instanceId, orgId });
  }

  async invite(org: OrgOfInstance, post: OrgInvitePost, by: Author): Promise<StoredPage<OrgInvite>> {
    await this.invites.invite(org.orgId, post, by, org.instanceId);
    return this.list(org);
  }

  async revoke({ instanceId, orgId }: OrgOfInstance, inviteId: string, by: Author): Promise<Success> {
    await this.invites.revoke(orgId, inviteId, by, instanceId);
    return new Success();
  }
}
