import { Body, Controller, Delete, Get, Param, Patch, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ, APPLICATION_CHILDREN_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { Stored } from '../../../platform/responses/answers.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { LinkedResourcesQuery } from './credentials.query.js';
import { Credential, CredentialPatch } from './credential.resource.js';
import { CredentialsService } from './credentials.service.js';
import { CredentialLinkedResources } from './linked-resources.schemas.js';

@Controller('applications/:applicationId/credentials/:credentialId')
export class CredentialController {
  constructor(private readonly credentials: CredentialsService) {}

  @Get()
  @Operation('credential.get', {
    summary: 'Returns a service credential',
    description: 'Without its secrets. Needs the role `view` on the application.',
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    returns: { 200: Credential },
    missing: 'credential',
  })
  get(
    @CurrentApplication() { id }: ApplicationAccess,
    @Param('credentialId') credentialId: string,
  ): Promise<Stored<Credential>> {
    return this.credentials.get(id, credentialId);
  }

  @Patch()
  @Operation('credential.patch', {
    summary: 'Changes a service credential',
    description:
      'What is absent stays as it is, in the configuration too: secrets that are not given again are kept. Its type is fixed, and so the configuration of another type is refused. Workflows name a credential by its name, which no change of it reaches. Needs the role `collaborate` on the application.',
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    body: { credential: CredentialPatch },
    example: { enabled: false },
    returns: { 200: Credential },
    missing: 'credential',
  })
  patch(
    @CurrentApplication() { id }: ApplicationAccess,
    @Param('credentialId') credentialId: string,
    @Body() body: CredentialPatch,
    @By() by: Author,
  ): Promise<Stored<Credential>> {
    return this.credentials.patch(id, credentialId, body, by);
  }

  @Delete()
  @Operation('credential.delete', {
    summary: 'Deletes a service credential',
    description:
      'It is gone for good, and what names it can no longer sign in. Needs the role `collaborate` on the application.',
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    returns: { 200: Success },
    missing: 'credential',
  })
  delete(
    @CurrentApplication() { id }: ApplicationAccess,
    @Param('credentialId') credentialId: string,
    @By() by: Author,
  ): Promise<Success> {
    return this.credentials.delete(id, credentialId, by);
  }

  @Get('linkedResources')
  @Operation('credential.linkedResources', {
    summary: 'Returns what names a service credential',
    description:
      'The workflows of the application, and their versions, of which a node has the name of the credential in its configuration, as `credentialName`. Of each kind the first 1,000 by name. Needs the role `view` on the application.',
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    returns: { 200: CredentialLinkedResources },
    missing: 'credential',
  })
  linkedResources(
    @CurrentApplication() application: ApplicationAccess,
    @Param('credentialId') credentialId: string,
    @Query() _: LinkedResourcesQuery,
  ): Promise<CredentialLinkedResources> {
    return this.credentials.linkedResources(application, credentialId);
  }
}
