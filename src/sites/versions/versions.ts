import { Injectable } from '@nestjs/common';
import { WorkBudget } from '../../lib/async/work-budget.js';
import { RunsIn } from '../../platform/processes/roles.js';
import { LiveCache } from '../../platform/sites/live-cache.js';
import { SiteChanges } from '../../platform/sites/site-changes.js';
import { prepareVersion, type Version } from './version.js';
import { VersionsRepository, type VersionKey } from './versions.repository.js';

/** Maximum number of versions in memory, and of their endpoints and views. */
const MAX_VERSIONS = 10_000;
const MAX_SIZE = 500_000;
/** Reads and prepares versions; one with a thousand endpoints takes some milliseconds. */
const LOADING = {
  concurrency: 4,
  concurrencyPerOwner: 2,
  waitingPerOwner: 1_000,
  waiting: 5_000,
  patienceMs: 10_000,
};

/** Versions of experiences, as they are now. */
@Injectable()
@RunsIn('sites')
export class Versions {
  private readonly versions: LiveCache<Version>;
  /** IDs of versions by application and name. */
  private readonly ids: LiveCache<VersionKey>;
  private readonly loading = new WorkBudget(LOADING);

  constructor(
    private readonly repository: VersionsRepository,
    changes: SiteChanges,
  ) {
    this.versions = new LiveCache(changes, {
      max: MAX_VERSIONS,
      applicationOf: ({ key }) => key.applicationId,
      size: { max: MAX_SIZE, of: ({ size }) => size },
    });
    this.ids = new LiveCache(changes, {
      max: MAX_VERSIONS,
      applicationOf: ({ applicationId }) => applicationId,
    });
  }

  /** Returns a version, or `undefined` if the public cannot reach it. */
  get(key: VersionKey): Version | undefined | Promise<Version | undefined> {
    return this.versions.get(key.id, () => this.loading.run(key.applicationId, () => this.load(key)));
  }

  /** Returns a version by its name. */
  async named(applicationId: string, name: string): Promise<Version | undefined> {
    const key = await this.ids.get(`${applicationId} ${name}`, async () => {
      const id = await this.repository.idOf(applicationId, name);
      return id === undefined ? undefined : { id, applicationId };
    });
    return key && this.get(key);
  }

  /** Forgets the versions of an application. */
  evictOf(applicationId: string): void {
    this.versions.evictOf(applicationId);
    this.ids.evictOf(applicationId);
  }

  /** Forgets the versions of applications, or of owners, with one of the IDs. */
  evictOfAny(ids: ReadonlySet<string>): void {
    this.versions.evictIf((version) => ids.has(version.application.id) || ids.has(version.ownerId));
  }

  clear(): void {
    this.versions.clear();
    this.ids.clear();
  }

  private async load(key: VersionKey): Promise<Version | undefined> {
    const [settings, endpoints, views] = await Promise.all([
      this.repository.settings(key),
      this.repository.endpoints(key),
      this.repository.views(key),
    ]);
    return settings && prepareVersion(settings, endpoints, views);
  }
}
