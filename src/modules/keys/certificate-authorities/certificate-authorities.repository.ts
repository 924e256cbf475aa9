import { prepared } from '../../../platform/database/statements.js';
import { repositoryOf } from '../../../platform/repositories/repository.js';
import {
  ApplicationCertificateAuthority,
  CERTIFICATE_AUTHORITIES,
} from './certificate-authority.resource.js';
import { subjectKey } from './certificate-authority.rules.js';

/** Bundle of an authority, with the numbers of the certificates that have a name, counted from 1. */
export interface BundleMatch {
  authorityId: string;
  bundle: string;
  numbers: number[];
}

/** Maximum number of authorities with the same name that are checked for a signature. */
const MAX_SAME_SUBJECT = 16;

// Uses only the index on names, which includes the application; in order of creation, many others could come first.
const BUNDLES_OF = `SELECT f.id, f.ca_bundle, to_json(array_positions(f.subject_keys, $2::text))
  FROM (SELECT t.* FROM application_certificate_authorities t WHERE t.subject_keys @> ARRAY[$2::text] OFFSET 0) f
  WHERE f.application_id = $1 AND f.status = ANY ($3::text[]) ORDER BY f.creation_date DESC LIMIT ${MAX_SAME_SUBJECT}`;

/** Repository of certificate authorities. */
export class CertificateAuthoritiesRepository extends repositoryOf(CERTIFICATE_AUTHORITIES) {
  /**
   * Returns the bundles that contain a certificate with this name, of authorities with these statuses, newest first.
   */
  async bundlesOf(
    applicationId: string,
    subject: string,
    statuses: readonly ApplicationCertificateAuthority['status'][],
  ): Promise<BundleMatch[]> {
    const values = [applicationId, subjectKey(applicationId, subject), statuses];
    const rows = await this.database.run(prepared(BUNDLES_OF, values));
    return rows.map(([authorityId, bundle, numbers]) => ({
      authorityId: authorityId!,
      bundle: bundle!,
      numbers: JSON.parse(numbers!) as number[],
    }));
  }
}
