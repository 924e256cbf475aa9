import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../platform/database/database.js';
import { prepared } from '../../platform/database/statements.js';

const DAY = 86_400_000;

/** A table that is parted by time, with how long each part is. */
interface Parted {
  table: 'device_points' | 'device_hours';
  column: 'time' | 'hour';
  length: number;
}

export const POINTS: Parted = { table: 'device_points', column: 'time', length: DAY };
/** Of a week: a month of an attribute is read from five of them. */
export const HOURS: Parted = { table: 'device_hours', column: 'hour', length: 7 * DAY };

/** A part of a table: its name, and its times in milliseconds since 1970, without the last. */
export interface Partition {
  name: string;
  from: number;
  to: number;
}

/** One lock for all who make partitions: PostgreSQL's advisory locks are numbers. */
const LOCK = 7_311_960;
const EXISTS = 'SELECT to_regclass($1) IS NOT NULL AS made';
const PARTITIONS = `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  WHERE i.inhparent = $1::regclass AND NOT i.inhdetachpending`;

const partitionOf = ({ table, length }: Parted, time: number): Partition => {
  const from = Math.floor(time / length) * length;
  const day = new Date(from).toISOString().slice(0, 10).replaceAll('-', '');
  return { name: `${table}_${day}`, from, to: from + length };
};

/** Makes and drops the partitions of what devices report. */
@Injectable()
export class DevicePartitionsRepository {
  /** The partitions that this process knows to be there. They are only dropped once no report can be of their time. */
  private readonly known = new Set<string>();

  constructor(private readonly database: Database) {}

  /** Makes the partitions for points of these times, in which they are missing. */
  async provide(parted: Parted, times: Iterable<number>): Promise<void> {
    const missing = new Map<string, Partition>();
    for (const time of times) {
      const partition = partitionOf(parted, time);
      if (!this.known.has(partition.name)) missing.set(partition.name, partition);
    }
    for (const partition of missing.values()) {
      await this.make(parted, partition);
      this.known.add(partition.name);
    }
  }

  /** Every partition of a table. */
  async list(parted: Parted): Promise<Partition[]> {
    const rows = await this.database.rows<{ name: string }>(prepared(PARTITIONS, [parted.table]));
    return rows.map(({ name }) => {
      const [, year, month, day] = /_(\d{4})(\d\d)(\d\d)$/.exec(name)!;
      return partitionOf(parted, Date.UTC(Number(year), Number(month) - 1, Number(day)));
    });
  }

  /** Drops a partition with all that is in it. It leaves its table first, which nobody has to wait for. */
  async drop({ table }: Parted, { name }: Partition): Promise<void> {
    this.known.delete(name);
    await this.database.run({
      text: `ALTER TABLE ${table} DETACH PARTITION ${name} CONCURRENTLY`,
      values: [],
    });
    await this.database.run({ text: `DROP TABLE ${name}`, values: [] });
  }

  /** It is made apart and then attached: whoever reads or writes other partitions does not wait. */
  private make({ table }: Parted, { name, from, to }: Partition): Promise<void> {
    return this.database.transaction(async (transaction) => {
      await transaction.run(prepared('SELECT pg_advisory_xact_lock($1)', [LOCK]));
      if (await isThere(transaction, name)) return;
      const run = (text: string) => transaction.run({ text, values: [] });
      await run(`CREATE TABLE ${name} (LIKE ${table} INCLUDING ALL)`);
      await run(`ALTER TABLE ${table} ATTACH PARTITION ${name} FOR VALUES FROM (${from}) TO (${to})`);
    });
  }
}

async function isThere(transaction: Transaction, name: string): Promise<boolean> {
  const [row] = await transaction.rows<{ made: boolean }>(prepared(EXISTS, [name]));
  return row!.made;
}
