import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { OutboundError, type SafeHttp } from '../http/safe-http.js';
import { withOpenStream } from '../async/with-open-stream.js';
import { GitFault } from './git-fault.js';
import { FLUSH, pktLine, pktLines, plainText } from './pkt-lines.js';

/** Location of a repository and the credentials for it. */
export interface GitAccess {
  /** An `https` URL without user information. */
  url: string;
  username: string;
  /** Absent for public repositories. */
  password?: string;
}

/** Refs that a repository advertises. */
export interface AdvertisedRefs {
  /** Commit IDs by branch name. */
  branches: ReadonlyMap<string, string>;
  /** Branch that is used if none is requested. */
  defaultBranch?: string;
}

/** An update of a branch from one commit to another. `from` is absent for a new branch. */
export interface BranchChange {
  branch: string;
  from?: string;
  to: string;
}

type Service = 'git-upload-pack' | 'git-receive-pack';

/** Agent of the client, which servers expect. */
const AGENT = 'agent=git/2.0-fieldwright';
const ZERO_OID = '0'.repeat(40);
const OID = /^[\da-f]{40}$/;
const HEADS = 'refs/heads/';
const REFS_MS = 60_000;
const PACK_MS = 10 * 60_000;
const MAX_REFS = 200_000;
const MAX_REFS_BYTES = 16 * 1024 ** 2;
/** Maximum size of a pack, the same as for bundles imported by URL. */
const MAX_PACK_BYTES = 256 * 1024 ** 2;
const MAX_REPORT_BYTES = 1024 ** 2;
const MAX_REPORT_LINES = 10_000;
/** Size of the parts in which a response is read; the lines of each take up to ten milliseconds. */
const SLICE_BYTES = 64 * 1024;
const DATA = 1;
const FATAL = 3;

/** A remote repository, accessed with version 1 of Git's smart HTTP protocol, which every server supports. */
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

  async advertised(): Promise<AdvertisedRefs> {
    const { branches, capabilities, head } = await this.requestRefs('git-upload-pack');
    const symbolic = capabilities.find((each) => each.startsWith(`symref=HEAD:${HEADS}`));
    const named = symbolic?.slice(`symref=HEAD:${HEADS}`.length);
    const defaultBranch = named ?? [...branches].find(([, oid]) => oid === head)?.[0];
    return { branches, defaultBranch };
  }

  /**
   * Writes a pack with a commit and all its objects to a file. File contents are omitted unless `isWhole` is set, if
   * the server supports that.
   */
  async fetch(commit: string, file: string, isWhole: boolean): Promise<void> {
    const { base, capabilities } = await this.requestRefs('git-upload-pack');
    for (const needed of ['shallow', 'side-band-64k'])
      if (!capabilities.includes(needed))
        throw new GitFault('access', `leads to a server that does not support the Git capability ${needed}`);
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
      maxBytes: MAX_PACK_BYTES,
    };
    const status = await withOpenStream(createWriteStream(file), (target) =>
      this.reached(() =>
        this.http.download(request, (content) => pipeline(packIn(content), target, { signal: this.signal })),
      ),
    );
    this.assertOk(status);
  }

  /**
   * Updates a branch, using a file with the output of `pushHead` and a pack. Returns whether the update succeeded;
   * `false` if someone else has changed the branch.
   */
  async push({ branch, from, to }: BranchChange, file: string): Promise<boolean> {
    const fault = await this.send(file);
    if (!fault) return true;
    const { branches } = await this.requestRefs('git-receive-pack');
    const now = branches.get(branch);
    // The update succeeded and its confirmation was lost, or someone else has already made it.
    if (now === to) return true;
    if (now !== from) return false;
    throw fault;
  }

  /** Sends a push. Returns the fault if the server does not confirm it. */
  private async send(file: string): Promise<GitFault | undefined> {
    const { base } = await this.requestRefs('git-receive-pack');
    const post = this.post(base, 'git-receive-pack');
    const { size } = await stat(file);
    try {
      const { status, body } = await withOpenStream(createReadStream(file), (content) =>
        this.reached(() =>
          this.http.request({
            ...post,
            headers: { ...post.headers, 'content-length': String(size) },
            body: content,
            timeoutMs: PACK_MS,
            maxBytes: MAX_REPORT_BYTES,
          }),
        ),
      );
      this.assertOk(status);
      const problem = await problemIn(body);
      if (problem === undefined) return undefined;
      return new GitFault('branch', `was not updated by the server of the repository: ${problem}`);
    } catch (error) {
      if (error instanceof GitFault) return error;
      throw error;
    }
  }

  /** Requests the refs. Returns the base URL after redirects, since other requests do not follow any. */
  private async requestRefs(service: Service) {
    const asked = `/info/refs?service=${service}`;
    const url = `${this.access.url.replace(/\/+$/, '')}${asked}`;
    const headers = { ...this.authorization, accept: '*/*' };
    const answer = await this.reached(() =>
      this.http.request({ url, headers, timeoutMs: REFS_MS, maxBytes: MAX_REFS_BYTES }),
    );
    const isElsewhere = new URL(answer.url).origin !== new URL(url).origin;
    if (isElsewhere) throw new GitFault('access', 'leads to a server that redirects to another');
    this.assertOk(answer.status);
    const isSmart = answer.headers['content-type'] === `application/x-${service}-advertisement`;
    if (!isSmart || !answer.url.endsWith(asked))
      throw new GitFault('access', 'leads to a server that does not respond like a Git server');
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

  /** Runs a request. Its errors reveal nothing about the internal network. */
  private async reached<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.signal.throwIfAborted();
      // The reader of a response knows more about its failure than the client.
      const cause = error instanceof OutboundError ? error.cause : error;
      if (cause instanceof GitFault) throw cause;
      if (!(error instanceof OutboundError)) throw error;
      const told = {
        size: 'leads to a repository that is too large',
        timeout: 'leads to a server that does not respond in time',
      }[error.reason as string];
      throw new GitFault('access', told ?? 'leads to a server that cannot be reached');
    }
  }

  private assertOk(status: number): void {
    if (status === 401 || status === 403)
      throw new GitFault('access', `was rejected by the server of the repository with status ${status}`);
    if (status !== 200) throw new GitFault('access', `leads to a server that responds with status ${status}`);
  }
}

/** Returns the commands that precede the pack of a push. */
export const pushHead = ({ branch, from = ZERO_OID, to }: BranchChange): string =>
  pktLine(`${from} ${to} ${HEADS}${branch}\0 report-status ${AGENT}`) + FLUSH;

/** Returns whether a branch may have this name, according to `git check-ref-format`. */
export function isBranchName(name: string): boolean {
  const parts = name.split('/');
  const isPlain = parts.every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.lock'));
  return isPlain && !/\.\.|@\{|[\p{Cc} ~^:?*[\\]|\.$|^-|^@$/u.test(name);
}

/** Yields a response in parts, with a turn of the event loop between them. */
async function* slicesOf(body: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < body.length; at += SLICE_BYTES) {
    if (at > 0) await setImmediate();
    yield body.subarray(at, at + SLICE_BYTES);
  }
}

async function refsIn(body: Buffer) {
  const branches = new Map<string, string>();
  let capabilities: string[] = [];
  let head: string | undefined;
  for await (const line of pktLines(slicesOf(body), MAX_REFS)) {
    const text = line?.toString().replace(/\n$/, '') ?? '';
    if (text === '' || text.startsWith('# ')) continue;
    if (text.startsWith('ERR ')) throw messageOf(text.slice(4));
    const [ref = '', said] = text.split('\0');
    if (said !== undefined) capabilities = said.split(' ').filter(Boolean);
    const [oid = '', name = ''] = ref.split(' ');
    if (!OID.test(oid) || oid === ZERO_OID) continue;
    if (name === 'HEAD') head = oid;
    else if (name.startsWith(HEADS)) branches.set(name.slice(HEADS.length), oid);
  }
  if (capabilities.includes('object-format=sha256'))
    throw new GitFault('access', 'leads to a repository that uses SHA-256, which is not supported');
  return { branches, capabilities, head };
}

/** Extracts the bytes of the pack from a response, in which they alternate with other lines. */
async function* packIn(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let isPack = false;
  for await (const line of pktLines(content)) {
    if (line === undefined) continue;
    const text = line.toString('latin1', 0, 8);
    if (isPack) {
      const data = line.subarray(1);
      if (line[0] === DATA) yield data;
      else if (line[0] === FATAL) throw messageOf(data.toString());
    } else if (text.startsWith('ERR ')) throw messageOf(line.toString().slice(4));
    else isPack = text.startsWith('NAK') || text.startsWith('ACK');
  }
}

/** Returns the reason why a server rejected a push, or `undefined` if it succeeded. */
async function problemIn(report: Buffer): Promise<string | undefined> {
  let isUnpacked = false;
  let isDone = false;
  for await (const line of pktLines(slicesOf(report), MAX_REPORT_LINES)) {
    const text = line?.toString().trim() ?? '';
    if (text === 'unpack ok') isUnpacked = true;
    else if (text.startsWith('ok ')) isDone = true;
    else if (text.startsWith('ng ')) return plainText(text.split(' ').slice(2).join(' '));
    else if (text.startsWith('unpack ')) return plainText(text);
  }
  return isUnpacked && isDone ? undefined : 'it gives no reason';
}

const messageOf = (text: string) =>
  new GitFault('access', `leads to a server that reports: ${plainText(text)}`);
