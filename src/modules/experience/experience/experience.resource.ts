import { ApiSchema } from '@nestjs/swagger';
import { BooleanField, StringField } from '../../../platform/fields/fields.js';

@ApiSchema({ name: 'ExperienceBootstrapOptions', description: 'What of the demonstration is made, and how.' })
export class ExperienceBootstrapOptions {
  @BooleanField({
    column: false,
    description:
      'Whether what has the names, routes or address of the demonstration goes and is made anew; else what is made has other ones.',
    default: false,
    example: false,
  })
  replaceExisting?: boolean;

  @BooleanField({ column: false, description: 'Whether a user is made.', default: true })
  createUsers?: boolean;

  @BooleanField({
    column: false,
    description: 'Whether a group is made, whose users alone may ask for the first page.',
    default: true,
  })
  createGroups?: boolean;

  @StringField({
    column: false,
    minLength: 3,
    maxLength: 63,
    pattern: '^[0-9a-z-]*$',
    description: 'A slug that is made too, new on the platform, which points at `develop`.',
    example: 'pump-station',
  })
  slug?: string;
}

@ApiSchema({ name: 'ExperienceBootstrapResult', description: 'What was made of the demonstration.' })
export class ExperienceBootstrapResult {
  @StringField({
    column: false,
    required: true,
    description:
      'What all names and routes that were made end with; empty where those of the demonstration were free.',
    example: '-4a01ff',
  })
  resourceSuffix: string;

  @StringField({
    column: false,
    description: 'The address of the user, where one was made.',
    example: 'example@example.com',
  })
  email?: string;

  @StringField({
    secret: true,
    column: false,
    description: 'The password of the user, where one was made: it is shown here and nowhere else.',
    example: 'Zx8…',
  })
  password?: string;
}
