import { QueryChoice, QueryId } from '../../../platform/lists/query-fields.js';
import { RECENT_TYPES, type RecentType } from '../../../platform/recent/recent-kinds.js';

export class RecentItemsQuery {
  @QueryChoice(RECENT_TYPES, { description: 'Type of the items to return.' })
  itemType: RecentType;

  @QueryId({
    description:
      'ID of the application or organization in which the items were viewed. If absent, returns items viewed without a parent.',
  })
  parentId?: string;
}
