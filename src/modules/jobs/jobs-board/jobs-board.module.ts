import { Module } from '@nestjs/common';
import { AuthModule } from '../../accounts/auth/auth.module.js';
import { JobsBoard } from './jobs-board.js';
import { OperatorSignIn } from './operator-sign-in.js';

/** The queue, for operators to look at. */
@Module({
  imports: [AuthModule],
  providers: [JobsBoard, OperatorSignIn],
})
export class JobsBoardModule {}
