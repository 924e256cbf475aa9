import { Inject, Injectable } from '@nestjs/common';
import type { Readable } from 'node:stream';
import { Database, type Runner } from '../database/database.js';
import { PeriodicTask } from '../database/periodic-task.js';
import { prepared } from '../database/statements.js';
import { BLOBS, type Blobs } from '../../lib/blobs/blobs.js';

const INTERVAL_MS = 60_000;
const BATCH = 100;
const MAX_CONCURRENT = 10;
const UNLINKED_SECONDS = 24 * 60 * 60;

const STORE = `INSERT INTO temporary_blobs (key, ends_at) VALUES ($1, now() + $2 * interval '1 second')
  ON CONFLICT (key) DO UPDATE SET ends_at = excluded.ends_at RETURNING ends_at`;
/**
 * Expires after the current removal pass, which may have deleted the previous blob of this key, has forgotten the key.
 */
const ABANDON = `INSERT INTO temporary_blobs AS t (key, ends_at) VALUES ($1, now() + interval '1 minute')
  ON CONFLICT (key) DO UPDATE SET ends_at = greatest(t.ends_at, excluded.ends_at)`;
const FIND_EXPIRED = `SELECT key FROM temporary_blobs WHERE ends_at <= now() ORDER BY ends_at LIMIT $1`;
/** Excludes blobs that may be about to be removed: a removal pass may already have read their keys. */
const MAKE_PERMANENT = `DELETE FROM temporary_blobs WHERE key = $1 AND ends_at > now() + interval '1 minute' RETURNING key`;
/** From here on the blob cannot be kept permanently, and no removal pass has read its key yet. */
const EXTEND = `UPDATE temporary_blobs SET ends_at = now() + interval '1 minute' WHERE key = $1 RETURNING key`;
const DELETE_EXPIRED = `DELETE FROM temporary_blobs WHERE key = ANY($1) AND ends_at <= now()`;

/** Temporary link to a blob. */
export interface TemporaryLink {
  url: string;
  /** Time when the link expires and the blob is removed. */
  endsAt: Date;
}

/** Blobs with a limited lifetime, such as exports. */
@Injectable()
export class TemporaryBlobs {
  constructor(
    private readonly database: Database,
    @Inject(BLOBS) private readonly blobs: Blobs,
  ) {}

  /** Stores a blob that has no link yet. If no link is created, the blob is removed after a day. */
  async put(key: string, content: Readable, facts: { contentType: string }): Promise<void> {
    await this.store(key, UNLINKED_SECONDS);
    await this.blobs.put(key, content, facts);
  }

  /** Returns a link to the blob that is valid for `seconds`, and keeps the blob for that time. */
  async link(key: string, fileName: string, seconds: number): Promise<TemporaryLink> {
    const endsAt = await this.store(key, seconds);
    return { url: await this.blobs.downloadUrl(key, { expiresIn: seconds, fileName }), endsAt };
  }

  /** Schedules the removal of a blob that is about to be stored, after `seconds`. */
  async expect(key: string, seconds: number, runner: Runner): Promise<void> {
    await this.store(key, seconds, runner);
  }

  /** Schedules the removal of a blob that is no longer expected, unless it is kept for longer anyway. */
  async abandon(key: string, runner: Runner): Promise<void> {
    await runner.run(prepared(ABANDON, [key]));
  }

  /** Makes a blob permanent. Returns `false` if it has expired or is not temporary. */
  async makePermanent(key: string, runner: Runner): Promise<boolean> {
    return (await runner.run(prepared(MAKE_PERMANENT, [key]))).length > 0;
  }

  /** Immediately removes a blob that is no longer needed. If that fails, the removal job deletes it later. */
  async discard(key: string): Promise<void> {
    if ((await this.database.run(prepared(EXTEND, [key]))).length > 0) await this.blobs.delete(key);
  }

  /**
   * Immediately removes a rejected blob, and schedules the removal of any later upload under its key after `seconds`.
   */
  async refuse(key: string, seconds: number): Promise<void> {
    if ((await this.database.run(prepared(EXTEND, [key]))).length === 0) return;
    await this.blobs.delete(key);
    await this.store(key, seconds);
  }

  /**
   * Removes a batch of expired blobs and returns its size. A blob that the store fails to remove does not affect the
   * others.
   */
  async removeSome(): Promise<number> {
    const ended = await this.database.run(prepared(FIND_EXPIRED, [BATCH]));
    const keys = ended.map(([key]) => key!);
    const gone: string[] = [];
    const faults: unknown[] = [];
    const remove = (key: string) =>
      this.blobs.delete(key).then(
        () => gone.push(key),
        (error: unknown) => faults.push(error),
      );
    for (let at = 0; at < keys.length; at += MAX_CONCURRENT)
      await Promise.all(keys.slice(at, at + MAX_CONCURRENT).map(remove));
    if (gone.length) await this.database.run(prepared(DELETE_EXPIRED, [gone]));
    if (faults.length) throw faults[0];
    return keys.length;
  }

  private async store(key: string, seconds: number, runner: Runner = this.database): Promise<Date> {
    const [row] = await runner.rows<{ endsAt: Date }>(prepared(STORE, [key, seconds]));
    return row!.endsAt;
  }
}

/** Removes expired temporary blobs. All workers do this concurrently, since deleting a missing blob has no effect. */
@Injectable()
export class TemporaryBlobsRemoval extends PeriodicTask {
  constructor(private readonly blobs: TemporaryBlobs) {
    super(INTERVAL_MS, 'Expired blobs were not removed');
  }

  protected override async runBatch(): Promise<boolean> {
    return (await this.blobs.removeSome()) === BATCH;
  }
}
