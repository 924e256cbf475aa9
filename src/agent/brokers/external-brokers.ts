import { readFileSync } from 'node:fs';
import { connect, type MqttClient } from 'mqtt';
import { RunFault } from '../../workflows/engine/run-error.js';
import type { ExternalBroker } from '../config/external-brokers.js';
import { SettingsError } from '../config/settings.js';
import type { Log } from '../log.js';

const RETRY_MS = 10_000;
const PUBLISH_MS = 10_000;

/** Connections to the brokers of the configuration file. */
export class ExternalBrokers {
  private readonly clients = new Map<string, MqttClient>();

  constructor(
    private readonly received: (broker: string, topic: string, message: string) => void,
    private readonly log: Log,
  ) {}

  /** Connects to all brokers, for as long as they are not stopped. Throws a `SettingsError` for a file that cannot be read. */
  start(brokers: ReadonlyMap<string, ExternalBroker>): void {
    for (const [name, broker] of brokers) this.clients.set(name, this.connect(name, broker));
  }

  /** Publishes with QoS 1. Throws a `RunFault`, also if the broker is not connected. */
  async publish(name: string, topic: string, message: string): Promise<void> {
    const client = this.clients.get(name);
    if (!client) throw new RunFault('NotFound', `The configuration has no external broker ${name}`);
    if (!client.connected) throw new RunFault('Unavailable', `The external broker ${name} is not connected`);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      const fault = new RunFault(
        'TimeoutError',
        `The external broker ${name} did not acknowledge the message`,
      );
      timer = setTimeout(() => reject(fault), PUBLISH_MS);
    });
    try {
      await Promise.race([client.publishAsync(topic, message, { qos: 1 }), late]);
    } catch (error) {
      throw error instanceof RunFault ? error : new RunFault('MqttError', (error as Error).message);
    } finally {
      clearTimeout(timer);
    }
  }

  async stop(): Promise<void> {
    await Promise.all([...this.clients.values()].map((client) => client.endAsync(true)));
    this.clients.clear();
  }

  private connect(name: string, broker: ExternalBroker): MqttClient {
    const { url, clientId, username, password, caPath, certificatePath, keyPath, topics = [] } = broker;
    const client = connect(url, {
      clientId,
      username,
      password,
      ca: contentOf(name, caPath),
      cert: contentOf(name, certificatePath),
      key: contentOf(name, keyPath),
      reconnectPeriod: RETRY_MS,
      reconnectOnConnackError: true,
      queueQoSZero: false,
    });
    let lastError = '';
    client.on('error', ({ message }: Error) => {
      if (message !== lastError) this.log.warn(`The external broker ${name} failed: ${message}`);
      lastError = message;
    });
    client.on('message', (topic, payload) => this.received(name, topic, payload.toString()));
    client.on('connect', () => {
      lastError = '';
      this.log.info(`Connected to the external broker ${name}`);
    });
    if (topics.length > 0) client.subscribe([...topics]);
    return client;
  }
}

function contentOf(name: string, path: string | undefined): Buffer | undefined {
  if (path === undefined) return undefined;
  try {
    return readFileSync(path);
  } catch (error) {
    throw new SettingsError(`externalBrokers.${name} cannot be read: ${(error as Error).message}`);
  }
}
