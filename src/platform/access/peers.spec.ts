import { MAX_LISTENED_MS, MAX_SILENCE_MS, Peers } from './peers.js';

const BEAT_MS = 400;

/** Beats until a peer counts as dead, for at most twice the time that this may take. Returns when it did. */
function deathAfter(peers: Peers, gapMs: number): number | undefined {
  const beats = (2 * MAX_SILENCE_MS) / Math.min(gapMs, MAX_LISTENED_MS);
  for (let beat = 1; beat <= beats; beat++) if (peers.ownBeat(beat * gapMs) > 0) return beat * gapMs;
  return undefined;
}

describe('A silent peer', () => {
  it('counts as dead after ten seconds', () => {
    const peers = new Peers();
    peers.ownBeat(0);
    peers.beat('a', 0);
    expect(deathAfter(peers, BEAT_MS)).toBe(MAX_SILENCE_MS + BEAT_MS);
    expect(peers.size).toBe(0);
    expect(deathAfter(peers, BEAT_MS)).toBeUndefined();
  });

  it('counts as dead in the end when this process is interrupted again and again', () => {
    const peers = new Peers();
    peers.ownBeat(0);
    peers.beat('a', 0);
    const gapMs = 6_000;
    expect(deathAfter(peers, gapMs)).toBe(gapMs * (MAX_SILENCE_MS / MAX_LISTENED_MS + 1));
  });

  it('does not count as dead for the time that this process heard nothing itself', () => {
    const peers = new Peers();
    peers.ownBeat(0);
    peers.beat('a', 0);
    expect(peers.ownBeat(60 * MAX_SILENCE_MS)).toBe(0);
  });

  it('is not told twice when it is heard again and stops regularly', () => {
    const peers = new Peers();
    peers.ownBeat(0);
    peers.beat('a', 0);
    expect(deathAfter(peers, BEAT_MS)).toBeDefined();
    peers.beat('a', 2 * MAX_SILENCE_MS);
    peers.remove('a');
    expect(deathAfter(peers, BEAT_MS)).toBeUndefined();
  });
});

describe('Peers', () => {
  it('are heard for as long as their lease', () => {
    const peers = new Peers();
    peers.beat('a', 0);
    peers.beat('b', 500);
    expect([...peers.within(1_000, 900)]).toEqual([
      ['a', 1_000],
      ['b', 1_500],
    ]);
    expect([...peers.within(1_000, 1_000).keys()]).toEqual(['b']);
  });
});
