import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CertificateAuthoritiesModule } from '../certificate-authorities/certificate-authorities.module.js';
import { CertificateController } from './certificate.controller.js';
import { ApplicationCertificate } from './certificate.resource.js';
import { CertificatesController } from './certificates.controller.js';
import { CertificatesRepository } from './certificates.repository.js';
import { CertificatesService } from './certificates.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([ApplicationCertificate]), CertificateAuthoritiesModule],
  controllers: [CertificatesController, CertificateController],
  providers: [CertificatesRepository, CertificatesService],
})
export class CertificatesModule {}
