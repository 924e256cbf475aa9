import { generate } from 'mqtt-packet';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createHistogram } from 'node:perf_hooks';

// The process with the MQTT clients. It has its own core, if possible. Packets are bytes prepared in advance, and only
// types, IDs and payloads of received packets are read.

/** How a client signs in. */
export interface Credentials {
  clientId: string;
  username?: string;
  password?: string;
}

/** Work that the parent requests over IPC. */
export type MqttLoad = { port: number; clients: readonly Credentials[] } & (
  | { kind: 'hold'; concurrency: number }
  | { kind: 'release' }
  | { kind: 'pairs'; qos: 0 | 1; seconds: number; rate?: number }
  | { kind: 'reports'; topicPrefix: string; seconds: number }
);

/** Result of a load: connections or messages, the time they took, and the p99 of their latency in milliseconds. */
export interface MqttResult {
  count: number;
  seconds: number;
  p99: number;
}

/** Messages of a publisher that are under way. */
const WINDOW = 10;
const PAYLOAD_BYTES = 100;
const READ_BYTES = 64 * 1024;
const MAX_ID = 65_535;
/** Longer than a server is busy with the sessions of all clients. */
const SILENCE_MS = 60_000;

/** A client that receives packets of less than 64 KiB. */
class Connection {
  received: (payload: Buffer) => void = () => undefined;
  acknowledged: () => void = () => undefined;
  private isEnding = false;
  private waiter?: (body: Buffer) => void;
  private rest = Buffer.alloc(0);
  private lastId = 0;

  private constructor(private readonly socket: Socket) {}

  static async open(port: number, credentials: Credentials): Promise<Connection> {
    // All sockets share a buffer, of which nothing is kept.
    const read = {
      buffer: READ,
      callback: (size: number): boolean => connection.read(READ.subarray(0, size)),
    };
    const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true, onread: read });
    const connection: Connection = new Connection(socket);
    socket.on('error', (error: Error) => fail(error));
    socket.on('close', () => connection.isEnding || fail(new Error('The server closed a connection')));
    const packet = generate({ cmd: 'connect', clean: true, keepalive: 600, ...credentials } as never);
    const [, code] = await connection.ask(packet);
    if (code !== 0) throw new Error(`CONNACK ${code}`);
    return connection;
  }

  async subscribe(topic: string): Promise<void> {
    const subscriptions = [{ topic, qos: 0 as const }];
    await this.ask(generate({ cmd: 'subscribe', messageId: 1, subscriptions }));
  }

  publish(topic: string, payload: Buffer, qos: 0 | 1): void {
    const messageId = qos ? (this.lastId = (this.lastId % MAX_ID) + 1) : undefined;
    this.socket.write(generate({ cmd: 'publish', topic, payload, qos, messageId } as never));
  }

  async end(): Promise<void> {
    this.isEnding = true;
    this.socket.end(generate({ cmd: 'disconnect' }));
    if (!this.socket.closed) await once(this.socket, 'close');
    heardAt = performance.now();
  }

  private ask(packet: Buffer): Promise<Buffer> {
    return new Promise((resolve) => {
      this.waiter = resolve;
      this.socket.write(packet);
    });
  }

  private read(chunk: Buffer): true {
    heardAt = performance.now();
    let bytes = this.rest.length > 0 ? Buffer.concat([this.rest, chunk]) : chunk;
    for (;;) {
      const isLong = bytes.length > 1 && bytes[1]! > 127;
      const start = isLong ? 3 : 2;
      const end = start + ((bytes[1] ?? 0) & 127) + (isLong ? (bytes[2] ?? 0) * 128 : 0);
      if (bytes.length < start || bytes.length < end) break;
      this.handle(bytes[0]! >> 4, bytes.subarray(start, end));
      bytes = bytes.subarray(end);
    }
    this.rest = bytes.length > 0 ? Buffer.from(bytes) : NOTHING;
    return true;
  }

  private handle(type: number, body: Buffer): void {
    if (type === 3) this.received(body.subarray(2 + body.readUInt16BE(0)));
    else if (type === 4) this.acknowledged();
    else this.waiter?.(body);
  }
}

const READ = Buffer.allocUnsafeSlow(READ_BYTES);
const NOTHING = Buffer.alloc(0);
const held: Connection[] = [];
/** Time at which the last bytes were received. */
let heardAt = 0;
let fail: (error: Error) => void = () => undefined;

/** Connects clients and keeps them connected until they are released. */
async function hold({ port, clients, concurrency }: MqttLoad & { kind: 'hold' }): Promise<MqttResult> {
  const micros = createHistogram();
  const began = performance.now();
  let next = 0;
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (next < clients.length) {
        const asked = performance.now();
        held.push(await Connection.open(port, clients[next++]!));
        micros.record(Math.max(1, Math.round((performance.now() - asked) * 1_000)));
      }
    }),
  );
  return resultOf(micros, began);
}

/** Publishes from the first half of the clients to the second half, each on a topic of its own. */
async function pairs(load: MqttLoad & { kind: 'pairs' }): Promise<MqttResult> {
  const { port, clients, qos, rate } = load;
  const half = clients.length / 2;
  const micros = createHistogram();
  const all = await Promise.all(clients.map((client) => Connection.open(port, client)));
  const began = performance.now();
  const end = began + load.seconds * 1_000;
  await Promise.all(
    all.slice(0, half).map(async (publisher, i) => {
      const topic = `bench/pair-${i}`;
      const subscriber = all[half + i]!;
      await subscriber.subscribe(topic);
      let open = 0;
      const publish = (): void => {
        const payload = Buffer.alloc(PAYLOAD_BYTES);
        payload.writeDoubleBE(performance.now());
        open++;
        publisher.publish(topic, payload, qos);
      };
      await new Promise<void>((resolve) => {
        const settle = (): void => {
          open--;
          if (performance.now() < end && !rate) publish();
          else if (open === 0 && performance.now() >= end) resolve();
        };
        subscriber.received = (payload) => {
          micros.record(Math.max(1, Math.round((performance.now() - payload.readDoubleBE(0)) * 1_000)));
          if (qos === 0) settle();
        };
        if (qos === 1) publisher.acknowledged = settle;
        if (!rate) for (let n = 0; n < WINDOW; n++) publish();
        else {
          const timer = setInterval(
            () => {
              if (performance.now() < end) return publish();
              clearInterval(timer);
              if (open === 0) resolve();
            },
            (half / rate) * 1_000,
          );
        }
      });
    }),
  );
  const result = resultOf(micros, began);
  await Promise.all(all.map((connection) => connection.end()));
  return result;
}

/** Publishes reports with QoS 1, and counts those that are acknowledged. */
async function reports(load: MqttLoad & { kind: 'reports' }): Promise<MqttResult> {
  const { port, clients, topicPrefix } = load;
  const micros = createHistogram();
  const all = await Promise.all(clients.map((client) => Connection.open(port, client)));
  const began = performance.now();
  const end = began + load.seconds * 1_000;
  await Promise.all(
    all.map(
      (device, i) =>
        new Promise<void>((resolve) => {
          const sent: number[] = [];
          let n = 0;
          const publish = (): void => {
            sent.push(performance.now());
            const report = JSON.stringify({ data: { a1: n++ % 97 } });
            device.publish(`${topicPrefix}/${clients[i]!.clientId}/state`, Buffer.from(report), 1);
          };
          // Acknowledgments have the order of the messages.
          device.acknowledged = () => {
            micros.record(Math.max(1, Math.round((performance.now() - sent.shift()!) * 1_000)));
            if (performance.now() < end) publish();
            else if (sent.length === 0) resolve();
          };
          for (let k = 0; k < WINDOW; k++) publish();
        }),
    ),
  );
  const result = resultOf(micros, began);
  await Promise.all(all.map((connection) => connection.end()));
  return result;
}

const resultOf = (micros: ReturnType<typeof createHistogram>, began: number): MqttResult => ({
  count: micros.count,
  seconds: (performance.now() - began) / 1_000,
  p99: micros.percentile(99) / 1_000,
});

async function release(): Promise<MqttResult> {
  const micros = createHistogram();
  const began = performance.now();
  await Promise.all(held.splice(0).map((connection) => connection.end()));
  return resultOf(micros, began);
}

function workOf(load: MqttLoad): Promise<MqttResult> {
  switch (load.kind) {
    case 'hold':
      return hold(load);
    case 'release':
      return release();
    case 'pairs':
      return pairs(load);
    case 'reports':
      return reports(load);
  }
}

/** A message or response that is lost would otherwise be awaited forever. */
async function run(load: MqttLoad): Promise<MqttResult> {
  const failed = new Promise<never>((_, reject) => (fail = reject));
  const check = setInterval(() => {
    if (performance.now() - heardAt > SILENCE_MS)
      fail(new Error(`Nothing was received for ${SILENCE_MS / 1_000} s during: ${load.kind}`));
  }, 1_000);
  heardAt = performance.now();
  return Promise.race([workOf(load), failed]).finally(() => clearInterval(check));
}

process.on('message', (load: MqttLoad) => {
  run(load).then(
    (result) => process.send!(result),
    (error: Error) => process.send!({ failure: error.message }),
  );
});
