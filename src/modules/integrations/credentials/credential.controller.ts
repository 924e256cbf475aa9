import { Body, Controller, Delete, Get, Param, Patch } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ, APPLICATION_CHILDREN_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredResource } from '../../../platform/responses/stored-resources.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { Credential, CredentialPatch } from './credential.resource.js';
import { CredentialsService } from './credentials.service.js';

@Controller('applications/:applicationId/credentials/:credentialId')
export class CredentialController {
  constructor(private readonly credentials: CredentialsService) {}

  @Get()
  @Operation('credential.get', {
    summary: 'Returns a service credential',
    description: 'Secrets are not included; no response contains them.',
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    returns: { 200: Credential },
    missing: 'credential',
  })
  get(
    @CurrentApplication() { id }: ApplicationAccess,
    @Param('credentialId') credentialId: string,
  ): Promise<StoredResource<Credential>> {
    return this.credentials.get(id, credentialId);
  }

  @Patch()
  @Operation('credential.patch', {
    summary: 'Updates a service credential',
    description:
      'Omitted properties keep their value, including those of the configuration: secrets that are not set again are kept. `type` is fixed, and the configuration of another type is rejected. Workflows refer to a credential by its name, and a renamed credential is not renamed in them.',
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    body: { credential: CredentialPatch },
    example: { enabled: false },
    returns: { 200: Credential },
    missing: 'credential',
  })
  patch(
    @CurrentApplication() application: ApplicationAccess,
    @Param('credentialId') credentialId: string,
    @Body() body: CredentialPatch,
    @By() by: Author,
  ): Promise<StoredResource<Credential>> {
    return this.credentials.patch(application, credentialId, body, by);
  }

  @Delete()
  @Operation('credential.delete', {
    summary: 'Deletes a service credential',
    description:
      'Permanently deletes the credential. Workflows and archives that refer to it can no longer authenticate.',
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
}
