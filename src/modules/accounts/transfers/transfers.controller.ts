import { Body, Controller, Param, Patch } from '@nestjs/common';
import { ORGANIZATION_MANAGE, USER_ACCOUNT } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { ResourceTransfer } from './resource-transfer.resource.js';
import { TransfersService } from './transfers.service.js';

const RULES =
  'All of them go, or none. They keep their ids, their tokens and all that belongs to them; who may reach them follows the new owner at once. 400 when the new owner has no room for them.';
const EXAMPLE = {
  destinationId: '575ec8687ae143cd83dc4a97',
  destinationType: 'organization',
  applicationIds: ['575ec8687ae143cd83dc4a98'],
  strict: true,
};

@Controller()
export class TransfersController {
  constructor(private readonly transfers: TransfersService) {}

  @Patch('me/transferResources')
  @Operation('me.transferResources', {
    summary: 'Gives applications of your sandbox to an organization',
    description: `You need the role \`admin\` in the organization. ${RULES}`,
    scopes: USER_ACCOUNT,
    body: { resourceTransfer: ResourceTransfer },
    example: EXAMPLE,
    returns: { 200: Success },
    missing: 'organization',
  })
  ofUser(@Body() body: ResourceTransfer, @By() by: Author): Promise<Success> {
    return this.transfers.transfer({ ownerId: by.caller.userId, ownerType: 'user' }, body, by);
  }

  @Patch('orgs/:orgId/transferResources')
  @Operation('org.transferResources', {
    summary: 'Gives applications of an organization to another one, or to you',
    description: `You need the role \`admin\` in both organizations; of sandboxes, only your own can be the new owner. An application that archives its data cannot go to a sandbox. ${RULES}`,
    scopes: ORGANIZATION_MANAGE,
    role: 'admin',
    body: { resourceTransfer: ResourceTransfer },
    example: EXAMPLE,
    returns: { 200: Success },
    missing: 'organization',
  })
  ofOrganization(
    @Param('orgId') ownerId: string,
    @Body() body: ResourceTransfer,
    @By() by: Author,
  ): Promise<Success> {
    return this.transfers.transfer({ ownerId, ownerType: 'organization' }, body, by);
  }
}
