import { Injectable } from '@nestjs/common';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { waitForEnd, enqueue, eventually, readJob, jobProcesses } from '../../../test/setup/job-process.js';
import { defineJob } from './job-definition.js';
import { OnJob } from './on-job.js';

const DOUBLE = defineJob<{ n: number }>('test.double');
const JOBS = [DOUBLE];

@Injectable()
class Handler {
  @OnJob(DOUBLE)
  async double({ n }: { n: number }): Promise<object> {
    return { n: 2 * n };
  }
}

@Injectable()
class SecondHandler {
  @OnJob(DOUBLE)
  async again(): Promise<void> {}
}

const redisUrl = process.env.TEST_REDIS_URL!;
const start = jobProcesses({ handlers: [Handler], jobs: JOBS });

describe('The start of a process', () => {
  it('fails if a job has no handler', async () => {
    await expect(start({ runsWorker: false, handlers: [] })).rejects.toThrow(
      'The job test.double has no handler',
    );
  });

  it('fails if a job has two handlers', async () => {
    await expect(start({ runsWorker: false, handlers: [Handler, SecondHandler] })).rejects.toThrow(
      'The job test.double has two handlers',
    );
  });

  it('fails if a job is defined twice', async () => {
    const jobs = [...JOBS, defineJob('test.double')];
    await expect(start({ runsWorker: false, jobs })).rejects.toThrow('The job test.double is defined twice');
  });

  it('fails if a job with a handler is not listed', async () => {
    await expect(start({ runsWorker: false, jobs: [] })).rejects.toThrow(
      'The job test.double has a handler, but is not listed',
    );
  });
});

describe('A process without Redis', () => {
  it.each([false, true])('accepts jobs, starts and stops (worker: %s)', async (runsWorker) => {
    const app = await start({ runsWorker, redisUrl: withPort(await closedPort()) });
    const id = await enqueue(app, DOUBLE, { n: 5 });
    expect(await readJob(app, id)).toMatchObject({ status: 'queued' });
    await app.close();
  });

  it('keeps jobs waiting, and runs them once Redis is available again', async () => {
    const port = await closedPort();
    const app = await start({ runsWorker: true, redisUrl: withPort(port) });
    const id = await enqueue(app, DOUBLE, { n: 6 });
    const sockets: Socket[] = [];
    const relay = createServer((socket) => {
      const redis = connect(Number(new URL(redisUrl).port), '127.0.0.1');
      sockets.push(
        socket.on('error', () => redis.destroy()),
        redis.on('error', () => socket.destroy()),
      );
      socket.pipe(redis).pipe(socket);
    }).listen(port, '127.0.0.1');
    expect(await eventually(app, id, waitForEnd)).toMatchObject({ status: 'completed', result: { n: 12 } });
    for (const socket of sockets) socket.destroy();
    const next = await enqueue(app, DOUBLE, { n: 7 });
    expect(await eventually(app, next, waitForEnd)).toMatchObject({ status: 'completed', result: { n: 14 } });
    await app.close();
    relay.close();
  });
});

function withPort(port: number): string {
  return Object.assign(new URL(redisUrl), { port: String(port) }).href;
}

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
