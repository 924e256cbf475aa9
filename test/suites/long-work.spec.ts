import { jobOf, type RequestedJob, type Effect } from '../../faults/long-work/requested-job.js';
import { verdict, type Found } from '../../faults/long-work/verdict.js';
import { Watcher, type SeenJob } from '../../faults/long-work/watcher.js';

/** An import that was accepted as job `j`. */
const TAKEN = { outcome: 'done', status: 202, body: { jobId: 'j' } } as const;
const DONE = [{ messageId: '1', subject: 'The import is done' }];

/** Returns the verdict about one import. */
async function found(of: {
  effect?: Effect;
  answer?: RequestedJob['answer'];
  status?: string;
  mails?: readonly { messageId: string; subject: string }[];
  callbacks?: readonly { id: string; status: string }[];
}): Promise<Partial<Found> & { wrong: number }> {
  const { effect = { whole: 1 }, answer = TAKEN, status = 'completed', mails = DONE } = of;
  const { callbacks = [{ id: '1', status: 'completed' }] } = of;
  const asked: RequestedJob = {
    kind: 'import',
    answer,
    listener: { email: 'a@example.com', callbackPath: '/a' },
    effect: async () => effect,
  };
  const error = status === 'completed' ? undefined : { name: 'Error', message: 'It failed' };
  const wrong: string[] = [];
  const remains = {
    job: (id: string) => (id === jobOf(asked) ? { name: '', status, attempts: 1, error } : undefined),
    mailbox: { mailsTo: () => mails },
    receiver: { of: () => callbacks },
  };
  const [{ lost, doubled, completed, failed }] = (await verdict([asked], remains, (one) => {
    wrong.push(one);
  })) as [Found];
  return { lost, doubled, completed, failed, wrong: wrong.length };
}

const RIGHT = { lost: 0, doubled: 0, completed: 1, failed: 0, wrong: 0 };

describe('The verdict about long-running work', () => {
  it('accepts work that completed once and notified once', async () => {
    expect(await found({})).toEqual(RIGHT);
    const again = { mails: [...DONE, ...DONE] };
    expect(await found(again)).toEqual(RIGHT);
  });

  it('reports missing results as lost and duplicate results as duplicated', async () => {
    expect(await found({ effect: { whole: 0 } })).toMatchObject({ lost: 1, wrong: 1 });
    expect(await found({ effect: { whole: 0, isPart: true } })).toMatchObject({ lost: 1, wrong: 1 });
    expect(await found({ effect: { whole: 0, odd: 'half of it' } })).toMatchObject({ lost: 1, wrong: 1 });
    expect(await found({ effect: { whole: 2 } })).toMatchObject({ doubled: 1 });
  });

  const failed = {
    status: 'failed',
    mails: [{ messageId: '1', subject: 'The import has failed' }],
    callbacks: [{ id: '1', status: 'failed' }],
  };

  it('accepts a failed job that reported its failure', async () => {
    const effect = { whole: 0 };
    expect(await found({ ...failed, effect })).toEqual({ ...RIGHT, completed: 0, failed: 1 });
    expect(await found({ ...failed, mails: DONE })).toMatchObject({ wrong: 1 });
    expect(await found({ ...failed, effect: { whole: 0, odd: 'half of it' } })).toMatchObject({ lost: 1 });
  });

  it.each([
    ['no mail', { mails: [] }],
    ['two mails', { mails: [...DONE, { messageId: '2', subject: 'The import is done' }] }],
    ['no callback', { callbacks: [] }],
    ['a callback that says something else', { callbacks: [{ id: '1', status: 'failed' }] }],
    ['a reason in what was asked for', { status: 'errored' }],
    ['work that was given up after it had made progress', { ...failed, effect: { whole: 0, isPart: true } }],
  ])('reports %s', async (_, of) => {
    expect((await found(of)).wrong).toBeGreaterThan(0);
  });

  it('accepts unanswered requests that took effect at most once', async () => {
    const answer = { outcome: 'unknown', status: 0, body: {} } as const;
    expect(await found({ answer, effect: { whole: 1 } })).toMatchObject({ lost: 0, doubled: 0, wrong: 0 });
    expect(await found({ answer, effect: { whole: 2 } })).toMatchObject({ doubled: 1 });
  });
});

describe('The watcher of a job', () => {
  const progress = (completed: number, status = 'rows') => ({ completed, total: 9, status });
  const seen = async (...looks: Partial<SeenJob>[]): Promise<number> => {
    const rows = looks.map(({ name = 'a', status = 'inProgress', attempts = 1, progress: of }) => [
      ['j', name, status, String(attempts), of ?? null, null],
    ]);
    const watcher = new Watcher({ rows: async () => rows.shift()! } as never);
    for (const _ of looks) await watcher.look();
    return watcher.wrong.length;
  };

  it('reports progress that decreases within an attempt', async () => {
    expect(await seen({ progress: progress(1) }, { progress: progress(2) })).toBe(0);
    expect(await seen({ progress: progress(2) }, { progress: progress(1) })).toBe(1);
    expect(await seen({ progress: progress(2) }, { attempts: 2, progress: progress(1) })).toBe(0);
    expect(await seen({ progress: progress(2) }, { progress: progress(0, 'other things') })).toBe(0);
  });

  it('reports progress that decreases between attempts at archives by day', async () => {
    const name = 'application.backfillArchiveData';
    const looks = [
      { name, progress: progress(2) },
      { name, attempts: 2, progress: progress(1) },
    ] as const;
    expect(await seen(...looks)).toBe(1);
  });

  it('reports a job that ends twice or whose attempts decrease', async () => {
    expect(await seen({ status: 'completed' }, { status: 'inProgress', attempts: 2 })).toBe(1);
    expect(await seen({ attempts: 2 }, { attempts: 1 })).toBe(1);
  });
});
