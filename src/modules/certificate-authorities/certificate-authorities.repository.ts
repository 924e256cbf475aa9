import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { Database } from '../../platform/database/database.js';
import { prepared } from '../../platform/database/statements.js';
import { ApplicationRepository } from '../../platform/repository.js';
import {
  ApplicationCertificateAuthority,
  CERTIFICATE_AUTHORITIES,
} from './certificate-authority.resource.js';
import { subjectKey } from './certificate-authority.rules.js';

/** Of authorities that have the same name, so many are asked whether they signed something. */
const MOST_NAMESAKES = 16;

const BUNDLES_OF = `SELECT t.ca_bundle FROM application_certificate_authorities t
  WHERE t.subject_keys @> ARRAY[$2::text] AND t.application_id = $1
  ORDER BY t.creation_date DESC LIMIT ${MOST_NAMESAKES}`;

/** The rows of certificate authorities. */
@Injectable()
export class CertificateAuthoritiesRepository extends ApplicationRepository<ApplicationCertificateAuthority> {
  constructor(
    @InjectRepository(ApplicationCertificateAuthority) rows: Repository<ApplicationCertificateAuthority>,
    database: Database,
  ) {
    super(rows, database, CERTIFICATE_AUTHORITIES);
  }

  /** The bundles of those in which somebody has this name, active or not, the newest first. */
  async bundlesOf(applicationId: string, subject: string): Promise<string[]> {
    const values = [applicationId, subjectKey(applicationId, subject)];
    const rows = await this.database.run(prepared(BUNDLES_OF, values));
    return rows.map(([bundle]) => bundle!);
  }
}
