import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CredentialController } from './credential.controller.js';
import { Credential } from './credential.resource.js';
import { CredentialsController } from './credentials.controller.js';
import { CredentialsRepository } from './credentials.repository.js';
import { CredentialsService } from './credentials.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Credential])],
  controllers: [CredentialsController, CredentialController],
  providers: [CredentialsRepository, CredentialsService],
  exports: [CredentialsService],
})
export class CredentialsModule {}
