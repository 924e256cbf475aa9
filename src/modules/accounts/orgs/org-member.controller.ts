import { Body, Controller, Delete, Param, Patch, Query } from '@nestjs/common';
import { ORGANIZATION_MANAGE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { SummaryQuery } from '../../../platform/lists/query-fields.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { Stored } from '../../../platform/responses/answers.js';
import { Org, OrgMemberPatch } from './org.resource.js';
import { OrgsService } from './orgs.service.js';
import { MemberQuery } from './org-member.query.js';

@Controller('orgs/:orgId/member')
export class OrgMemberController {
  constructor(private readonly orgs: OrgsService) {}

  @Patch()
  @Operation('org.modifyMember', {
    summary: "Changes a member's roles",
    description:
      'What is absent stays as it is; the change holds from the next request on. Nobody changes their own roles, and the last admin stays one: both are 400. Answers the organization, with its members where they are at most 100. Needs the role `admin` in it.',
    scopes: ORGANIZATION_MANAGE,
    role: 'admin',
    body: { member: OrgMemberPatch },
    example: { userId: '575ec8687ae143cd83dc4a97', role: 'edit' },
    returns: { 200: Org },
    missing: 'member',
  })
  patch(
    @Param('orgId') id: string,
    @Body() body: OrgMemberPatch,
    @Query() query: SummaryQuery,
    @By() by: Author,
  ): Promise<Stored<Org>> {
    return this.orgs.changeMember(id, body, query, by);
  }

  @Delete()
  @Operation('org.removeMember', {
    summary: 'Removes a member',
    description:
      'They are out from the next request on, and stay a user. Needs the role `admin` in the organization; whoever names themselves leaves, for which every role is enough, also `none`. The last admin cannot go: 400. Answers the organization, with its members where they are at most 100; to those who leave without its members, counts and settings.',
    scopes: ORGANIZATION_MANAGE,
    selfGuarded: 'admin',
    returns: { 200: Org },
    missing: 'member',
  })
  remove(
    @Param('orgId') id: string,
    @Query() query: MemberQuery,
    @By() by: Author,
  ): Promise<Stored<Org> | Partial<Org>> {
    return this.orgs.removeMember(id, query, by);
  }
}
