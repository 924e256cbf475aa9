import { Injectable } from '@nestjs/common';
import { Config } from '../../../config/config.js';
import { Database } from '../../../platform/database/database.js';
import { NotFound } from '../../../lib/errors/errors.js';
import { RunsIn } from '../../../platform/processes/roles.js';
import { networkOf } from '../../../platform/throttle/network.js';
import type { RateLimit } from '../../../platform/throttle/rate-limit.js';
import { RateLimits } from '../../../platform/throttle/rate-limits.js';
import { RequestThrottle } from '../../../platform/throttle/request-throttle.js';
import { INBOUND_EMAIL } from '../../../workflows/runs/causes.js';
import { Firings } from '../../../workflows/runs/fire.js';
import { textOf } from '../../../workflows/runs/run-trigger.js';
import { recipientOf, type MailRecipient } from './mail-recipient.js';
import { MailTriggersRepository, type MailTrigger } from './mail-triggers.repository.js';
import { readMail } from './received-mail.js';

/** Recipients per network and minute. Sufficient for a mail server that sends to several workflows. */
const RECIPIENTS = { points: 200, duration: 60 };

/** Receives emails that trigger workflows. */
@Injectable()
@RunsIn('api')
export class MailInService {
  private readonly senders: RateLimit;

  constructor(
    private readonly triggers: MailTriggersRepository,
    private readonly firings: Firings,
    private readonly database: Database,
    private readonly throttle: RequestThrottle,
    private readonly config: Config,
    limits: RateLimits,
  ) {
    this.senders = limits.limit('mailIn', RECIPIENTS, 'Too many emails from this network');
  }

  /**
   * Throws if no workflow listens to the address, or if the sender's network or the workflow exceeds its rate limit.
   */
  async assertRecipient(address: string, from: string): Promise<void> {
    await this.senders.consume(networkOf(from));
    const { flowId } = await this.triggerOf(address);
    this.throttle.consume(`mail:${flowId}`);
  }

  /** Enqueues a run of the workflow of each address, either for all addresses or for none. */
  async receive(bytes: Buffer, addresses: readonly string[]): Promise<void> {
    const mail = await readMail(bytes);
    const listening = await Promise.all(addresses.map((address) => this.triggerOf(address)));
    const firings = listening.map(({ applicationId, flowId, flowVersionId }, i) => {
      const { key } = this.recipientOf(addresses[i]!)!;
      const given = textOf({ data: mail, sourceId: flowId });
      return {
        applicationId,
        triggers: [{ type: 'inboundEmail', key, flowId, flowVersionId }],
        items: [{ given, channel: 'public.rest', bytes: bytes.length }],
      } as const;
    });
    await this.database.transaction((transaction) => this.firings.fire(INBOUND_EMAIL, firings, transaction));
  }

  private async triggerOf(address: string): Promise<MailTrigger> {
    const recipient = this.recipientOf(address);
    const trigger = recipient && (await this.triggers.find(recipient));
    if (!trigger) throw new NotFound('Recipient');
    return trigger;
  }

  private recipientOf(address: string): MailRecipient | undefined {
    return recipientOf(address, this.config.mailInDomain!);
  }
}
