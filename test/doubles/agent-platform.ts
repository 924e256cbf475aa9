import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Aedes } from 'aedes';
import { waitUntil } from '../setup/until.js';

export interface PlatformMessage {
  topic: string;
  value: any;
}

/** A broker that does for one gateway what the platform does, when the test says so. */
export class AgentPlatform {
  readonly received: PlatformMessage[] = [];
  /** Filters that are subscribed to. */
  readonly filters = new Set<string>();
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;

  private constructor(
    private readonly broker: Aedes,
    readonly deviceId: string,
  ) {
    broker.on('publish', ({ topic, payload }, client) => {
      if (client) this.received.push({ topic, value: valueOf(payload.toString()) });
    });
    broker.on('subscribe', (subscriptions) => subscriptions.forEach(({ topic }) => this.filters.add(topic)));
    broker.on('unsubscribe', (topics) => topics.forEach((topic) => this.filters.delete(topic)));
    this.server = createServer((socket) => {
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket));
      socket.on('error', () => undefined);
      broker.handle(socket);
    });
  }

  static async start(deviceId: string): Promise<AgentPlatform> {
    const broker = await Aedes.createBroker({
      authenticate: (client, username, password, done) => {
        const given = `${client.id} ${username} ${password?.toString()}`;
        done(null, given === `${deviceId} key secret`);
      },
    });
    const platform = new AgentPlatform(broker, deviceId);
    await once(platform.server.listen(0, '127.0.0.1'), 'listening');
    return platform;
  }

  get url(): string {
    return `mqtt://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get isConnected(): boolean {
    return this.broker.connectedClients > 0;
  }

  /** Messages of the gateway on a topic, after its ID. */
  of(name: string): any[] {
    const topic = `fieldwright/${this.deviceId}/${name}`;
    return this.received.filter((message) => message.topic === topic).map(({ value }) => value);
  }

  /** Returns the states that were received, one by one. */
  get states(): any[] {
    return this.of('state').flat();
  }

  /** Resolves with the next hello; forgets all messages before. */
  async hello(): Promise<any> {
    await waitUntil(async () => this.of('fromAgent/hello').length > 0);
    const hello = this.of('fromAgent/hello').at(-1);
    this.received.length = 0;
    return hello;
  }

  /** Sends a message on a topic of the gateway. */
  send(name: string, message: object | Buffer): Promise<void> {
    return this.publish(`fieldwright/${this.deviceId}/${name}`, message);
  }

  async publish(topic: string, message: object | Buffer | string): Promise<void> {
    const payload =
      typeof message === 'string' || Buffer.isBuffer(message)
        ? Buffer.from(message)
        : Buffer.from(JSON.stringify(message));
    await new Promise<void>((resolve, reject) =>
      this.broker.publish({ cmd: 'publish', topic, payload, qos: 0, retain: false, dup: false }, (error) =>
        error ? reject(error) : resolve(),
      ),
    );
  }

  /** Releases a workflow, and resolves with the report of the agent. */
  async release(flow: object, ...removed: string[]): Promise<any> {
    this.received.length = 0;
    await this.send('toAgent/flows', { set: [flow], remove: removed });
    await waitUntil(async () => this.of('fromAgent/flows').length > 0);
    return this.of('fromAgent/flows')[0].at(-1);
  }

  /** Breaks all connections. */
  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async stop(): Promise<void> {
    this.cut();
    const closed = once(this.server, 'close');
    this.server.close();
    await new Promise<void>((resolve) => this.broker.close(resolve));
    await closed;
  }
}

function valueOf(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
