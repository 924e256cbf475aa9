import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import type { Principal } from '../../../platform/access/principal.js';
import { Caller } from '../../../platform/access/request.js';
import { USER_READ, USER_WRITE } from '../../../platform/access/scopes.js';
import { Operation } from '../../../platform/operations/operation.js';
import { RecentItemPost } from './recent-item.resource.js';
import type { RecentList } from './recent-items.repository.js';
import { RecentItemsService } from './recent-items.service.js';
import { RECENT_ITEMS } from '../../../platform/recent/recent-kinds.js';
import { RecentItemsQuery } from './recent-items.query.js';

@Controller('me/recentItems')
export class RecentItemsController {
  constructor(private readonly recentItems: RecentItemsService) {}

  @Get()
  @Operation('me.fetchRecentItems', {
    summary: 'Lists your recently viewed items',
    description:
      'Returns up to ten items with their current names, newest first. Items that are deleted or no longer accessible to you are omitted.',
    scopes: USER_READ,
    returns: { 200: RECENT_ITEMS },
  })
  get(@Caller() caller: Principal, @Query() query: RecentItemsQuery): Promise<RecentList> {
    return this.recentItems.get(caller, query);
  }

  @Post()
  @Operation('me.addRecentItem', {
    summary: 'Records a recently viewed item',
    description:
      'Moves the item to the top of its list and returns the list. The list keeps the ten newest items. You must have access to the item.',
    scopes: USER_WRITE,
    body: { recentItem: RecentItemPost },
    example: { itemType: 'application', itemId: '575ec8687ae143cd83dc4a97' },
    returns: { 200: RECENT_ITEMS },
  })
  add(@Caller() caller: Principal, @Body() body: RecentItemPost): Promise<RecentList> {
    return this.recentItems.add(caller, body);
  }
}
