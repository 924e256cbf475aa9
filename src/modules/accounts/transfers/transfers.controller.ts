import { Body, Controller, Param, Patch } from '@nestjs/common';
import { ORGANIZATION_MANAGE, USER_ACCOUNT } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { ResourceTransfer } from './resource-transfer.resource.js';
import { TransfersService } from './transfers.service.js';
import { ID_EXAMPLE } from '../../../platform/fields/fields.js';

const RULES =
  'The transfer is atomic: all applications are moved, or none. They keep their IDs, tokens and contents. The access rules of the new owner apply immediately. Returns `400` if the new owner would exceed its limit.';
const EXAMPLE = {
  destinationId: ID_EXAMPLE,
  destinationType: 'organization',
  applicationIds: [ID_EXAMPLE],
  strict: true,
};

@Controller()
export class TransfersController {
  constructor(private readonly transfers: TransfersService) {}

  @Patch('me/transferResources')
  @Operation('me.transferResources', {
    summary: 'Transfers applications from your sandbox',
    description: `Requires the role \`admin\` in the organization that receives the applications. ${RULES}`,
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
    summary: 'Transfers applications from an organization',
    description: `The destination is another organization, in which you must also have the role \`admin\`, or your own sandbox. An application with archive settings or domains cannot be transferred to a sandbox. A wildcard domain and the names that it covers must keep one owner, so their applications are transferred together. ${RULES}`,
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
