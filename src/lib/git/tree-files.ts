import { GitFault } from './git-fault.js';
import { isTree, parseTree, treeOfCommit, type TreeEntry } from './objects.js';
import type { PackReader } from './pack-reader.js';

/** A file in a commit. */
export interface TreeFile {
  /** Path relative to the requested directory. */
  path: string;
  oid: string;
}

const MAX_DEPTH = 120;
const MAX_PATH_BYTES = 2_048;
const LINK = '120000';
const REPOSITORY = '160000';
const FORBIDDEN = /^\.{0,2}$|^\.git$|[\\/\p{Cc}]/iu;

/** Returns the tree of a directory in a commit, or `undefined` if it does not exist. */
export async function treeAt(
  pack: PackReader,
  commit: string,
  directory: readonly string[],
): Promise<string | undefined> {
  let tree = treeOfCommit(await pack.read(commit, 'commit'));
  for (const name of directory) {
    const entries = parseTree((await pack.read(tree, 'tree')).content);
    const found = entries.find((entry) => isTree(entry) && textOf(entry) === name);
    if (!found) return undefined;
    tree = found.oid;
  }
  return tree;
}

/**
 * Returns the files of a tree and its subtrees. Although nothing is written to disk, it rejects anything that would be
 * unsafe or misleading there: links, submodules, names that lead elsewhere, and names that differ only in case.
 */
export async function treeFiles(
  pack: PackReader,
  tree: string,
  max: { files: number; bytes: number },
): Promise<TreeFile[]> {
  const files: TreeFile[] = [];
  let entries = 0;
  let bytes = 0;
  await walk(tree, '', 1);
  return files;

  async function walk(oid: string, prefix: string, depth: number): Promise<void> {
    const folded = new Set<string>();
    for (const entry of parseTree((await pack.read(oid, 'tree')).content)) {
      const path = prefix + validateName(entry, prefix);
      const key = path.toLowerCase();
      if (folded.has(key)) throw rejectPath('has names that differ only in upper and lower case', path);
      folded.add(key);
      if (++entries > 2 * max.files) throw tooMany(max.files);
      if (depth > MAX_DEPTH || Buffer.byteLength(path) > MAX_PATH_BYTES)
        throw rejectPath('has a file whose path is too long', path);
      if (isTree(entry)) {
        await walk(entry.oid, `${path}/`, depth + 1);
        continue;
      }
      files.push({ path, oid: entry.oid });
      bytes += pack.sizeOf(entry.oid);
      if (files.length > max.files) throw tooMany(max.files);
      if (bytes > max.bytes) throw new GitFault('directory', `has more than ${max.bytes} bytes`);
    }
  }
}

function validateName(entry: TreeEntry, prefix: string): string {
  const name = textOf(entry);
  const path = prefix + (name ?? entry.name);
  if (name === undefined) throw rejectPath('has a file whose name is not in UTF-8', path);
  if (FORBIDDEN.test(name)) throw rejectPath('has a file with an invalid path', path);
  if (entry.mode === LINK) throw rejectPath('has a link', path);
  if (entry.mode === REPOSITORY) throw rejectPath('has a submodule', path);
  return name;
}

/** Returns the name of an entry, or `undefined` if it is not valid UTF-8. */
function textOf({ name }: TreeEntry): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    return text.decode(Buffer.from(name, 'latin1')).normalize('NFC');
  } catch {
    return undefined;
  }
}

const rejectPath = (why: string, path: string) =>
  new GitFault('directory', `${why}: ${JSON.stringify(path.slice(0, 100).toWellFormed())}`);
const tooMany = (files: number) => new GitFault('directory', `has more than ${files} files`);
