import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { Aedes, type Client } from 'aedes';
import { equalSecrets } from '../../lib/crypto/hashes.js';
import { RunFault } from '../../workflows/engine/run-error.js';
import type { ServerConfig } from '../config/agent-config.js';
import type { Log } from '../log.js';

/** Message on the broker; `clientId` is `null` if a workflow or the broker itself has sent it. */
export interface LocalMessage {
  readonly clientId: string | null;
  readonly topic: string;
  readonly message: string;
}

const MAX_CONNECTIONS = 1_000;
const MAX_BYTES = 256 * 1024;
const HEARTBEAT_MS = 60_000;

/** The agent's own broker, for devices in its network. It passes nothing on to the platform by itself. */
export class LocalBroker {
  private broker?: Aedes;
  private server?: Server;

  constructor(
    private readonly received: (message: LocalMessage) => void,
    private readonly log: Log,
  ) {}

  /** Port of the broker, once it is started. */
  get port(): number | undefined {
    const address = this.server?.address();
    return typeof address === 'object' ? address?.port : undefined;
  }

  /** Rejects if the port is not free. */
  async start({ port, address, basic, tls }: ServerConfig): Promise<void> {
    const broker = await Aedes.createBroker({
      // The second level of its own topics: $SYS/broker/heartbeat, $SYS/broker/new/clients and $SYS/broker/disconnect/clients.
      id: 'broker',
      heartbeatInterval: HEARTBEAT_MS,
      authenticate: (_client, username, password, done) => {
        const isKnown =
          !basic || (equal(username, basic.username) && equal(password?.toString(), basic.password));
        done(null, isKnown);
      },
      authorizePublish: (_client, { topic, payload }, done) => {
        if (topic.startsWith('$')) return done(new Error('Topics that begin with $ are reserved'));
        done(payload.length > MAX_BYTES ? new Error(`A message must have at most ${MAX_BYTES} bytes`) : null);
      },
    });
    broker.on('publish', ({ topic, payload }, client: Client | null) => {
      if (!topic.startsWith('$'))
        this.received({ clientId: client?.id ?? null, topic, message: payload.toString() });
    });
    broker.on('clientError', (client, { message }) =>
      this.log.debug(`The client ${client.id} failed: ${message}`),
    );
    const handle = (socket: Parameters<Aedes['handle']>[0]): void => void broker.handle(socket);
    const server = tls
      ? createTlsServer(
          {
            key: tls.key,
            cert: tls.cert,
            ...(tls.clientCa === undefined
              ? {}
              : { ca: tls.clientCa, requestCert: true, rejectUnauthorized: true }),
          },
          handle,
        )
      : createServer(handle);
    server.maxConnections = MAX_CONNECTIONS;
    try {
      await once(server.listen(port, address), 'listening');
    } catch (error) {
      broker.close();
      throw error;
    }
    this.broker = broker;
    this.server = server;
    this.log.info(`Local broker started on port ${this.port}`);
  }

  /** Publishes a message of a workflow. Throws a `RunFault` if the broker is not enabled. */
  async publish(topic: string, message: string): Promise<void> {
    const { broker } = this;
    if (!broker) throw new RunFault('NotAvailable', 'The local broker is not enabled');
    await new Promise<void>((resolve, reject) =>
      broker.publish(
        { cmd: 'publish', topic, payload: Buffer.from(message), qos: 0, retain: false, dup: false },
        (error) => (error ? reject(new RunFault('MqttError', error.message)) : resolve()),
      ),
    );
  }

  async stop(): Promise<void> {
    const { broker, server } = this;
    this.broker = this.server = undefined;
    if (!broker || !server) return;
    const closed = once(server, 'close');
    server.close();
    await new Promise<void>((resolve) => broker.close(resolve));
    await closed;
  }
}

const equal = (given: string | undefined, wanted: string): boolean => equalSecrets(given ?? '', wanted);
