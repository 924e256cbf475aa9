import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Unavailable, ValidationError } from '../../lib/errors/errors.js';
import { GitFault } from '../../lib/git/git-fault.js';
import { WorkFailed, type WorkFault } from '../../lib/processes/work-process.js';
import { WorkQueue, type WorkOrder } from '../../lib/processes/work-queue.js';
import type { BundleTasks, YamlTexts } from './bundle-tasks.js';
import type { BundleWorkAnswer, BundleWorkTask } from './bundle-work.thread.js';

/** Limits of a lane; a lane runs tasks that take about the same time. */
interface LaneOptions {
  processes: number;
  timeoutMs: number;
  memoryMb: number;
}

type Input<Name extends keyof BundleTasks> = Parameters<BundleTasks[Name]>[0];
type Output<Name extends keyof BundleTasks> = Awaited<ReturnType<BundleTasks[Name]>>;

const TEXTS: LaneOptions = { processes: 2, timeoutMs: 30_000, memoryMb: 768 };
const REPOSITORIES: LaneOptions = { processes: 1, timeoutMs: 180_000, memoryMb: 1_024 };
/** Starting a process takes half a second. */
const IDLE_MS = 60_000;
const WAITING = { waitingPerOwner: 16, waiting: 256 };

const EXCESS: Partial<Record<WorkFault, string>> = {
  time: 'takes too long to process',
  memory: 'takes too much memory to process',
};

/**
 * Reads and writes the contents of bundles in separate processes with limits of time and memory, so that no content of
 * a caller can stop the event loop. Owners take turns. Throws a `400` error for content that is invalid or exceeds a
 * limit, and `429` if too many tasks of the owner are waiting.
 */
@Injectable()
export class BundleWork implements OnModuleDestroy {
  private readonly texts = new Lane(TEXTS);
  private readonly repositories = new Lane(REPOSITORIES);

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

/** Processes for tasks of one kind. */
class Lane {
  private readonly queue: WorkQueue<BundleWorkTask, BundleWorkAnswer>;

  constructor({ processes, timeoutMs, memoryMb }: LaneOptions) {
    const thread = import.meta.resolve('./bundle-work.thread.js');
    this.queue = new WorkQueue({ thread, timeoutMs, memoryMb, idleMs: IDLE_MS, processes, ...WAITING });
  }

  async run<Name extends keyof BundleTasks>(
    name: Name,
    input: Input<Name>,
    order: WorkOrder,
    refusal: (excess: string) => Error,
  ): Promise<Output<Name>> {
    const answer = await this.queue.run({ name, input }, order).catch((error: unknown) => {
      if (!(error instanceof WorkFailed)) throw error;
      const excess = EXCESS[error.fault];
      if (excess) throw refusal(excess);
      throw error.fault === 'stopped' ? new Unavailable(error.message) : error;
    });
    if ('refused' in answer) throw new ValidationError(answer.refused);
    if ('fault' in answer) throw new GitFault(answer.fault.place, answer.fault.message);
    return answer.result as Output<Name>;
  }

  stop(): Promise<void> {
    return this.queue.stop();
  }
}
