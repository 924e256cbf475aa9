import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { Database } from '../../../platform/database/database.js';
import { ApplicationRepository } from '../../../platform/repositories/repository.js';
import { Credential, CREDENTIALS } from './credential.resource.js';

/** The rows of credentials. */
@Injectable()
export class CredentialsRepository extends ApplicationRepository<Credential> {
  constructor(@InjectRepository(Credential) rows: Repository<Credential>, database: Database) {
    super(rows, database, CREDENTIALS);
  }

  /** The whole row of a name, where the application has one. */
  named(applicationId: string, name: string): Promise<Credential | null> {
    return this.rows.findOneBy({ applicationId, name });
  }
}
