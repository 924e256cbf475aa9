import { Module } from '@nestjs/common';
import { AuthModule } from '../../accounts/auth/auth.module.js';
import { JobsBoard } from './jobs-board.js';
import { OperatorSignIn } from './operator-sign-in.js';

/** Read-only view of the queue for operators. */
@Module({
  imports: [AuthModule],
  providers: [JobsBoard, OperatorSignIn],
})
export class JobsBoardModule {}
