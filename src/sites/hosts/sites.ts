import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { WorkBudget } from '../../lib/async/work-budget.js';
import { RunsIn } from '../../platform/processes/roles.js';
import { LiveCache } from '../../platform/sites/live-cache.js';
import { SiteChanges } from '../../platform/sites/site-changes.js';
import { networkOf } from '../../platform/throttle/network.js';
import { hostName, ownNames, type HostName, type OwnNames } from './host-name.js';
import { SitesRepository, type Site } from './sites.repository.js';

const MAX_HOSTS = 50_000;
/** Clients can ask for any number of hosts that nobody knows, so their networks take turns. */
const LOOKING_UP = {
  concurrency: 4,
  concurrencyPerOwner: 2,
  waitingPerOwner: 100,
  waiting: 2_000,
  patienceMs: 5_000,
};

/** Sites by their hosts. */
@Injectable()
@RunsIn('sites')
export class Sites {
  private readonly sites: LiveCache<Site>;
  private readonly lookingUp = new WorkBudget(LOOKING_UP);
  private readonly ownNames: OwnNames;

  constructor(
    private readonly repository: SitesRepository,
    config: Config,
    changes: SiteChanges,
  ) {
    this.ownNames = ownNames(config);
    this.sites = new LiveCache(changes, {
      max: MAX_HOSTS,
      applicationOf: ({ applicationId }) => applicationId,
    });
  }

  /** Returns what a host in lower case names. */
  nameOf(host: string): HostName | undefined {
    return hostName(host, this.ownNames);
  }

  /** Returns the site at a host, or `undefined` if it does not exist. `address` is that of the client. */
  find(
    name: Exclude<HostName, { kind: 'files' }>,
    address: string,
  ): Site | undefined | Promise<Site | undefined> {
    return this.sites.get(keyOf(name), () =>
      this.lookingUp.run(networkOf(address), () => this.repository.find(name)),
    );
  }

  /** Forgets the sites of an application, and which hosts have none: one of them may be its new name. */
  evictOf(applicationId: string): void {
    this.sites.evictOf(applicationId);
  }

  clear(): void {
    this.sites.clear();
  }
}

const keyOf = ({ kind, name }: Exclude<HostName, { kind: 'files' }>): string => `${kind} ${name}`;
