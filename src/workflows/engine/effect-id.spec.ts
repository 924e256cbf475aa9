import { node, probe, runFlow, type TestStep } from '../../../test/doubles/run-flow.js';

describe('IDs of effects', () => {
  const loop = node('loop', 'LoopNode', { loopSourcePath: 'data', currentItemPath: 'i' }, [
    ['end'],
    ['in', 'in'],
  ]);
  const nodes = [
    probe('fork', [['again', 'again', 'loop']]),
    probe('again', [['back'], ['end']]),
    probe('back', [['again']]),
    loop,
    probe('in', [['in fork']], 'loop'),
    probe('in fork', [], 'loop'),
    probe('end'),
  ];
  const idsOf = async (id: string): Promise<string[]> => {
    const ids: string[] = [];
    const see: TestStep = ({ effectId }) => void ids.push(effectId);
    let round = 0;
    await runFlow(nodes, {
      id,
      data: 2,
      steps: {
        fork: see,
        again: (path) => (see(path), ++round % 3 ? 0 : 1),
        back: see,
        in: see,
        'in fork': see,
        end: see,
      },
    });
    return ids;
  };

  it('are the same if the run is repeated, and differ otherwise', async () => {
    const [once, again, other] = await Promise.all([idsOf('run'), idsOf('run'), idsOf('other')]);
    expect(once).toHaveLength(22);
    expect(again).toEqual(once);
    expect(new Set([...once, ...other]).size).toBe(44);
    expect(once.every((id) => /^[\da-f]{24}$/.test(id))).toBe(true);
  });

  it('do not depend on other branches that the path took before', async () => {
    const ids: string[] = [];
    for (const output of [0, 1])
      await runFlow([probe('a', [['b'], ['c']]), probe('b', [['c']]), probe('c')], {
        steps: { a: () => output, b: () => 0, c: ({ effectId }) => void ids.push(effectId) },
      });
    expect(ids[0]).toBe(ids[1]);
  });
});
