import { Module } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { SafeHttp } from '../../platform/http/safe-http.js';
import { AuthController } from './auth.controller.js';
import { AuthService } from './auth.service.js';
import { CodehostClient } from './codehost-client.js';
import { CredentialsService } from './credentials.service.js';
import { SamlIds } from './saml/saml-ids.js';
import { SignInThrottle } from './sign-in-throttle.js';
import { SsoService } from './sso.service.js';

@Module({
  controllers: [AuthController],
  providers: [
    AuthService,
    CredentialsService,
    SamlIds,
    SignInThrottle,
    SsoService,
    {
      provide: CodehostClient,
      inject: [Config],
      // The operator's own choice of provider may be on a private address; no other client may reach it there.
      useFactory: ({ CODEHOST_API_URL: url }: Config) =>
        new CodehostClient(url, new SafeHttp({ allowedOrigins: [new URL(url).origin] })),
    },
  ],
  exports: [AuthService, CredentialsService, SignInThrottle],
})
export class AuthModule {}
