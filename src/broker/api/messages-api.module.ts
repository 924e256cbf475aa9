import { Module } from '@nestjs/common';
import { MessagesModule } from '../../workflows/messages/messages.module.js';
import { DevicesModule } from '../../modules/devices/devices/devices.module.js';
import { ApplicationMessagesController } from './application-messages.controller.js';
import { ApplicationMessagesService } from './application-messages.service.js';

/** Messages of applications in the API, in processes of any role. */
@Module({
  imports: [DevicesModule, MessagesModule],
  controllers: [ApplicationMessagesController],
  providers: [ApplicationMessagesService],
})
export class MessagesApiModule {}
