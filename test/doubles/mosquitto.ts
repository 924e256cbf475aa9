import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { TestKey } from '../make/device-tokens.js';
import { freePort } from '../setup/free-port.js';
import { waitUntil } from '../setup/until.js';

const execute = promisify(execFile);
const REPEAT_MS = 300;
/** Debian installs it where only administrators have it on their PATH. */
const SERVER = '/usr/sbin/mosquitto';
const isInstalled = spawnSync('mosquitto_sub', ['--help']).error === undefined;

/** Declares tests with the clients of Mosquitto, skipped if these are missing. */
export function describeMosquitto(what: string, tests: () => void): void {
  const describeIf = isInstalled ? describe : describe.skip;
  describeIf(`${what}${isInstalled ? '' : ' (skipped: mosquitto-clients is not installed)'}`, tests);
}

const listens = (port: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(Number(port), '127.0.0.1', () => resolve(true));
    socket.on('error', () => resolve(false)).on('connect', () => socket.destroy());
  });

/** Declares a test with a Mosquitto, skipped if it is missing. */
export function itWithServer(what: string, test: () => Promise<void>): void {
  const isThere = existsSync(SERVER);
  (isThere ? it : it.skip)(`${what}${isThere ? '' : ' (skipped: mosquitto is not installed)'}`, test);
}

/** A Mosquitto that accepts every client. */
export class MosquittoServer {
  private constructor(
    readonly url: string,
    private readonly folder: string,
    private readonly child: ChildProcess,
  ) {}

  /** Starts it with these lines in its configuration. */
  static async start(lines: string): Promise<MosquittoServer> {
    const folder = await mkdtemp(join(tmpdir(), 'mosquitto-'));
    const port = await freePort();
    const file = join(folder, 'mosquitto.conf');
    await writeFile(file, `listener ${port} 127.0.0.1\nallow_anonymous true\n${lines}`);
    const child = spawn(SERVER, ['-c', file], { stdio: 'ignore' });
    await waitUntil(() => listens(port));
    return new MosquittoServer(`mqtt://127.0.0.1:${port}`, folder, child);
  }

  async stop(): Promise<void> {
    const exited = once(this.child, 'exit');
    this.child.kill();
    if (this.child.exitCode === null && this.child.signalCode === null) await exited;
    await rm(this.folder, { recursive: true });
  }
}

/** A device whose messages are sent and received by the clients of Mosquitto, with a process for each call. */
export class Mosquitto {
  constructor(
    private readonly url: string,
    private readonly deviceId: string,
    private readonly key: Pick<TestKey, 'key' | 'secret'>,
  ) {}

  /** Publishes a message with QoS 1. Rejects with the text of the client. */
  async publish(topic: string, message: string): Promise<void> {
    await execute('mosquitto_pub', [...this.options, '-q', '1', '-t', topic, '-m', message]);
  }

  /** Receives a message on a topic. Calls `send` repeatedly, because the client does not say when it has subscribed. */
  async receive(topic: string, send: () => Promise<unknown>): Promise<string> {
    const running = execute('mosquitto_sub', [...this.options, '-t', topic, '-C', '1', '-W', '20']);
    let hasEnded = false;
    const ended = running.finally(() => (hasEnded = true));
    ended.catch(() => undefined);
    while (!hasEnded) {
      await send();
      await Promise.race([sleep(REPEAT_MS), ended]);
    }
    return (await running).stdout.trimEnd();
  }

  private get options(): string[] {
    const { hostname, port } = new URL(this.url);
    const { key, secret } = this.key;
    return ['-h', hostname, '-p', port, '-V', 'mqttv311', '-i', this.deviceId, '-u', key, '-P', secret];
  }
}
