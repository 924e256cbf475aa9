import { QueryId } from '../../../platform/lists/query-fields.js';

export class InviteIdQuery {
  @QueryId({ required: true, description: 'The invitation.' })
  inviteId: string;
}
