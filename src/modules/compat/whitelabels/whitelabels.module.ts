import { Module } from '@nestjs/common';
import { WhitelabelsController } from './whitelabels.controller.js';

@Module({ controllers: [WhitelabelsController] })
export class WhitelabelsModule {}
