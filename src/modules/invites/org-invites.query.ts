import { QueryId } from '../../platform/list/query-fields.js';

export class InviteIdQuery {
  @QueryId({ required: true, description: 'The invitation.' })
  inviteId: string;
}
