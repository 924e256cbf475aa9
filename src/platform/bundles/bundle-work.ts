import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { ValidationError } from '../../lib/errors/errors.js';
import { GitFault, type GitFaultField } from '../../lib/git/git-fault.js';
import { TaskQueue } from '../../lib/processes/task-queue.js';
import type { QueueOptions, WorkOrder } from '../../lib/processes/work-queue.js';
import type { BundleTasks, YamlTexts } from './bundle-tasks.js';

type Input<Name extends keyof BundleTasks> = Parameters<BundleTasks[Name]>[0];
type Output<Name extends keyof BundleTasks> = Awaited<ReturnType<BundleTasks[Name]>>;

const OPTIONS = {
  thread: import.meta.resolve('./bundle-work.thread.js'),
  /** Starting a process takes half a second. */
  idleMs: 60_000,
  waitingPerOwner: 16,
  waiting: 256,
};
/** The tasks of a queue take about the same time. */
const TEXTS = { processes: 2, timeoutMs: 30_000, memoryMb: 768 };
const REPOSITORIES = { processes: 1, timeoutMs: 180_000, memoryMb: 1_024 };

/**
 * Reads and writes the contents of bundles in separate processes with limits of time and memory, so that no content of
 * a caller can stop the event loop. Owners take turns. Throws a `400` error for content that is invalid or exceeds a
 * limit, and `429` if too many tasks of the owner are waiting.
 */
@Injectable()
export class BundleWork implements OnModuleDestroy {
  private readonly texts = queueOf(TEXTS);
  private readonly repositories = queueOf(REPOSITORIES);

  /** Parses the texts of a YAML file. */
  async readYaml(input: YamlTexts, order: WorkOrder): Promise<unknown[]> {
    const values = await this.texts.run('readYaml', input, order, inFile(input.at));
    return values.map((json) => JSON.parse(json) as unknown);
  }

  /** Returns a resource as an item of a YAML file. `at` is the path of the file. */
  writeYaml(input: Input<'writeYaml'>, at: string, order: WorkOrder): Promise<string> {
    return this.texts.run('writeYaml', input, order, inFile(at));
  }

  /** Replaces texts by their placeholders. `at` is the path of the file. */
  replaceTexts(input: Input<'replaceTexts'>, at: string, order: WorkOrder): Promise<string> {
    return this.texts.run('replaceTexts', input, order, inFile(at));
  }

  /** Writes the files of a fetched commit to a zip file. Throws `GitFault` if the repository is invalid. */
  async checkOut(input: Input<'checkOut'>, order: WorkOrder): Promise<void> {
    await this.repositories.run('checkOut', input, order, inRepository);
  }

  /** Returns the trees of a commit whose files are replaced. Throws `GitFault` if the repository is invalid. */
  changedTrees(input: Input<'changedTrees'>, order: WorkOrder): Promise<Output<'changedTrees'>> {
    return this.repositories.run('changedTrees', input, order, inRepository);
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all([this.texts.stop(), this.repositories.stop()]);
  }
}

const inFile = (at: string) => (excess: string) => new ValidationError(`${at} ${excess}`);
const inRepository = (excess: string) => new GitFault('access', `leads to a repository that ${excess}`);

const queueOf = (lane: Pick<QueueOptions, 'processes' | 'timeoutMs' | 'memoryMb'>): TaskQueue<BundleTasks> =>
  new TaskQueue({ ...OPTIONS, ...lane }, ({ message, place }) =>
    place ? new GitFault(place as GitFaultField, message) : new ValidationError(message),
  );
