import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import type { Transaction } from '../../../platform/database/database.js';
import { SsoDomain } from './auth.resource.js';

/**
 * Repository of e-mail domains with single sign-on. They have no owner: operators configure them, and the domain is the
 * ID.
 */
@Injectable()
export class SsoDomainsRepository {
  constructor(@InjectRepository(SsoDomain) private readonly rows: Repository<SsoDomain>) {}

  find(domain: string): Promise<SsoDomain | null> {
    return this.rows.findOneBy({ domain });
  }

  has(domain: string, { manager }: Transaction): Promise<boolean> {
    return manager.withRepository(this.rows).existsBy({ domain });
  }
}
