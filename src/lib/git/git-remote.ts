import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { OutboundError, type SafeHttp } from '../http/safe-http.js';
import { whileOpen } from '../async/while-open.js';
import { GitFault } from './git-fault.js';
import { FLUSH, pktLine, pktLines, plainText } from './pkt-lines.js';

/** Where a repository is, and who asks. */
export interface GitAccess {
  /** https, without a user. */
  url: string;
  username: string;
  /** Absent for what everybody may read. */
  password?: string;
}

/** What a repository says that it has. */
export interface Advertised {
  /** Ids of commits, by the names of branches. */
  branches: ReadonlyMap<string, string>;
  /** The branch that those get who name none. */
  defaultBranch?: string;
}

/** A change of a branch from one commit to another; from nothing where it is new. */
export interface BranchChange {
  branch: string;
  from?: string;
  to: string;
}

type Service = 'git-upload-pack' | 'git-receive-pack';

/** Under this the client is known; servers want some name. */
const AGENT = 'agent=git/2.0-fieldwright';
const NOTHING = '0'.repeat(40);
const OID = /^[\da-f]{40}$/;
const HEADS = 'refs/heads/';
const REFS_MS = 60_000;
const PACK_MS = 10 * 60_000;
const MOST_REFS_BYTES = 16 * 1024 ** 2;
/** What a bundle may be that is fetched by its URL. */
const MOST_PACK_BYTES = 256 * 1024 ** 2;
const MOST_REPORT_BYTES = 1024 ** 2;
const DATA = 1;
const FATAL = 3;

/** A repository on another server, by the smart HTTP protocol of Git in its first version, which every server has. */
export class GitRemote {
  private readonly authorization: Readonly<Record<string, string>>;

  constructor(
    private readonly http: SafeHttp,
    private readonly access: GitAccess,
    private readonly signal: AbortSignal,
  ) {
    const { username, password } = access;
    const basic = Buffer.from(`${username}:${password}`).toString('base64');
    this.authorization = password === undefined ? {} : { authorization: `Basic ${basic}` };
  }

  async advertised(): Promise<Advertised> {
    const { branches, capabilities, head } = await this.ask('git-upload-pack');
    const symbolic = capabilities.find((each) => each.startsWith(`symref=HEAD:${HEADS}`));
    const named = symbolic?.slice(`symref=HEAD:${HEADS}`.length);
    const defaultBranch = named ?? [...branches].find(([, oid]) => oid === head)?.[0];
    return { branches, defaultBranch };
  }

  /** Writes a pack with a commit and all that it has to a file; without contents of files where that will do and can be. */
  async fetch(commit: string, file: string, isWhole: boolean): Promise<void> {
    const { base, capabilities } = await this.ask('git-upload-pack');
    for (const needed of ['shallow', 'side-band-64k'])
      if (!capabilities.includes(needed))
        throw new GitFault('access', `leads to a server that does not have what Git calls ${needed}`);
    const isFiltered = !isWhole && capabilities.includes('filter');
    const asked = `ofs-delta side-band-64k no-progress ${isFiltered ? 'filter ' : ''}${AGENT}`;
    const body =
      pktLine(`want ${commit} ${asked}\n`) +
      pktLine('deepen 1\n') +
      (isFiltered ? pktLine('filter blob:none\n') : '') +
      FLUSH +
      pktLine('done\n');
    const request = {
      ...this.post(base, 'git-upload-pack'),
      body,
      timeoutMs: PACK_MS,
      maxBytes: MOST_PACK_BYTES,
    };
    const status = await whileOpen(createWriteStream(file), (target) =>
      this.reached(() =>
        this.http.download(request, (content) => pipeline(packIn(content), target, { signal: this.signal })),
      ),
    );
    this.demandGood(status);
  }

  /**
   * Has a branch changed, by a file with what `pushHead` says of that and a pack. Answers whether it was; not where somebody else has
   * changed it meanwhile.
   */
  async push({ branch, from, to }: BranchChange, file: string): Promise<boolean> {
    const fault = await this.send(file);
    if (!fault) return true;
    const { branches } = await this.ask('git-receive-pack');
    const now = branches.get(branch);
    // It was done, and what told of that was lost; or somebody else was first.
    if (now === to) return true;
    if (now !== from) return false;
    throw fault;
  }

  /** Sends a push; why nothing says that it was done. */
  private async send(file: string): Promise<GitFault | undefined> {
    const { base } = await this.ask('git-receive-pack');
    const post = this.post(base, 'git-receive-pack');
    const { size } = await stat(file);
    try {
      const { status, body } = await whileOpen(createReadStream(file), (content) =>
        this.reached(() =>
          this.http.request({
            ...post,
            headers: { ...post.headers, 'content-length': String(size) },
            body: content,
            timeoutMs: PACK_MS,
            maxBytes: MOST_REPORT_BYTES,
          }),
        ),
      );
      this.demandGood(status);
      const problem = await problemIn(body);
      if (problem === undefined) return undefined;
      return new GitFault('branch', `is left as it is by the server of the repository: ${problem}`);
    } catch (error) {
      if (error instanceof GitFault) return error;
      throw error;
    }
  }

  /** Asks what there is; where the repository is after redirects, which other requests do not follow. */
  private async ask(service: Service) {
    const asked = `/info/refs?service=${service}`;
    const url = `${this.access.url.replace(/\/+$/, '')}${asked}`;
    const headers = { ...this.authorization, accept: '*/*' };
    const answer = await this.reached(() =>
      this.http.request({ url, headers, timeoutMs: REFS_MS, maxBytes: MOST_REFS_BYTES }),
    );
    const isElsewhere = new URL(answer.url).origin !== new URL(url).origin;
    if (isElsewhere) throw new GitFault('access', 'leads to a server that redirects to another');
    this.demandGood(answer.status);
    const isSmart = answer.headers['content-type'] === `application/x-${service}-advertisement`;
    if (!isSmart || !answer.url.endsWith(asked))
      throw new GitFault('access', 'leads to a server that does not answer as Git servers do');
    return { ...(await refsIn(answer.body)), base: answer.url.slice(0, -asked.length) };
  }

  private post(base: string, service: Service) {
    const headers = {
      ...this.authorization,
      'content-type': `application/x-${service}-request`,
      accept: `application/x-${service}-result`,
    };
    return { url: `${base}/${service}`, method: 'POST' as const, headers };
  }

  /** Of why there is no answer one hears what tells nothing of the network here. */
  private async reached<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.signal.throwIfAborted();
      // What reads an answer as it comes knows more of it than the client.
      const cause = error instanceof OutboundError ? error.cause : error;
      if (cause instanceof GitFault) throw cause;
      if (!(error instanceof OutboundError)) throw error;
      const told = {
        size: 'leads to a repository that is too large',
        timeout: 'leads to a server that does not answer in time',
      }[error.reason as string];
      throw new GitFault('access', told ?? 'leads to a server that cannot be reached');
    }
  }

  private demandGood(status: number): void {
    if (status === 401 || status === 403)
      throw new GitFault('access', `is refused by the server of the repository, with the status ${status}`);
    if (status !== 200)
      throw new GitFault('access', `leads to a server that answers with the status ${status}`);
  }
}

/** What stands before the pack of a push. */
export const pushHead = ({ branch, from = NOTHING, to }: BranchChange): string =>
  pktLine(`${from} ${to} ${HEADS}${branch}\0 report-status ${AGENT}`) + FLUSH;

/** Whether a branch may be called so, as `git check-ref-format` has it. */
export function isBranchName(name: string): boolean {
  const parts = name.split('/');
  const isPlain = parts.every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.lock'));
  return isPlain && !/\.\.|@\{|[\p{Cc} ~^:?*[\\]|\.$|^-|^@$/u.test(name);
}

async function refsIn(body: Buffer) {
  const branches = new Map<string, string>();
  let capabilities: string[] = [];
  let head: string | undefined;
  for await (const line of pktLines(Readable.from([body]))) {
    const text = line?.toString().replace(/\n$/, '') ?? '';
    if (text === '' || text.startsWith('# ')) continue;
    if (text.startsWith('ERR ')) throw saidBy(text.slice(4));
    const [ref = '', said] = text.split('\0');
    if (said !== undefined) capabilities = said.split(' ').filter(Boolean);
    const [oid = '', name = ''] = ref.split(' ');
    if (!OID.test(oid) || oid === NOTHING) continue;
    if (name === 'HEAD') head = oid;
    else if (name.startsWith(HEADS)) branches.set(name.slice(HEADS.length), oid);
  }
  if (capabilities.includes('object-format=sha256'))
    throw new GitFault('access', 'leads to a repository that uses SHA-256, which is not served');
  return { branches, capabilities, head };
}

/** The bytes of the pack in an answer, which come in lines among others. */
async function* packIn(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let isPack = false;
  for await (const line of pktLines(content)) {
    if (line === undefined) continue;
    const text = line.toString('latin1', 0, 8);
    if (isPack) {
      const data = line.subarray(1);
      if (line[0] === DATA) yield data;
      else if (line[0] === FATAL) throw saidBy(data.toString());
    } else if (text.startsWith('ERR ')) throw saidBy(line.toString().slice(4));
    else isPack = text.startsWith('NAK') || text.startsWith('ACK');
  }
}

/** Why a server did not do what a push asks for; nothing where it did. */
async function problemIn(report: Buffer): Promise<string | undefined> {
  let isUnpacked = false;
  let isDone = false;
  for await (const line of pktLines(Readable.from([report]))) {
    const text = line?.toString().trim() ?? '';
    if (text === 'unpack ok') isUnpacked = true;
    else if (text.startsWith('ok ')) isDone = true;
    else if (text.startsWith('ng ')) return plainText(text.split(' ').slice(2).join(' '));
    else if (text.startsWith('unpack ')) return plainText(text);
  }
  return isUnpacked && isDone ? undefined : 'it does not say why';
}

const saidBy = (text: string) => new GitFault('access', `leads to a server that says: ${plainText(text)}`);
