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

/** What a PostgreSQL says that lets somebody in and ends in the same moment. */
const LAST_WORDS = Buffer.concat([
  message('R', [0, 0, 0, 0]),
  message('Z', 'I'),
  message('E', 'SFATAL\0', 'C57P01\0', 'Mterminating connection\0', '\0'),
]);

describe('A connection of the pool', () => {
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
    // As TypeORM has it: of connections that nobody uses.
    pool.on('error', () => undefined);
  });

  afterEach(async () => {
    await pool.end();
    server.close();
  });

  it('that is lost while it is handed out fails its statement, and nothing else', async () => {
    await expect(onPool(pool, TextQuery, { text: 'SELECT 1', values: [] })).rejects.toThrow();
  });
});
