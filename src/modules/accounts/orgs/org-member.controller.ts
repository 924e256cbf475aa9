import { Body, Controller, Delete, Param, Patch, Query } from '@nestjs/common';
import { ORGANIZATION_MANAGE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { SummaryQuery } from '../../../platform/lists/query-fields.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredResource } from '../../../platform/responses/stored-resources.js';
import { Org, OrgMemberPatch } from './org.resource.js';
import { OrgsService } from './orgs.service.js';
import { MemberQuery } from './org-member.query.js';

@Controller('orgs/:orgId/member')
export class OrgMemberController {
  constructor(private readonly orgs: OrgsService) {}

  @Patch()
  @Operation('org.modifyMember', {
    summary: 'Updates the roles of an organization member',
    description:
      'Omitted properties keep their value. Takes effect immediately. Returns `400` if you change your own roles or demote the last admin. Returns the organization, including its members if there are at most 100.',
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
  ): Promise<StoredResource<Org>> {
    return this.orgs.changeMember(id, body, query, by);
  }

  @Delete()
  @Operation('org.removeMember', {
    summary: 'Removes a member from an organization',
    description:
      'The user immediately loses access to the organization; their account is kept. Members can remove themselves regardless of role, including `none`. Returns `400` for the last admin. Returns the organization, including its members if there are at most 100. Members who remove themselves receive it without members, counts and settings.',
    scopes: ORGANIZATION_MANAGE,
    selfGuarded: 'admin',
    returns: { 200: Org },
    missing: 'member',
  })
  remove(
    @Param('orgId') id: string,
    @Query() query: MemberQuery,
    @By() by: Author,
  ): Promise<StoredResource<Org> | Partial<Org>> {
    return this.orgs.removeMember(id, query, by);
  }
}
