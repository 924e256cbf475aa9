import type { Author } from '../../../platform/audit/author.js';
import type { Changes } from '../../../platform/database/changes.js';
import type { Transaction } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import { repositoryOf } from '../../../platform/repositories/repository.js';
import type { StoredResource } from '../../../platform/responses/stored-resources.js';
import { ApplicationCertificate, CERTIFICATES } from './certificate.resource.js';

const REVOKE = `INSERT INTO withdrawn_certificates (application_id, digest) VALUES ($1, $2) ON CONFLICT DO NOTHING`;

/** Repository of device certificates. */
export class CertificatesRepository extends repositoryOf(CERTIFICATES) {
  /** Replaces a certificate; the previous one can no longer be used to sign in. */
  replace(
    applicationId: string,
    id: string,
    changes: Changes<ApplicationCertificate> & Pick<ApplicationCertificate, 'digest'>,
    by: Author,
  ): Promise<StoredResource<ApplicationCertificate>> {
    return this.database.transaction(async (transaction) => {
      const { digest } = await this.lock(applicationId, id, transaction);
      if (digest !== changes.digest) await this.revoke(applicationId, digest, transaction);
      return this.update(applicationId, id, changes, by, transaction);
    });
  }

  /** Deletes a certificate, which can no longer be used to sign in. */
  deleteAndRevoke(
    applicationId: string,
    id: string,
    by: Author,
  ): Promise<StoredResource<ApplicationCertificate>> {
    return this.database.transaction(async (transaction) => {
      const { digest } = await this.lock(applicationId, id, transaction);
      await this.revoke(applicationId, digest, transaction);
      return this.delete(applicationId, id, by, transaction);
    });
  }

  private revoke(applicationId: string, digest: string, transaction: Transaction): Promise<unknown> {
    return transaction.run(prepared(REVOKE, [applicationId, digest]));
  }
}
