import { Injectable } from '@nestjs/common';
import { AccessCache } from '../../../../platform/access/access-cache.js';
import { LiveCache } from '../../../../platform/sites/live-cache.js';
import { SiteChanges } from '../../../../platform/sites/site-changes.js';
import { WebhooksRepository, type ReceivedWebhook } from '../webhooks.repository.js';

/** Maximum number of webhooks in memory. One takes about 1 KB. */
const MAX_WEBHOOKS = 10_000;

/** Webhooks by token, as they are now. Most requests need no statement to find theirs. */
@Injectable()
export class ReceivedWebhooks {
  private readonly webhooks: LiveCache<ReceivedWebhook>;

  constructor(
    private readonly repository: WebhooksRepository,
    changes: SiteChanges,
    access: AccessCache,
  ) {
    const webhooks = new LiveCache<ReceivedWebhook>(changes, {
      max: MAX_WEBHOOKS,
      applicationOf: ({ applicationId }) => applicationId,
    });
    this.webhooks = webhooks;
    changes.listen({
      changed: ({ kind, id }) => void (kind === 'application' && webhooks.evictOf(id)),
      missed: () => webhooks.clear(),
    });
    // Deleted and transferred applications, and owners who are disabled.
    access.onEvict((ids) =>
      ids === 'all'
        ? webhooks.clear()
        : webhooks.evictIf(({ applicationId, ownerId }) => ids.has(applicationId) || ids.has(ownerId)),
    );
  }

  /** Returns the webhook with the token, or `undefined` if it does not exist or its owner cannot receive requests. */
  get(token: string): ReceivedWebhook | undefined | Promise<ReceivedWebhook | undefined> {
    return this.webhooks.get(token, () => this.repository.received(token));
  }
}
