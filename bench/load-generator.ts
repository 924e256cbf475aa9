import type { Load, LoadResult } from './load.js';
import { launch, messageOf, type Child } from './processes.js';

/** The process that sends requests, from its parent's side. */
export class LoadGenerator {
  private constructor(private readonly child: Child) {}

  /** Starts the process on a core that no server uses. */
  static start(): LoadGenerator {
    return new LoadGenerator(launch('./load.js', { core: 1 }));
  }

  /** Sends the load and returns the result; throws if a request failed. */
  async send(load: Load): Promise<LoadResult> {
    this.child.send(load);
    const result = await messageOf<LoadResult | { failure: string }>(this.child);
    if ('failure' in result) throw new Error(result.failure);
    return result;
  }

  stop(): void {
    this.child.kill();
  }
}
