import { QueryText } from '../../../platform/lists/query-fields.js';

export class SsoDomainQuery {
  @QueryText({
    description: 'Email address of the user; only its domain is used.',
    example: 'ada@example.com',
    maxLength: 1024,
    required: true,
  })
  email: string;
}
