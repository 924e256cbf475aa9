import type { FlowSource } from '../../../workflows/engine/compile-program.js';
import { Programs } from './programs.js';
import type { LoadedSource, ProgramsRepository } from './programs.repository.js';

const flowId = 'f'.repeat(24);
const source: FlowSource = {
  applicationId: 'a'.repeat(24),
  applicationName: 'Pumps',
  flowId,
  flowName: 'Alarm',
  flowVersionId: null,
  flowVersion: 'develop',
  flowClass: 'cloud',
  graph: { triggers: [], nodes: [] },
  outerGlobals: [],
};
const version = { flowId, flowVersionId: null };

/** Programs whose sources are read when the test says so. */
function programs() {
  const readings: { resolve: (source: LoadedSource) => void; reject: (error: Error) => void }[] = [];
  const repository = {
    source: () => new Promise<LoadedSource>((resolve, reject) => readings.push({ resolve, reject })),
  } as unknown as ProgramsRepository;
  return { readings, of: new Programs(repository) };
}

describe('Programs', () => {
  const get = async (of: Programs, stamp: string) => of.get(source.applicationId, version, stamp);

  it('reads a version once for all runs that need it at a time', async () => {
    const { of, readings } = programs();
    const runs = Array.from({ length: 100 }, () => get(of, '1'));
    expect(readings).toHaveLength(1);
    readings[0]!.resolve({ stamp: '1', source });
    const [first, ...others] = await Promise.all(runs);
    expect(first).toMatchObject({ flowId });
    for (const other of others) expect(other).toBe(first);
    expect(await get(of, '1')).toBe(first);
    expect(readings).toHaveLength(1);
  });

  it('reads a version again for runs that were requested after a change', async () => {
    const { of, readings } = programs();
    const before = get(of, '1');
    const after = get(of, '2');
    expect(readings).toHaveLength(2);
    readings[1]!.resolve({ stamp: '2', source: { ...source, flowName: 'Changed' } });
    readings[0]!.resolve({ stamp: '2', source: { ...source, flowName: 'Changed' } });
    expect(await after).toMatchObject({ flowName: 'Changed' });
    expect(await before).toMatchObject({ flowName: 'Changed' });
  });

  it('reads a version again after a failure', async () => {
    const { of, readings } = programs();
    const runs = [get(of, '1'), get(of, '1')];
    readings[0]!.reject(new Error('lost'));
    for (const run of runs) await expect(run).rejects.toThrow('lost');
    const again = get(of, '1');
    readings[1]!.resolve({ stamp: '1', source });
    expect(await again).toMatchObject({ flowId });
  });
});
