import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Config } from '../../../config/config.js';
import { SafeHttp } from '../../../lib/http/safe-http.js';
import { CertificateAuthoritiesModule } from '../../keys/certificate-authorities/certificate-authorities.module.js';
import { UsersModule } from '../users/users.module.js';
import { AuthController } from './auth.controller.js';
import { SsoDomain } from './auth.resource.js';
import { AuthService } from './auth.service.js';
import { CodehostClient } from './codehost-client.js';
import { DeviceCertificates } from './device-certificates.service.js';
import { DeviceSignInRepository } from './device-sign-in.repository.js';
import { DeviceSignInService } from './device-sign-in.service.js';
import { CredentialsService } from './credentials.service.js';
import { SamlIds } from './saml/saml-ids.js';
import { SamlIdsRepository } from './saml/saml-ids.repository.js';
import { SignInThrottle } from './sign-in-throttle.js';
import { SsoDomainsRepository } from './sso-domains.repository.js';
import { SsoService } from './sso.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([SsoDomain]), CertificateAuthoritiesModule, UsersModule],
  controllers: [AuthController],
  providers: [
    AuthService,
    CredentialsService,
    DeviceCertificates,
    DeviceSignInRepository,
    DeviceSignInService,
    SamlIds,
    SamlIdsRepository,
    SignInThrottle,
    SsoDomainsRepository,
    SsoService,
    {
      provide: CodehostClient,
      inject: [Config],
      // The operator can configure a provider at a private address, which other clients cannot reach.
      useFactory: ({ CODEHOST_API_URL: url }: Config) =>
        new CodehostClient(url, new SafeHttp({ allowedOrigins: [new URL(url).origin] })),
    },
  ],
  exports: [AuthService, CredentialsService, DeviceCertificates, SignInThrottle, SsoDomainsRepository],
})
export class AuthModule {}
