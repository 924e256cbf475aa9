import { Body, Controller, Get, Ip, Post, Query, Req } from '@nestjs/common';
import type { Request } from 'express';
import { ClientCertificates } from '../../../platform/certificates/client-certificate.js';
import { ID_EXAMPLE } from '../../../platform/fields/fields.js';
import { Operation } from '../../../platform/operations/operation.js';
import { Reply } from '../../../platform/responses/answers.js';
import { AuthedUser, CodehostLogin, SamlResponse, SsoRequest, UserCredentials } from './auth.resource.js';
import { AuthService } from './auth.service.js';
import { AuthedDevice, DeviceCredentials } from './device-sign-in.resource.js';
import { DeviceSignInService } from './device-sign-in.service.js';
import { SsoService } from './sso.service.js';
import { SsoDomainQuery } from './auth.query.js';

const TOKEN =
  'The token carries `requestedScopes`, or `all.User`, and lives for `tokenTTL` seconds, a day unless given.';
const TRIES =
  'Failed tries are counted per address that they come from; past a hundred in a quarter of an hour the answer is 429.';

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
    description: `Users with a second factor add its present code. ${TOKEN} Failed tries are counted. From the tenth on that an account has from one address there are pauses, of 15 seconds and then twice as long each time, to a quarter of an hour at most; past a hundred in a day from addresses that the account was never signed in from, there is a pause for all of these, of a minute at most. Past a hundred failed tries from an address in a quarter of an hour, none is taken from there. During a pause the answer is 429, whatever the password, of the type \`AccountLocked\` where it is the account's.`,
    scopes: 'public',
    body: { credentials: UserCredentials },
    example: { email: 'ada@example.com', password: 'Correct-Horse-7' },
    returns: { 200: AuthedUser },
    errors: { 401: 'The address, the password or the code is wrong.' },
  })
  signIn(@Body() body: UserCredentials, @Ip() address: string): Promise<AuthedUser> {
    return this.auth.signIn(body, address);
  }

  // The second is how published clients know it.
  @Post(['user/codehost', 'user/github'])
  @Operation('auth.authenticateUserCodehost', {
    summary: 'Signs a user in with a token of the code-hosting provider',
    description: `Asks the provider whose token it is, and signs in the user who is linked to that identity, or else the one whose verified e-mail address is a verified one there; they are linked from then on. A second factor is the provider's to ask for. ${TOKEN} ${TRIES}`,
    scopes: 'public',
    body: { oauth: CodehostLogin },
    example: { accessToken: 'gho_16C7e42F292c6912E7710c838347Ae178B4a' },
    returns: { 200: AuthedUser },
    errors: {
      401: 'The provider does not know the token, or no user is linked to the identity.',
      503: 'The provider does not answer.',
    },
  })
  signInWithCodehost(@Body() body: CodehostLogin, @Ip() address: string): Promise<AuthedUser> {
    return this.auth.signInWithCodehost(body, address);
  }

  @Post('user/saml')
  @Operation('auth.authenticateUserSaml', {
    summary: "Signs a user in with their identity provider's SAML response",
    description: `The response must answer a request of \`GET /auth/ssoDomain\`, made for the same domain at most a quarter of an hour ago; its assertion must be signed, and works once. A user who was never here is made. ${TOKEN} ${TRIES}`,
    scopes: 'public',
    body: { saml: SamlResponse },
    example: { SAMLResponse: 'PHNhbWxwOlJlc3BvbnNlLz4=', SAMLDomain: 'example.com' },
    returns: { 200: AuthedUser },
    errors: { 401: 'The response is not valid.' },
  })
  signInWithSaml(@Body() body: SamlResponse, @Ip() address: string): Promise<AuthedUser> {
    return this.sso.signIn(body, address);
  }

  @Post('device')
  @Operation('auth.authenticateDevice', {
    summary: 'Signs a device in with an access key or a client certificate',
    description:
      'With `key` and `secret`: the key must be active and have the secret, the device must be one that may use it, and the request must come from an address that it lets in. Devices that others speak for (`peripheral`, `floating`, `system`) do not sign in: their gateway reports for them. The token carries `requestedScopes`, or `all.Device`, and lives for `tokenTTL` seconds, a day unless given. It reaches the application of the device, and there the devices that may use the key; others are to it as if they did not exist. It works as long as the device could sign in with the key: no longer once the key is inactive or deleted, the device deleted or no longer one that may use it, and from no address that the key does not let in. Whatever is wrong, the answer is the same 401; from the hundredth failed try on that a key or an address has in a quarter of an hour it is 429. Neither keeps out who has the right secret. With `deviceId` alone: the device is signed in by the certificate with which the client proved itself to a proxy that the operator trusts; what anybody else says of one is not read. It must be valid now and of no authority, have `extendedKeyUsage` with `clientAuth`, and be signed by a certificate of an active authority of the application of the device which is valid now too; no chain is followed. One that is registered in the application must be active and name the device by `deviceIds` or `deviceTags`, and reaches the devices that these name. One that never was registered signs in the one device whose id is its common name, which reaches itself. One that was, and is deleted or replaced, signs nobody in. The token ends with these certificates at the latest, and is void from the next request on once the certificate, its authority or the device no longer lets it in.',
    scopes: 'public',
    body: { credentials: DeviceCredentials },
    example: { deviceId: ID_EXAMPLE, key: 'b1f6a7c0-5c43-4a52-9f0d-2a1d8f3e6c11', secret: 'Zx8…' },
    returns: { 200: AuthedDevice },
    errors: {
      401: 'The device, the key, the secret or the certificate is wrong, or not for the device to use.',
    },
  })
  signInDevice(
    @Body() body: DeviceCredentials,
    @Ip() address: string,
    @Req() request: Request,
  ): Promise<AuthedDevice> {
    return this.devices.signIn(body, address, this.certificates.of(request));
  }

  @Get('ssoDomain')
  @Operation('auth.ssoDomain', {
    summary: "Tells where users of an e-mail address's domain sign in",
    description:
      "200 with the address of the domain's identity provider, the request within, when the domain has single sign-on; 204 when its users have passwords. The answer depends on the domain only: it does not tell whether there is such a user.",
    scopes: 'public',
    returns: { 200: SsoRequest, 204: null },
  })
  async ssoDomain(@Query() { email }: SsoDomainQuery): Promise<SsoRequest | Reply<undefined>> {
    return (await this.sso.request(email)) ?? new Reply(204, undefined);
  }
}
