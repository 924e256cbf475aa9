import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ, APPLICATION_CHILDREN_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import { Credential, CredentialPost, Credentials } from './credential.resource.js';
import { CredentialsQuery } from './credentials.query.js';
import { CredentialsService } from './credentials.service.js';

@Controller('applications/:applicationId/credentials')
export class CredentialsController {
  constructor(private readonly credentials: CredentialsService) {}

  @Get()
  @Operation('credentials.get', {
    summary: 'Lists the service credentials of an application',
    description: 'Secrets are not included; no response contains them.',
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    returns: { 200: Credentials },
    missing: 'application',
  })
  list(
    @CurrentApplication() application: ApplicationAccess,
    @Query() { list }: CredentialsQuery,
  ): Promise<StoredPage<Credential>> {
    return this.credentials.list(application, list);
  }

  @Post()
  @Operation('credentials.post', {
    summary: 'Creates a service credential',
    description:
      "Creates a credential with the configuration of its `type` only, such as `awsConfig` for `aws`. Secrets are stored encrypted and never returned. Public details of a certificate, key file or private key are derived and returned. With `generatePrivateKey`, a Git or Snowflake credential receives a new RSA key pair; add the returned `publicKey` to the service. The name must be unique within the application. The owner's limit `credential` applies to the credentials of each application.",
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    body: { credential: CredentialPost },
    example: {
      name: 'archive-store',
      type: 'aws',
      awsConfig: {
        accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
        secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
        region: 'eu-central-1',
      },
    },
    returns: { 201: Credential },
    missing: 'application',
  })
  create(
    @CurrentApplication() application: ApplicationAccess,
    @Body() body: CredentialPost,
    @By() by: Author,
  ): Promise<StoredResource<Credential>> {
    return this.credentials.create(application, body, by);
  }
}
