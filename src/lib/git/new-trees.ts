import { GitFault } from './git-fault.js';
import {
  isTree,
  MODES,
  nameBytes,
  oidOf,
  parseTree,
  treeOf,
  type GitObject,
  type TreeEntry,
} from './objects.js';
import type { PackReader } from './pack-reader.js';
import type { TreeFile } from './tree-files.js';

/** A tree derived from another. */
export interface NewTrees {
  root: string;
  /** New trees that the other does not contain, by ID. */
  trees: ReadonlyMap<string, GitObject>;
  /** IDs of the trees and files that the directory already contains. */
  known: ReadonlySet<string>;
}

/** Maximum number of files and folders that a directory may already contain. */
const MAX_KNOWN = 500_000;

type Folder = Map<string, Folder | string>;

/**
 * Replaces the files of a directory and keeps everything else. Top-level entries of the directory whose names start
 * with a dot are kept too, since they belong to the maintainers of the repository. Without a tree, the result consists
 * only of the files.
 */
export async function withFiles(
  pack: PackReader | undefined,
  root: string | undefined,
  directory: readonly string[],
  files: readonly TreeFile[],
): Promise<NewTrees> {
  const trees = new Map<string, GitObject>();
  const known = new Set<string>();
  const names = directory.map(nameBytes);
  return { root: await put(root, 0), trees, known };

  async function put(oid: string | undefined, depth: number): Promise<string> {
    const entries = oid === undefined ? [] : await entriesOf(oid);
    const name = names[depth];
    if (name === undefined) {
      if (oid !== undefined) await learn(oid);
      const stay = entries.filter((entry) => entry.name.startsWith('.'));
      return add([...stay, ...folderEntries(folderOf(files))]);
    }
    const there = entries.find((entry) => entry.name === name && isTree(entry));
    const below = { name, mode: MODES.tree, oid: await put(there?.oid, depth + 1) };
    return add([...entries.filter((entry) => entry.name !== name), below]);
  }

  function folderEntries(folder: Folder): TreeEntry[] {
    const entries: TreeEntry[] = [];
    for (const [name, item] of folder)
      if (typeof item === 'string') entries.push({ name, mode: MODES.file, oid: item });
      else entries.push({ name, mode: MODES.tree, oid: add(folderEntries(item)) });
    return entries;
  }

  function add(entries: readonly TreeEntry[]): string {
    const tree = treeOf(entries);
    const oid = oidOf(tree);
    if (!pack?.has(oid)) trees.set(oid, tree);
    return oid;
  }

  async function learn(oid: string): Promise<void> {
    if (known.has(oid)) return;
    known.add(oid);
    if (known.size > MAX_KNOWN) throw new GitFault('directory', `has more than ${MAX_KNOWN} files`);
    for (const entry of await entriesOf(oid))
      if (isTree(entry)) await learn(entry.oid);
      else known.add(entry.oid);
  }

  async function entriesOf(oid: string): Promise<TreeEntry[]> {
    return parseTree((await pack!.read(oid, 'tree')).content);
  }
}

function folderOf(files: readonly TreeFile[]): Folder {
  const root: Folder = new Map();
  for (const { path, oid } of files) {
    const parts = path.split('/').map(nameBytes);
    let folder = root;
    for (const part of parts.slice(0, -1)) {
      const next = folder.get(part);
      const below = next instanceof Map ? next : new Map<string, Folder | string>();
      folder.set(part, below);
      folder = below;
    }
    folder.set(parts.at(-1)!, oid);
  }
  return root;
}
