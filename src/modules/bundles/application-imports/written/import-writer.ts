import { Injectable } from '@nestjs/common';
import type { Author } from '../../../../platform/audit/author.js';
import type { Bundled } from '../../../../platform/bundles/bundled.js';
import { Database, type Transaction } from '../../../../platform/database/database.js';
import { ValidationError } from '../../../../lib/errors/errors.js';
import { JobRows } from '../../../../platform/jobs/job-rows.js';
import { columnName } from '../../../../platform/database/naming.js';
import { assertStorageLimit } from '../../../../platform/holdings/storage-limit.js';
import { mergeGlobals } from '../../../applications/applications/application.rules.js';
import { ApplicationsRepository } from '../../../applications/applications/applications.repository.js';
import { BUNDLED_EXPERIENCE_VERSIONS } from '../../../experience/experience-versions/experience-version.bundle.js';
import type { ImportResult } from '../application-import.entity.js';
import { ApplicationImportsRepository } from '../application-imports.repository.js';
import { ImportedApplicationsRepository } from './imported-applications.repository.js';
import { ImportedDevices } from './imported-devices.js';
import { ImportedFlowVersions } from './imported-flow-versions.js';
import { ImportedFiles, type PendingFiles } from './imported-files.js';
import { ImportedRowsRepository } from '../imported-rows.repository.js';
import { ImportedTables } from './imported-tables.js';
import { loggedOptions, isIncluded, type ImportTask, type ImportProgress } from '../asked/import-task.js';
import type { PlannedImport, PlannedRow, PlannedRows } from '../planned/planned-rows.js';
import type { Problems } from '../problems.js';

const BATCH = 500;

/** Writes a planned import. File contents are stored as blobs before the transaction and kept if it commits. */
@Injectable()
export class ImportWriter {
  constructor(
    private readonly database: Database,
    private readonly rows: ImportedRowsRepository,
    private readonly tables: ImportedTables,
    private readonly files: ImportedFiles,
    private readonly devices: ImportedDevices,
    private readonly flows: ImportedFlowVersions,
    private readonly applications: ApplicationsRepository,
    private readonly imported: ImportedApplicationsRepository,
    private readonly imports: ApplicationImportsRepository,
    private readonly jobs: JobRows,
  ) {}

  /** Throws `400` if the additional resources of a family would exceed a limit of the owner. */
  assertWithinLimit(
    task: ImportTask,
    bundle: Bundled,
    more: number,
    transaction: Transaction,
  ): Promise<void> {
    return this.rows.assertWithinLimit(bundle, task.application, more, transaction);
  }

  /** Throws `400` if the additional applications would exceed the limit of the owner. */
  assertApplicationLimit({ application }: ImportTask, more: number, transaction: Transaction): Promise<void> {
    return this.applications.assertWithinLimit(application, more, transaction);
  }

  /** Writes the whole import in one transaction. */
  async write(
    task: ImportTask,
    planned: PlannedImport,
    problems: Problems,
    by: Author,
    watch: ImportProgress,
  ): Promise<ImportResult> {
    const contents = new Map<PlannedRows, PendingFiles>();
    for (const family of planned.families)
      if (family.bundle.content?.kind === 'blob')
        contents.set(family, await this.files.store(task, family, planned.files, problems, watch));
    await watch.progress('Writing', 0, planned.families.length);
    const known = problems.mark();
    return this.database.jobTransaction(async (transaction) => {
      // A retried transaction collects its problems again.
      problems.reset(known);
      const versions = new Set<string>();
      const isFirst = await this.begin(task, planned, by, transaction);
      if (!isFirst) return (await this.imports.completed(task.id)) ?? {};
      for (const family of planned.families) {
        watch.signal.throwIfAborted();
        const stored = contents.get(family);
        if (stored) await this.files.write(task, family, stored, problems, by, transaction);
        else await this.writeRows(task, planned, family, problems, by, versions, transaction);
      }
      for (const family of planned.families) await this.link(task, family, transaction);
      // Limits are checked last: this locks the owner for a short time only and counts rows added concurrently.
      for (const { bundle, rows } of planned.families)
        if (rows.count > 0) await this.assertWithinLimit(task, bundle, 0, transaction);
      if (contents.size > 0) await assertStorageLimit(transaction.manager, task.application, 0);
      if (task.isNew && task.isLimited) await this.assertApplicationLimit(task, 0, transaction);
      const result = { validationErrors: problems.reported };
      await this.imports.end(task.id, 'completed', result, transaction);
      return result;
    });
  }

  /** Creates or locks the application. Returns `false` if another attempt has already completed the import. */
  private async begin(
    task: ImportTask,
    { application }: PlannedImport,
    by: Author,
    transaction: Transaction,
  ): Promise<boolean> {
    const { id, ownerId, ownerType } = task.application;
    const hasGlobals = isIncluded(task, 'Global');
    if (task.isNew) {
      const now = new Date();
      const owned = { id, ownerId, ownerType, creationDate: now, lastUpdated: now };
      const signer = { id: by.id, type: by.signer };
      const row = { ...application.row(hasGlobals, now, signer), ...task.given, ...owned };
      if (task.given) await this.applications.add(row, [], by, transaction);
      else {
        if (!(await this.imported.add(row, transaction))) return false;
        await this.imported.log(task, application.post.name, by, transaction);
      }
      await this.jobs.recount(id, transaction);
      await this.imports.claim(task.id, id, loggedOptions(task), by, transaction);
      await this.writeSettings(task, application.develop, by, transaction);
      return true;
    }
    const name = await this.imported.nameOf(task.application, transaction);
    if (!(await this.imports.claim(task.id, id, loggedOptions(task), by, transaction))) return false;
    if (task.templateId) await this.imported.recordTemplate(task.application, task.templateId, transaction);
    await this.imported.log(task, name, by, transaction);
    if (hasGlobals && application.globals.length > 0)
      await this.mergeGlobals(task, application.globals, transaction);
    if (task.conflictBehavior === 'replace')
      await this.writeSettings(task, application.develop, by, transaction);
    return true;
  }

  /** Writes the settings of the development version of the experience, which is created with its application. */
  private async writeSettings(
    task: ImportTask,
    settings: PlannedImport['application']['develop'],
    by: Author,
    transaction: Transaction,
  ): Promise<void> {
    const { id } = task.application;
    if (!settings || Object.keys(settings).length === 0 || !isIncluded(task, 'ExperienceDevelopConfig'))
      return;
    await this.rows.replace(BUNDLED_EXPERIENCE_VERSIONS, id, { id, row: settings }, by, transaction);
  }

  /** Adds globals. Existing ones keep their value unless they are to be replaced. */
  private async mergeGlobals(
    { application, conflictBehavior }: ImportTask,
    given: PlannedImport['application']['globals'],
    transaction: Transaction,
  ): Promise<void> {
    const { globals = [] } = await this.applications.lock(application, transaction);
    const there = new Set((globals ?? []).map(({ key }) => key));
    const [taken] = given.filter(({ key }) => there.has(key));
    if (taken && conflictBehavior === 'error')
      throw new ValidationError(`Global ${JSON.stringify(taken.key)} already exists`);
    const changes = conflictBehavior === 'replace' ? given : given.filter(({ key }) => !there.has(key));
    const merged = mergeGlobals(globals ?? [], changes);
    await this.imported.setGlobals(application, merged, transaction);
  }

  private async writeRows(
    task: ImportTask,
    planned: PlannedImport,
    family: PlannedRows,
    problems: Problems,
    by: Author,
    versions: Set<string>,
    transaction: Transaction,
  ): Promise<void> {
    const { bundle, rows } = family;
    const { id: applicationId } = task.application;
    for await (const read of rows.batches(BATCH)) {
      // If a version could not be created, its contents are skipped.
      const mine = read.filter(({ versionId }) => versionId === undefined || versions.has(versionId));
      const batch = await this.flows.withFlows(task, bundle, mine, problems, by, transaction);
      for (const each of batch.filter(({ replaces }) => replaces)) {
        const own = { ...each, row: { ...withoutDeferred(bundle, each.row), ...importedState(each.row) } };
        const row = await this.devices.replacing(bundle, task.application, own, by, transaction);
        await this.rows.replace(bundle, applicationId, { ...each, row }, by, transaction);
      }
      const fresh = batch.filter(({ replaces }) => !replaces);
      if (fresh.length === 0) continue;
      const arriving = fresh.map(({ id, row }) => ({
        ...withoutDeferred(bundle, row),
        ...importedState(row),
        id,
      }));
      const stored = await this.rows.add(bundle, applicationId, arriving, by, transaction);
      for (const each of fresh) {
        if (!stored.has(each.id)) problems.add(conflictOf(bundle, each));
        else if (bundle === BUNDLED_EXPERIENCE_VERSIONS) versions.add(each.id);
        else if (bundle.content?.kind === 'rows')
          await this.tables.fill(task, each, planned, problems, transaction);
      }
    }
  }

  /** Writes list references once all resources exist. */
  private async link(
    { application }: ImportTask,
    { bundle, rows }: PlannedRows,
    transaction: Transaction,
  ): Promise<void> {
    const { linked = {}, deferred = {} } = bundle;
    for (const [property, table] of Object.entries(linked))
      for await (const batch of rows.batches(BATCH)) {
        const links = batch.flatMap(({ id, resource, versionId }) => {
          const ids = resource[property];
          return Array.isArray(ids)
            ? ids.map((other) => ({ id, other: String(other), sharedColumn: versionId }))
            : [];
        });
        if (links.length > 0) await this.rows.link(bundle, table, application.id, links, transaction);
      }
    for (const [property, other] of Object.entries(deferred))
      for await (const batch of rows.batches(BATCH)) {
        const links = batch.flatMap(({ id, row }) => {
          const named = row[property];
          return typeof named === 'string' ? [{ id, other: named }] : [];
        });
        if (links.length > 0)
          await this.rows.name(bundle, columnName(property), other!, application.id, links, transaction);
      }
  }
}

/** Cloud workflows are imported disabled, so that they do not run before a user has reviewed them. */
const importedState = ({ flowClass }: PlannedRow['row']) => (flowClass === 'cloud' ? { enabled: false } : {});

/** Returns a row without references to resources that may not exist yet. */
const withoutDeferred = ({ deferred = {} }: Bundled, row: PlannedRow['row']): PlannedRow['row'] =>
  Object.fromEntries(
    Object.entries(row).filter(
      ([name, value]) => !(Object.hasOwn(deferred, name) && typeof value === 'string'),
    ),
  );

function conflictOf({ nameProperty, holding: { conflictMessages = {} } }: Bundled, { about }: PlannedRow) {
  const [message = `The ${nameProperty} is not available`] = Object.values(conflictMessages);
  return { ...about, message };
}
