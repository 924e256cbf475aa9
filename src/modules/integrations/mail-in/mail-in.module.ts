import { Module, type DynamicModule } from '@nestjs/common';
import type { Config } from '../../../config/config.js';
import { MailInServer } from './mail-in.server.js';
import { MailInService } from './mail-in.service.js';
import { MailTriggersRepository } from './mail-triggers.repository.js';

/** Receives emails for workflows. Runs in API processes if a port is configured. */
@Module({})
export class MailInModule {
  static on({ MAIL_IN_PORT, runsApi }: Config): DynamicModule {
    const isOn = MAIL_IN_PORT > 0 && runsApi;
    return {
      module: MailInModule,
      providers: isOn ? [MailTriggersRepository, MailInService, MailInServer] : [],
    };
  }
}
