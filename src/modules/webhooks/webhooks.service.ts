import { Injectable } from '@nestjs/common';
import { nanoid } from 'nanoid';
import type { ApplicationAccess } from '../../platform/access/request.js';
import { writeEntry } from '../../platform/audit/audit.js';
import type { Author } from '../../platform/audit/author.js';
import { SecretBox } from '../../platform/crypto/secrets.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { prepared } from '../../platform/database/statements.js';
import { ValidationError } from '../../platform/errors/errors.js';
import type { ListParameters } from '../../platform/list/list-query.js';
import { newId } from '../../platform/resource.js';
import type { Stored, StoredPage } from '../../platform/response/answers.js';
import { Success } from '../../platform/shared.schemas.js';
import { flowEntry } from '../flow-runs/flow-entry.js';
import type { Webhook, WebhookPatch, WebhookPost } from './webhook.resource.js';
import { WebhooksRepository } from './webhooks.repository.js';

const DEFAULTS = {
  enabled: true,
  isWebsocket: false,
  waitForReply: false,
  responseCode: 200,
  verificationType: 'none',
  annotateMultipart: false,
} as const;

/** The place that the password of a webhook is sealed for. */
export const passwordContext = (id: string): string => `webhooks:basic_auth_sealed:${id}`;

/** The webhooks of applications. */
@Injectable()
export class WebhooksService {
  constructor(
    private readonly webhooks: WebhooksRepository,
    private readonly database: Database,
    private readonly secrets: SecretBox,
  ) {}

  list(applicationId: string, list: ListParameters): Promise<StoredPage<Webhook>> {
    return this.webhooks.page(applicationId, list);
  }

  async create(application: ApplicationAccess, post: WebhookPost, by: Author): Promise<Stored<Webhook>> {
    const id = newId();
    const row = { ...DEFAULTS, ...this.columnsOf(id, post), id, token: nanoid() };
    const stored = await this.webhooks.addTo(application, row, by);
    return withPassword(stored, post);
  }

  get(applicationId: string, id: string): Promise<Stored<Webhook>> {
    return this.webhooks.obtain(applicationId, id);
  }

  async patch(applicationId: string, id: string, patch: WebhookPatch, by: Author): Promise<Stored<Webhook>> {
    if (patch.isWebsocket !== undefined) {
      const { isWebsocket } = (await this.webhooks.obtain(applicationId, id)).toObject();
      if (isWebsocket !== patch.isWebsocket)
        throw new ValidationError('webhook.isWebsocket is fixed when a webhook is made');
    }
    return withPassword(await this.webhooks.change(applicationId, id, this.columnsOf(id, patch), by), patch);
  }

  async delete(
    application: ApplicationAccess,
    id: string,
    includeWorkflows: boolean,
    by: Author,
  ): Promise<Success> {
    if (!includeWorkflows) await this.webhooks.drop(application.id, id, by);
    else
      await this.database.transaction(async (transaction) => {
        await this.webhooks.drop(application.id, id, by, transaction);
        await deleteWorkflows(transaction, application, id, by);
      });
    return new Success();
  }

  /** The columns for a body: what is empty is none, and the password is sealed. */
  private columnsOf(id: string, body: Partial<WebhookPost>) {
    const { verificationCode, basicAuthUsername, basicAuthPassword, ...rest } = body;
    const sealed = basicAuthPassword && this.secrets.seal(basicAuthPassword, passwordContext(id));
    return {
      ...rest,
      verificationCode: noneIfEmpty(verificationCode),
      basicAuthUsername: noneIfEmpty(basicAuthUsername),
      basicAuthSealed: noneIfEmpty(sealed),
    };
  }
}

const noneIfEmpty = (text: string | undefined): string | null | undefined => (text === '' ? null : text);

function withPassword(stored: Stored<Webhook>, { basicAuthPassword }: WebhookPatch): Stored<Webhook> {
  return basicAuthPassword ? stored.with({ basicAuthPassword: JSON.stringify(basicAuthPassword) }) : stored;
}

/** Deletes the workflows that have a trigger for the webhook in what runs or in what is being developed. */
async function deleteWorkflows(
  transaction: Transaction,
  application: ApplicationAccess,
  webhookId: string,
  by: Author,
): Promise<void> {
  const trigger = JSON.stringify([{ type: 'webhook', key: webhookId }]);
  const deleted = await transaction.run(
    prepared(
      `DELETE FROM flows f USING applications a WHERE f.application_id = $1 AND a.id = f.application_id
         AND (f.live_triggers @> $2::jsonb OR f.triggers @> $2::jsonb)
       RETURNING f.id, f.name, a.name`,
      [application.id, trigger],
    ),
  );
  for (const [flowId, name, applicationName] of deleted)
    await writeEntry(
      transaction.manager,
      by,
      flowEntry(application, { flowId: flowId!, name: name!, applicationName: applicationName! }),
    );
}
