import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { Database } from '../../../platform/database/database.js';
import { ApplicationRepository } from '../../../platform/repositories/repository.js';
import { Integration, INTEGRATIONS } from './integration.resource.js';

/** Stores the integrations of applications. */
@Injectable()
export class IntegrationsRepository extends ApplicationRepository<Integration> {
  constructor(@InjectRepository(Integration) rows: Repository<Integration>, database: Database) {
    super(rows, database, INTEGRATIONS);
  }
}
