import { Injectable } from '@nestjs/common';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Config } from '../../../config/config.js';
import { GitFault } from '../../../lib/git/git-fault.js';
import { pushHead, type BranchChange } from '../../../lib/git/git-remote.js';
import { commitOf, oidOf, type GitType } from '../../../lib/git/objects.js';
import { packOf, type PackedObject } from '../../../lib/git/pack-writer.js';
import { BundleWork } from '../../../platform/bundles/bundle-work.js';
import type { ChangedTrees, FetchedCommit } from '../../../platform/bundles/repository-tasks.js';
import { inWorkFolder } from '../../../lib/files/work-folder.js';
import { BundleExporter, type BundleRequest } from './bundle-exporter.js';
import {
  BundleRepositories,
  naming,
  type RepositoryRequest,
  type OpenRepository,
} from './bundle-repositories.js';
import type { BundleProgress } from './bundle-resources.js';
import { SpooledBundle } from './spooled-bundle.js';

/** Target and message of a commit. */
export interface CommitTarget extends RepositoryRequest {
  commitMessage?: string;
}

/** Bundle to be committed. */
export interface CommitRequest extends BundleRequest {
  repository: CommitTarget;
  /** Name of the request body in error messages. */
  fieldPrefix: string;
  /** Name of the application, for the default commit message. */
  name: string;
}

/** Result of committing a bundle. */
export interface Committed {
  commit: string;
  branch: string;
  repoUrl: string;
  /** Whether the repository already contained the bundle. */
  noChanges: boolean;
}

/** Starting point of a push attempt. */
interface Base {
  branch: string;
  /** Current head of the branch; absent if the branch does not exist. */
  from?: string;
  /** Parent commit; absent in an empty repository. */
  commit?: string;
}

/** Maximum number of push attempts if other clients push concurrently. */
const ATTEMPTS = 5;
const FIRST_BRANCH = 'main';

/** Directory in which commits are assembled. */
export const commitsFolder = ({ dataDir }: Config): string => join(dataDir, 'commits');

/** Commits bundles of applications to repositories. */
@Injectable()
export class BundleCommits {
  constructor(
    private readonly exporter: BundleExporter,
    private readonly repositories: BundleRepositories,
    private readonly config: Config,
    private readonly work: BundleWork,
  ) {}

  /**
   * Commits the bundle to the repository unless it already contains it. If an earlier attempt with the same `work` name
   * left files on disk, they are discarded; only its pushed commits remain.
   */
  async commit(asked: CommitRequest, work: string, watch: BundleProgress): Promise<Committed> {
    const { applicationId, repository, fieldPrefix, name } = asked;
    const { signal } = watch;
    const open = await this.repositories.open(applicationId, repository, fieldPrefix, signal);
    const message = repository.commitMessage || `Export of ${name}`;
    return inWorkFolder(commitsFolder(this.config), work, async (folder) => {
      const { bundle, ownerId } = await this.exporter.use(asked, watch, async (files, { ownerId }) => ({
        bundle: await SpooledBundle.write(files, join(folder, 'bundle'), signal),
        ownerId,
      }));
      try {
        const trees = (base?: FetchedCommit) =>
          this.work.changedTrees(
            { base, directory: open.directory, files: bundle.files },
            { ownerId, signal },
          );
        const push = { bundle, folder, message, signal, trees, branch: repository.branch };
        return await naming(fieldPrefix, () => pushWithRetries(open, push));
      } finally {
        await bundle.close();
      }
    });
  }
}

interface Push {
  bundle: SpooledBundle;
  folder: string;
  message: string;
  branch?: string;
  signal: AbortSignal;
  /** Replaces the files of the repository's directory in a commit. */
  trees(base?: FetchedCommit): Promise<ChangedTrees>;
}

async function pushWithRetries(repository: OpenRepository, push: Push): Promise<Committed> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    push.signal.throwIfAborted();
    const done = await pushOnce(repository, push);
    if (done) return done;
  }
  throw new GitFault('branch', `was changed by other clients in each of ${ATTEMPTS} attempts`);
}

/** Returns the result of one attempt, or `undefined` if another client pushed first. */
async function pushOnce(repository: OpenRepository, push: Push): Promise<Committed | undefined> {
  const { remote, url: repoUrl, committer } = repository;
  const { bundle, folder, message, signal } = push;
  const base = await baseCommit(repository, push.branch);
  const { branch, from } = base;
  const pack = join(folder, 'base.pack');
  if (base.commit) await remote.fetch(base.commit, pack, false);
  const made = await push.trees(base.commit ? { pack, commit: base.commit } : undefined);
  const noChanges = made.to === made.from;
  if (noChanges && from) return { commit: from, branch, repoUrl, noChanges };
  const facts = { tree: made.to, parent: base.commit, ...committer, time: new Date(), message };
  const commit = noChanges ? undefined : commitOf(facts);
  const known = new Set(made.known);
  const files = new Set(bundle.files.map(({ oid }) => oid));
  const objects = commit
    ? [
        packedObject(commit),
        ...made.trees.map((content) => packedObject({ type: 'tree', content })),
        ...[...files].filter((oid) => !known.has(oid)).map((oid) => bundle.object(oid)),
      ]
    : [];
  const to = commit ? oidOf(commit) : base.commit!;
  const file = join(folder, 'push');
  await writePush({ branch, from, to }, objects, file, signal);
  return (await remote.push({ branch, from, to }, file))
    ? { commit: to, branch, repoUrl, noChanges }
    : undefined;
}

/** Returns the base of the branch: its head, else the head of the default branch, else none in an empty repository. */
async function baseCommit({ remote }: OpenRepository, asked: string | undefined): Promise<Base> {
  const { branches, defaultBranch } = await remote.advertised();
  const branch = asked ?? defaultBranch ?? FIRST_BRANCH;
  const from = branches.get(branch);
  const commit = from ?? (defaultBranch === undefined ? undefined : branches.get(defaultBranch));
  if (!commit && branches.size > 0)
    throw new GitFault(
      'branch',
      'does not exist, and the repository has no default branch to create it from',
    );
  return { branch, from, commit };
}

async function writePush(
  change: BranchChange,
  objects: readonly PackedObject[],
  file: string,
  signal: AbortSignal,
): Promise<void> {
  const content = async function* (): AsyncGenerator<Buffer> {
    yield Buffer.from(pushHead(change));
    yield* packOf(objects);
  };
  await pipeline(content(), createWriteStream(file), { signal });
}

const packedObject = ({ type, content }: { type: GitType; content: Uint8Array }): PackedObject => ({
  type,
  size: content.length,
  content: () => Readable.from([content]),
});
