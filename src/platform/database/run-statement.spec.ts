import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import pg from 'pg';
import { dataSourceOptions } from './data-source.js';
import { TextQuery } from './query.js';
import { onPool } from './run-statement.js';

const message = (type: string, ...content: (string | number[])[]): Buffer => {
  const body = Buffer.concat(content.map((part) => Buffer.from(part as string)));
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
};

/** Messages of a PostgreSQL server that accepts a connection and terminates it immediately. */
const LAST_WORDS = Buffer.concat([
  message('R', [0, 0, 0, 0]),
  message('Z', 'I'),
  message('E', 'SFATAL\0', 'C57P01\0', 'Mterminating connection\0', '\0'),
]);

describe('A pooled connection', () => {
  let server: Server;
  let pool: pg.Pool;

  beforeEach(async () => {
    server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(LAST_WORDS));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const { extra } = dataSourceOptions({ url: '' });
    pool = new pg.Pool({ ...extra, host: '127.0.0.1', port, user: 'a', database: 'a' });
    // TypeORM does the same, for idle connections.
    pool.on('error', () => undefined);
  });

  afterEach(async () => {
    await pool.end();
    server.close();
  });

  it('fails only its own statement if it is lost while checked out', async () => {
    await expect(onPool(pool, TextQuery, { text: 'SELECT 1', values: [] })).rejects.toThrow();
  });
});
