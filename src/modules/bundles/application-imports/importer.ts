import { Inject, Injectable } from '@nestjs/common';
import { join } from 'node:path';
import { Config } from '../../../config/config.js';
import type { Author } from '../../../platform/audit/author.js';
import { BUNDLES, VERSION_BUNDLES, type Bundled } from '../../../platform/bundles/bundled.js';
import { Certificates } from '../../../platform/certificates/certificates.js';
import { BundleWork } from '../../../platform/bundles/bundle-work.js';
import { platformAddresses } from '../../../platform/bundles/platform-addresses.js';
import { openZip, type BundleFiles } from '../../../platform/bundles/zip-bundle.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import { SiteChanges } from '../../../platform/sites/site-changes.js';
import { CONTRACT } from '../../../platform/responses/body.guard.js';
import type { Contract } from '../../../platform/responses/contract.js';
import { SecretBox } from '../../../lib/crypto/secrets.js';
import type { ImportResult } from './application-import.entity.js';
import { ApplicationImportsRepository } from './application-imports.repository.js';
import { BundleSources } from './fetched/bundle-sources.js';
import { ConflictResolver } from './planned/conflicts.js';
import { ImportedApplication } from './planned/imported-application.js';
import { isImportedType, type ImportedType } from './asked/import-forms.schemas.js';
import { ImportWriter } from './written/import-writer.js';
import { isIncluded, ImportTooLarge, type ImportTask, type ImportProgress } from './asked/import-task.js';
import { RowPlanner, type PlannedImport, type PlannedRows } from './planned/planned-rows.js';
import { Problems } from './problems.js';
import { plainType, stageBundle, type StagedBundle } from './fetched/staged-bundle.js';
import { inWorkFolder } from '../../../lib/files/work-folder.js';

const VERSION = 'ExperienceVersion';
/** Limits for an import that runs while the request waits. */
const SMALL_FILES = 500;
const SMALL_BYTES = 16 * 1024 * 1024;
const SMALL_TEXT_BYTES = 1024 * 1024;
const TEXTS = /\.(ya?ml|csv)$/i;

/**
 * Imports bundles. Reads a bundle to disk, gives every resource a new ID, and validates it against the schema of its
 * `POST` body and the rules of its family. Only then is anything written, in one transaction, so a killed process
 * leaves nothing behind.
 */
@Injectable()
export class Importer {
  constructor(
    private readonly config: Config,
    private readonly sources: BundleSources,
    private readonly imports: ApplicationImportsRepository,
    private readonly conflicts: ConflictResolver,
    private readonly writer: ImportWriter,
    private readonly database: Database,
    private readonly secrets: SecretBox,
    private readonly work: BundleWork,
    private readonly certificates: Certificates,
    private readonly changes: SiteChanges,
    @Inject(BUNDLES) private readonly bundles: readonly Bundled[],
    @Inject(VERSION_BUNDLES) private readonly versionBundles: readonly Bundled[],
    @Inject(CONTRACT) private readonly contract: { current: Contract },
  ) {}

  /** Runs an import and returns its result. An import that is already completed is not repeated. */
  async run(task: ImportTask, by: Author, watch: ImportProgress): Promise<ImportResult> {
    const done = await this.imports.completed(task.id);
    if (done) return done;
    return inWorkFolder(importsFolder(this.config), task.id, async (folder) => {
      const file = join(folder, 'bundle.zip');
      await watch.progress('Fetching the bundle', 0, 1);
      const bounds = await this.sources.fetch(task, file, watch);
      const files = await openZip(file, bounds);
      try {
        if (watch.isShort && !isSmall(files)) throw new ImportTooLarge();
        const result = await this.import(task, files, folder, by, watch);
        await this.changes.announce({ kind: 'application', id: task.application.id });
        await watch.progress('Done', 1, 1);
        return result;
      } finally {
        await files.close();
      }
    });
  }

  private async import(
    task: ImportTask,
    files: BundleFiles,
    folder: string,
    by: Author,
    watch: ImportProgress,
  ): Promise<ImportResult> {
    const problems = new Problems();
    const planned = await this.plan(task, files, folder, problems, watch);
    const limitErrors = await this.limitErrors(task, planned, problems);
    if (task.dryRun) return { validationErrors: problems.reported, dryRunResults: { limitErrors } };
    return this.writer.write(task, planned, problems, by, watch);
  }

  private async plan(
    task: ImportTask,
    files: BundleFiles,
    folder: string,
    problems: Problems,
    watch: ImportProgress,
  ): Promise<PlannedImport> {
    const { id: applicationId, ownerId } = task.application;
    await watch.progress('Reading the bundle', 0, 1);
    const families = { developed: this.bundles, versionBundles: this.versionBundles };
    const order = { ownerId, signal: watch.signal };
    const isAsked = (resourceType: string) => isIncluded(task, resourceType);
    const staged = await stageBundle({
      files,
      folder,
      families,
      applicationId,
      addresses: platformAddresses(this.config),
      problems,
      parse: (texts) => this.work.readYaml(texts, order),
      isIncluded: isAsked,
    });
    const application = new ImportedApplication(staged, this.contract.current);
    const all = [...this.bundles, ...this.versionBundles];
    const chosen = all.filter((bundle) => this.isChosen(task, bundle));
    const kept = task.isNew ? undefined : await this.conflicts.resolve(task, chosen, staged);
    const planner = new RowPlanner({
      contract: this.contract.current,
      secrets: this.secrets,
      certificates: this.certificates,
      topicPrefix: this.config.TOPIC_PREFIX,
      applicationId,
      ownerId,
      folder,
      files,
      problems,
      staged,
      excludedWords: excludedTypes(all, chosen),
      versionBundles: this.versionBundles,
      lost: await this.lostOf(staged, chosen),
    });
    const rows: PlannedRows[] = [];
    for (const bundle of chosen) {
      watch.signal.throwIfAborted();
      await watch.progress(`Checking ${plainType(bundle.resourceType)}`, rows.length, chosen.length);
      const lines = staged.resources.get(bundle);
      if (lines) rows.push(await planner.plan(bundle, lines, kept));
    }
    return { application, families: rows, files, ids: staged.ids };
  }

  /** Checks whether an import includes a family. Contents of experience versions are included with their versions. */
  private isChosen(task: ImportTask, bundle: Bundled): boolean {
    const hasVersion = !this.versionBundles.includes(bundle) || isIncluded(task, VERSION);
    return hasVersion && isIncluded(task, bundle.resourceType, bundle.option);
  }

  /** Returns the IDs of omitted resources, so that references to them are dropped. */
  private async lostOf({ resources }: StagedBundle, chosen: readonly Bundled[]): Promise<Set<string>> {
    const lost = new Set<string>();
    for (const bundle of this.bundles)
      if (!chosen.includes(bundle))
        for await (const { id } of resources.get(bundle)?.read() ?? []) lost.add(id);
    return lost;
  }

  /**
   * Returns the types that would exceed a limit of the owner. Unless it is a dry run, throws `400` for the first one.
   */
  private async limitErrors(
    task: ImportTask,
    { families }: PlannedImport,
    problems: Problems,
  ): Promise<ImportedType[]> {
    const errors: ImportedType[] = [];
    if (task.isNew && task.isLimited)
      await this.database.transaction((transaction) =>
        this.writer.assertApplicationLimit(task, 1, transaction),
      );
    for (const family of families) {
      if (family.rows.count === 0) continue;
      try {
        await this.database.transaction((transaction: Transaction) =>
          this.writer.assertWithinLimit(task, family.bundle, family.rows.count, transaction),
        );
      } catch (error) {
        const isLogged = task.dryRun && !task.isNew && error instanceof ValidationError;
        if (!isLogged) throw error;
        const type = plainType(family.bundle.resourceType);
        if (isImportedType(type)) errors.push(type);
        else problems.recordChange({ type, message: error.message });
      }
    }
    return errors;
  }
}

/** Directory that bundles are read to. */
export const importsFolder = ({ dataDir }: Config): string => join(dataDir, 'imports');

/** Checks whether a bundle can be read, validated and written while a request waits. */
function isSmall(files: BundleFiles): boolean {
  const bytesOf = (paths: readonly string[]) => paths.reduce((sum, path) => sum + files.sizeOf(path), 0);
  const { paths } = files;
  const bytes = bytesOf(paths);
  const ofText = bytesOf(paths.filter((path) => TEXTS.test(path)));
  return paths.length <= SMALL_FILES && bytes <= SMALL_BYTES && ofText <= SMALL_TEXT_BYTES;
}

/** Returns the placeholder words of deliberately omitted types: references to them are not reported as problems. */
function excludedTypes(all: readonly Bundled[], chosen: readonly Bundled[]): ReadonlySet<string> {
  const there = new Set(chosen);
  return new Set(all.filter((bundle) => !there.has(bundle)).map(({ placeholderWord }) => placeholderWord));
}
