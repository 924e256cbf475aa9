import { Injectable } from '@nestjs/common';
import { hkdfSync } from 'node:crypto';
import { Config } from '../../../config/config.js';
import { loadSecretsKey } from '../../../lib/crypto/keys.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import { TxtRecords } from '../../../lib/http/txt-records.js';
import { assertNotOfPlatform, withoutWildcard } from './experience-domain.rules.js';

const VALUE_BYTES = 16;

/** Decides whether an application may have a domain, from the name and from DNS. */
@Injectable()
export class DomainVerification {
  /** Whether domains require TXT records. */
  readonly isRequired: boolean;
  private readonly key: Buffer;
  /** Hosts of the platform: that of the API, and the one below which slugs are. */
  private readonly platform: readonly string[];

  constructor(
    { DOMAIN_VERIFICATION, SITES_DOMAIN, SECRETS_KEY: configured, dataDir, publicUrl }: Config,
    private readonly records: TxtRecords,
  ) {
    this.isRequired = DOMAIN_VERIFICATION === 'dns';
    this.key = loadSecretsKey({ configured, dataDir });
    this.platform = [new URL(publicUrl).hostname, SITES_DOMAIN];
  }

  /** Returns the text that the TXT record of each domain of an application must have. */
  valueOf(applicationId: string): string {
    const bytes = hkdfSync('sha256', this.key, '', `domains of ${applicationId}`, VALUE_BYTES);
    return `fieldwright=${Buffer.from(bytes).toString('hex')}`;
  }

  /**
   * Throws `400` if the name belongs to the platform, or if its TXT record is required and not found. Returns the time at
   * which the record was seen, or `null` if none is required.
   */
  async verify(applicationId: string, domainName: string): Promise<Date | null> {
    for (const host of this.platform) assertNotOfPlatform(domainName, host);
    if (!this.isRequired) return null;
    const name = `_fieldwright.${withoutWildcard(domainName)}`;
    const value = this.valueOf(applicationId);
    if (!(await this.records.of(name)).includes(value))
      throw new ValidationError(
        `experienceDomain.domainName requires the TXT record ${name} with the value ${value}`,
      );
    return new Date();
  }
}
