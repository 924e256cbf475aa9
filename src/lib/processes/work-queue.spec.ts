import { fork } from 'node:child_process';
import { once } from 'node:events';
import { waitUntil } from '../../../test/setup/until.js';
import type { TestWork } from '../../../test/fixtures/work.thread.js';
import { TooManyRequests } from '../errors/errors.js';
import type { WorkFailed } from './work-process.js';
import { WorkQueue, type QueueOptions } from './work-queue.js';

interface Answer {
  pid: number;
  done: number;
  environment: string[];
  memoryMb: number;
}

const thread = import.meta.resolve('../../../test/fixtures/work.thread.js');
const OPTIONS = {
  thread,
  timeoutMs: 30_000,
  memoryMb: 512,
  idleMs: 60_000,
  processes: 1,
  waitingPerOwner: 2,
};
const ORDER = { ownerId: 'a' };

let queue: WorkQueue<TestWork, Answer>;
const open = (options: Partial<QueueOptions> = {}) => (queue = new WorkQueue({ ...OPTIONS, ...options }));
afterEach(() => queue.stop());

const faultOf = (work: Promise<unknown>): Promise<WorkFailed> =>
  work.then(
    () => Promise.reject(new Error('It was done')),
    (error: WorkFailed) => error,
  );
const isGone = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
};

describe('Work in a separate process', () => {
  it('runs one task after the other in a process that is reused and has no environment variables', async () => {
    open();
    const answers = await Promise.all(
      ['answer', 'answer', 'answer'].map(() => queue.run({ does: 'answer' }, ORDER)),
    );
    expect(answers.map(({ done }) => done)).toEqual([1, 2, 3]);
    expect(new Set(answers.map(({ pid }) => pid))).toEqual(new Set(queue.pids));
    expect(queue.pids).not.toContain(process.pid);
    expect(answers[0]!.environment).toEqual([]);
  });

  it('ends with its process on timeout, and the next task runs in another process', async () => {
    open({ timeoutMs: 2_000 });
    const hung = faultOf(queue.run({ does: 'hang' }, ORDER));
    await waitUntil(async () => queue.pids.length > 0);
    const [pid] = queue.pids;
    expect(await hung).toMatchObject({ fault: 'time', message: 'It took longer than 2 seconds' });
    expect(isGone(pid!)).toBe(true);
    await queue.stop();
    open();
    expect((await queue.run({ does: 'answer' }, ORDER)).done).toBe(1);
  });

  it.each(['heap', 'memory'] as const)('ends if it uses too much memory: %s', async (does) => {
    open({ memoryMb: 160 });
    expect(await faultOf(queue.run({ does }, ORDER))).toMatchObject({
      fault: 'memory',
      message: 'It took more than 160 MiB of memory',
    });
  });

  it.each([
    ['throw', 'Its process failed: It broke'],
    ['leave', 'Its process failed: its thread has ended'],
  ] as const)('ends with its thread: %s', async (does, message) => {
    open();
    expect(await faultOf(queue.run({ does }, ORDER))).toMatchObject({ fault: 'died', message });
    expect((await queue.run({ does: 'answer' }, ORDER)).done).toBe(1);
  });

  it('ends if its busy or idle process is killed, and the next task runs in another process', async () => {
    open();
    const { pid } = await queue.run({ does: 'answer' }, ORDER);
    const killed = faultOf(queue.run({ does: 'wait' }, ORDER));
    process.kill(pid, 'SIGKILL');
    expect(await killed).toMatchObject({ fault: 'died' });
    const second = await queue.run({ does: 'answer' }, ORDER);
    process.kill(second.pid, 'SIGKILL');
    await waitUntil(async () => queue.pids.length === 0);
    expect((await queue.run({ does: 'answer' }, ORDER)).done).toBe(1);
  });

  it('is rejected if the queue is full, and fails if the platform stops', async () => {
    open({ waitingPerOwner: 1 });
    const { pid } = await queue.run({ does: 'answer' }, ORDER);
    const [running, waiting] = [
      faultOf(queue.run({ does: 'wait' }, ORDER)),
      faultOf(queue.run({ does: 'answer' }, ORDER)),
    ];
    await expect(queue.run({ does: 'answer' }, ORDER)).rejects.toBeInstanceOf(TooManyRequests);
    await queue.stop();
    expect((await Promise.all([running, waiting])).map(({ fault }) => fault)).toEqual(['stopped', 'stopped']);
    expect(isGone(pid)).toBe(true);
    expect(await faultOf(queue.run({ does: 'answer' }, ORDER))).toMatchObject({ fault: 'stopped' });
  });

  it('ends if its signal is aborted', async () => {
    open();
    const { pid } = await queue.run({ does: 'answer' }, ORDER);
    const given = new AbortController();
    const work = faultOf(queue.run({ does: 'hang' }, { ...ORDER, signal: given.signal }));
    // The task is running by then.
    await new Promise(setImmediate);
    given.abort(new Error('Enough'));
    expect((await work).message).toBe('Enough');
    expect(isGone(pid)).toBe(true);
  });

  it('leaves no process behind if the parent dies before the start of a task', async () => {
    const given = JSON.stringify({ thread, memoryMb: OPTIONS.memoryMb });
    const child = fork(new URL(import.meta.resolve('./work-child.js')), [given], { env: {} });
    const gone = once(child, 'exit');
    child.disconnect();
    expect(await gone).toEqual([null, 'SIGKILL']);
  });

  it('leaves no idle process behind', async () => {
    open({ idleMs: 1 });
    const { pid } = await queue.run({ does: 'answer' }, ORDER);
    await waitUntil(async () => isGone(pid));
    expect(queue.pids).toEqual([]);
  });

  it('does not reuse a process whose memory has grown', async () => {
    open();
    const { memoryMb } = await queue.run({ does: 'answer' }, ORDER);
    await queue.stop();
    open({ memoryMb: memoryMb * 1.4 });
    const { pid } = await queue.run({ does: 'answer' }, ORDER);
    expect(queue.pids).toEqual([]);
    expect(isGone(pid)).toBe(true);
  });
});
