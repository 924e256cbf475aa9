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
    summary: 'Returns what you looked at last',
    description:
      'Newest first, at most ten, under their present names. What is deleted, or what you see no more, is left out.',
    scopes: USER_READ,
    returns: { 200: RECENT_ITEMS },
  })
  get(@Caller() caller: Principal, @Query() query: RecentItemsQuery): Promise<RecentList> {
    return this.recentItems.get(caller, query);
  }

  @Post()
  @Operation('me.addRecentItem', {
    summary: 'Notes that you look at something',
    description:
      'It moves to the top of its list, which is answered; of more than ten the oldest go. It must be something that you see.',
    scopes: USER_WRITE,
    body: { recentItem: RecentItemPost },
    example: { itemType: 'application', itemId: '575ec8687ae143cd83dc4a97' },
    returns: { 200: RECENT_ITEMS },
  })
  add(@Caller() caller: Principal, @Body() body: RecentItemPost): Promise<RecentList> {
    return this.recentItems.add(caller, body);
  }
}
