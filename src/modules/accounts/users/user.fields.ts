import { BooleanField, DateField, JsonField, StringField } from '../../../platform/fields/fields.js';
import { limitsSchema } from '../../../platform/holdings/limits.js';

const text = (example: string) => (description: string) =>
  StringField({ maxLength: 1024, description, example });

/**
 * Declares the properties that `Me` and `InstanceSandbox` share. One view addresses the user and the other describes
 * them, so each gives its own description.
 */
export const UserField = {
  email: (description: string) =>
    StringField({
      required: true,
      maxLength: 1024,
      format: 'email',
      description,
      example: 'ada@example.com',
    }),
  emailVerified: (description: string) => BooleanField({ required: true, description }),
  needsToVerifyEmail: (description: string) =>
    BooleanField({ column: false, required: true, description, example: false }),
  firstName: (description: string) =>
    StringField({ minLength: 1, maxLength: 1024, description, example: 'Ada' }),
  lastName: text('Lovelace'),
  fullName: (description: string) => StringField({ column: false, description, example: 'Ada Lovelace' }),
  companyName: text('North Field'),
  title: text('Engineer'),
  location: text('Oslo'),
  phoneNumber: text('+47 22 00 00 00'),
  url: text('https://example.com'),
  avatarUrl: (description: string) =>
    StringField({
      column: false,
      maxLength: 1024,
      format: 'uri',
      description,
      example: 'https://example.com/ada.png',
    }),
  githubName: (description: string) => StringField({ description, example: 'ada' }),
  ssoLinked: (description: string) => BooleanField({ required: true, description }),
  twoFactorAuthEnabled: BooleanField({
    column: false,
    required: true,
    description: 'Whether two-factor authentication is enabled.',
  }),
  passwordLastUpdated: (description: string) => DateField({ description }),
  tokenCutoff: DateField({ description: 'Session tokens issued before this time are rejected.' }),
  limits: (description: string) => JsonField(limitsSchema('UserLimits'), { description }),
};
