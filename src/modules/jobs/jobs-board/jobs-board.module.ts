import { Module, type DynamicModule } from '@nestjs/common';
import type { Config } from '../../../config/config.js';
import { AuthModule } from '../../accounts/auth/auth.module.js';
import { UsersModule } from '../../accounts/users/users.module.js';
import { JobsBoard } from './jobs-board.js';
import { OperatorSignIn } from './operator-sign-in.js';

/** Read-only view of the queue for operators, if it is configured. */
@Module({})
export class JobsBoardModule {
  static on({ JOBS_BOARD }: Config): DynamicModule {
    return {
      module: JobsBoardModule,
      imports: JOBS_BOARD ? [AuthModule, UsersModule] : [],
      providers: JOBS_BOARD ? [JobsBoard, OperatorSignIn] : [],
    };
  }
}
