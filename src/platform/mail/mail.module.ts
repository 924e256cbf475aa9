import { Global, Module, type DynamicModule } from '@nestjs/common';
import { join } from 'node:path';
import type { Config } from '../../config/config.js';
import { createMailer, Mailer } from '../../lib/mail/mail.js';
import { MailService } from './mail.service.js';

/** Sends mail through the configured server, or writes it to files if none is configured. */
@Global()
@Module({})
export class MailModule {
  static on(config: Config): DynamicModule {
    const settings = {
      smtpUrl: config.SMTP_URL,
      from: config.MAIL_FROM,
      mailDir: join(config.dataDir, 'mail'),
    };
    return {
      module: MailModule,
      providers: [{ provide: Mailer, useFactory: () => createMailer(settings) }, MailService],
      exports: [MailService],
    };
  }
}
