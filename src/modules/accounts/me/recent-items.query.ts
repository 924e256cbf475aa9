import { QueryChoice, QueryId } from '../../../platform/lists/query-fields.js';
import { RECENT_TYPES, type RecentType } from '../../../platform/recent/recent-kinds.js';

export class RecentItemsQuery {
  @QueryChoice(RECENT_TYPES, { description: 'What the items are.' })
  itemType: RecentType;

  @QueryId({
    description: 'The application or organization that they were looked at in; absent, those with none.',
  })
  parentId?: string;
}
