import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { ValidationError } from '../../lib/errors/errors.js';
import { TaskQueue } from '../../lib/processes/task-queue.js';
import type { Certificate } from './certificate.js';
import type {
  CertificateChain,
  CertificateTasks,
  IssuerSearch,
  PemChain,
  PemText,
} from './certificate-tasks.js';

/** The largest chain takes a fifth of a second. The time-out includes the start of the process. */
const OPTIONS = {
  thread: import.meta.resolve('./certificate-work.thread.js'),
  processes: 1,
  timeoutMs: 30_000,
  memoryMb: 512,
  /** Devices of a fleet sign in at intervals of minutes. */
  idleMs: 600_000,
  waitingPerOwner: 32,
  waiting: 256,
};

/**
 * Reads certificates in a separate process, because one with many extensions takes a tenth of a second. Owners take
 * turns; `owner` is the owner of the application, or the network of a client that has not signed in. Throws a `400` error
 * for invalid certificates, and `429` if too many tasks of the owner are waiting.
 */
@Injectable()
export class Certificates implements OnModuleDestroy {
  private readonly queue = new TaskQueue<CertificateTasks>(OPTIONS);

  /** Parses a certificate in DER. `at` is its name in messages. */
  readDer(der: Uint8Array, at: string, owner: string): Promise<Certificate> {
    return this.queue.run('readDer', { der, at }, { ownerId: owner }, inText(at));
  }

  /** Parses the certificates of a PEM text. Errors identify each by its number. */
  readPem(text: PemText, owner: string): Promise<Certificate[]> {
    return this.queue.run('readPem', text, { ownerId: owner }, inText(text.at));
  }

  readChain(chain: PemChain, owner: string): Promise<CertificateChain> {
    return this.queue.run('readChain', chain, { ownerId: owner }, inText(chain.certificate.at));
  }

  /** Returns the first candidate that signed a certificate and is valid at `time`, if given; with its number. */
  findIssuer(
    search: IssuerSearch,
    owner: string,
  ): Promise<{ index: number; issuer: Certificate } | undefined> {
    return this.queue.run('findIssuer', search, { ownerId: owner }, inText('The certificate'));
  }

  onModuleDestroy(): Promise<void> {
    return this.queue.stop();
  }
}

const inText = (at: string) => (excess: string) => new ValidationError(`${at} ${excess}`);
