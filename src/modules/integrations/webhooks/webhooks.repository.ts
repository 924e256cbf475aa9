import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { BatchLoader } from '../../../lib/async/batch-loader.js';
import { SecretBox } from '../../../lib/crypto/secrets.js';
import { Database } from '../../../platform/database/database.js';
import { RowShape, type Computed } from '../../../platform/database/row-shape.js';
import { prepared } from '../../../platform/database/statements.js';
import { ownerIsServedSql } from '../../applications/applications/serving.columns.js';
import { ApplicationRepository } from '../../../platform/repositories/repository.js';
import { Webhook, WEBHOOKS } from './webhook.resource.js';
import { CODE_SEALED } from './webhook.rules.js';

/** Selects webhooks by token, of existing applications whose owner exists and is not disabled. */
const BY_TOKENS = `FROM unnest($1::text[]) q (token)
  CROSS JOIN LATERAL (SELECT * FROM webhooks t WHERE t.token = q.token OFFSET 0) t
  CROSS JOIN LATERAL (SELECT a.owner_id FROM applications a WHERE a.id = t.application_id AND a.deleted_at IS NULL OFFSET 0) a
  WHERE ${ownerIsServedSql('a.owner_id')}`;
const MAX_TOKENS = 500;
/** Encrypted code, prefixed with the row ID that it is encrypted for; plain-text codes are prefixed with `-`. */
const CODE = `coalesce(t.id || t.verification_code_sealed, '-' || t.verification_code)`;
const UNSEALED =
  'SELECT id, verification_code AS code FROM webhooks WHERE verification_code IS NOT NULL ORDER BY id LIMIT $1';
const SEAL = `UPDATE webhooks SET verification_code = NULL, verification_code_sealed = $3
  WHERE id = $1 AND verification_code = $2`;
const ID_LENGTH = 24;
/** What the receiver needs of a webhook. */
const RECEIVED = [
  'id',
  'applicationId',
  'token',
  'enabled',
  'isWebsocket',
  'waitForReply',
  'responseCode',
  'verificationType',
  'verificationCode',
  'basicAuthUsername',
  'basicAuthSealed',
  'castBuffersAs',
  'annotateMultipart',
] as const satisfies readonly (keyof Webhook)[];

/** Webhook for the receiver. The code is decrypted, the password is not. */
export interface ReceivedWebhook extends Pick<Webhook, (typeof RECEIVED)[number]> {
  ownerId: string;
}

/** Stores the webhooks of applications. */
@Injectable()
export class WebhooksRepository extends ApplicationRepository<Webhook> {
  private readonly receivedShape: RowShape<ReceivedWebhook>;
  private readonly loader = new BatchLoader(
    (tokens: readonly string[]) => this.findReceived(tokens),
    MAX_TOKENS,
  );

  constructor(
    @InjectRepository(Webhook) rows: Repository<Webhook>,
    database: Database,
    private readonly secrets: SecretBox,
  ) {
    const code: Computed = {
      property: 'verificationCode',
      kind: 'text',
      sql: CODE,
      write: (text) => JSON.stringify(opened(text, secrets)),
    };
    super(rows, database, { ...WEBHOOKS, computed: [code] });
    const password: Computed = { property: 'basicAuthSealed', kind: 'text', sql: 't.basic_auth_sealed' };
    const owner: Computed = { property: 'ownerId', kind: 'text', sql: 'a.owner_id' };
    const only = new Set([...RECEIVED, 'ownerId']);
    this.receivedShape = new RowShape<ReceivedWebhook>(Webhook, [code, password, owner], only);
  }

  /** Returns the webhook with the token, or `undefined` if it does not exist or its owner cannot receive requests. */
  received(token: string): Promise<ReceivedWebhook | undefined> {
    return this.loader.load(token);
  }

  private async findReceived(tokens: readonly string[]): Promise<(ReceivedWebhook | undefined)[]> {
    const shape = this.receivedShape;
    const statement = prepared(shape.select(BY_TOKENS), [[...new Set(tokens)]]);
    const rows = await this.database.read({ isJoined: true, ...statement });
    const found = new Map(rows.map((row) => [shape.text(row, 'token'), row]));
    return tokens.map((token) => {
      const row = found.get(token);
      return row && shape.toObject(row);
    });
  }

  /** Encrypts a batch of plain-text codes and returns its size. */
  async sealCodes(max: number): Promise<number> {
    const found = await this.database.rows<{ id: string; code: string }>(prepared(UNSEALED, [max]));
    for (const { id, code } of found)
      await this.database.run(prepared(SEAL, [id, code, CODE_SEALED.seal(id, code, this.secrets)]));
    return found.length;
  }
}

function opened(text: string, secrets: SecretBox): string {
  if (text.startsWith('-')) return text.slice(1);
  return CODE_SEALED.open(text.slice(0, ID_LENGTH), text.slice(ID_LENGTH), secrets);
}
