import { Module, Global } from '@nestjs/common';
import { MailService } from './mail.service.js';
@Global()
@Module({})
export class MailModule {
  static on(_c: unknown) {
    return { module: MailModule, providers: [MailService], exports: [MailService] };
  }
}
