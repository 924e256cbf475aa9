import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { ATOM, LABEL } from './addresses.js';
import { writeFileAtomically } from '../files/atomic-file.js';
import { ValidationError } from '../errors/errors.js';

/** One message to one person. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  /** The same as HTML, with everything escaped that came from people. */
  html?: string;
  /** Names this message for good, so that sending it again can be recognised: 1 to 100 letters, digits, `_` and `-`. */
  messageId: string;
}

/** How mail leaves. */
export interface MailSettings {
  /** `smtp://user:password@host:port` or `smtps://…`; absent, each mail becomes a file. */
  smtpUrl?: string;
  /** The sender's address. */
  from: string;
  /** Where mails are written without an SMTP server. */
  mailDir: string;
  /** How long the SMTP server may stay silent; ten seconds at most for connecting and its greeting. */
  timeoutMs?: number;
}

type Deliver = (message: SendMailOptions, messageId: string) => Promise<void>;

/** RFC 5321, 4.5.3.2.6: who gives up earlier on the last answer sends again what a busy server has taken over. */
const TIMEOUT_MS = 10 * 60_000;
const CONNECT_TIMEOUT_MS = 10_000;
const MESSAGE_ID = /^[\w-]{1,100}$/;
const ADDRESS = new RegExp(`^(?=.{3,254}$)(?=[^@]{1,64}@)${ATOM}(?:\\.${ATOM})*@${LABEL}(?:\\.${LABEL})*$`);

/**
 * Returns the text where it is one plain address, `local@domain`; quotes, comments, lists and display names, in which
 * mail programs find other recipients, are refused. Throws `ValidationError`, which names the field that held it.
 */
export function validateAddress(text: string, field: string): string {
  if (!ADDRESS.test(text)) throw new ValidationError(`${field} must be an e-mail address`);
  return text;
}

/** Sends mail. */
export class Mailer {
  constructor(
    private readonly from: string,
    private readonly deliver: Deliver,
  ) {}

  /**
   * Done when the server has taken the message over; then nothing is left to do for the caller. Rejects with
   * `ValidationError` for an address that is not plain, and with the transport's error (`responseCode` is the SMTP
   * status, where there is one) when the message may not have arrived.
   */
  async send({ to, subject, text, html, messageId }: Mail): Promise<void> {
    if (!MESSAGE_ID.test(messageId)) throw new Error('The message id is not valid');
    const address = validateAddress(to, 'to');
    const message: SendMailOptions = {
      // Addresses are objects with an envelope of their own: nothing parses them for further recipients.
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

/** A mailer for the server of the settings, or one that writes files where there is none. */
export function createMailer({ smtpUrl, from, mailDir, timeoutMs = TIMEOUT_MS }: MailSettings): Mailer {
  return new Mailer(from, smtpUrl === undefined ? intoFolder(mailDir) : throughServer(smtpUrl, timeoutMs));
}

function throughServer(url: string, timeoutMs: number): Deliver {
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

/** Files are named `<time>-<message id>.eml`; a message whose file is there is not written again. */
function intoFolder(folder: string): Deliver {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return async (message, messageId) => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // No file system refuses this form of the time, and all of them have the same length.
    const time = new Date().toISOString().replaceAll(':', '-');
    const isThisMessage = (name: string) => name.slice(time.length + 1) === `${messageId}.eml`;
    if ((await readdir(folder)).some(isThisMessage)) return;
    const { message: content } = await transport.sendMail(message);
    await writeFileAtomically(join(folder, `${time}-${messageId}.eml`), content);
  };
}
