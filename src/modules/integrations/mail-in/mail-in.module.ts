import { Module, type DynamicModule } from '@nestjs/common';
import type { Config } from '../../../config/config.js';
import { FiringsModule } from '../../../workflows/runs/firings.module.js';
import { MailInServer } from './mail-in.server.js';
import { MailInService } from './mail-in.service.js';
import { MailTriggersRepository } from './mail-triggers.repository.js';

/** Receives emails for workflows, if a port is configured. */
@Module({})
export class MailInModule {
  static on({ MAIL_IN_PORT }: Config): DynamicModule {
    return {
      module: MailInModule,
      imports: MAIL_IN_PORT > 0 ? [FiringsModule] : [],
      providers: MAIL_IN_PORT > 0 ? [MailTriggersRepository, MailInService, MailInServer] : [],
    };
  }
}
