import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

/** A mail server that takes everything, and remembers the `Message-ID` of all that came for an address. */
export class Mailbox {
  private readonly messageIds = new Map<string, string[]>();
  private readonly server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, { envelope }, done) => {
      void text(stream).then((content) => {
        const to = envelope.rcptTo[0]!.address;
        const id = /^Message-ID: (.*)\r$/m.exec(content)?.[1] ?? 'none';
        this.messageIds.set(to, [...this.of(to), id]);
        done();
      });
    },
  });

  async start(): Promise<string> {
    // A worker that is killed is no failure of the server.
    this.server.on('error', () => undefined);
    this.server.listen(0, '127.0.0.1');
    await once(this.server.server, 'listening');
    return `smtp://127.0.0.1:${(this.server.server.address() as AddressInfo).port}`;
  }

  of(address: string): readonly string[] {
    return this.messageIds.get(address) ?? [];
  }

  stop(): Promise<void> {
    return new Promise((done) => this.server.close(done));
  }
}
