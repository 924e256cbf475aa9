import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/**
 * A proxy in front of a server that simulates network failures: `refuse` closes all connections and rejects new ones,
 * `stall` keeps them open but forwards nothing, `restore` ends either state.
 */
export class Proxy {
  private readonly sockets = new Set<Socket>();
  private server: Server;
  private port = 0;
  private stalled = false;

  private constructor(private readonly target: URL) {}

  static async before(target: string): Promise<Proxy> {
    const proxy = new Proxy(new URL(target));
    await proxy.listen();
    return proxy;
  }

  /** URL of the target through the proxy. */
  get url(): string {
    return Object.assign(new URL(this.target), { hostname: '127.0.0.1', port: String(this.port) }).href;
  }

  async refuse(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  stall(): void {
    this.stalled = true;
    for (const socket of this.sockets) socket.pause();
  }

  /** Closes stalled connections. */
  async restore(): Promise<void> {
    this.stalled = false;
    for (const socket of this.sockets) socket.destroy();
    if (!this.server.listening) await this.listen();
  }

  private async listen(): Promise<void> {
    this.server = createServer((inner) => {
      const outer = connect(Number(this.target.port), this.target.hostname);
      for (const [from, to] of [
        [inner, outer],
        [outer, inner],
      ] as const) {
        this.sockets.add(from);
        from.on('data', (chunk) => to.write(chunk));
        from.on('error', () => undefined);
        from.on('close', () => {
          this.sockets.delete(from);
          to.destroy();
        });
        if (this.stalled) from.pause();
      }
    });
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
    this.port = (this.server.address() as AddressInfo).port;
  }
}
