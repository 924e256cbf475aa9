import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { GitServer } from '../../test/doubles/git-server.js';
import { unzippedBytes } from '../../test/make/zip-files.js';

const NAME = 'applications';
/** A server elsewhere is not as quick as one here: whoever asks it can be killed before it is told of something, and after that. */
const WAY_MS = 150;

/** A Git repository that applications are committed to and imported from, on its own server. */
export class Repository {
  private constructor(private readonly server: GitServer) {}

  static async start(): Promise<Repository> {
    const server = await GitServer.start();
    await server.make(NAME);
    await server.commit(NAME, { 'a.txt': 'of others' });
    server.before = server.after = async () => {
      await sleep(WAY_MS);
      return false;
    };
    return new Repository(server);
  }

  get origin(): string {
    return this.server.origin;
  }

  /** What a credential for it says. */
  get gitConfig(): object {
    const { username, password: secretValue } = GitServer.user;
    return { type: 'http-password', cloneUrl: this.server.url(NAME), username, secretValue };
  }

  /** Has a branch hold the files of a bundle, as somebody else commits them. */
  async add(branch: string, bundle: Buffer): Promise<void> {
    await this.server.commit(NAME, await unzippedBytes(bundle), branch);
  }

  /** How many commits a branch has beyond those of others; nothing where there is no such branch. */
  async commits(branch: string): Promise<number | undefined> {
    const found = await this.server.git(NAME, 'for-each-ref', `refs/heads/${branch}`);
    if (found === '') return undefined;
    return Number(await this.server.git(NAME, 'rev-list', '--count', `main..${branch}`));
  }

  /** Whether a branch has the files of a bundle in a directory, and beside it what others have. */
  async holds(branch: string, directory: string, bundle: Buffer): Promise<boolean> {
    const files = Object.entries(await unzippedBytes(bundle));
    const expected = [
      await this.server.git(NAME, 'ls-tree', '-r', 'main'),
      ...files.map(([path, content]) => `100644 blob ${oidOf(content)}\t${directory}/${path}`),
    ];
    const list = await this.server.git(NAME, 'ls-tree', '-r', '-z', branch);
    return list.split('\0').filter(Boolean).sort().join('\n') === expected.sort().join('\n');
  }

  /** What Git finds wrong with it. */
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
