import { Body, Controller, Get, Ip, Post, Query, Req } from '@nestjs/common';
import type { Request } from 'express';
import { ClientCertificates } from '../../../platform/certificates/client-certificate.js';
import { ID_EXAMPLE } from '../../../platform/fields/fields.js';
import { Operation } from '../../../platform/operations/operation.js';
import { Reply } from '../../../platform/responses/stored-resources.js';
import { AuthedUser, CodehostLogin, SamlResponse, SsoRequest, UserCredentials } from './auth.resource.js';
import { AuthService } from './auth.service.js';
import { AuthedDevice, DeviceCredentials } from './device-sign-in.resource.js';
import { DeviceSignInService } from './device-sign-in.service.js';
import { SsoService } from './sso.service.js';
import { SsoDomainQuery } from './auth.query.js';

const TOKEN_NOTE =
  'The token has the scopes `requestedScopes` (default: `all.User`) and expires after `tokenTTL` seconds (default: one day).';
const ATTEMPT_LIMIT_NOTE =
  'Failed attempts are counted by IP address. Returns `429` after 100 failed attempts within 15 minutes.';

@Controller('auth')
export class AuthController {
  constructor(
    private readonly auth: AuthService,
    private readonly sso: SsoService,
    private readonly devices: DeviceSignInService,
    private readonly certificates: ClientCertificates,
  ) {}

  @Post('user')
  @Operation('auth.authenticateUser', {
    summary: 'Signs a user in with a password',
    description: `Users with two-factor authentication also send their current code. ${TOKEN_NOTE} Failed sign-ins are throttled. After ten failed attempts for an account from one IP address, sign-in from there is blocked for 15 seconds. The delay doubles with each further failure, up to 15 minutes. After 100 failures in one day from addresses from which the account has never signed in, all such addresses are blocked for up to one minute. After 100 failed attempts from an address within 15 minutes, all sign-ins from there are blocked. While blocked, the response is \`429\`, even if the password is correct. Its type is \`AccountLocked\` if the account is blocked.`,
    scopes: 'public',
    body: { credentials: UserCredentials },
    example: { email: 'ada@example.com', password: 'Correct-Horse-7' },
    returns: { 200: AuthedUser },
    errors: { 401: 'The email address, the password or the code is wrong.' },
  })
  signIn(@Body() body: UserCredentials, @Ip() address: string): Promise<AuthedUser> {
    return this.auth.signIn(body, address);
  }

  // Published clients use the second path.
  @Post(['user/codehost', 'user/github'])
  @Operation('auth.authenticateUserCodehost', {
    summary: 'Signs a user in with a code-hosting provider',
    description: `Looks up the owner of the token at the provider, and signs in the user linked to that identity. If no user is linked, links and signs in the user whose verified email address is verified by the provider too. Two-factor authentication is left to the provider. ${TOKEN_NOTE} ${ATTEMPT_LIMIT_NOTE}`,
    scopes: 'public',
    body: { oauth: CodehostLogin },
    example: { accessToken: 'gho_16C7e42F292c6912E7710c838347Ae178B4a' },
    returns: { 200: AuthedUser },
    errors: {
      401: 'The provider rejects the token, or no user is linked to the identity.',
      503: 'The provider does not respond.',
    },
  })
  signInWithCodehost(@Body() body: CodehostLogin, @Ip() address: string): Promise<AuthedUser> {
    return this.auth.signInWithCodehost(body, address);
  }

  @Post('user/saml')
  @Operation('auth.authenticateUserSaml', {
    summary: 'Signs a user in with a SAML response',
    description: `The response must refer to a request from \`GET /auth/ssoDomain\` for the same domain that is at most 15 minutes old. Its assertion must be signed and can be used once. If the user does not exist, the user is created. ${TOKEN_NOTE} ${ATTEMPT_LIMIT_NOTE}`,
    scopes: 'public',
    body: { saml: SamlResponse },
    example: { SAMLResponse: 'PHNhbWxwOlJlc3BvbnNlLz4=', SAMLDomain: 'example.com' },
    returns: { 200: AuthedUser },
    errors: { 401: 'The SAML response is not valid.' },
  })
  signInWithSaml(@Body() body: SamlResponse, @Ip() address: string): Promise<AuthedUser> {
    return this.sso.signIn(body, address);
  }

  @Post('device')
  @Operation('auth.authenticateDevice', {
    summary: 'Signs a device in with a key or certificate',
    description:
      "With `key` and `secret`: the key must be active, and the device must be one that can use it. The request must come from an address that the key allows. Devices of the classes `peripheral`, `floating` and `system` cannot sign in: their gateway reports for them. The token has the scopes `requestedScopes` (default: `all.Device`) and expires after `tokenTTL` seconds (default: one day). It gives access to the application of the device and to the devices that can use the key; other devices return `404`. The token is rejected once the key is inactive or deleted, or once the device is deleted or can no longer use the key. It is also rejected from addresses that the key does not allow. All failures return the same `401`. After 100 failed attempts with a key or from an address within 15 minutes, failures return `429`. Requests with the right secret are never blocked. With `deviceId` only: the device signs in with the client certificate that a trusted proxy forwards. Certificates forwarded by other clients are ignored. The certificate must be valid and must have `extendedKeyUsage` with `clientAuth`. A certificate authority is accepted only if it is self-signed. It must be signed directly by a valid certificate of an active certificate authority of the device's application; chains are not followed. A certificate registered in the application must be active and select the device by `deviceIds` or `deviceTags`; its token gives access to the selected devices. A certificate that was never registered signs in the device whose ID is its common name, with access to that device only. A deleted or replaced certificate cannot sign in. The token expires with these certificates at the latest. It is rejected immediately once the certificate, its authority or the device no longer allows the sign-in.",
    scopes: 'public',
    body: { credentials: DeviceCredentials },
    example: { deviceId: ID_EXAMPLE, key: 'b1f6a7c0-5c43-4a52-9f0d-2a1d8f3e6c11', secret: 'Zx8…' },
    returns: { 200: AuthedDevice },
    errors: {
      401: 'The device, the key, the secret or the certificate is wrong, or the device cannot use it.',
    },
  })
  signInDevice(
    @Body() body: DeviceCredentials,
    @Ip() address: string,
    @Req() request: Request,
  ): Promise<AuthedDevice> {
    return this.devices.signIn(body, address, this.certificates.read(request));
  }

  @Get('ssoDomain')
  @Operation('auth.ssoDomain', {
    summary: 'Returns the sign-in method of a domain',
    description:
      'If the domain of the email address has single sign-on, returns `200` with the URL of its identity provider, including the SAML request. Returns `204` if its users sign in with passwords. The response depends on the domain only and does not reveal whether a user exists.',
    scopes: 'public',
    returns: { 200: SsoRequest, 204: null },
  })
  async ssoDomain(@Query() { email }: SsoDomainQuery): Promise<SsoRequest | Reply<undefined>> {
    return (await this.sso.request(email)) ?? new Reply(204, undefined);
  }
}
