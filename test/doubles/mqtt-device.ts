import { connectAsync, type IClientOptions, type MqttClient } from 'mqtt';
import { waitUntil } from '../setup/until.js';
import type { TestKey } from '../make/device-tokens.js';

/** A message as a device receives it. */
export interface ReceivedMessage {
  topic: string;
  payload: Buffer;
  text: string;
}

/** A device that is connected over MQTT, with the npm client `mqtt`. */
export class MqttDevice {
  readonly received: ReceivedMessage[] = [];
  /** Whether the broker has closed the connection. */
  isClosed = false;

  private constructor(readonly client: MqttClient) {
    client.on('message', (topic, payload) =>
      this.received.push({ topic, payload, text: payload.toString() }),
    );
    client.on('close', () => (this.isClosed = true));
    client.on('error', () => undefined);
  }

  /** Connects a device. Rejects with the error of the client, whose `code` is that of the CONNACK. */
  static async connect(
    url: string,
    deviceId: string,
    { key, secret }: Pick<TestKey, 'key' | 'secret'>,
    options: IClientOptions = {},
  ): Promise<MqttDevice> {
    const given = { clientId: deviceId, username: key, password: secret, ...options };
    const client = await connectAsync(url, { reconnectPeriod: 0, connectTimeout: 20_000, ...given }, false);
    return new MqttDevice(client);
  }

  /** Subscribes to filters, and returns the granted QoS or 128 for each. */
  async subscribe(...filters: string[]): Promise<number[]> {
    return new Promise((resolve, reject) => {
      this.client.subscribe(filters, (error, granted, packet) => {
        const codes = packet?.granted as number[] | undefined;
        if (codes) resolve(codes);
        else reject(error ?? new Error(`No SUBACK: ${JSON.stringify(granted)}`));
      });
    });
  }

  /** Publishes with QoS 1, and resolves when it is acknowledged. Objects are sent as JSON. */
  async publish(topic: string, message: unknown, qos: 0 | 1 = 1): Promise<void> {
    const text = typeof message === 'string' || Buffer.isBuffer(message) ? message : JSON.stringify(message);
    await this.client.publishAsync(topic, text, { qos });
  }

  /** Resolves when this many messages were received, and returns their texts. */
  async texts(count: number): Promise<string[]> {
    await waitUntil(async () => this.received.length >= count);
    return this.received.map(({ text }) => text);
  }

  /** Resolves when the broker has closed the connection. */
  async ends(): Promise<void> {
    await waitUntil(async () => this.isClosed);
  }

  async disconnect(): Promise<void> {
    await this.client.endAsync();
  }

  /** Breaks the connection without a DISCONNECT. */
  break(): void {
    this.client.stream.destroy();
  }
}

/** Returns the code of the CONNACK with which a connection is refused; 0 if it is accepted. */
export async function connackOf(connecting: Promise<MqttDevice>): Promise<number | string> {
  try {
    await (await connecting).disconnect();
    return 0;
  } catch (error) {
    const { code, message } = error as Error & { code?: number };
    return code ?? message;
  }
}
