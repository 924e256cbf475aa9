import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { INSTANCE_MANAGE, INSTANCE_READ } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredResource } from '../../../platform/responses/stored-resources.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { InvitesService } from '../invites/invites.service.js';
import { OrgInvite } from '../orgs/org-invite.resource.js';
import { InstanceOrgInvitesService } from './instance-org-invites.service.js';
import { ORG_ROLE_INFO, type OrgRoleInfo } from './instance-org-member.resource.js';
import type { OrgOfInstance } from './instance-org.resource.js';

@Controller('instances/:instanceId/orgs/:orgId/invites/:inviteId')
export class InstanceOrgInviteController {
  constructor(
    private readonly instanceInvites: InstanceOrgInvitesService,
    private readonly invites: InvitesService,
  ) {}

  @Get()
  @Operation('instanceOrgInvite.get', {
    summary: 'Returns an invitation to an organization',
    description: 'Returns the invited email address, the roles and the expiration.',
    scopes: INSTANCE_READ,
    role: 'view',
    returns: { 200: OrgInvite },
    missing: 'invitation',
  })
  get(
    @Param('orgId') orgId: string,
    @Param('inviteId') inviteId: string,
  ): Promise<StoredResource<OrgInvite>> {
    return this.invites.get(orgId, inviteId);
  }

  @Post()
  @Operation('instanceOrgInvite.resendInvite', {
    summary: 'Resends an invitation to an organization',
    description:
      'Sends a new email with the invitation, which is valid for another seven days. The links in earlier emails become invalid. If roles are given, they replace those of the invitation.',
    scopes: INSTANCE_MANAGE,
    role: 'admin',
    body: { invite: ORG_ROLE_INFO },
    example: { role: 'view' },
    returns: { 201: OrgInvite },
    missing: 'invitation',
  })
  resend(
    @Param() { instanceId, orgId }: OrgOfInstance,
    @Param('inviteId') inviteId: string,
    @Body() body: OrgRoleInfo,
    @By() by: Author,
  ): Promise<StoredResource<OrgInvite>> {
    return this.invites.resend(orgId, inviteId, body, by, instanceId);
  }

  @Delete()
  @Operation('instanceOrgInvite.delete', {
    summary: 'Revokes an invitation to an organization',
    description: 'The invitation can no longer be accepted.',
    scopes: INSTANCE_MANAGE,
    role: 'admin',
    returns: { 200: Success },
    missing: 'invitation',
  })
  delete(
    @Param() org: OrgOfInstance,
    @Param('inviteId') inviteId: string,
    @By() by: Author,
  ): Promise<Success> {
    return this.instanceInvites.revoke(org, inviteId, by);
  }
}
