import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { Database } from '../../../platform/database/database.js';
import { ApplicationRepository } from '../../../platform/repositories/repository.js';
import { Credential, CREDENTIALS } from './credential.resource.js';

/** Stores the credentials of applications. */
@Injectable()
export class CredentialsRepository extends ApplicationRepository<Credential> {
  constructor(@InjectRepository(Credential) rows: Repository<Credential>, database: Database) {
    super(rows, database, CREDENTIALS);
  }

  /** Returns the credential with this name, including its secrets, or `null`. */
  named(applicationId: string, name: string): Promise<Credential | null> {
    return this.rows.findOneBy({ applicationId, name });
  }
}
