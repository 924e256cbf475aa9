import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiExtraModels } from '@nestjs/swagger';
import { ORGANIZATION_MANAGE, ORGANIZATION_READ } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import { InvitesService } from './invites.service.js';
import { ORG_INVITES, OrgInvite, OrgInvitePost } from '../orgs/org-invite.resource.js';
import { InviteIdQuery } from './org-invites.query.js';

/** Invitations of an organization. Every handler returns the resulting list of invitations. */
@ApiExtraModels(OrgInvite)
@Controller('orgs/:orgId/invites')
export class OrgInvitesController {
  constructor(private readonly invites: InvitesService) {}

  @Get()
  @Operation('org.pendingInvites', {
    summary: 'Lists the invitations of an organization',
    description:
      'Returns the unanswered invitations, newest first, including expired ones. There are at most 1000.',
    scopes: ORGANIZATION_READ,
    role: 'admin',
    returns: { 200: ORG_INVITES },
    missing: 'organization',
  })
  list(@Param('orgId') orgId: string): Promise<OrgInvite[]> {
    return this.invites.listAll(orgId);
  }

  @Post()
  @Operation('org.inviteMember', {
    summary: 'Invites a user to an organization',
    description:
      'Sends an invitation by email, which expires after 7 days. If the address already has an invitation, a new email with the new roles is sent and the earlier one becomes invalid. Returns all invitations. Returns `400` if the address is that of a member or in a domain that the organization does not allow. Also returns `400` if the member limit, which includes open invitations, is reached, or if there are already 1000 unanswered invitations, including expired ones.',
    scopes: ORGANIZATION_MANAGE,
    role: 'admin',
    body: { invite: OrgInvitePost },
    example: { email: 'ada@example.com', role: 'edit' },
    returns: { 200: ORG_INVITES },
    missing: 'organization',
  })
  async invite(
    @Param('orgId') orgId: string,
    @Body() body: OrgInvitePost,
    @By() by: Author,
  ): Promise<OrgInvite[]> {
    await this.invites.invite(orgId, body, by);
    return this.invites.listAll(orgId);
  }

  @Delete()
  @Operation('org.revokeInvite', {
    summary: 'Revokes an invitation',
    description: 'The email of the invitation becomes invalid. Returns the remaining invitations.',
    scopes: ORGANIZATION_MANAGE,
    role: 'admin',
    returns: { 200: ORG_INVITES },
    missing: 'invitation',
  })
  async revoke(
    @Param('orgId') orgId: string,
    @Query() { inviteId }: InviteIdQuery,
    @By() by: Author,
  ): Promise<OrgInvite[]> {
    await this.invites.revoke(orgId, inviteId, by);
    return this.invites.listAll(orgId);
  }
}
