import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import type { OwnedApplication } from '../../platform/access/request.js';
import { countSql } from '../../platform/counts/counts.js';
import { Database, type Runner, type Transaction } from '../../platform/database/database.js';
import { prepared } from '../../platform/database/statements.js';
import { NotFound, ValidationError } from '../../platform/errors/errors.js';
import { FROZEN, type Frozen } from '../../platform/holdings/frozen.js';
import type { ListParameters } from '../../platform/list/list-query.js';
import { runList } from '../../platform/list/run-list.js';
import { ApplicationRepository } from '../../platform/repository.js';
import { Stored, StoredPage } from '../../platform/response/answers.js';
import { DEVELOP } from './experience-version.columns.js';
import { EXPERIENCE_VERSIONS, ExperienceVersion } from './experience-version.resource.js';
import { isVersionId } from './experience-version.rules.js';

const { table, title } = EXPERIENCE_VERSIONS;
const BY_NAME = `FROM ${table} t WHERE t.application_id = $1 AND t.version = $2`;
const ID_BY_NAME = `SELECT t.id ${BY_NAME}`;
const ID_BY_ID = `SELECT t.id FROM ${table} t WHERE t.application_id = $1 AND t.id = $2`;
const KEEP = `${ID_BY_ID} FOR KEY SHARE`;
/** Those that were made, and `develop`. */
const TOTAL = `${countSql('$1', `'experienceVersionCount'`)} + 1`;
const OF_VERSION = `e AS (SELECT * FROM ${table} WHERE id = $1)`;

/** The rows of versions of experiences. `develop` is one of them; PostgreSQL makes it with the application. */
@Injectable()
export class ExperienceVersionsRepository extends ApplicationRepository<ExperienceVersion> {
  /** Keeps all of it as it is at one moment: whatever a version keeps is copied by one statement. */
  private readonly freezing: string;

  constructor(
    @InjectRepository(ExperienceVersion) rows: Repository<ExperienceVersion>,
    database: Database,
    @Inject(FROZEN) private readonly frozen: readonly Frozen[],
  ) {
    super(rows, database, EXPERIENCE_VERSIONS);
    const copies = frozen.map(({ name, freeze }) => `of_${name} AS (${freeze})`);
    this.freezing = `WITH ${[OF_VERSION, ...copies].join(', ')} SELECT 1`;
  }

  override async pageOf(
    { id, ownerId: owner }: OwnedApplication,
    list: ListParameters,
  ): Promise<StoredPage<ExperienceVersion>> {
    const options = { table, owner, where: ['t.application_id = $1'], values: [id], list, total: TOTAL };
    const { items, envelope } = await runList(this.database, this.shape, options);
    return new StoredPage(items, { ...envelope, applicationId: id });
  }

  /** The version of that name or id, or 404. */
  async obtainNamed(applicationId: string, idOrName: string): Promise<Stored<ExperienceVersion>> {
    if (isVersionId(idOrName)) return this.obtain(applicationId, idOrName.toLowerCase());
    const [row] = await this.database.read(prepared(this.shape.select(BY_NAME), [applicationId, idOrName]));
    if (!row) throw new NotFound(title);
    return new Stored(this.shape, row);
  }

  /** The id of the version of that name or id, where the application has one. That of `develop` costs no statement. */
  async idOf(
    applicationId: string,
    idOrName: string,
    runner: Runner = this.database,
  ): Promise<string | undefined> {
    if (idOrName === DEVELOP) return applicationId;
    const text = isVersionId(idOrName) ? ID_BY_ID : ID_BY_NAME;
    const given = isVersionId(idOrName) ? idOrName.toLowerCase() : idOrName;
    const [row] = await runner.run(prepared(text, [applicationId, given]));
    return row?.[0] ?? undefined;
  }

  /** As `idOf`, or 404. */
  async demandId(applicationId: string, idOrName: string, runner?: Runner): Promise<string> {
    const id = await this.idOf(applicationId, idOrName, runner);
    if (id === undefined) throw new NotFound(title);
    return id;
  }

  /**
   * The id of the version that something is to point at, by name or id, which stays until the transaction ends; or 400, in
   * which `at` is what the caller calls it. `null` is none.
   */
  async pointAt(
    applicationId: string,
    idOrName: string | null,
    at: string,
    transaction: Transaction,
  ): Promise<string | null> {
    if (idOrName === null) return null;
    const id = await this.idOf(applicationId, idOrName, transaction);
    const [row] = id === undefined ? [] : await transaction.run(prepared(KEEP, [applicationId, id]));
    if (!row) throw new ValidationError(`${at} names no version of the application`);
    return row[0]!;
  }

  /** The id of a version whose rows are kept beside those that are being developed; none for `develop`; 404 where there is none of that name or id. */
  async frozenId(applicationId: string, idOrName: string): Promise<string | undefined> {
    const id = await this.demandId(applicationId, idOrName);
    return id === applicationId ? undefined : id;
  }

  /** Keeps under a new version what is being developed. */
  async freeze(id: string, transaction: Transaction): Promise<void> {
    for (const { lock } of this.frozen)
      if (lock) await transaction.run(prepared(`WITH ${OF_VERSION} ${lock}`, [id]));
    await transaction.run(prepared(this.freezing, [id]));
  }

  /** Puts what a version keeps in the place of what is being developed. */
  async thaw(id: string, transaction: Transaction): Promise<void> {
    for (const { thaw } of this.frozen)
      for (const text of thaw) await transaction.run(prepared(`WITH ${OF_VERSION} ${text}`, [id]));
  }
}
