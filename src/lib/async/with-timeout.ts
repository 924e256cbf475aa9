/** Returns the result of `work`, or `undefined` if it takes longer than `ms`. A later result is ignored. */
export async function withTimeout<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  // A timer of its own instead of an abort signal, which makes an error for each call.
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), Math.max(0, ms));
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
