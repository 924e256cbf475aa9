import { Inject, Injectable } from '@nestjs/common';
import type { Readable } from 'node:stream';
import { Database, type Runner } from '../database/database.js';
import { Repeated } from '../database/repeated.js';
import { prepared } from '../database/statements.js';
import { BLOBS, type Blobs } from '../../lib/blobs/blobs.js';

const INTERVAL_MS = 60_000;
const BATCH = 100;
const AT_ONCE = 10;
const UNLINKED_SECONDS = 24 * 60 * 60;

const KEEP = `INSERT INTO temporary_blobs (key, ends_at) VALUES ($1, now() + $2 * interval '1 second')
  ON CONFLICT (key) DO UPDATE SET ends_at = excluded.ends_at RETURNING ends_at`;
/** Later than whoever removes blobs at the moment, and may have removed the one before, forgets its key. */
const ABANDON = `INSERT INTO temporary_blobs AS t (key, ends_at) VALUES ($1, now() + interval '1 minute')
  ON CONFLICT (key) DO UPDATE SET ends_at = greatest(t.ends_at, excluded.ends_at)`;
const ENDED = `SELECT key FROM temporary_blobs WHERE ends_at <= now() ORDER BY ends_at LIMIT $1`;
/** None that may be on its way out: who removes blobs has read which before. */
const KEEP_FOR_GOOD = `DELETE FROM temporary_blobs WHERE key = $1 AND ends_at > now() + interval '1 minute' RETURNING key`;
/** Nobody keeps it for good from now on, and who removes blobs does not know of it yet. */
const HOLD = `UPDATE temporary_blobs SET ends_at = now() + interval '1 minute' WHERE key = $1 RETURNING key`;
const FORGET = `DELETE FROM temporary_blobs WHERE key = ANY($1) AND ends_at <= now()`;

/** A blob as it is handed out. */
export interface TemporaryLink {
  url: string;
  /** When the link ends, and the blob with it. */
  endsAt: Date;
}

/** Blobs that are there for some time, such as what was exported. */
@Injectable()
export class TemporaryBlobs {
  constructor(
    private readonly database: Database,
    @Inject(BLOBS) private readonly blobs: Blobs,
  ) {}

  /** Stores a blob that nobody has a link to yet; where none is made, it is removed after a day. */
  async put(key: string, content: Readable, facts: { contentType: string }): Promise<void> {
    await this.keep(key, UNLINKED_SECONDS);
    await this.blobs.put(key, content, facts);
  }

  /** A link to the blob for so many seconds, for which it is kept. */
  async link(key: string, fileName: string, seconds: number): Promise<TemporaryLink> {
    const endsAt = await this.keep(key, seconds);
    return { url: await this.blobs.downloadUrl(key, { expiresIn: seconds, fileName }), endsAt };
  }

  /** Has a blob removed that is to come, after so many seconds. */
  async expect(key: string, seconds: number, runner: Runner): Promise<void> {
    await this.keep(key, seconds, runner);
  }

  /** Has a blob removed that nobody expects; one that is to stay for longer does. */
  async abandon(key: string, runner: Runner): Promise<void> {
    await runner.run(prepared(ABANDON, [key]));
  }

  /** Makes a blob one that stays; false where its time is over, or it is no temporary one. */
  async keepForGood(key: string, runner: Runner): Promise<boolean> {
    return (await runner.run(prepared(KEEP_FOR_GOOD, [key]))).length > 0;
  }

  /** Removes a blob at once that nobody needs any more. One that is not removed now is by whoever removes blobs. */
  async discard(key: string): Promise<void> {
    if ((await this.database.run(prepared(HOLD, [key]))).length > 0) await this.blobs.delete(key);
  }

  /** Removes a blob at once that is refused, and has what may come in its place removed after so many seconds. */
  async refuse(key: string, seconds: number): Promise<void> {
    if ((await this.database.run(prepared(HOLD, [key]))).length === 0) return;
    await this.blobs.delete(key);
    await this.keep(key, seconds);
  }

  /** Removes some of those that have ended; how many. One that the store does not remove keeps no other. */
  async removeSome(): Promise<number> {
    const ended = await this.database.run(prepared(ENDED, [BATCH]));
    const keys = ended.map(([key]) => key!);
    const gone: string[] = [];
    const faults: unknown[] = [];
    const remove = (key: string) =>
      this.blobs.delete(key).then(
        () => gone.push(key),
        (error: unknown) => faults.push(error),
      );
    for (let at = 0; at < keys.length; at += AT_ONCE)
      await Promise.all(keys.slice(at, at + AT_ONCE).map(remove));
    if (gone.length) await this.database.run(prepared(FORGET, [gone]));
    if (faults.length) throw faults[0];
    return keys.length;
  }

  private async keep(key: string, seconds: number, runner: Runner = this.database): Promise<Date> {
    const [row] = await runner.rows<{ endsAt: Date }>(prepared(KEEP, [key, seconds]));
    return row!.endsAt;
  }
}

/** Removes temporary blobs that have ended. All workers do this at once: to delete what is gone does nothing. */
@Injectable()
export class TemporaryBlobsRemoval extends Repeated {
  constructor(private readonly blobs: TemporaryBlobs) {
    super(INTERVAL_MS, 'Blobs that ended were not removed');
  }

  protected override async batch(): Promise<boolean> {
    return (await this.blobs.removeSome()) === BATCH;
  }
}
