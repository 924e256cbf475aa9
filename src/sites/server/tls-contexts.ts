import { Injectable, Logger } from '@nestjs/common';
import { readFile, stat } from 'node:fs/promises';
import { createSecureContext, type SecureContext, type TLSSocket, type TlsOptions } from 'node:tls';
import { Config } from '../../config/config.js';
import { WorkBudget } from '../../lib/async/work-budget.js';
import { SecretBox } from '../../lib/crypto/secrets.js';
import { DOMAIN_KEY } from '../../modules/experience/experience-domains/experience-domain.rules.js';
import { RunsIn } from '../../platform/processes/roles.js';
import { LiveCache } from '../../platform/sites/live-cache.js';
import { SiteChanges } from '../../platform/sites/site-changes.js';
import { networkOf } from '../../platform/throttle/network.js';
import { hostName, ownNames, plainHost } from '../hosts/host-name.js';
import { SitesRepository } from '../hosts/sites.repository.js';

const MAX_CONTEXTS = 5_000;
/**
 * Reads certificates of domains, whose keys take some milliseconds to prepare. Clients can ask for any number of names
 * that nobody knows, so their networks take turns.
 */
const LOADING = {
  concurrency: 4,
  concurrencyPerOwner: 2,
  waitingPerOwner: 100,
  waiting: 1_000,
  patienceMs: 5_000,
};
/** Interval in which the files of the certificate for slugs are looked at. */
const CHECK_MS = 60_000;

type Callback = (error: Error | null, context?: SecureContext) => void;

/** The certificate of the operator, from files that can be replaced at any time. */
interface FileContext {
  readonly context: SecureContext;
  /** Times of the last change of both files. */
  readonly changed: string;
  readonly checkedAt: number;
}

/** The certificate of a domain of an application. */
interface DomainContext {
  readonly context: SecureContext;
  readonly applicationId: string;
}

/** Certificates for connections with TLS, by the name of the server that clients ask for. */
@Injectable()
@RunsIn('sites')
export class TlsContexts {
  private readonly logger = new Logger(TlsContexts.name);
  private readonly ofDomains: LiveCache<DomainContext>;
  private readonly loading = new WorkBudget(LOADING);
  private ofSlugs?: FileContext;

  constructor(
    private readonly repository: SitesRepository,
    private readonly secrets: SecretBox,
    private readonly config: Config,
    changes: SiteChanges,
  ) {
    this.ofDomains = new LiveCache(changes, {
      max: MAX_CONTEXTS,
      applicationOf: ({ applicationId }) => applicationId,
    });
  }

  /** Options of a server with TLS. */
  get options(): TlsOptions {
    const answer = (serverName: string, address: string, done: Callback): void =>
      void this.find(serverName, address).then(
        (context) => (context ? done(null, context) : done(new Error('No certificate for this name'))),
        (error: Error) => {
          this.logger.warn(`Could not load the certificate for ${serverName}: ${error.message}`);
          done(error);
        },
      );
    return {
      minVersion: 'TLSv1.2',
      // Node calls it as a method of the connection.
      SNICallback(this: TLSSocket, serverName, done) {
        answer(serverName, this.remoteAddress ?? '', done);
      },
    };
  }

  /** Forgets the certificates of an application, and which domains have none. */
  evictOf(applicationId: string): void {
    this.ofDomains.evictOf(applicationId);
  }

  clear(): void {
    this.ofDomains.clear();
  }

  /** Returns the certificate for a name, or `undefined` if it does not exist. `address` is that of the client. */
  private async find(serverName: string, address: string): Promise<SecureContext | undefined> {
    const host = plainHost(serverName);
    if (host === undefined) return undefined;
    const { SITES_DOMAIN } = this.config;
    if (host === SITES_DOMAIN || host.endsWith(`.${SITES_DOMAIN}`)) return this.slugContext();
    if (hostName(host, ownNames(this.config))?.kind !== 'domain') return undefined;
    const read = () => this.loading.run(networkOf(address), () => this.domainContext(host));
    return (await this.ofDomains.get(host, read))?.context;
  }

  private async domainContext(domain: string): Promise<DomainContext | undefined> {
    const found = await this.repository.certificate(domain);
    if (!found) return undefined;
    const { id, applicationId, keySealed, certificate, bundle } = found;
    const cert = bundle ? `${certificate.trimEnd()}\n${bundle}` : certificate;
    const context = createSecureContext({ cert, key: DOMAIN_KEY.open(id, keySealed, this.secrets) });
    return { context, applicationId };
  }

  /** Reads the files again if they have changed. A file that cannot be read leaves the previous certificate in use. */
  private async slugContext(): Promise<SecureContext | undefined> {
    const { SITES_TLS_CERT, SITES_TLS_KEY } = this.config;
    const known = this.ofSlugs;
    if (!SITES_TLS_CERT || !SITES_TLS_KEY) return undefined;
    if (known && known.checkedAt + CHECK_MS > Date.now()) return known.context;
    try {
      const files = [SITES_TLS_CERT, SITES_TLS_KEY];
      const times = await Promise.all(files.map(async (file) => (await stat(file)).mtimeMs));
      const changed = times.join(' ');
      const [cert, key] =
        known?.changed === changed ? [] : await Promise.all(files.map((file) => readFile(file)));
      const context = cert ? createSecureContext({ cert, key }) : known!.context;
      this.ofSlugs = { context, changed, checkedAt: Date.now() };
    } catch (error) {
      if (!known) throw error;
      this.logger.warn(`Could not read SITES_TLS_CERT and SITES_TLS_KEY again: ${(error as Error).message}`);
      this.ofSlugs = { ...known, checkedAt: Date.now() };
    }
    return this.ofSlugs.context;
  }
}
