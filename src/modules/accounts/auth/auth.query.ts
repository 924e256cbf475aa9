import { QueryText } from '../../../platform/lists/query-fields.js';

export class SsoDomainQuery {
  @QueryText({
    description: 'An e-mail address; only its domain matters.',
    example: 'ada@example.com',
    maxLength: 1024,
    required: true,
  })
  email: string;
}
