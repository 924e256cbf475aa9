import { ApiSchema } from '@nestjs/swagger';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { SCOPES } from '../../../platform/access/scope-schema.js';
import {
  ChoiceField,
  IdField,
  IntegerField,
  JsonField,
  StringField,
} from '../../../platform/fields/fields.js';
import { MAX_TTL_SECONDS } from '../../../platform/access/token-signer.js';

/** Parameters common to every sign-in method. */
abstract class SignIn {
  @JsonField(SCOPES, {
    column: false,
    description: 'Scopes of the token. Default: all operations that you can call (`all.User`).',
    example: ['all.User'],
  })
  requestedScopes?: string[];

  @IntegerField({
    column: false,
    minimum: 0,
    maximum: MAX_TTL_SECONDS,
    description: 'Lifetime of the token, in seconds; with 0, the token never expires.',
    default: 86400,
    example: 3600,
  })
  tokenTTL?: number;
}

@ApiSchema({ name: 'UserCredentials', description: 'Email address and password of a user.' })
export class UserCredentials extends SignIn {
  @StringField({
    column: false,
    required: true,
    maxLength: 1024,
    format: 'email',
    description: 'Email address of the user, in any case.',
    example: 'ada@example.com',
  })
  email: string;

  @StringField({
    secret: true,
    column: false,
    required: true,
    minLength: 8,
    maxLength: 2048,
    description: 'Password of the user.',
    example: 'Correct-Horse-7',
  })
  password: string;

  @StringField({
    secret: true,
    column: false,
    maxLength: 2048,
    description: 'Current two-factor code. Required for users with two-factor authentication.',
    example: '123456',
  })
  twoFactorCode?: string;
}

@ApiSchema({ name: 'CodehostLogin', description: 'Access token of a code-hosting provider.' })
export class CodehostLogin extends SignIn {
  @StringField({
    secret: true,
    column: false,
    required: true,
    minLength: 1,
    maxLength: 1024,
    description: 'Access token that the provider issued to the user.',
    example: 'gho_16C7e42F292c6912E7710c838347Ae178B4a',
  })
  accessToken: string;
}

@ApiSchema({ name: 'SamlResponse', description: 'Response of an identity provider.' })
export class SamlResponse extends SignIn {
  @StringField({
    secret: true,
    column: false,
    required: true,
    minLength: 4,
    maxLength: 100000,
    description: 'SAML response as received by the browser, Base64-encoded.',
    example: 'PHNhbWxwOlJlc3BvbnNlLz4=',
  })
  SAMLResponse: string;

  @StringField({
    column: false,
    required: true,
    minLength: 3,
    maxLength: 45,
    description: 'Email domain of the identity provider that sent the response.',
    example: 'example.com',
  })
  SAMLDomain: string;
}

@ApiSchema({ name: 'AuthedUser', description: 'A signed-in user.' })
export class AuthedUser {
  @IdField({ column: false, required: true, description: 'ID of the user who signed in.' })
  userId: string;

  @StringField({
    secret: true,
    column: false,
    required: true,
    minLength: 1,
    description: 'Session token, to be sent as `Authorization: Bearer …`.',
    example: 'eyJhbGciOiJFUzI1NiJ9…',
  })
  token: string;
}

@ApiSchema({ name: 'SsoRequest', description: 'Sign-in method of the users of an email domain.' })
export class SsoRequest {
  @ChoiceField(['SAML'], {
    column: false,
    required: true,
    description: 'Single sign-on protocol of the domain.',
  })
  ssoType: 'SAML';

  @StringField({
    column: false,
    required: true,
    maxLength: 32767,
    description: "URL of the identity provider, including the request. Redirect the user's browser to it.",
    example: 'https://idp.example.com/sso?SAMLRequest=…',
  })
  ssoRequest: string;
}

/** Identity provider of an e-mail domain, configured by operators. */
@Entity('sso_domains')
export class SsoDomain {
  /** E-mail domain, in lower case. */
  @PrimaryColumn({ type: 'text' })
  domain: string;

  /** URL to which users are redirected. */
  @Column({ type: 'text' })
  entryPoint: string;

  /** Entity ID of the provider. */
  @Column({ type: 'text' })
  issuer: string;

  /** URL that receives the provider's responses; by default `/auth/user/saml` of this platform. */
  @Column({ type: 'text', nullable: true })
  acsUrl: string | null;

  /** Signing certificates of the provider, PEM. */
  @Column({ type: 'jsonb' })
  certificates: string[];

  @Column({ type: 'timestamptz', precision: 3 })
  creationDate: Date;
}

/** IDs of answered SAML requests and used assertions, each kept until it expires. */
@Entity('saml_ids')
export class SamlId {
  @PrimaryColumn({ type: 'text' })
  kind: 'request' | 'assertion';

  @PrimaryColumn({ type: 'text' })
  id: string;

  @PrimaryColumn({ type: 'text' })
  domain: string;

  @Index('saml_ids_by_expiry')
  @Column({ type: 'timestamptz', precision: 3 })
  expires: Date;
}
