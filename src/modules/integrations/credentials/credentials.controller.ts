import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ, APPLICATION_CHILDREN_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { Stored, StoredPage } from '../../../platform/responses/answers.js';
import { Credential, CredentialPost, Credentials } from './credential.resource.js';
import { CredentialsQuery } from './credentials.query.js';
import { CredentialsService } from './credentials.service.js';

@Controller('applications/:applicationId/credentials')
export class CredentialsController {
  constructor(private readonly credentials: CredentialsService) {}

  @Get()
  @Operation('credentials.get', {
    summary: 'Returns the service credentials of an application',
    description: 'Without their secrets, which no answer shows. Needs the role `view` on the application.',
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
      'With the configuration of its `type` and no other, such as `awsConfig` for `aws`. Secrets are kept encrypted and never shown again; of a certificate, a key file or a private key, what is no secret is worked out and shown. With `generatePrivateKey` a Git or Snowflake credential gets an RSA key pair of its own, and `publicKey` is what the service is to be told. Its name must be new in the application. The limit `credential` of the owner counts the credentials of each application. Needs the role `collaborate` on the application.',
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    body: { credential: CredentialPost },
    example: { name: 'Logs', type: 'loggly', logglyConfig: { customerToken: 'Zx8pQ4' } },
    returns: { 201: Credential },
    missing: 'application',
  })
  create(
    @CurrentApplication() application: ApplicationAccess,
    @Body() body: CredentialPost,
    @By() by: Author,
  ): Promise<Stored<Credential>> {
    return this.credentials.create(application, body, by);
  }
}
