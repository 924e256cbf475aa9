import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

/** A mail as received. */
export interface ReceivedMail {
  messageId: string;
  subject: string;
}

/** A mail server that accepts everything and stores the mails of each address. */
export class Mailbox {
  private readonly mails = new Map<string, ReceivedMail[]>();
  private readonly server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, { envelope }, done) => {
      void text(stream).then((content) => {
        const to = envelope.rcptTo[0]!.address;
        const header = (name: string) =>
          new RegExp(`^${name}: (.*(?:\\r\\n[ \\t].*)*)\\r$`, 'm').exec(content)?.[1]?.replace(/\r\n/g, '') ??
          'none';
        this.mails.set(to, [
          ...this.mailsTo(to),
          { messageId: header('Message-ID'), subject: header('Subject') },
        ]);
        done();
      }, done);
    },
  });

  async start(): Promise<string> {
    // A killed worker is not an error of the server.
    this.server.on('error', () => undefined);
    this.server.listen(0, '127.0.0.1');
    await once(this.server.server, 'listening');
    return `smtp://127.0.0.1:${(this.server.server.address() as AddressInfo).port}`;
  }

  mailsTo(address: string): readonly ReceivedMail[] {
    return this.mails.get(address) ?? [];
  }

  /** Returns the `Message-ID` of each mail received for an address. */
  of(address: string): readonly string[] {
    return this.mailsTo(address).map(({ messageId }) => messageId);
  }

  stop(): Promise<void> {
    return new Promise((done) => this.server.close(done));
  }
}
