import { waitUntil } from '../../../test/setup/until.js';
import { superviseServer, type SupervisedServer } from './server-supervisor.js';
import type { RunningServer } from './server-process.js';

/** A test server whose starts and end are controlled by the test. */
class Specimen {
  starts = 0;
  /** Errors of the next starts; empty for starts that succeed. */
  readonly failures: string[] = [];
  end: (words: string) => void = () => undefined;

  start = async (): Promise<RunningServer> => {
    this.starts++;
    const failure = this.failures.shift();
    if (failure) throw new Error(failure);
    const ended = new Promise<string>((resolve) => (this.end = resolve));
    return { ended, stop: async () => this.end('') };
  };
}

describe('superviseServer', () => {
  const told: string[] = [];
  const lost: string[] = [];
  const tell = (message: string): void => void told.push(message);
  const log = { debug: tell, warn: tell, error: tell };
  let specimen: Specimen;
  let kept: SupervisedServer;

  beforeEach(async () => {
    told.length = lost.length = 0;
    specimen = new Specimen();
    kept = await superviseServer({
      name: 'Specimen',
      log,
      start: specimen.start,
      lost: ({ message }) => lost.push(message),
      firstPauseMs: 1,
    });
  });

  afterEach(() => kept.stop());

  it('rejects if the first start fails', async () => {
    specimen.failures.push('no');
    const start = superviseServer({ name: 'Specimen', log, start: specimen.start, lost: () => undefined });
    await expect(start).rejects.toThrow('no');
  });

  it('restarts a server that ended, repeatedly if necessary, and logs it', async () => {
    specimen.failures.push('no', 'not yet');
    specimen.end('killed');
    await waitUntil(async () => specimen.starts === 4 && kept.isRunning);
    expect(told).toEqual([
      'Specimen exited unexpectedly and is being restarted. Last output: killed',
      'no',
      'not yet',
      'Specimen is running again.',
    ]);
    expect(lost).toEqual([]);
  });

  it('gives up after ten starts and reports an error', async () => {
    specimen.failures.push(...Array<string>(10).fill('broken'));
    specimen.end('killed');
    await waitUntil(async () => lost.length > 0);
    expect(lost).toEqual(['Specimen exited and cannot be restarted. Last output: broken']);
    expect(specimen.starts).toBe(11);
    expect(kept.isRunning).toBe(false);
  });

  it('gives up on a server that ends repeatedly', async () => {
    for (let starts = 1; starts <= 11; starts++) {
      await waitUntil(async () => kept.isRunning && specimen.starts === starts);
      specimen.end('broken');
    }
    await waitUntil(async () => lost.length > 0);
    expect(specimen.starts).toBe(11);
  });

  it('never gives up while the disk is full', async () => {
    specimen.failures.push(...Array<string>(12).fill('could not write: No space left on device'));
    specimen.end('killed');
    await waitUntil(async () => specimen.starts === 14 && kept.isRunning);
    expect(lost).toEqual([]);
  });

  it('starts nothing after it is stopped', async () => {
    specimen.failures.push(...Array<string>(9).fill('no'));
    specimen.end('killed');
    await waitUntil(async () => specimen.starts >= 4);
    await kept.stop();
    const { starts } = specimen;
    expect(starts).toBeLessThan(11);
    expect(kept.isRunning).toBe(false);
    expect(lost).toEqual([]);
  });
});
