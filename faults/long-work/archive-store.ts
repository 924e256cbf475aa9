import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/** Latency of a write. A real store is slower than memory, and a worker can be killed during a write. */
const PUT_MS = 25;

/**
 * The part of an S3 store that small archives need: objects uploaded in one request. An interrupted upload stores
 * nothing.
 */
export class ArchiveStore {
  readonly settings = {
    bucket: 'archive',
    region: 'eu-central-1',
    accessKeyId: 'faults',
    secretAccessKey: 'faults',
  };
  private readonly objects = new Map<string, string>();
  private readonly server = createServer((request, response) => {
    if (request.method !== 'PUT') return void response.writeHead(405).end();
    const { pathname } = new URL(request.url!, 'http://store');
    text(request)
      .then(async (content) => {
        await sleep(PUT_MS);
        this.objects.set(decodeURIComponent(pathname), content);
        response.setHeader('ETag', '"etag"').end();
      })
      .catch(() => response.destroy());
  });

  /** Starts the store and returns its origin. */
  async start(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Returns the objects of a directory by key relative to it, without those written when settings are tested. */
  in(directory: string): ReadonlyMap<string, string> {
    const folder = `/${this.settings.bucket}/${directory}/`;
    const all = [...this.objects].filter(([key]) => key.startsWith(folder) && !key.endsWith('.txt'));
    return new Map(all.map(([key, content]) => [key.slice(folder.length), content]));
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
