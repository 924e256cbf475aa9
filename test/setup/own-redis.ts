import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPrivateRedis } from '../../src/platform/jobs/private-redis.js';

const log = { debug: () => undefined, warn: console.warn, error: console.error };

/** A separate Redis for a suite that can be made to hang: connections stay open without responses. */
export class OwnRedis {
  private constructor(
    readonly url: string,
    private readonly pid: number,
    private readonly end: () => Promise<void>,
  ) {}

  static async start(): Promise<OwnRedis> {
    const dataDir = await mkdtemp(join(tmpdir(), 'fieldwright-redis-'));
    const server = await startPrivateRedis({ dataDir, log });
    const pid = Number(await readFile(join(dataDir, 'redis/data/redis.pid'), 'utf8'));
    return new OwnRedis(server.url, pid, async () => {
      await server.stop();
      await rm(dataDir, { recursive: true });
    });
  }

  hang(): void {
    process.kill(this.pid, 'SIGSTOP');
  }

  resume(): void {
    process.kill(this.pid, 'SIGCONT');
  }

  async stop(): Promise<void> {
    this.resume();
    await this.end();
  }
}
