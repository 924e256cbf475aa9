import { QueryId } from '../../../platform/lists/query-fields.js';

export class InviteIdQuery {
  @QueryId({ required: true, description: 'ID of the invitation.' })
  inviteId: string;
}
