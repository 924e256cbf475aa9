import { Module } from '@nestjs/common';
import { MeModule } from '../me/me.module.js';
import { InstanceSandboxController } from './instance-sandbox.controller.js';
import { InstanceSandboxesController } from './instance-sandboxes.controller.js';
import { InstanceSandboxesRepository } from './instance-sandboxes.repository.js';
import { InstanceSandboxesService } from './instance-sandboxes.service.js';

@Module({
  imports: [MeModule],
  controllers: [InstanceSandboxesController, InstanceSandboxController],
  providers: [InstanceSandboxesService, InstanceSandboxesRepository],
})
export class InstanceSandboxesModule {}
