import { Injectable } from '@nestjs/common';
import { Atomic } from '../../../platform/database/atomic.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';

/** Milliseconds. */
export const DAY = 86_400_000;

/** Table partitioned by time, with the length of its partitions in milliseconds. */
export interface PartitionedTable {
  table: 'device_points' | 'device_hours';
  length: number;
}

export const POINTS: PartitionedTable = { table: 'device_points', length: DAY };
/** One week: a month of an attribute is read from five partitions. */
export const HOURS: PartitionedTable = { table: 'device_hours', length: 7 * DAY };

/** Partition of a table: its name and time range in milliseconds since 1970, `to` exclusive. */
export interface Partition {
  name: string;
  from: number;
  to: number;
  /** Whether dropping the partition was started but not completed, because the process ended. */
  isLeaving: boolean;
}

/** Advisory lock for creating partitions; PostgreSQL identifies advisory locks by numbers. */
const LOCK = 7_311_960;
const TABLE_EXISTS = 'SELECT to_regclass($1) IS NOT NULL AS made';
const PARTITIONS = `SELECT c.relname AS name, coalesce(i.inhdetachpending, true) AS is_leaving
  FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid
  WHERE c.relname ~ ('^' || $1 || '_\\d{8}$') AND c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace`;
/** Finds the applications with rows in a partition, with one index lookup for each. */
const FIND_HOLDERS = (name: string) => `WITH RECURSIVE held (id) AS (
    (SELECT application_id FROM ${name} ORDER BY application_id LIMIT 1)
    UNION ALL SELECT (SELECT p.application_id FROM ${name} p WHERE p.application_id > h.id
      ORDER BY p.application_id LIMIT 1) FROM held h WHERE h.id IS NOT NULL)
  SELECT h.id, coalesce((o.limits->>'dataTTL')::float8, (u.limits->>'dataTTL')::float8, $1) AS seconds
  FROM held h LEFT JOIN applications a ON a.id = h.id
  LEFT JOIN orgs o ON o.id = a.owner_id LEFT JOIN users u ON u.id = a.owner_id WHERE h.id IS NOT NULL`;
const LIFETIMES = `SELECT least(min(l.seconds), $1) AS shortest, greatest(max(l.seconds), $1) AS longest FROM (
    SELECT (limits->>'dataTTL')::float8 AS seconds FROM orgs UNION ALL
    SELECT (limits->>'dataTTL')::float8 FROM users) l`;

/** Application with its data retention period in seconds. */
export interface RetentionHolder {
  id: string;
  seconds: number;
}

/** Creates and drops the partitions of device data. */
@Injectable()
export class DevicePartitionsRepository {
  /** Partitions known to exist. They are dropped only after reports of their time are no longer accepted. */
  private readonly known = new Set<string>();

  constructor(private readonly database: Database) {}

  /** Creates missing partitions for points of these times. */
  async createMissing(parted: PartitionedTable, times: Iterable<number>): Promise<void> {
    const begins = new Set<number>();
    for (const time of times) begins.add(Math.floor(time / parted.length) * parted.length);
    for (const from of begins) {
      const name = nameOf(parted, from);
      if (this.known.has(name)) continue;
      // Known partitions exist, whatever becomes of the work that needs this one.
      await Atomic.outside(() => this.make(parted, name, from));
      this.known.add(name);
    }
  }

  /** Returns all partitions of a table. */
  async list({ table, length }: PartitionedTable): Promise<Partition[]> {
    const rows = await this.database.rows<{ name: string; isLeaving: boolean }>(
      prepared(PARTITIONS, [table]),
    );
    return rows.map(({ name, isLeaving }) => {
      const [, year, month, day] = /_(\d{4})(\d\d)(\d\d)$/.exec(name)!;
      const from = Date.UTC(Number(year), Number(month) - 1, Number(day));
      return { name, from, to: from + length, isLeaving };
    });
  }

  /** Drops a partition with its data. It is first detached concurrently, so that other transactions are not blocked. */
  async drop({ table }: PartitionedTable, { name, isLeaving }: Partition): Promise<void> {
    this.known.delete(name);
    const run = (text: string) => this.database.run({ text, values: [] });
    if (!isLeaving) await run(`ALTER TABLE ${table} DETACH PARTITION ${name} CONCURRENTLY`);
    else if (await this.isAttached(name)) await run(`ALTER TABLE ${table} DETACH PARTITION ${name} FINALIZE`);
    await run(`DROP TABLE IF EXISTS ${name}`);
  }

  /** Returns the shortest and longest data retention period in seconds; `usual` is the default. */
  async lifetimes(usual: number): Promise<{ shortest: number; longest: number }> {
    const [row] = await this.database.rows<{ shortest: number; longest: number }>(
      prepared(LIFETIMES, [usual]),
    );
    return row!;
  }

  /** Returns the applications that have rows in a partition. */
  holders({ name }: Partition, usual: number): Promise<RetentionHolder[]> {
    return this.database.rows({ text: FIND_HOLDERS(name), values: [usual] });
  }

  private async isAttached(name: string): Promise<boolean> {
    const text = 'SELECT FROM pg_inherits WHERE inhrelid = to_regclass($1)';
    return (await this.database.run(prepared(text, [name]))).length > 0;
  }

  /**
   * Creates the table separately and then attaches it, so that reads and writes in other partitions are not blocked.
   */
  private make({ table, length }: PartitionedTable, name: string, from: number): Promise<void> {
    return this.database.transaction(async (transaction) => {
      await transaction.run(prepared('SELECT pg_advisory_xact_lock($1)', [LOCK]));
      if (await tableExists(transaction, name)) return;
      const run = (text: string) => transaction.run({ text, values: [] });
      await run(`CREATE TABLE ${name} (LIKE ${table} INCLUDING ALL)`);
      await run(
        `ALTER TABLE ${table} ATTACH PARTITION ${name} FOR VALUES FROM (${from}) TO (${from + length})`,
      );
    });
  }
}

const nameOf = ({ table }: PartitionedTable, from: number): string =>
  `${table}_${new Date(from).toISOString().slice(0, 10).replaceAll('-', '')}`;

async function tableExists(transaction: Transaction, name: string): Promise<boolean> {
  const [row] = await transaction.rows<{ made: boolean }>(prepared(TABLE_EXISTS, [name]));
  return row!.made;
}
