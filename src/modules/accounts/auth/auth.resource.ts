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
import { LONGEST_TTL_SECONDS } from '../../../platform/access/token-signer.js';

/** What every way of signing in takes beside its proof. */
abstract class SignIn {
  @JsonField(SCOPES, {
    column: false,
    description: 'What the token may do; absent, everything you may (`all.User`).',
    example: ['all.User'],
  })
  requestedScopes?: string[];

  @IntegerField({
    column: false,
    minimum: 0,
    maximum: LONGEST_TTL_SECONDS,
    description: 'How long the token lives, in seconds; 0 for ever.',
    default: 86400,
    example: 3600,
  })
  tokenTTL?: number;
}

@ApiSchema({ name: 'UserCredentials', description: "A user's e-mail address and password." })
export class UserCredentials extends SignIn {
  @StringField({
    column: false,
    required: true,
    maxLength: 1024,
    format: 'email',
    description: 'The e-mail address, in upper or lower case.',
    example: 'ada@example.com',
  })
  email: string;

  @StringField({
    secret: true,
    column: false,
    required: true,
    minLength: 8,
    maxLength: 2048,
    description: 'The password.',
    example: 'Correct-Horse-7',
  })
  password: string;

  @StringField({
    secret: true,
    column: false,
    maxLength: 2048,
    description: 'The code of the second factor, for users who have one.',
    example: '123456',
  })
  twoFactorCode?: string;
}

@ApiSchema({ name: 'CodehostLogin', description: 'A token of the code-hosting provider.' })
export class CodehostLogin extends SignIn {
  @StringField({
    secret: true,
    column: false,
    required: true,
    minLength: 1,
    maxLength: 1024,
    description: 'An access token that the provider issued to the user.',
    example: 'gho_16C7e42F292c6912E7710c838347Ae178B4a',
  })
  accessToken: string;
}

@ApiSchema({ name: 'SamlResponse', description: 'The answer of an identity provider.' })
export class SamlResponse extends SignIn {
  @StringField({
    secret: true,
    column: false,
    required: true,
    minLength: 4,
    maxLength: 100000,
    description: 'The SAML response as the browser carried it, base64.',
    example: 'PHNhbWxwOlJlc3BvbnNlLz4=',
  })
  SAMLResponse: string;

  @StringField({
    column: false,
    required: true,
    minLength: 3,
    maxLength: 45,
    description: 'The e-mail domain whose provider answered.',
    example: 'example.com',
  })
  SAMLDomain: string;
}

@ApiSchema({ name: 'AuthedUser', description: 'A user who is signed in.' })
export class AuthedUser {
  @IdField({ column: false, required: true, description: 'The user.' })
  userId: string;

  @StringField({
    secret: true,
    column: false,
    required: true,
    minLength: 1,
    description: 'The token, to be sent as `Authorization: Bearer …`.',
    example: 'eyJhbGciOiJFUzI1NiJ9…',
  })
  token: string;
}

@ApiSchema({ name: 'SsoRequest', description: 'Where users of an e-mail domain sign in.' })
export class SsoRequest {
  @ChoiceField(['SAML'], { column: false, required: true, description: 'The protocol.' })
  ssoType: 'SAML';

  @StringField({
    column: false,
    required: true,
    maxLength: 32767,
    description:
      "The address of the identity provider with the request in it; send the user's browser there.",
    example: 'https://idp.example.com/sso?SAMLRequest=…',
  })
  ssoRequest: string;
}

/** The identity provider of an e-mail domain; operators configure it. */
@Entity('sso_domains')
export class SsoDomain {
  /** Lower case. */
  @PrimaryColumn({ type: 'text' })
  domain: string;

  /** Where users are sent. */
  @Column({ type: 'text' })
  entryPoint: string;

  /** The provider's entity id. */
  @Column({ type: 'text' })
  issuer: string;

  /** Where its answers go; absent, this platform's own `/auth/user/saml`. */
  @Column({ type: 'text', nullable: true })
  acsUrl: string | null;

  /** Its signing certificates, PEM. */
  @Column({ type: 'jsonb' })
  certificates: string[];

  @Column({ type: 'timestamptz', precision: 3 })
  creationDate: Date;
}

/** Ids of SAML requests that we made and of assertions that were used; each is gone after its time. */
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
