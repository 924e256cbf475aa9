import { databaseForWorker } from '../../../test/setup/databases.js';
import type { EncodedRow } from './encoded-row.js';
import { EncodedQuery } from './query.js';
import { RowClient } from './row-client.js';
import { onClient } from './run-statement.js';

describe('Clients that read to the same buffer', () => {
  let url: string;

  beforeAll(async () => {
    url = await databaseForWorker();
  });

  it.each(['objects', 'encoded rows'])('receive their own %s, whatever the sizes', async (form) => {
    const read = async (of: string): Promise<void> => {
      const client = new RowClient(url);
      await client.connect();
      try {
        for (let time = 0; time < 3; time++) {
          const text = 'SELECT $1 || n, repeat($1, n * n) FROM generate_series(1, 400) n';
          const statement = { text, values: [of] };
          const rows: unknown[][] =
            form === 'objects'
              ? (await client.query<unknown[]>({ ...statement, rowMode: 'array' })).rows
              : (await onClient<EncodedRow>(client, EncodedQuery, statement)).map((row) => row.texts());
          expect(rows).toHaveLength(400);
          rows.forEach(([name, value], i) => {
            expect(name).toBe(`${of}${i + 1}`);
            expect(value === of.repeat((i + 1) ** 2)).toBe(true);
          });
        }
      } finally {
        await client.end();
      }
    };
    await Promise.all(['a', 'ü', '中'].map(read));
  });
});
