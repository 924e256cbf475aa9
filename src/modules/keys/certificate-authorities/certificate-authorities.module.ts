import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CertificateAuthoritiesController } from './certificate-authorities.controller.js';
import { CertificateAuthoritiesRepository } from './certificate-authorities.repository.js';
import { CertificateAuthoritiesService } from './certificate-authorities.service.js';
import { CertificateAuthorityController } from './certificate-authority.controller.js';
import { ApplicationCertificateAuthority } from './certificate-authority.resource.js';

@Module({
  imports: [TypeOrmModule.forFeature([ApplicationCertificateAuthority])],
  controllers: [CertificateAuthoritiesController, CertificateAuthorityController],
  providers: [CertificateAuthoritiesRepository, CertificateAuthoritiesService],
  exports: [CertificateAuthoritiesService],
})
export class CertificateAuthoritiesModule {}
