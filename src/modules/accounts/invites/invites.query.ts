import { QueryText } from '../../../platform/lists/query-fields.js';
import { TOKEN_EXAMPLE } from './invite-answer.resource.js';

export class InviteQuery {
  @QueryText({
    required: true,
    description: 'Token from the email.',
    example: TOKEN_EXAMPLE,
    maxLength: 255,
  })
  token: string;

  @QueryText({
    required: true,
    description: 'Email address that received the invitation.',
    example: 'ada@example.com',
    maxLength: 1024,
  })
  email: string;
}
