const AT_ONCE = 16;

/** Runs `work` on all items in batches and returns the results. */
export async function inBatches<T>(
  items: readonly T[],
  work: (item: T) => Promise<string | undefined>,
): Promise<string[]> {
  const found: string[] = [];
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const fault = await work(items[next++]!);
      if (fault) found.push(fault);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return found;
}
