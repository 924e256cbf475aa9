const RealDate = Date;

/** Shifts the clock of the process by this many milliseconds; returns a function that restores it. */
export function moveClock(away: number): () => void {
  globalThis.Date = new Proxy(RealDate, {
    construct: (real, given, target) =>
      Reflect.construct(real, given.length ? given : [real.now() + away], target) as Date,
    get: (real, name) => (name === 'now' ? () => real.now() + away : Reflect.get(real, name)),
  });
  return () => {
    globalThis.Date = RealDate;
  };
}

/** Runs `work` in a process whose clock is shifted by this many milliseconds. */
export async function withClock<T>(away: number, work: () => Promise<T>): Promise<T> {
  const putRight = moveClock(away);
  try {
    return await work();
  } finally {
    putRight();
  }
}
