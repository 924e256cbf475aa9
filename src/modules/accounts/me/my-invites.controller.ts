import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { ApiExtraModels } from '@nestjs/swagger';
import type { Principal } from '../../../platform/access/principal.js';
import { Caller } from '../../../platform/access/request.js';
import { USER_ACCOUNT, USER_READ } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredResource } from '../../../platform/responses/stored-resources.js';
import {
  ORG_INVITES_USER,
  OrgInviteActionUser,
  OrgInviteResultUser,
  OrgInviteUser,
} from '../invites/invite-answer.resource.js';
import { InviteAnswersService } from '../invites/invite-answers.service.js';

/** Invitations of the current user. */
@ApiExtraModels(OrgInviteUser)
@Controller('me/invites')
export class MyInvitesController {
  constructor(private readonly invites: InviteAnswersService) {}

  @Get()
  @Operation('me.invites', {
    summary: 'Lists your invitations to organizations',
    description:
      'Returns the invitations to your email address that you have neither answered nor dismissed, newest first, including expired ones. If there are more than 1000, returns the newest 1000. The list is empty if your address is not verified.',
    scopes: USER_READ,
    returns: { 200: ORG_INVITES_USER },
  })
  list(@Caller() { userId }: Principal): Promise<OrgInviteUser[]> {
    return this.invites.list(userId);
  }

  @Get(':inviteId')
  @Operation('me.invite', {
    summary: 'Returns one of your invitations',
    description: 'Returns an invitation from the list of `GET /me/invites`.',
    scopes: USER_READ,
    returns: { 200: OrgInviteUser },
    missing: 'invitation',
  })
  get(
    @Caller() { userId }: Principal,
    @Param('inviteId') inviteId: string,
  ): Promise<StoredResource<OrgInviteUser>> {
    return this.invites.get(userId, inviteId);
  }

  @Post(':inviteId')
  @Operation('me.respondToInvite', {
    summary: 'Responds to one of your invitations',
    description:
      'Returns `400` on accepting if the organization has reached its member limit; the invitation then remains open. Accepting or rejecting deletes the invitation. Dismissing hides it from your list, but its email remains valid. An expired invitation can only be dismissed.',
    scopes: USER_ACCOUNT,
    body: { answer: OrgInviteActionUser },
    example: { action: 'accept' },
    returns: { 200: OrgInviteResultUser },
    missing: 'invitation',
    errors: { 410: 'The invitation has expired.' },
  })
  respond(
    @Param('inviteId') inviteId: string,
    @Body() body: OrgInviteActionUser,
    @By() by: Author,
  ): Promise<OrgInviteResultUser> {
    return this.invites.respond(inviteId, body, by);
  }
}
