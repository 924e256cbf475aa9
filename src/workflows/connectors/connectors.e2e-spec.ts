import { readFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { connectedNodes } from '../../../test/doubles/connected-nodes.js';
import { waitUntil } from '../../../test/setup/until.js';
import type { ConnectorCall } from '../engine/ports.js';

const ACTOR = { id: 'run', applicationId: 'application', flowId: 'flow' };

/** Returns a reply for each command in what a client sent. */
const replyTo = (data: Buffer, reply: string): string =>
  reply.repeat(String(data).match(/^\*\d+\r$/gm)?.length ?? 0);

describe('The process of connectors', () => {
  const sockets = new Set<Socket>();
  let answer: (socket: Socket) => void = () => undefined;
  const server: Server = createServer((socket) => {
    sockets.add(
      socket
        .resume()
        .on('error', () => undefined)
        .on('close', () => sockets.delete(socket)),
    );
    answer(socket);
  });
  const port = () => (server.address() as AddressInfo).port;
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  afterAll(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  const { started } = connectedNodes(() => [`127.0.0.1:${port()}`]);

  const call = (given: Partial<ConnectorCall> = {}, signal = new AbortController().signal) =>
    started.connectors.call(
      ACTOR,
      {
        connector: 'redis',
        server: { host: '127.0.0.1', port: port(), database: 0, username: '', password: '' },
        request: { command: 'get', args: ['a'] },
        timeoutMs: 30_000,
        ...given,
      },
      signal,
    );

  beforeEach(() => {
    answer = (socket) => socket.on('data', (data) => socket.write(replyTo(data, '+OK\r\n')));
  });

  it('ends calls whose server is silent, and closes their connections', async () => {
    answer = () => undefined;
    await expect(call({ timeoutMs: 200 })).rejects.toMatchObject({
      name: 'TimeoutError',
      message: 'The other server did not respond in time',
    });
    await waitUntil(async () => sockets.size === 0);
  });

  it('ends calls whose run has ended, and closes their connections', async () => {
    const run = new AbortController();
    answer = () => undefined;
    const calling = call({}, run.signal).catch((error) => error);
    await waitUntil(async () => sockets.size === 1);
    run.abort();
    expect(await calling).toMatchObject({ message: 'The run has ended' });
    await waitUntil(async () => sockets.size === 0);
    await expect(call({}, run.signal)).rejects.toMatchObject({ message: 'The run has ended' });
  });

  /** Lets the only node of a cluster say that all keys are on the node at a port. */
  function cluster(target: number): object {
    const slots = `*1\r\n*3\r\n:0\r\n:16383\r\n*2\r\n$9\r\n127.0.0.1\r\n:${target}\r\n`;
    answer = (socket) =>
      socket.on('data', (data) => socket.write(replyTo(data, data.includes('SLOTS') ? slots : '+OK\r\n')));
    const members = [{ host: '127.0.0.1', port: port() }];
    return { host: '', port: 0, cluster: members, database: 0, username: '', password: String(target) };
  }

  it('follows a server to others, but not to a private address', async () => {
    let hits = 0;
    const other = createServer(() => hits++).listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    expect(await call({ server: cluster(port()) })).toBe('OK');
    const server = cluster((other.address() as AddressInfo).port);
    await expect(call({ server })).rejects.toMatchObject({ name: 'RequestError' });
    expect(hits).toBe(0);
    other.close();
  });

  it('has no environment variables of the platform', async () => {
    await call();
    const { pid } = started.connectors;
    if (process.platform !== 'linux') return;
    const variables = (await readFile(`/proc/${pid}/environ`, 'utf8')).split('\0');
    expect(variables.filter((each) => each && !each.startsWith('NODE_CHANNEL_'))).toEqual(['TZ=UTC']);
  });

  it('is replaced if it hangs', async () => {
    await call();
    const { pid } = started.connectors;
    process.kill(pid!, 'SIGSTOP');
    await expect(call({ timeoutMs: 1 })).rejects.toMatchObject({ name: 'RequestError' });
    expect(await call()).toBe('OK');
    expect(started.connectors.pid).not.toBe(pid);
  });
});
