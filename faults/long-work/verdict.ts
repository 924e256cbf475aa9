import type { Mailbox } from '../mailbox.js';
import { jobOf, type RequestedJob, type Effect } from './requested-job.js';
import type { Receiver } from './receiver.js';
import type { SeenJob } from './watcher.js';

/** Results of one kind of work. */
export interface Found {
  kind: string;
  asked: number;
  completed: number;
  failed: number;
  /** Number of requests without a response that shows whether they were accepted. */
  unknown: number;
  /** Number of jobs that needed several attempts. */
  repeated: number;
  lost: number;
  doubled: number;
}

/** Data that the verdict is based on. */
export interface Remains {
  job(id: string): SeenJob | undefined;
  mailbox: Pick<Mailbox, 'mailsTo'>;
  receiver: Pick<Receiver, 'of'>;
}

const STATUS_OF = { completed: 'is done', failed: 'has failed' } as const;
type Ending = keyof typeof STATUS_OF;

/** Compares each request with its effect; passes a sentence about each discrepancy to `wrong`. */
export async function verdict(
  all: readonly RequestedJob[],
  remains: Remains,
  wrong: (sentence: string) => void,
): Promise<Found[]> {
  const found = new Map<string, Found>();
  for (const asked of all) {
    const of = found.get(asked.kind) ?? nothing(asked.kind);
    found.set(asked.kind, of);
    judge(asked, await asked.effect(), remains, of, (sentence) =>
      wrong(`${asked.kind} ${jobOf(asked) ?? 'without a job'}: ${sentence}`),
    );
  }
  return [...found.values()];
}

const nothing = (kind: string): Found => ({
  kind,
  asked: 0,
  completed: 0,
  failed: 0,
  unknown: 0,
  repeated: 0,
  lost: 0,
  doubled: 0,
});

function judge(
  asked: RequestedJob,
  { whole, isPart, odd }: Effect,
  remains: Remains,
  found: Found,
  wrong: (sentence: string) => void,
): void {
  const id = jobOf(asked);
  const job = id === undefined ? undefined : remains.job(id);
  found.asked++;
  if (odd) {
    found.lost++;
    wrong(odd);
  }
  if (whole > 1) found.doubled++;
  if (job && job.attempts > 1) found.repeated++;
  if (job) return judgeJob(asked, job, { whole, isPart, odd }, remains, found, wrong);
  const { outcome } = asked.answer;
  if (id !== undefined) wrong('the job does not exist');
  if (outcome === 'unknown') found.unknown++;
  if (outcome === 'refused' && asked.answer.status !== 0)
    wrong(`was refused: ${asked.answer.status} ${asked.answer.body.message}`);
  if (outcome !== 'done') return;
  found.completed++;
  if (whole === 0 && !odd) lose(found, wrong);
}

function lose(found: Found, wrong: (sentence: string) => void): void {
  found.lost++;
  wrong('completed without effect');
}

function judgeJob(
  { listener: { email, callbackPath } }: RequestedJob,
  { status, error }: SeenJob,
  { whole, isPart, odd }: Effect,
  { mailbox, receiver }: Remains,
  found: Found,
  wrong: (sentence: string) => void,
): void {
  const ending: Ending = status === 'completed' ? 'completed' : 'failed';
  found[ending]++;
  if (status === 'completed' && whole === 0 && !odd) lose(found, wrong);
  if (status === 'errored') wrong(`errored: ${error?.message}`);
  if (status === 'failed' && isPart) wrong('was given up although it had made progress');
  if (status === 'failed' && !error?.message) wrong('failed without a reason');
  if (email) {
    const mails = mailbox.mailsTo(email);
    const subjects = mails.map(({ subject }) => subject);
    const ids = new Set(mails.map(({ messageId }) => messageId));
    if (ids.size !== 1) wrong(`${ids.size} mails (${subjects.join(', ')}) for status ${status}`);
    else if (!subjects.every((subject) => subject.endsWith(STATUS_OF[ending])))
      wrong(`status is ${status}, but the mail says ${subjects[0]}`);
  }
  if (callbackPath) {
    const calls = receiver.of(callbackPath);
    const ids = new Set(calls.map(({ id }) => id));
    if (ids.size !== 1) wrong(`${ids.size} callbacks for status ${status}`);
    else if (!calls.every((call) => call.status === ending))
      wrong(`status is ${status}, but the callback says ${calls[0]!.status}`);
  }
}
