import { Injectable } from '@nestjs/common';
import { AccessCache } from '../platform/access/access-cache.js';
import { RunsIn } from '../platform/processes/roles.js';
import { SiteChanges, type SiteChange } from '../platform/sites/site-changes.js';
import { Sites } from './hosts/sites.js';
import { TopicStreams } from './replies/topic-streams.js';
import { TlsContexts } from './server/tls-contexts.js';
import { Versions } from './versions/versions.js';
import { Visitors } from './visitors/visitors.js';

/** Evicts what this process has cached of experiences when it changes, in any process. */
@Injectable()
@RunsIn('sites')
export class SiteCaches {
  constructor(
    private readonly sites: Sites,
    private readonly versions: Versions,
    private readonly visitors: Visitors,
    private readonly streams: TopicStreams,
    private readonly contexts: TlsContexts,
    changes: SiteChanges,
    access: AccessCache,
  ) {
    changes.listen({ changed: (change) => this.evict(change), missed: () => this.clearMissed() });
    // Deleted applications, and owners who are disabled.
    access.onEvict((ids) => (ids === 'all' ? this.clear() : this.evictOfAny(ids)));
  }

  private evict({ kind, id }: SiteChange): void {
    if (kind === 'user') {
      this.visitors.evictUser(id);
      return this.streams.endOf(new Set([id]));
    }
    for (const cache of [this.sites, this.versions, this.visitors, this.contexts]) cache.evictOf(id);
  }

  private evictOfAny(ids: ReadonlySet<string>): void {
    this.versions.evictOfAny(ids);
    this.streams.endOf(ids);
  }

  private clearMissed(): void {
    this.clear();
    this.streams.endOfUsers();
  }

  private clear(): void {
    for (const cache of [this.sites, this.versions, this.visitors, this.contexts]) cache.clear();
  }
}
