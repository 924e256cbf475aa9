import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import type { JobDefinition } from './job-definition.js';
import { handledJob, type JobHandler } from './on-job.js';

type Instance = Record<string, JobHandler<object>>;

/** Injection token of all job definitions, as passed to the module. */
export const JOB_DEFINITIONS = Symbol('job definitions');

interface JobRegistration {
  definition: JobDefinition<object>;
  handle: JobHandler<object>;
}

/** Handlers of all jobs, collected from the providers at start. */
@Injectable()
export class JobHandlers implements OnModuleInit {
  private readonly defined = new Map<string, JobDefinition<object>>();
  private readonly handlers = new Map<string, JobRegistration>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    @Inject(JOB_DEFINITIONS) private readonly definitions: readonly JobDefinition<object>[],
  ) {}

  /**
   * Throws, and so stops the start, unless every job is defined once and has exactly one handler. A constructor that throws
   * would leave connections open that other providers have made.
   */
  onModuleInit(): void {
    for (const definition of this.definitions) {
      const { name } = definition;
      if (this.defined.has(name)) throw new Error(`The job ${name} is defined twice`);
      this.defined.set(name, definition);
    }
    for (const { instance } of this.discovery.getProviders()) {
      if (typeof instance === 'object' && instance !== null) this.collect(instance as Instance);
    }
    for (const name of this.defined.keys()) {
      if (!this.handlers.has(name)) throw new Error(`The job ${name} has no handler`);
    }
  }

  find(name: string): JobRegistration | undefined {
    return this.handlers.get(name);
  }

  private collect(instance: Instance): void {
    for (const key of this.scanner.getAllMethodNames(Object.getPrototypeOf(instance) as object)) {
      const method = instance[key]!;
      const name = handledJob(method);
      if (name === undefined) continue;
      const definition = this.defined.get(name);
      if (!definition) throw new Error(`The job ${name} has a handler, but is not listed`);
      if (this.handlers.has(name)) throw new Error(`The job ${name} has two handlers`);
      this.handlers.set(name, { definition, handle: method.bind(instance) });
    }
  }
}
