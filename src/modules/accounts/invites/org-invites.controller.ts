import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiExtraModels } from '@nestjs/swagger';
import { ORGANIZATION_MANAGE, ORGANIZATION_READ } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import { InvitesService } from './invites.service.js';
import { ORG_INVITES, OrgInvite, OrgInvitePost } from '../orgs/org-invite.resource.js';
import { InviteIdQuery } from './org-invites.query.js';

/** Below an organization: whom it has invited. Handlers answer the invitations that there are then. */
@ApiExtraModels(OrgInvite)
@Controller('orgs/:orgId/invites')
export class OrgInvitesController {
  constructor(private readonly invites: InvitesService) {}

  @Get()
  @Operation('org.pendingInvites', {
    summary: 'Returns the invitations of an organization',
    description:
      'Those that are not answered, newest first, also those that have expired; they are at most 1000. Needs the role `admin` in the organization, as everything about its members does.',
    scopes: ORGANIZATION_READ,
    role: 'admin',
    returns: { 200: ORG_INVITES },
    missing: 'organization',
  })
  list(@Param('orgId') orgId: string): Promise<OrgInvite[]> {
    return this.invites.all(orgId);
  }

  @Post()
  @Operation('org.inviteMember', {
    summary: 'Invites somebody into an organization',
    description:
      'By mail; the invitation ends after 7 days. An address that is invited already gets a new mail with the new roles, and the earlier one holds no longer. 400 for the address of a member, one of a domain that the organization does not allow, where the limit of members is reached, which counts open invitations, and where 1000 invitations are not answered yet, those that have expired among them. Answers all invitations. Needs the role `admin` in the organization.',
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
    return this.invites.all(orgId);
  }

  @Delete()
  @Operation('org.revokeInvite', {
    summary: 'Takes an invitation back',
    description:
      'Its mail holds no longer. Answers the invitations that are left. Needs the role `admin` in the organization.',
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
    return this.invites.all(orgId);
  }
}
