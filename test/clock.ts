const RealDate = Date;

/** Runs `work` in a process whose clock is so many milliseconds away from what it should be. */
export async function withClock<T>(away: number, work: () => Promise<T>): Promise<T> {
  globalThis.Date = new Proxy(RealDate, {
    construct: (real, given, target) =>
      Reflect.construct(real, given.length ? given : [real.now() + away], target) as Date,
    get: (real, name) => (name === 'now' ? () => real.now() + away : Reflect.get(real, name)),
  });
  try {
    return await work();
  } finally {
    globalThis.Date = RealDate;
  }
}
