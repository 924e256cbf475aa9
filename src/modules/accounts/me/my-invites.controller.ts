import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { ApiExtraModels } from '@nestjs/swagger';
import type { Principal } from '../../../platform/access/principal.js';
import { Caller } from '../../../platform/access/request.js';
import { USER_ACCOUNT, USER_READ } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { Stored } from '../../../platform/responses/answers.js';
import {
  ORG_INVITES_USER,
  OrgInviteActionUser,
  OrgInviteResultUser,
  OrgInviteUser,
} from '../invites/invite-answer.resource.js';
import { InviteAnswersService } from '../invites/invite-answers.service.js';

/** The invitations of the user who asks. */
@ApiExtraModels(OrgInviteUser)
@Controller('me/invites')
export class MyInvitesController {
  constructor(private readonly invites: InviteAnswersService) {}

  @Get()
  @Operation('me.invites', {
    summary: 'Returns your invitations to organizations',
    description:
      'Those of your e-mail address that you have neither answered nor dismissed, newest first, also those that have expired; of more than 1000, the newest 1000. None while your address is not verified.',
    scopes: USER_READ,
    returns: { 200: ORG_INVITES_USER },
  })
  list(@Caller() { userId }: Principal): Promise<OrgInviteUser[]> {
    return this.invites.list(userId);
  }

  @Get(':inviteId')
  @Operation('me.invite', {
    summary: 'Returns an invitation of yours',
    description: 'One of those that `GET /me/invites` lists.',
    scopes: USER_READ,
    returns: { 200: OrgInviteUser },
    missing: 'invitation',
  })
  get(@Caller() { userId }: Principal, @Param('inviteId') inviteId: string): Promise<Stored<OrgInviteUser>> {
    return this.invites.get(userId, inviteId);
  }

  @Post(':inviteId')
  @Operation('me.respondToInvite', {
    summary: 'Answers an invitation of yours',
    description:
      'To accept it takes room in the organization, otherwise 400, and the invitation stays. Accepted or rejected, it is gone; dismissed, you do not see it any more, though its mail still works. One that has expired can only be dismissed.',
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
