import { jest } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { nanoid } from 'nanoid';
import { SMTPServer } from 'smtp-server';
import type { DataSource } from 'typeorm';
import { compilePlatform, type CompiledPlatform } from '../../../test/setup/compiled.js';
import { freshDatabase, type FreshDatabase } from '../../../test/setup/fresh-database.js';
import { createDataSource } from '../../platform/database/data-source.js';
import { Database } from '../../platform/database/database.js';
import { JobRows } from '../../platform/jobs/job-rows.js';
import { Job } from '../../platform/jobs/job.entity.js';

// The jobs of a killed worker are taken over after twenty seconds, as in production.
jest.setTimeout(120_000);

const FIELD = '@example.com';

/** A mail server on which each recipient determines how the first delivery by a worker ends. */
class MailServer {
  /** Messages accepted for delivery. */
  readonly accepted: { to: string; messageId: string }[] = [];
  readonly hanging = new Set<string>();
  private readonly server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }, _session, done) => this.hangOnce('recipient', address) || done(),
    onData: (stream, { envelope }, done) => {
      const to = envelope.rcptTo[0]!.address;
      void text(stream).then((content) => {
        if (this.hangOnce('content', to)) return;
        this.accepted.push({ to, messageId: /^Message-ID: (.*)\r$/m.exec(content)![1]! });
        if (!this.hangOnce('answer', to)) done();
      });
    },
  });

  async start(): Promise<string> {
    // The disconnect of a killed client is not a server error.
    this.server.on('error', () => undefined);
    this.server.listen(0, '127.0.0.1');
    await once(this.server.server, 'listening');
    return `smtp://127.0.0.1:${(this.server.server.address() as AddressInfo).port}`;
  }

  stop(): Promise<void> {
    return new Promise((done) => this.server.close(done));
  }

  messageIds(of: string): string[] {
    return this.accepted.filter(({ to }) => to === of + FIELD).map(({ messageId }) => messageId);
  }

  /** Returns `true` for the first mail to `<point>@…`, which then gets no response. */
  private hangOnce(point: string, address: string): boolean {
    if (address !== point + FIELD || this.hanging.has(point)) return false;
    this.hanging.add(point);
    return true;
  }
}

describe('Mail of a killed worker', () => {
  const mailServer = new MailServer();
  const workers: ChildProcess[] = [];
  let smtpUrl: string;
  let compiled: CompiledPlatform;
  let dataDir: string;
  let database: FreshDatabase;
  let dataSource: DataSource;

  beforeAll(async () => {
    smtpUrl = await mailServer.start();
    database = await freshDatabase({ migrated: true });
    dataSource = await createDataSource({ url: database.url, entities: [Job] }).initialize();
    dataDir = await mkdtemp(join(tmpdir(), 'fieldwright-mail-'));
    compiled = await compilePlatform();
  });

  afterAll(async () => {
    for (const worker of workers) worker.kill('SIGKILL');
    await mailServer.stop();
    await dataSource.destroy();
    await database.drop();
    await compiled.remove();
    await rm(dataDir, { recursive: true });
  });

  it('arrives once, regardless of the step at which the worker was killed', async () => {
    const jobs: Record<string, string> = {};
    for (const to of ['finished', 'recipient', 'content', 'answer']) jobs[to] = await enqueue(to);
    const first = startWorker();
    await until(
      async () => mailServer.hanging.size === 3 && (await read(jobs.finished!)).status === 'completed',
    );
    first.kill('SIGKILL');
    await once(first, 'exit');
    jobs.later = await enqueue('later');

    const second = startWorker();
    await until(async () =>
      (await Promise.all(Object.values(jobs).map(read))).every(({ status }) => status === 'completed'),
    );
    for (const to of ['finished', 'recipient', 'content', 'later']) {
      expect({ to, messageIds: mailServer.messageIds(to) }).toEqual({
        to,
        messageIds: [`<${jobs[to]}@fieldwright.example>`],
      });
    }
    // The payload may contain secrets, so it is erased when the job has finished.
    expect((await read(jobs.finished!)).payload).toEqual({});
    expect((await read(jobs.finished!)).attempts).toBe(1);
    expect((await read(jobs.content!)).attempts).toBe(2);
    // The server had accepted the mail without confirming, so it is sent twice. Both messages have the same ID.
    expect(new Set(mailServer.messageIds('answer'))).toEqual(
      new Set([`<${jobs.answer}@fieldwright.example>`]),
    );

    second.kill('SIGTERM');
    expect(await once(second, 'exit')).toEqual([0, null]);
  });

  async function enqueue(to: string): Promise<string> {
    const id = nanoid();
    const payload = { to: to + FIELD, subject: 'Hello', text: 'Hello' };
    await new JobRows(new Database(dataSource)).add(dataSource.manager, { id, name: 'mail.send', payload });
    return id;
  }

  function read(id: string): Promise<Job> {
    return dataSource.manager.findOneByOrFail(Job, { id });
  }

  /** Starts the platform as a worker in a separate process. */
  function startWorker(): ChildProcess {
    const env = {
      PATH: process.env.PATH,
      PROCESS_ROLE: 'worker',
      PORT: '0',
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      REDIS_URL: process.env.TEST_REDIS_URL,
      SMTP_URL: smtpUrl,
      MAIL_FROM: 'platform@fieldwright.example',
      LOG_LEVEL: 'warn',
    };
    const worker = spawn(process.execPath, [compiled.program('src/main')], {
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    workers.push(worker);
    return worker;
  }
});

async function until(so: () => Promise<boolean>): Promise<void> {
  while (!(await so())) await new Promise((resolve) => setTimeout(resolve, 50));
}
