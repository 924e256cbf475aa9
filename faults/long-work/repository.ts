import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { GitServer } from '../../test/doubles/git-server.js';
import { unzippedBytes } from '../../test/make/zip-files.js';

const NAME = 'applications';
/**
 * Latency of the repository. A remote server is slower than a local one, and a worker can be killed before and after
 * its response.
 */
const LATENCY_MS = 150;

/** A Git repository, with its own server, that applications are committed to and imported from. */
export class Repository {
  private constructor(private readonly server: GitServer) {}

  static async start(): Promise<Repository> {
    const server = await GitServer.start();
    await server.make(NAME);
    await server.commit(NAME, { 'a.txt': 'of others' });
    server.before = server.after = async () => {
      await sleep(LATENCY_MS);
      return false;
    };
    return new Repository(server);
  }

  get origin(): string {
    return this.server.origin;
  }

  /** Configuration of a credential for the repository. */
  get gitConfig(): object {
    const { username, password: secretValue } = GitServer.user;
    return { type: 'http-password', cloneUrl: this.server.url(NAME), username, secretValue };
  }

  /** Adds a branch with the files of a bundle, as if committed by another client. */
  async add(branch: string, bundle: Buffer): Promise<void> {
    await this.server.commit(NAME, await unzippedBytes(bundle), branch);
  }

  /**
   * Returns the number of commits on a branch beyond those of other clients; `undefined` if the branch does not exist.
   */
  async commits(branch: string): Promise<number | undefined> {
    const found = await this.server.git(NAME, 'for-each-ref', `refs/heads/${branch}`);
    if (found === '') return undefined;
    return Number(await this.server.git(NAME, 'rev-list', '--count', `main..${branch}`));
  }

  /** Whether a branch contains the files of a bundle in a directory, next to the files of other clients. */
  async holds(branch: string, directory: string, bundle: Buffer): Promise<boolean> {
    const files = Object.entries(await unzippedBytes(bundle));
    const expected = [
      await this.server.git(NAME, 'ls-tree', '-r', 'main'),
      ...files.map(([path, content]) => `100644 blob ${oidOf(content)}\t${directory}/${path}`),
    ];
    const list = await this.server.git(NAME, 'ls-tree', '-r', '-z', branch);
    return list.split('\0').filter(Boolean).sort().join('\n') === expected.sort().join('\n');
  }

  /** Returns the problems that Git finds in the repository. */
  async problems(): Promise<string | undefined> {
    try {
      await this.server.git(NAME, 'fsck', '--strict', '--full');
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  }

  stop(): Promise<void> {
    return this.server.stop();
  }
}

const oidOf = (content: Buffer): string =>
  createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
