import { Injectable } from '@nestjs/common';
import { Parser } from 'htmlparser2';
import { parseAddress } from '../../lib/mail/addresses.js';
import { Database } from '../../platform/database/database.js';
import { MailService } from '../../platform/mail/mail.service.js';
import type { RateLimit } from '../../platform/throttle/rate-limit.js';
import { RateLimits } from '../../platform/throttle/rate-limits.js';
import type { Actor, FlowMail, MailPort } from '../engine/ports.js';
import { asFault, RunFault } from '../engine/run-error.js';

const MAX_RECIPIENTS = 5;
/** One mail a minute on average, in bursts of ten. */
const RATE = { points: 10, duration: 600 };
const REFUSAL = 'A workflow can send 10 mails in 10 minutes';

/** Mails of workflows. Each recipient receives a mail of their own. */
@Injectable()
export class FlowMails implements MailPort {
  private readonly limit: RateLimit;

  constructor(
    limits: RateLimits,
    private readonly database: Database,
    private readonly mails: MailService,
  ) {
    this.limit = limits.limit('flow-mails', RATE, REFUSAL);
  }

  async send({ flowId }: Actor, effectId: string, { to, subject, html }: FlowMail): Promise<void> {
    try {
      const recipients = addressesOf(to);
      await this.limit.consume(flowId);
      const text = textOf(html);
      await this.database.transaction(async (transaction) => {
        for (const address of recipients)
          await this.mails.send(
            transaction,
            { to: address, subject, text, html },
            undefined,
            `${effectId}:${address}`,
          );
      });
    } catch (error) {
      throw asFault(error);
    }
  }
}

function addressesOf(texts: readonly string[]): string[] {
  const addresses = new Set(texts.map((text) => parseAddress(text.trim(), 'to')));
  if (addresses.size === 0) throw new RunFault('ValidationError', 'to must have a recipient');
  if (addresses.size > MAX_RECIPIENTS)
    throw new RunFault('ValidationError', `to must have at most ${MAX_RECIPIENTS} recipients`);
  return [...addresses];
}

/** Returns the text of an HTML document, for mail programs that do not show HTML. */
function textOf(html: string): string {
  const parts: string[] = [];
  let hidden = 0;
  const parser = new Parser({
    onopentagname: (name) => void (isHidden(name) && hidden++),
    onclosetag: (name) => void (isHidden(name) && hidden--),
    ontext: (text) => void (hidden === 0 && parts.push(text)),
  });
  parser.end(html);
  return parts
    .join('')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/\s*\n\s*/g, '\n')
    .trim();
}

const isHidden = (name: string): boolean => name === 'script' || name === 'style';
