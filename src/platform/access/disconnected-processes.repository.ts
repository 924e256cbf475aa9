import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { prepared } from '../database/statements.js';

/** Milliseconds for which a row is valid after it was last renewed. */
export const ROW_LIFETIME_MS = 4_000;

/** Rows of processes that died while disconnected are removed by the next process that becomes disconnected. */
const ADD = `WITH old AS (DELETE FROM unheard_processes WHERE until < now() - interval '1 hour')
  INSERT INTO unheard_processes (id, until) VALUES ($1, now() + interval '${ROW_LIFETIME_MS} milliseconds')
  ON CONFLICT (id) DO UPDATE SET until = excluded.until`;
const EXIST = 'SELECT EXISTS (SELECT FROM unheard_processes WHERE until > now())::text';
const REMOVE = 'DELETE FROM unheard_processes WHERE id = $1';

/** Processes that cannot broadcast their changes over Redis. */
@Injectable()
export class DisconnectedProcessesRepository {
  constructor(private readonly database: Database) {}

  async add(id: string): Promise<void> {
    await this.database.run(prepared(ADD, [id]));
  }

  async exist(): Promise<boolean> {
    const [row] = await this.database.read(prepared(EXIST, []));
    return row?.[0] !== 'false';
  }

  async remove(id: string): Promise<void> {
    await this.database.run(prepared(REMOVE, [id]));
  }
}
