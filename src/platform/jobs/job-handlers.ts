import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { definedJobs } from './job-definition.js';
import { handledJob, type JobHandler } from './on-job.js';

type Instance = Record<string, JobHandler<object>>;

/** The handlers of all jobs, found among the providers at start. */
@Injectable()
export class JobHandlers implements OnModuleInit {
  private readonly handlers = new Map<string, JobHandler<object>>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  /** Throws, and so stops the start, unless every defined job has exactly one handler. */
  onModuleInit(): void {
    for (const { instance } of this.discovery.getProviders()) {
      if (typeof instance === 'object' && instance !== null) this.collect(instance as Instance);
    }
    for (const name of definedJobs().keys()) {
      if (!this.handlers.has(name)) throw new Error(`The job ${name} has no handler`);
    }
  }

  find(name: string): JobHandler<object> | undefined {
    return this.handlers.get(name);
  }

  private collect(instance: Instance): void {
    for (const key of this.scanner.getAllMethodNames(Object.getPrototypeOf(instance) as object)) {
      const method = instance[key]!;
      const name = handledJob(method);
      if (name === undefined) continue;
      if (this.handlers.has(name)) throw new Error(`The job ${name} has two handlers`);
      this.handlers.set(name, method.bind(instance));
    }
  }
}
