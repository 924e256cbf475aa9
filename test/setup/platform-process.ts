import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { waitUntil } from './until.js';

const READY = /ready (?:at|; its probes are at) (http:\S+)/;
const STARTING_MS = 60_000;

/** Suites exceed the rate limits of normal callers, and run beside each other. Those that need MQTT choose a free port. */
export const UNLIMITED = {
  REQUESTS_PER_TOKEN: '999999999',
  REQUESTS_PER_OWNER: '999999999',
  REQUESTS_PER_FLEET: '999999999',
  MESSAGES_PER_DEVICE: '0',
  EXPORT_INTERVAL: '0',
  MQTT_PORT: '0',
  SITES_PORT: '0',
  MQTT_CONNECTIONS_PER_APPLICATION: '0',
  MQTT_MESSAGES_PER_CLIENT: '0',
  MQTT_MESSAGES_PER_TOPIC: '0',
};

/** Key of the secrets in the databases of tests: a platform refuses a database with secrets of another key. */
export const SECRETS_KEY = Buffer.alloc(32, 1).toString('base64');

/** The platform in a separate process, as in production; `program` is the compiled `src/main`. */
export class PlatformProcess {
  /** Complete output of the process. */
  output = '';
  readonly exited: Promise<number | null>;
  private readonly child: ChildProcess;

  constructor(program: string, env: Readonly<Record<string, string>>, cwd?: string) {
    this.child = spawn(process.execPath, [program], {
      cwd,
      env: { PATH: process.env.PATH, PORT: '0', LOG_LEVEL: 'warn', ...UNLIMITED, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.child.stdout!, this.child.stderr!])
      stream.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    this.exited = once(this.child, 'close').then(([code]) => code as number | null);
  }

  /** Resolves to the URL once the process is ready; rejects with its output if it ends instead. */
  async url(): Promise<string> {
    const ended = () => this.child.exitCode !== null || this.child.signalCode !== null;
    await waitUntil(async () => READY.test(this.output) || ended(), STARTING_MS);
    const [, url] = READY.exec(this.output) ?? [];
    if (!url) throw new Error(`The platform did not start: ${this.output}`);
    return url;
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Stops the process gracefully and returns its exit code. */
  async stop(): Promise<number | null> {
    this.kill('SIGTERM');
    return this.exited;
  }
}
