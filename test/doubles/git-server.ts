import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const USER = { username: 'ada', password: 'hidden-token' };
const BASIC = `Basic ${Buffer.from(`${USER.username}:${USER.password}`).toString('base64')}`;
const IDENTITY = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'commit.gpgsign=false'];

/** Git's own HTTP server, for the user `ada` with `hidden-token`. */
export class GitServer {
  static readonly user = USER;
  /** Called before Git; returns true if it has answered the request. */
  before: (request: IncomingMessage, response: ServerResponse) => Promise<boolean> | boolean = () => false;
  /** Called after Git has answered; returns true to withhold the response from the client. */
  after: (request: IncomingMessage) => Promise<boolean> | boolean = () => false;
  private constructor(
    private readonly server: Server,
    private readonly folder: string,
  ) {}

  static async start(): Promise<GitServer> {
    const folder = await mkdtemp(join(tmpdir(), 'git-server-'));
    const listener: { current?: RequestListener } = {};
    const server = createServer((request, response) => listener.current!(request, response)).listen(
      0,
      '127.0.0.1',
    );
    await once(server, 'listening');
    const git = new GitServer(server, folder);
    listener.current = (request, response) => void git.serve(request, response);
    return git;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  url(name: string): string {
    return `${this.origin}/${name}.git`;
  }

  /** Creates an empty repository. */
  async make(name: string): Promise<void> {
    const path = this.path(name);
    await run('git', ['init', '--quiet', '--bare', '--initial-branch=main', path]);
    await run('git', ['-C', path, 'config', 'http.receivepack', 'true']);
    this.before = () => false;
    this.after = () => false;
  }

  /** Runs Git in a repository and returns its output. */
  async git(name: string, ...args: string[]): Promise<string> {
    const { stdout } = await run('git', ['-C', this.path(name), ...IDENTITY, ...args], { maxBuffer: 1e8 });
    return stdout.trim();
  }

  /** Returns the files of a branch by path. */
  async files(name: string, branch = 'main'): Promise<Record<string, string>> {
    const list = await this.git(name, 'ls-tree', '-r', '-z', '--name-only', branch);
    const files: Record<string, string> = {};
    for (const path of list.split('\0').filter(Boolean))
      files[path] = await this.git(name, 'show', `${branch}:${path}`);
    return files;
  }

  /** Commits files as another client would. */
  async commit(
    name: string,
    files: Readonly<Record<string, string | Buffer>>,
    branch = 'main',
  ): Promise<void> {
    const work = await mkdtemp(join(this.folder, 'work-'));
    const git = (...args: string[]) => run('git', ['-C', work, ...IDENTITY, ...args]);
    await run('git', ['init', '--quiet', `--initial-branch=${branch}`, work]);
    await git('pull', '--quiet', this.path(name), branch).catch(() => undefined);
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(work, path)), { recursive: true });
      await writeFile(join(work, path), content);
    }
    await git('add', '--all');
    await git('commit', '--quiet', '--message', 'of others');
    await git('push', '--quiet', this.path(name), `HEAD:refs/heads/${branch}`);
  }

  /** Creates a branch with raw tree entries, even invalid ones; `content` is a blob or a tree. */
  async plant(name: string, lines: readonly string[], branch = 'main'): Promise<string> {
    const path = this.path(name);
    const tree = await piped(['-C', path, 'mktree', '--missing'], lines.map((line) => `${line}\n`).join(''));
    if (!tree) throw new Error('Git could not create the tree');
    const commit = await this.git(name, 'commit-tree', tree, '-m', 'planted');
    await this.git(name, 'update-ref', `refs/heads/${branch}`, commit);
    return tree;
  }

  /** Adds an empty commit as another client would. */
  async advance(name: string): Promise<void> {
    const commit = await this.git(name, 'commit-tree', 'main^{tree}', '-p', 'main', '-m', 'of others');
    await this.git(name, 'update-ref', 'refs/heads/main', commit);
  }

  blob(name: string, content: string): Promise<string> {
    return piped(['-C', this.path(name), 'hash-object', '-w', '--stdin'], content);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
    await rm(this.folder, { recursive: true, force: true });
  }

  private path(name: string): string {
    return join(this.folder, `${name}.git`);
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (await this.before(request, response)) return;
    if (request.headers.authorization !== BASIC) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end('no, hidden-token is not it');
      return;
    }
    const { pathname, search } = new URL(request.url!, this.origin);
    // Without `CONTENT_LENGTH`, because Git would busy-wait for the rest of an interrupted request.
    const env = {
      PATH: process.env.PATH,
      GIT_PROJECT_ROOT: this.folder,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      REMOTE_USER: 'ada',
    };
    const backend = spawn('git', ['http-backend'], { env });
    backend.stdin.on('error', () => undefined);
    request.pipe(backend.stdin);
    request.once('close', () => backend.stdin.end());
    const parts: Buffer[] = [];
    for await (const part of backend.stdout) parts.push(part as Buffer);
    const answer = Buffer.concat(parts);
    if (await this.after(request)) return void response.destroy();
    const end = answer.indexOf('\r\n\r\n');
    let status = 200;
    for (const line of answer.toString('latin1', 0, end).split('\r\n')) {
      const [, name, value] = /^([^:]+): (.*)$/.exec(line) ?? [];
      if (name === 'Status') status = Number.parseInt(value!, 10);
      else if (name) response.setHeader(name, value!);
    }
    response.writeHead(status).end(answer.subarray(end + 4));
  }
}

async function piped(args: readonly string[], input: string): Promise<string> {
  const child = spawn('git', args);
  child.stdin.end(input);
  let output = '';
  for await (const part of child.stdout) output += String(part);
  return output.trim();
}
