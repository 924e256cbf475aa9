import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { ATOM, LABEL } from './addresses.js';
import { writeFileAtomically } from '../files/atomic-file.js';
import { ValidationError } from '../errors/errors.js';

/** A message to one recipient. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  /** The text as HTML; all user input is escaped. */
  html?: string;
  /** Permanent ID of the message, so that duplicates are recognizable: 1 to 100 letters, digits, `_` and `-`. */
  messageId: string;
}

/** Settings of outgoing mail. */
export interface MailSettings {
  /** `smtp://user:password@host:port` or `smtps://…`; if absent, mails are written to files. */
  smtpUrl?: string;
  /** Address of the sender. */
  from: string;
  /** Folder of mail files if there is no SMTP server. */
  mailDir: string;
  /** Timeout for responses of the SMTP server; at most ten seconds for the connection and the greeting. */
  timeoutMs?: number;
}

type Deliver = (message: SendMailOptions, messageId: string) => Promise<void>;

/**
 * RFC 5321, 4.5.3.2.6: a shorter timeout for the final response would resend messages that a slow server has accepted.
 */
const TIMEOUT_MS = 10 * 60_000;
const CONNECT_TIMEOUT_MS = 10_000;
const MESSAGE_ID = /^[\w-]{1,100}$/;
const ADDRESS = new RegExp(`^(?=.{3,254}$)(?=[^@]{1,64}@)${ATOM}(?:\\.${ATOM})*@${LABEL}(?:\\.${LABEL})*$`);

/**
 * Returns the text if it is a single plain address, `local@domain`. Rejects quotes, comments, lists and display names,
 * which mail programs may read as additional recipients. Throws a `ValidationError` that names `field`.
 */
export function validateAddress(text: string, field: string): string {
  if (!ADDRESS.test(text)) throw new ValidationError(`${field} must be an email address`);
  return text;
}

/** Sends mail. */
export class Mailer {
  constructor(
    private readonly from: string,
    private readonly deliver: Deliver,
  ) {}

  /**
   * Resolves when the server has accepted the message, so the caller need not retry. Rejects with a `ValidationError`
   * for invalid addresses, and with the error of the transport if the message may not have arrived (`responseCode` is
   * the SMTP status, if any).
   */
  async send({ to, subject, text, html, messageId }: Mail): Promise<void> {
    if (!MESSAGE_ID.test(messageId)) throw new Error('The message ID is not valid');
    const address = validateAddress(to, 'to');
    const message: SendMailOptions = {
      // Address objects with an explicit envelope, so that nothing parses them for additional recipients.
      from: { name: '', address: this.from },
      to: { name: '', address },
      envelope: { from: this.from, to: [address] },
      messageId: `<${messageId}@${this.from.slice(this.from.lastIndexOf('@') + 1)}>`,
      subject: subject.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim(),
      text,
      html,
      disableFileAccess: true,
      disableUrlAccess: true,
    };
    await this.deliver(message, messageId);
  }
}

/** Creates a mailer for the SMTP server, or one that writes files if no server is configured. */
export function createMailer({ smtpUrl, from, mailDir, timeoutMs = TIMEOUT_MS }: MailSettings): Mailer {
  return new Mailer(from, smtpUrl === undefined ? folderDelivery(mailDir) : smtpDelivery(smtpUrl, timeoutMs));
}

function smtpDelivery(url: string, timeoutMs: number): Deliver {
  const connectTimeoutMs = Math.min(timeoutMs, CONNECT_TIMEOUT_MS);
  const transport = createTransport({
    url,
    dnsTimeout: connectTimeoutMs,
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    socketTimeout: timeoutMs,
  });
  return async (message) => {
    await transport.sendMail(message);
  };
}

/** Names files `<time>-<message ID>.eml`. A message whose file exists is not written again. */
function folderDelivery(folder: string): Deliver {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return async (message, messageId) => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // Valid in file names on all systems, and always of the same length.
    const time = new Date().toISOString().replaceAll(':', '-');
    const isThisMessage = (name: string) => name.slice(time.length + 1) === `${messageId}.eml`;
    if ((await readdir(folder)).some(isThisMessage)) return;
    const { message: content } = await transport.sendMail(message);
    await writeFileAtomically(join(folder, `${time}-${messageId}.eml`), content);
  };
}
