import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { Database } from '../../../platform/database/database.js';
import { ApplicationRepository } from '../../../platform/repositories/repository.js';
import { APPLICATION_KEYS, ApplicationKey } from './application-key.resource.js';

/** Stores the access keys of applications. */
@Injectable()
export class ApplicationKeysRepository extends ApplicationRepository<ApplicationKey> {
  constructor(@InjectRepository(ApplicationKey) rows: Repository<ApplicationKey>, database: Database) {
    super(rows, database, APPLICATION_KEYS);
  }
}
