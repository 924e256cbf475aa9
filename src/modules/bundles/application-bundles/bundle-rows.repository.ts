import { Injectable } from '@nestjs/common';
import { countsSql, parseCounts, withoutParts } from '../../../platform/counts/counts.js';
import type { Bundled, BundleOption } from '../../../platform/bundles/bundled.js';
import { Database, type Runner, type Snapshot, type Statement } from '../../../platform/database/database.js';
import type { Row } from '../../../platform/database/row-shape.js';
import { prepared, shaped } from '../../../platform/database/statements.js';
import { NotFound } from '../../../lib/errors/errors.js';
import { BUNDLED_APPLICATION } from '../../applications/applications/application.bundle.js';
import { rowCountSql } from '../../data/data-tables/data-table.columns.js';
import { read } from './bundle-rows.columns.js';

const APPLICATION = `SELECT ${BUNDLED_APPLICATION.shape.columns}, t.readme FROM applications t
  WHERE t.id = $1 AND t.deleted_at IS NULL`;

const LINK_FACTS = `SELECT t.name, t.owner_id AS "ownerId", t.blob_url_ttl AS seconds FROM applications t
  WHERE t.id = $1 AND t.deleted_at IS NULL`;

/** Application name, owner and link lifetime. */
export interface LinkFacts {
  name: string;
  ownerId: string;
  seconds: number | null;
}

/** Estimated size of a bundle. */
export interface BundleSize {
  /** Number of resources and rows. If it exceeds the requested maximum, it may be too low. */
  resources: number;
  /** Total size of file contents. */
  bytes: number;
}

/** Reads the contents of bundles from a database snapshot. */
@Injectable()
export class BundleRowsRepository {
  constructor(private readonly database: Database) {}

  /** Opens a snapshot of the database. The caller must close it. */
  open(): Promise<Snapshot> {
    return this.database.snapshot();
  }

  /** Returns the application and its readme. Throws `404` if the application was deleted. */
  async application(snapshot: Snapshot, id: string): Promise<{ row: Row; readme: string }> {
    for await (const [row] of snapshot.rows({ text: APPLICATION, values: [id] }))
      return { row: row!, readme: row!.at(-1) ?? '' };
    throw new NotFound(BUNDLED_APPLICATION.holding.title);
  }

  /** Returns the application name, owner and link lifetime. Throws `404` if the application was deleted. */
  async linkFacts(id: string, runner: Runner = this.database): Promise<LinkFacts> {
    const [facts] = await runner.rows<LinkFacts>(prepared(LINK_FACTS, [id]));
    if (!facts) throw new NotFound(BUNDLED_APPLICATION.holding.title);
    return facts;
  }

  names(snapshot: Snapshot, bundled: Bundled, applicationId: string): AsyncGenerator<Row[]> {
    return snapshot.rows(read.names(bundled, applicationId));
  }

  resources(snapshot: Snapshot, bundled: Bundled, applicationId: string): AsyncGenerator<Row[]> {
    return snapshot.rows(read.resources(bundled, applicationId));
  }

  /** Returns rows that must be read after the snapshot is released. */
  contents(snapshot: Snapshot, bundled: Bundled, applicationId: string): Promise<AsyncGenerator<Row[]>> {
    return snapshot.materialize(read.contents(bundled, applicationId));
  }

  /** Estimates the size of a bundle from stored counts; families without counts are counted up to `max` rows. */
  async sizeOf(
    applicationId: string,
    families: readonly Bundled[],
    options: ReadonlySet<BundleOption>,
    max: number,
  ): Promise<BundleSize> {
    const [row] = await this.database.run(sizeStatement(applicationId, families, options, max));
    const [counted, others, rows] = row as [string, string, string];
    const counts = withoutParts(parseCounts(counted));
    const sum = (names: readonly (string | undefined)[]) =>
      names.reduce((total, name) => total + (name ? (counts[name] ?? 0) : 0), 0);
    return {
      resources: sum(families.map(({ holding }) => holding.count)) + Number(others) + Number(rows),
      bytes: sum(families.map(({ holding }) => holding.bytes?.kind)),
    };
  }
}

function sizeStatement(
  applicationId: string,
  families: readonly Bundled[],
  options: ReadonlySet<BundleOption>,
  max: number,
): Statement {
  const some = (table: string) => `SELECT t.id FROM ${table} t WHERE t.application_id = $1 LIMIT $2`;
  const others = families
    .filter(({ holding }) => !holding.count)
    .map(({ holding }) => `(SELECT count(*) FROM (${some(holding.table)}) n)`);
  const rows = families
    .filter(({ content }) => content?.kind === 'rows' && options.has(content.option!))
    .map(
      ({ holding }) => `(SELECT coalesce(sum(${rowCountSql('n.id')}), 0) FROM (${some(holding.table)}) n)`,
    );
  const text = `SELECT ${countsSql('$1::text')}, ${['0', ...others].join(' + ')}, ${['0', ...rows].join(' + ')}`;
  return shaped(text, [applicationId, max + 1]);
}
