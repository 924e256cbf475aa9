import { BullModule, InjectQueue } from '@nestjs/bull';
import {
  Global,
  Module,
  type BeforeApplicationShutdown,
  type DynamicModule,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import type { Queue } from 'bull';
import { DataSource } from 'typeorm';
import type { JobDefinition } from './job-definition.js';
import { JOB_DEFINITIONS, JobHandlers } from './job-handlers.js';
import { JobMetrics } from './job-metrics.js';
import { JobRows } from './job-rows.js';
import { JobsProcessor } from './jobs.processor.js';
import { JobsService } from './jobs.service.js';
import { QUEUE, QueueConnections } from './queue.js';
import { Reconciler } from './reconciler.js';
import { REDIS_URL } from './redis.js';

/** Provides jobs: all processes can enqueue them, processes with the worker role run them. */
@Global()
@Module({})
export class JobsModule implements BeforeApplicationShutdown, OnApplicationShutdown {
  constructor(
    private readonly connections: QueueConnections,
    @InjectQueue(QUEUE) private readonly queue: Queue,
  ) {}

  static on(definitions: readonly JobDefinition<object>[]): DynamicModule {
    const connections = new QueueConnections();
    return {
      module: JobsModule,
      imports: [
        DiscoveryModule,
        BullModule.registerQueueAsync({
          name: QUEUE,
          inject: [REDIS_URL, DataSource],
          useFactory: (redisUrl: string, { driver }: DataSource) =>
            connections.options(redisUrl, driver.database!),
        }),
      ],
      providers: [
        { provide: QueueConnections, useValue: connections },
        { provide: JOB_DEFINITIONS, useValue: definitions },
        JobRows,
        JobHandlers,
        JobsService,
        JobsProcessor,
        Reconciler,
        JobMetrics,
      ],
      exports: [JobsService, JobRows, BullModule],
    };
  }

  /** Runs before Bull's module closes the queue, which would wait indefinitely. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.connections.end(this.queue);
  }

  onApplicationShutdown(): void {
    this.connections.close();
  }
}
