import { Inject, Injectable } from '@nestjs/common';
import { Config } from '../../../config/config.js';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import type { OwnedApplication } from '../../../platform/access/request.js';
import { countSql } from '../../../platform/counts/counts.js';
import {
  Database,
  violatedUnique,
  type Runner,
  type Transaction,
} from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import { NotFound, Unavailable, ValidationError } from '../../../lib/errors/errors.js';
import { FROZEN, type FrozenRows } from '../../../platform/holdings/frozen.js';
import type { ListParameters } from '../../../platform/lists/list-query.js';
import { runList } from '../../../platform/lists/run-list.js';
import { ApplicationRepository } from '../../../platform/repositories/repository.js';
import { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import { DEVELOP } from './experience-version.columns.js';
import { EXPERIENCE_VERSIONS, ExperienceVersion } from './experience-version.resource.js';
import { isVersionId } from './experience-version.rules.js';

const { table, title } = EXPERIENCE_VERSIONS;
const BY_NAME = `FROM ${table} t WHERE t.application_id = $1 AND t.version = $2`;
const KNOWN_BY_NAME = `SELECT t.id, t.version ${BY_NAME}`;
const KNOWN_BY_ID = `SELECT t.id, t.version FROM ${table} t WHERE t.application_id = $1 AND t.id = $2`;
const LOCK_KNOWN = `${KNOWN_BY_ID} FOR KEY SHARE`;
/** The versions that callers created, and `develop`. */
const TOTAL = `${countSql('$1', `'experienceVersionCount'`)} + 1`;
const OF_VERSION = `e AS (SELECT * FROM ${table} WHERE id = $1)`;

/** ID and name of a version. */
export interface KnownVersion {
  id: string;
  name: string;
}

const attachSql = (
  table: string,
  isUsable: string,
): string => `UPDATE ${table} SET version_id = $2, last_updated = now()
  WHERE application_id = $1 AND id = ANY ($3::text[]) RETURNING id, ${isUsable}`;
const ATTACH = {
  domainIds: attachSql('experience_domains', 'verified_at IS NOT NULL'),
  slugIds: attachSql('experience_slugs', 'true'),
};

/** Repository of versions of experiences. `develop` is a row created by a database trigger with the application. */
@Injectable()
export class ExperienceVersionsRepository extends ApplicationRepository<ExperienceVersion> {
  /** Copies all resources of a version in a single statement, so that they form one snapshot. */
  private readonly freezing: string;
  private readonly requiresRecords: boolean;

  constructor(
    @InjectRepository(ExperienceVersion) rows: Repository<ExperienceVersion>,
    database: Database,
    @Inject(FROZEN) private readonly kinds: readonly FrozenRows[],
    { DOMAIN_VERIFICATION }: Config,
  ) {
    super(rows, database, EXPERIENCE_VERSIONS);
    this.requiresRecords = DOMAIN_VERIFICATION === 'dns';
    const copies = kinds.map(({ name, freeze }) => `of_${name} AS (${freeze})`);
    this.freezing = `WITH ${[OF_VERSION, ...copies].join(', ')} SELECT 1`;
  }

  override async findApplicationPage(
    { id, ownerId: owner }: OwnedApplication,
    list: ListParameters,
  ): Promise<StoredPage<ExperienceVersion>> {
    const options = { table, owner, where: ['t.application_id = $1'], values: [id], list, total: TOTAL };
    const { items, envelope } = await runList(this.database, this.shape, options);
    return new StoredPage(items, { applicationId: id, totalCount: envelope.totalCount });
  }

  /** Returns the version with a name or ID. Throws 404 if it does not exist. */
  async obtainNamed(applicationId: string, idOrName: string): Promise<StoredResource<ExperienceVersion>> {
    if (isVersionId(idOrName)) return this.findOneOrFail(applicationId, idOrName.toLowerCase());
    const [row] = await this.database.read(prepared(this.shape.select(BY_NAME), [applicationId, idOrName]));
    if (!row) throw new NotFound(title);
    return new StoredResource(this.shape, row);
  }

  /** Returns the version with a name or ID, or `undefined` if it does not exist. Takes no statement for `develop`. */
  async find(
    applicationId: string,
    idOrName: string,
    runner: Runner = this.database,
  ): Promise<KnownVersion | undefined> {
    if (idOrName === DEVELOP) return { id: applicationId, name: DEVELOP };
    const statement = isVersionId(idOrName)
      ? prepared(KNOWN_BY_ID, [applicationId, idOrName.toLowerCase()])
      : prepared(KNOWN_BY_NAME, [applicationId, idOrName]);
    const [row] = await runner.run(statement);
    return row && { id: row[0]!, name: row[1]! };
  }

  /** Like `find`, but throws 404 if the version does not exist. */
  async findKnownOrFail(applicationId: string, idOrName: string, runner?: Runner): Promise<KnownVersion> {
    const version = await this.find(applicationId, idOrName, runner);
    if (!version) throw new NotFound(title);
    return version;
  }

  /** Like `findKnownOrFail`, for rows stored per version. Returns `undefined` for `develop`, which has no version rows. */
  async frozen(applicationId: string, idOrName: string): Promise<KnownVersion | undefined> {
    const version = await this.findKnownOrFail(applicationId, idOrName);
    return version.id === applicationId ? undefined : version;
  }

  /**
   * Returns the ID of the version with a name or ID and locks it until the transaction ends. Throws 400 if it does not
   * exist; `at` is the path of the value in error messages. `null` means no version.
   */
  async setVersion(
    applicationId: string,
    idOrName: string | null,
    at: string,
    transaction: Transaction,
  ): Promise<string | null> {
    if (idOrName === null) return null;
    const version = await this.find(applicationId, idOrName, transaction);
    const [row] = version ? await transaction.run(prepared(LOCK_KNOWN, [applicationId, version.id])) : [];
    if (!row) throw new ValidationError(`${at} does not match a version of the application`);
    return row[0]!;
  }

  /**
   * Points domains or slugs of the application to one of its versions. Throws 400 for the first ID that does not exist or,
   * if the instance requires TXT records, whose record was not seen.
   */
  async attach(
    { applicationId, id }: Pick<ExperienceVersion, 'applicationId' | 'id'>,
    what: keyof typeof ATTACH,
    given: readonly string[],
    transaction: Transaction,
  ): Promise<void> {
    if (given.length === 0) return;
    const ids = given.map((each) => each.toLowerCase());
    const rows = await transaction.run(prepared(ATTACH[what], [applicationId, id, ids]));
    const isUsable = new Map(rows.map(([found, usable]) => [found, usable === 't']));
    for (const [i, each] of ids.entries()) {
      const at = `experienceVersion.${what}.${i}`;
      if (!isUsable.has(each)) throw new ValidationError(`${at} does not exist in the application`);
      if (this.requiresRecords && !isUsable.get(each))
        throw new ValidationError(`${at} is not verified: update the domain once its TXT record exists`);
    }
  }

  /** Copies the contents of `develop` to a new version. */
  async freeze(id: string, transaction: Transaction): Promise<void> {
    for (const { lock } of this.kinds)
      if (lock) await transaction.run(prepared(`WITH ${OF_VERSION} ${lock}`, [id]));
    await transaction.run(prepared(this.freezing, [id]));
  }

  /** Replaces the contents of `develop` with those of a version. */
  async thaw(id: string, transaction: Transaction): Promise<void> {
    try {
      for (const { thaw } of this.kinds)
        for (const text of thaw) await transaction.run(prepared(`WITH ${OF_VERSION} ${text}`, [id]));
    } catch (error) {
      // A concurrent request created a resource with the same name.
      if (violatedUnique(error) === undefined) throw error;
      throw new Unavailable('The develop version was changed concurrently, try again');
    }
  }
}
