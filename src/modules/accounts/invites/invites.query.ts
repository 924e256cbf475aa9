import { QueryText } from '../../../platform/lists/query-fields.js';
import { TOKEN_EXAMPLE } from './invite-answer.resource.js';

export class InviteQuery {
  @QueryText({
    required: true,
    description: 'The token in the mail.',
    example: TOKEN_EXAMPLE,
    maxLength: 255,
  })
  token: string;

  @QueryText({
    required: true,
    description: 'The address that the mail went to.',
    example: 'ada@example.com',
    maxLength: 1024,
  })
  email: string;
}
