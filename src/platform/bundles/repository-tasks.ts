import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { GitFault } from '../../lib/git/git-fault.js';
import { withFiles } from '../../lib/git/new-trees.js';
import { treeOfCommit } from '../../lib/git/objects.js';
import { PackReader } from '../../lib/git/pack-reader.js';
import { treeAt, treeFiles, type TreeFile } from '../../lib/git/tree-files.js';
import { createZip, type ZippedFile } from '../../lib/zip/zip.js';
import { BUNDLE_BOUNDS } from './zip-bundle.js';

/** A commit in a file that contains only a pack. */
export interface FetchedCommit {
  pack: string;
  commit: string;
}

/** Trees of a commit in which the files of a directory were replaced. */
export interface ChangedTrees {
  /** ID of the tree before the change; absent in an empty repository. */
  from?: string;
  to: string;
  /** Contents of the new trees. */
  trees: readonly Uint8Array[];
  /** IDs of the given files that the directory already contains. */
  known: readonly string[];
}

/** Writes the files of a directory in a commit to a zip file. */
export async function checkOut(task: FetchedCommit & { directory: readonly string[]; zip: string }) {
  await reading(task.pack, async (pack) => {
    const tree = await treeAt(pack, task.commit, task.directory);
    if (tree === undefined) throw new GitFault('directory', 'is not a directory of the branch');
    const files = await treeFiles(pack, tree, BUNDLE_BOUNDS);
    const contents = async function* (): AsyncGenerator<ZippedFile> {
      for (const { path: name, oid } of files)
        yield { name, content: Readable.from([(await pack.read(oid, 'blob')).content]) };
    };
    await pipeline(createZip(contents()), createWriteStream(task.zip));
  });
}

/** Replaces the files of a directory, see `withFiles`. `base` is absent in an empty repository. */
export async function changedTrees(task: {
  base?: FetchedCommit;
  directory: readonly string[];
  files: readonly TreeFile[];
}): Promise<ChangedTrees> {
  const { base, directory, files } = task;
  const replace = async (pack?: PackReader): Promise<ChangedTrees> => {
    const from = pack && treeOfCommit(await pack.read(base!.commit, 'commit'));
    const { root, trees, known } = await withFiles(pack, from, directory, files);
    return {
      from,
      to: root,
      trees: [...trees.values()].map(({ content }) => content),
      known: files.flatMap(({ oid }) => (known.has(oid) ? [oid] : [])),
    };
  };
  return base ? reading(base.pack, replace) : replace();
}

async function reading<T>(path: string, work: (pack: PackReader) => Promise<T>): Promise<T> {
  const pack = await PackReader.open(path);
  try {
    return await work(pack);
  } finally {
    await pack.close();
  }
}
