import { rmdirSync } from 'node:fs';
import { chmod, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import sqlite, { type Database, type SQLiteValue, type Statement } from 'node-sqlite3-wasm';
import { lockFolder } from '../../lib/processes/folder-lock.js';

const DAMAGED = /malformed|not a database/;

/** Row of a query, by column. */
export type Row = Readonly<Record<string, SQLiteValue>>;

/** Tables by version of the file. A later version adds an entry. */
const VERSIONS: readonly string[] = [
  `CREATE TABLE messages (seq INTEGER PRIMARY KEY AUTOINCREMENT, topic TEXT NOT NULL, payload TEXT NOT NULL);
   CREATE INDEX messages_by_topic ON messages (topic, seq);
   CREATE TABLE flow_values (flow_id TEXT, key TEXT, json TEXT NOT NULL, PRIMARY KEY (flow_id, key)) WITHOUT ROWID;
   CREATE TABLE node_states (flow_id TEXT, node_id TEXT, identifier TEXT, json TEXT NOT NULL,
     PRIMARY KEY (flow_id, node_id, identifier)) WITHOUT ROWID;
   CREATE TABLE flows (flow_id TEXT PRIMARY KEY, json TEXT NOT NULL) WITHOUT ROWID;
   CREATE TABLE documents (name TEXT PRIMARY KEY, json TEXT NOT NULL) WITHOUT ROWID;`,
];

/**
 * The database of the agent: one SQLite file, which this process alone uses. A change survives the end of the process at
 * once, and a power failure within seconds, because flash storage would not bear a `fsync` for each message.
 */
export class Store {
  private readonly statements = new Map<string, Statement>();

  private constructor(
    private readonly database: Database,
    private readonly release: () => Promise<void>,
  ) {}

  /**
   * Opens or creates a file, with mode 600. Throws an error for the operator if another agent uses its folder. A damaged
   * file is renamed, because nobody may be near the gateway; `report` receives the message.
   */
  static async open(file: string, report: (message: string) => void = () => undefined): Promise<Store> {
    const release = await lockFolder(dirname(file), 'STORE_PATH');
    try {
      try {
        return await Store.openLocked(file, release);
      } catch (error) {
        if (!DAMAGED.test((error as Error).message)) throw error;
        for (const suffix of ['', '-wal'])
          await rename(`${file}${suffix}`, `${file}${suffix}.damaged`).catch(() => undefined);
        report(`The store was damaged and is kept as ${file}.damaged; the agent continues with an empty one`);
        return await Store.openLocked(file, release);
      }
    } catch (error) {
      await release();
      throw new Error(`The store ${file} cannot be opened: ${(error as Error).message}`, { cause: error });
    }
  }

  private static async openLocked(file: string, release: () => Promise<void>): Promise<Store> {
    removeStaleLock(file);
    const database = new sqlite.Database(file);
    try {
      await chmod(file, 0o600);
      const store = new Store(database, release);
      store.prepare();
      return store;
    } catch (error) {
      database.close();
      throw error;
    }
  }

  /** Executes a statement and returns the number of changed rows. */
  run(sql: string, values: readonly SQLiteValue[] = []): number {
    return this.statement(sql).run([...values]).changes;
  }

  get(sql: string, values: readonly SQLiteValue[] = []): Row | undefined {
    // `get` of the driver does not complete the statement, which then blocks transactions.
    return this.all(sql, values)[0];
  }

  all(sql: string, values: readonly SQLiteValue[] = []): readonly Row[] {
    return this.statement(sql).all([...values]) as Row[];
  }

  /** Returns the ID of the row that a statement inserts. */
  insert(sql: string, values: readonly SQLiteValue[]): number {
    return Number(this.statement(sql).run([...values]).lastInsertRowid);
  }

  /** Makes all changes of `work`, or none if it throws. Calls must not be nested. */
  transaction<T>(work: () => T): T {
    this.run('BEGIN');
    try {
      const result = work();
      this.run('COMMIT');
      return result;
    } catch (error) {
      this.run('ROLLBACK');
      throw error;
    }
  }

  async close(): Promise<void> {
    for (const statement of this.statements.values()) statement.finalize();
    this.database.close();
    await this.release();
  }

  private prepare(): void {
    // Without other processes, the index of the log is in memory, which the file system of WebAssembly requires.
    this.database.exec(
      'PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL',
    );
    const version = Number(this.database.get('PRAGMA user_version')!.user_version);
    if (version > VERSIONS.length) throw new Error('it was written by a newer version of the agent');
    this.transaction(() => {
      for (const sql of VERSIONS.slice(version)) this.database.exec(sql);
      this.database.exec(`PRAGMA user_version = ${VERSIONS.length}`);
    });
  }

  private statement(sql: string): Statement {
    let found = this.statements.get(sql);
    if (!found) this.statements.set(sql, (found = this.database.prepare(sql)));
    return found;
  }
}

/** The driver marks a file in use by a folder, which a killed process leaves. The lock of the agent proves that it is gone. */
function removeStaleLock(file: string): void {
  try {
    rmdirSync(`${file}.lock`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
