import { Module } from '@nestjs/common';
import { CredentialsModule } from '../credentials/credentials.module.js';
import { CredentialLinksController } from './credential-links.controller.js';
import { CredentialLinksService } from './credential-links.service.js';
import { LinkedResourcesRepository } from './linked-resources.repository.js';

@Module({
  imports: [CredentialsModule],
  controllers: [CredentialLinksController],
  providers: [CredentialLinksService, LinkedResourcesRepository],
})
export class CredentialLinksModule {}
