import { Module } from '@nestjs/common';
import { MailInServer } from './mail-in.server.js';
import { MailInService } from './mail-in.service.js';
import { MailTriggersRepository } from './mail-triggers.repository.js';

/** Receives emails for workflows. Part of the application if a port is configured. */
@Module({ providers: [MailTriggersRepository, MailInService, MailInServer] })
export class MailInModule {}
