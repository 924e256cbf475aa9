import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { FlowsModule } from '../../flows/flows/flows.module.js';
import { CredentialsModule } from '../credentials/credentials.module.js';
import { IntegrationController } from './integration.controller.js';
import { Integration } from './integration.resource.js';
import { IntegrationsController } from './integrations.controller.js';
import { IntegrationsRepository } from './integrations.repository.js';
import { IntegrationsService } from './integrations.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Integration]), CredentialsModule, FlowsModule],
  controllers: [IntegrationsController, IntegrationController],
  providers: [IntegrationsRepository, IntegrationsService],
})
export class IntegrationsModule {}
