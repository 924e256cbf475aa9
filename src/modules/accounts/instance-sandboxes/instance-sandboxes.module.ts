import { Module } from '@nestjs/common';
import { UsersModule } from '../users/users.module.js';
import { InstanceSandboxController } from './instance-sandbox.controller.js';
import { InstanceSandboxesController } from './instance-sandboxes.controller.js';
import { InstanceSandboxesRepository } from './instance-sandboxes.repository.js';
import { InstanceSandboxesService } from './instance-sandboxes.service.js';

@Module({
  imports: [UsersModule],
  controllers: [InstanceSandboxesController, InstanceSandboxController],
  providers: [InstanceSandboxesRepository, InstanceSandboxesService],
})
export class InstanceSandboxesModule {}
