import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { Database } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import { ApplicationRepository } from '../../../platform/repositories/repository.js';
import {
  ApplicationCertificateAuthority,
  CERTIFICATE_AUTHORITIES,
} from './certificate-authority.resource.js';
import { subjectKey } from './certificate-authority.rules.js';

/** The bundle of an authority, and which of its certificates have a name, counted from 1. */
export interface NamedInBundle {
  authorityId: string;
  bundle: string;
  numbers: number[];
}

/** Of authorities that have the same name, so many are asked whether they signed something. */
const MOST_NAMESAKES = 16;

// Found by the index of names alone, which says the application too: in order of creation many others may come first.
const BUNDLES_OF = `SELECT f.id, f.ca_bundle, to_json(array_positions(f.subject_keys, $2::text))
  FROM (SELECT t.* FROM application_certificate_authorities t WHERE t.subject_keys @> ARRAY[$2::text] OFFSET 0) f
  WHERE f.application_id = $1 AND f.status = ANY ($3::text[]) ORDER BY f.creation_date DESC LIMIT ${MOST_NAMESAKES}`;

/** The rows of certificate authorities. */
@Injectable()
export class CertificateAuthoritiesRepository extends ApplicationRepository<ApplicationCertificateAuthority> {
  constructor(
    @InjectRepository(ApplicationCertificateAuthority) rows: Repository<ApplicationCertificateAuthority>,
    database: Database,
  ) {
    super(rows, database, CERTIFICATE_AUTHORITIES);
  }

  /** The bundles in which somebody has this name, of authorities of these statuses, the newest first. */
  async bundlesOf(
    applicationId: string,
    subject: string,
    statuses: readonly ApplicationCertificateAuthority['status'][],
  ): Promise<NamedInBundle[]> {
    const values = [applicationId, subjectKey(applicationId, subject), statuses];
    const rows = await this.database.run(prepared(BUNDLES_OF, values));
    return rows.map(([authorityId, bundle, numbers]) => ({
      authorityId: authorityId!,
      bundle: bundle!,
      numbers: JSON.parse(numbers!) as number[],
    }));
  }
}
