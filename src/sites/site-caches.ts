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
    changes.listen({ changed: (change) => this.evict(change), missed: () => this.clear() });
    // Deleted applications, and owners who are disabled.
    access.onEvict((ids) => (ids === 'all' ? this.clear() : this.versions.evictOfAny(ids)));
  }

  private evict({ kind, id }: SiteChange): void {
    switch (kind) {
      case 'application':
        this.sites.evictOf(id);
        this.versions.evictOf(id);
        this.visitors.evictUsersOf(id);
        return;
      case 'host':
        this.sites.evictName(id);
        return this.contexts.clear();
      case 'user':
        this.visitors.evictUser(id);
        this.streams.endOf(id);
    }
  }

  private clear(): void {
    this.sites.clear();
    this.versions.clear();
    this.visitors.clear();
    this.contexts.clear();
  }
}
