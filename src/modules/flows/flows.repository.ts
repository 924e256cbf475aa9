import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { Database } from '../../platform/database/database.js';
import { ApplicationRepository } from '../../platform/repository.js';
import { Flow, FLOWS } from './flow.resource.js';

/** The rows of workflows. */
@Injectable()
export class FlowsRepository extends ApplicationRepository<Flow> {
  constructor(@InjectRepository(Flow) rows: Repository<Flow>, database: Database) {
    super(rows, database, FLOWS);
  }
}
