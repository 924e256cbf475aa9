import { Body, Controller, Get, Ip, Post, Query } from '@nestjs/common';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import { OrgInviteAction, OrgInviteInfo, OrgInviteResult, TOKEN_EXAMPLE } from './invite-answer.resource.js';
import { InviteAnswersService } from './invite-answers.service.js';
import { InviteQuery } from './invites.query.js';

const EXPIRED_NOTE = { 410: 'The invitation has expired.' };

@Controller('invites')
export class InvitesController {
  constructor(private readonly invites: InviteAnswersService) {}

  @Get()
  @Operation('orgInvites.get', {
    summary: 'Returns an invitation by the token from its email',
    description:
      'Requires the token from the email of an invitation instead of an access token. Returns `404` if the token or address is wrong, or if the invitation has been answered, revoked or replaced. Returns `429` for some time after too many wrong tokens from an address.',
    scopes: 'public',
    returns: { 200: OrgInviteInfo },
    missing: 'invitation',
    errors: EXPIRED_NOTE,
  })
  look(@Query() { token, email }: InviteQuery, @Ip() address: string): Promise<OrgInviteInfo> {
    return this.invites.view(token, email, address);
  }

  @Post()
  @Operation('orgInvites.post', {
    summary: 'Responds to an invitation from its email',
    description:
      'Requires the token from the email of an invitation instead of an access token. Accepting requires an account with the verified address of the invitation. Returns `400` otherwise, or if the organization has reached its member limit; the invitation then remains open. An invitation can be answered once; afterwards, returns `404`.',
    scopes: 'public',
    body: { invite: OrgInviteAction },
    example: {
      email: 'ada@example.com',
      token: TOKEN_EXAMPLE,
      accept: true,
    },
    returns: { 200: OrgInviteResult },
    missing: 'invitation',
    errors: EXPIRED_NOTE,
  })
  answer(@Body() body: OrgInviteAction, @Ip() address: string, @By() by: Author): Promise<OrgInviteResult> {
    return this.invites.answer(body, address, by);
  }
}
