import { Body, Controller, Get, Ip, Post, Query } from '@nestjs/common';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import { OrgInviteAction, OrgInviteInfo, OrgInviteResult, TOKEN_EXAMPLE } from './invite-answer.resource.js';
import { InviteAnswersService } from './invite-answers.service.js';
import { InviteQuery } from './invites.query.js';

const EXPIRED = { 410: 'The invitation has expired.' };

@Controller('invites')
export class InvitesController {
  constructor(private readonly invites: InviteAnswersService) {}

  @Get()
  @Operation('orgInvites.get', {
    summary: 'Returns an invitation by its mail',
    description:
      'For whoever holds the mail of an invitation; no token of the platform is needed. One that was answered, taken back or renewed since is 404, as is a wrong token or address. Too many wrong tokens from an address are refused for a while.',
    scopes: 'public',
    returns: { 200: OrgInviteInfo },
    missing: 'invitation',
    errors: EXPIRED,
  })
  look(@Query() { token, email }: InviteQuery, @Ip() address: string): Promise<OrgInviteInfo> {
    return this.invites.look(token, email, address);
  }

  @Post()
  @Operation('orgInvites.post', {
    summary: 'Accepts or declines an invitation by its mail',
    description:
      'For whoever holds the mail of an invitation; no token of the platform is needed. To accept it takes an account with the address of the invitation, which must be verified, and room in the organization; otherwise 400, and the invitation stays. It is answered once: from then on it is 404.',
    scopes: 'public',
    body: { invite: OrgInviteAction },
    example: {
      email: 'ada@example.com',
      token: TOKEN_EXAMPLE,
      accept: true,
    },
    returns: { 200: OrgInviteResult },
    missing: 'invitation',
    errors: EXPIRED,
  })
  answer(@Body() body: OrgInviteAction, @Ip() address: string, @By() by: Author): Promise<OrgInviteResult> {
    return this.invites.answer(body, address, by);
  }
}
