import { once } from 'node:events';
import type { Load, LoadResult } from './load.js';
import { launch, type Child } from './processes.js';

/** The process that sends requests, as its parent sees it. */
export class LoadGenerator {
  private constructor(private readonly child: Child) {}

  /** Starts it, on a core that no server has. */
  static start(): LoadGenerator {
    return new LoadGenerator(launch('./load.js', { core: 1 }));
  }

  /** Sends, and tells what came of it; throws where a request failed. */
  async send(load: Load): Promise<LoadResult> {
    this.child.send(load);
    const [result] = (await once(this.child, 'message')) as [LoadResult | { failure: string }];
    if ('failure' in result) throw new Error(result.failure);
    return result;
  }

  stop(): void {
    this.child.kill();
  }
}
