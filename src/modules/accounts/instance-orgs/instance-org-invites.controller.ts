import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { INSTANCE_MANAGE, INSTANCE_READ } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { pageOf, UNPAGED } from '../../../platform/lists/page.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredPage } from '../../../platform/responses/answers.js';
import { OrgInvite, OrgInvitePost } from '../orgs/org-invite.resource.js';
import { InstanceOrgInvitesService } from './instance-org-invites.service.js';
import type { OrgOfInstance } from './instance-org.resource.js';
import { InstanceOrgInvitesQuery } from './instance-org-invites.query.js';

const OrgInviteCollection = pageOf(OrgInvite, 'OrgInviteCollection', ['instanceId', 'orgId'], UNPAGED);

@Controller('instances/:instanceId/orgs/:orgId/invites')
export class InstanceOrgInvitesController {
  constructor(private readonly invites: InstanceOrgInvitesService) {}

  @Get()
  @Operation('instanceOrgInvites.get', {
    summary: 'Returns the invitations to an organization',
    description:
      'Those that are not answered, also those that have expired, in one answer; they are at most 1000. Needs the role `view` in the instance.',
    scopes: INSTANCE_READ,
    role: 'view',
    returns: { 200: OrgInviteCollection },
    missing: 'organization',
  })
  list(
    @Param() org: OrgOfInstance,
    @Query() { list }: InstanceOrgInvitesQuery,
  ): Promise<StoredPage<OrgInvite>> {
    return this.invites.list(org, list);
  }

  @Post()
  @Operation('instanceOrgInvites.post', {
    summary: 'Invites somebody to an organization',
    description:
      'By a mail that they can answer within seven days. An address that was invited already gets a new one, and the earlier mail holds no longer. 400 where the limit of members is reached, which counts open invitations, and where 1000 invitations are not answered yet, those that have expired among them. The answer has all invitations, the newest first. Needs the role `admin` in the instance.',
    scopes: INSTANCE_MANAGE,
    role: 'admin',
    body: { invite: OrgInvitePost },
    example: { email: 'ada@example.com', role: 'edit' },
    returns: { 201: OrgInviteCollection },
    missing: 'organization',
  })
  invite(
    @Param() org: OrgOfInstance,
    @Body() body: OrgInvitePost,
    @By() by: Author,
  ): Promise<StoredPage<OrgInvite>> {
    return this.invites.invite(org, body, by);
  }
}
