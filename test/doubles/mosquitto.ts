import { execFile, spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { TestKey } from '../make/device-tokens.js';

const execute = promisify(execFile);
const REPEAT_MS = 300;
const isInstalled = spawnSync('mosquitto_sub', ['--help']).error === undefined;

/** Declares tests with the clients of Mosquitto, skipped if these are missing. */
export function describeMosquitto(what: string, tests: () => void): void {
  const describeIf = isInstalled ? describe : describe.skip;
  describeIf(`${what}${isInstalled ? '' : ' (skipped: mosquitto-clients is not installed)'}`, tests);
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
