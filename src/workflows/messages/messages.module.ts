import { Module } from '@nestjs/common';
import { FiringsModule } from '../runs/firings.module.js';
import { MessageTriggers } from './message-triggers.js';
import { TopicMessages } from './topic-messages.js';

/** Messages on the custom topics of applications. */
@Module({
  imports: [FiringsModule],
  providers: [MessageTriggers, TopicMessages],
  exports: [TopicMessages],
})
export class MessagesModule {}
