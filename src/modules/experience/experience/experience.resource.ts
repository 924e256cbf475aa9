import { ApiSchema } from '@nestjs/swagger';
import { BooleanField, StringField } from '../../../platform/fields/fields.js';

@ApiSchema({
  name: 'ExperienceBootstrapOptions',
  description: 'Options for creating the example experience.',
})
export class ExperienceBootstrapOptions {
  @BooleanField({
    column: false,
    description:
      'Whether to delete existing resources with the names, routes or email address of the example. Otherwise other names are used.',
    default: false,
    example: false,
  })
  replaceExisting?: boolean;

  @BooleanField({ column: false, description: 'Whether to create a user.', default: true })
  createUsers?: boolean;

  @BooleanField({
    column: false,
    description: 'Whether to create a group with the user.',
    default: true,
  })
  createGroups?: boolean;

  @StringField({
    column: false,
    minLength: 3,
    maxLength: 63,
    pattern: '^[0-9a-z-]*$',
    description: 'Name of a slug to create, unique on the platform. It points to `develop`.',
    example: 'pump-station',
  })
  slug?: string;
}

@ApiSchema({ name: 'ExperienceBootstrapResult', description: 'Result of creating the example experience.' })
export class ExperienceBootstrapResult {
  @StringField({
    column: false,
    required: true,
    description: 'Suffix of all created names and routes; empty if the default names were available.',
    example: '-4a01ff',
  })
  resourceSuffix: string;

  @StringField({
    column: false,
    description: 'Email address of the user, if one was created.',
    example: 'example@example.com',
  })
  email?: string;

  @StringField({
    secret: true,
    column: false,
    description: 'Password of the user, if one was created. Returned only in this response.',
    example: 'Zx8…',
  })
  password?: string;
}
