import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { Database } from '../../platform/database/database.js';
import { prepared } from '../../platform/database/statements.js';
import type { HostName } from './host-name.js';

/** An experience at a host. */
export interface Site {
  /** Slug or domain as it is stored, such as `*.example.com`. Requests are counted and limited by it. */
  readonly name: string;
  readonly applicationId: string;
  /** Version that the host leads to; that of `develop` is the ID of the application. */
  readonly versionId: string;
}

/** A domain with its certificate. `keySealed` is the private key, encrypted. */
export interface DomainCertificate {
  readonly id: string;
  readonly applicationId: string;
  readonly keySealed: string;
  readonly certificate: string;
  readonly bundle: string | null;
}

interface Found extends Omit<Site, 'versionId'> {
  readonly versionId: string | null;
  readonly isVerified: boolean;
}

const BY_SLUG = `SELECT t.slug AS name, t.application_id, t.version_id, true AS is_verified
  FROM experience_slugs t WHERE t.slug = $1`;
/** The name itself comes before the wildcard. */
const OF_DOMAIN =
  'FROM experience_domains t WHERE t.domain_name IN ($1, $2) ORDER BY t.domain_name = $1 DESC LIMIT 1';
const BY_DOMAIN = `SELECT t.domain_name AS name, t.application_id, t.version_id, t.verified_at IS NOT NULL AS is_verified
  ${OF_DOMAIN}`;
const CERTIFICATE = `SELECT t.id, t.application_id, t.ssl_key_sealed AS key_sealed, t.ssl_cert AS certificate, t.ssl_bundle AS bundle,
    t.verified_at IS NOT NULL AS is_verified ${OF_DOMAIN}`;

const wildcardOf = (domain: string): string => `*${domain.slice(domain.indexOf('.'))}`;

/** Finds the experiences at hosts. */
@Injectable()
export class SitesRepository {
  private readonly requiresRecords: boolean;

  constructor(
    private readonly database: Database,
    { DOMAIN_VERIFICATION }: Config,
  ) {
    this.requiresRecords = DOMAIN_VERIFICATION === 'dns';
  }

  /**
   * Returns the site at a host. A domain without a version, or one that is not verified although that is required, has
   * none, even if a wildcard covers it.
   */
  async find({ kind, name }: Exclude<HostName, { kind: 'files' }>): Promise<Site | undefined> {
    const statement =
      kind === 'slug' ? prepared(BY_SLUG, [name]) : prepared(BY_DOMAIN, [name, wildcardOf(name)]);
    const [found] = await this.database.rows<Found>(statement);
    if (!found?.versionId || !this.isUsable(found)) return undefined;
    const { name: stored, applicationId, versionId } = found;
    return { name: stored, applicationId, versionId };
  }

  /** Returns the certificate for a domain, if it has one. */
  async certificate(domain: string): Promise<DomainCertificate | undefined> {
    const [found] = await this.database.rows<DomainCertificate & { isVerified: boolean }>(
      prepared(CERTIFICATE, [domain, wildcardOf(domain)]),
    );
    return found?.certificate && found.keySealed && this.isUsable(found) ? found : undefined;
  }

  private isUsable({ isVerified }: { isVerified: boolean }): boolean {
    return isVerified || !this.requiresRecords;
  }
}
