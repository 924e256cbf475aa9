import { createHash } from 'node:crypto';
import { GitFault } from './git-fault.js';

export type GitType = 'commit' | 'tree' | 'blob' | 'tag';

export interface GitObject {
  type: GitType;
  content: Buffer;
}

/** An entry of a tree. */
export interface TreeEntry {
  mode: string;
  /** Raw bytes of the name, one per character: Git allows any encoding. */
  name: string;
  oid: string;
}

/** Author and message of a commit. */
export interface CommitMetadata {
  tree: string;
  parent?: string;
  name: string;
  email: string;
  time: Date;
  message: string;
}

export const MODES = { tree: '40000', file: '100644' } as const;
/** Maximum size of a file in a repository. Up to three may be in memory at once. */
export const MAX_OBJECT_BYTES = 64 * 1024 ** 2;
const OID_BYTES = 20;

/** Starts the hash of an object, to be continued with its content. */
export const hashOf = (type: GitType, size: number) => createHash('sha1').update(`${type} ${size}\0`);

export const oidOf = ({ type, content }: GitObject): string =>
  hashOf(type, content.length).update(content).digest('hex');

/** Converts a name to the raw form used in trees. */
export const nameBytes = (name: string): string => Buffer.from(name).toString('latin1');
export const nameText = (bytes: string): string => Buffer.from(bytes, 'latin1').toString();

/** Parses the entries of a tree. */
export function parseTree(content: Buffer): TreeEntry[] {
  const entries: TreeEntry[] = [];
  for (let at = 0; at < content.length;) {
    const space = content.indexOf(' ', at);
    const end = content.indexOf(0, at);
    const isWhole = space > at && end > space && end + OID_BYTES < content.length;
    if (!isWhole) throw new GitFault('access', 'leads to a repository with a damaged tree');
    entries.push({
      mode: content.toString('latin1', at, space),
      name: content.toString('latin1', space + 1, end),
      oid: content.toString('hex', end + 1, end + 1 + OID_BYTES),
    });
    at = end + 1 + OID_BYTES;
  }
  return entries;
}

/** Builds the tree with these entries, in the byte order that Git requires, in which the names of trees end in `/`. */
export function treeOf(entries: readonly TreeEntry[]): GitObject {
  const keyed = entries.map((entry) => ({ entry, key: entry.name + (isTree(entry) ? '/' : '') }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : 1));
  const parts = keyed.map(({ entry: { mode, name, oid } }) =>
    Buffer.concat([Buffer.from(`${mode} ${name}\0`, 'latin1'), Buffer.from(oid, 'hex')]),
  );
  return { type: 'tree', content: Buffer.concat(parts) };
}

export const isTree = ({ mode }: TreeEntry): boolean => mode === MODES.tree;

/** Returns the ID of a commit's tree. */
export function treeOfCommit({ type, content }: GitObject): string {
  const tree = /^tree ([\da-f]{40})\n/.exec(content.toString('latin1', 0, 64))?.[1];
  if (type !== 'commit' || !tree) throw new GitFault('access', 'leads to a repository with a damaged commit');
  return tree;
}

export function commitOf({ tree, parent, name, email, time, message }: CommitMetadata): GitObject {
  const who = `${personPart(name)} <${personPart(email)}> ${Math.floor(time.getTime() / 1000)} +0000`;
  const parents = parent === undefined ? '' : `parent ${parent}\n`;
  const head = `tree ${tree}\n${parents}author ${who}\ncommitter ${who}\n`;
  return { type: 'commit', content: Buffer.from(`${head}\n${message.replaceAll('\0', '').trimEnd()}\n`) };
}

/** Removes characters that have a special meaning in the author line of a commit. */
const personPart = (text: string): string => text.replace(/[<>\p{Cc}]/gu, '').trim();
