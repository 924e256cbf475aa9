import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { INSTANCE_MANAGE, INSTANCE_READ } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { pageOf, UNPAGED } from '../../../platform/lists/page.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredPage } from '../../../platform/responses/stored-resources.js';
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
    summary: 'Lists the invitations to an organization',
    description:
      'Returns all unanswered invitations, including expired ones, in one response. There are at most 1000.',
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
    summary: 'Invites a user to an organization',
    description:
      'Sends an invitation by email, which is valid for seven days. If the address already has an invitation, it is replaced and the link in the earlier email becomes invalid. Returns all invitations, newest first. Returns `400` if the member limit, which includes open invitations, is reached. Also returns `400` if there are already 1000 unanswered invitations, including expired ones.',
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
