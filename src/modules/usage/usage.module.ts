import { Module, type DynamicModule } from '@nestjs/common';
import { PayloadDaysRetention, PayloadHoursRetention } from './usage-retention.js';

/** What applications, owners and instances use: payloads, devices and minutes of notebooks, counted over time. */
@Module({})
export class UsageModule {
  static on({ runsWorker }: { runsWorker: boolean }): DynamicModule {
    return {
      module: UsageModule,
      providers: runsWorker ? [PayloadHoursRetention, PayloadDaysRetention] : [],
    };
  }
}
