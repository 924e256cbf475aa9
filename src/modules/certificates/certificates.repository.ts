import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { Database } from '../../platform/database/database.js';
import { ApplicationRepository } from '../../platform/repository.js';
import { ApplicationCertificate, CERTIFICATES } from './certificate.resource.js';

/** The rows of certificates of devices. */
@Injectable()
export class CertificatesRepository extends ApplicationRepository<ApplicationCertificate> {
  constructor(
    @InjectRepository(ApplicationCertificate) rows: Repository<ApplicationCertificate>,
    database: Database,
  ) {
    super(rows, database, CERTIFICATES);
  }
}
