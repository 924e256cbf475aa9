import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { TxtRecords } from '../../../lib/http/txt-records.js';
import { ExperienceVersionsModule } from '../experience-versions/experience-versions.module.js';
import { DomainOwnersRepository } from './domain-owners.repository.js';
import { DomainVerification } from './domain-verification.js';
import { ExperienceDomainController } from './experience-domain.controller.js';
import { ExperienceDomain } from './experience-domain.resource.js';
import { ExperienceDomainsController } from './experience-domains.controller.js';
import { ExperienceDomainsRepository } from './experience-domains.repository.js';
import { ExperienceDomainsService } from './experience-domains.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([ExperienceDomain]), ExperienceVersionsModule],
  controllers: [ExperienceDomainsController, ExperienceDomainController],
  providers: [
    DomainOwnersRepository,
    DomainVerification,
    ExperienceDomainsRepository,
    ExperienceDomainsService,
    TxtRecords,
  ],
  exports: [DomainOwnersRepository],
})
export class ExperienceDomainsModule {}
