import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { once } from 'node:events';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import { Config } from '../../../config/config.js';
import { ApiError, PayloadTooLarge, TooManyRequests } from '../../../lib/errors/errors.js';
import { networkOf } from '../../../platform/throttle/network.js';
import { MailInService } from './mail-in.service.js';

/** Of a mail; what workflows get of it is at most twice as much. */
const MOST_BYTES = 512 * 1024;
const MOST_RECIPIENTS = 10;
const MOST_CLIENTS = 100;
const MOST_OF_A_NETWORK = 20;
const SILENCE_MS = 30_000;
/** Long enough for several mails on one connection; whoever is slower begins again. */
const LONGEST_MS = 5 * 60_000;
const CLOSE_MS = 1_000;

type Done = (error?: Error | null) => void;

/** Why a command is refused, with the status of SMTP: what begins with 4 may be tried again. */
class Refusal extends Error {
  constructor(
    readonly responseCode: number,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Takes mails for workflows by SMTP. A mail is accepted once it is in the database. TLS is for the mail server that stands
 * before this one; nobody signs in.
 */
@Injectable()
export class MailInServer implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(MailInServer.name);
  private readonly clients = new Map<string, number>();
  private readonly server: SMTPServer;

  constructor(
    private readonly mails: MailInService,
    private readonly config: Config,
  ) {
    this.server = new SMTPServer({
      name: config.mailInDomain,
      disabledCommands: ['AUTH', 'STARTTLS'],
      disableReverseLookup: true,
      logger: false,
      size: MOST_BYTES,
      maxClients: MOST_CLIENTS,
      maxRecipients: MOST_RECIPIENTS,
      socketTimeout: SILENCE_MS,
      closeTimeout: CLOSE_MS,
      onConnect: (session, done) => this.enter(session, done),
      onClose: ({ remoteAddress }) => this.count(remoteAddress, -1),
      onRcptTo: ({ address }, { remoteAddress }, done) =>
        this.answer(this.mails.demandRecipient(address, remoteAddress), done),
      onData: (stream, { envelope }, done) =>
        this.answer(
          received(stream).then((bytes) =>
            this.mails.receive(
              bytes,
              envelope.rcptTo.map(({ address }) => address),
            ),
          ),
          done,
        ),
    });
    // A client that breaks off is no fault of anybody here.
    this.server.on('error', ({ message }: Error) => this.logger.debug(message));
    this.server.server.on('connection', (socket) => {
      const end = setTimeout(() => socket.destroy(), LONGEST_MS);
      socket.once('close', () => clearTimeout(end));
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    await once(this.server.listen(this.config.MAIL_IN_PORT, this.config.HOST), 'listening');
  }

  onModuleDestroy(): Promise<void> {
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private enter({ remoteAddress }: SMTPServerSession, done: Done): void {
    const clients = this.count(remoteAddress, 1);
    done(clients > MOST_OF_A_NETWORK ? new Refusal(421, 'Too many connections from there') : null);
  }

  /** Counts connections of a network; how many there are then. */
  private count(address: string, more: 1 | -1): number {
    const network = networkOf(address);
    const clients = (this.clients.get(network) ?? 0) + more;
    if (clients > 0) this.clients.set(network, clients);
    else this.clients.delete(network);
    return clients;
  }

  private answer(work: Promise<void>, done: Done): void {
    work.then(
      () => done(),
      (error: unknown) => done(this.refusalOf(error)),
    );
  }

  private refusalOf(error: unknown): Refusal {
    if (error instanceof TooManyRequests) return new Refusal(451, error.message);
    if (error instanceof PayloadTooLarge) return new Refusal(552, error.message);
    if (error instanceof ApiError && error.status < 500)
      return new Refusal(error.status === 404 ? 550 : 554, error.message);
    this.logger.error(error);
    return new Refusal(451, 'The mail cannot be taken at the moment, try again');
  }
}

/** The whole of a mail. What is beyond the size that was announced is let go as it comes. */
async function received(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.length;
    if (bytes <= MOST_BYTES) chunks.push(chunk);
    else chunks.length = 0;
  }
  if (bytes > MOST_BYTES) throw new PayloadTooLarge(`A mail has at most ${MOST_BYTES} bytes`);
  return Buffer.concat(chunks);
}
