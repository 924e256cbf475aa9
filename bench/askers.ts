/** Request of the parent over IPC: this many loops, each of which requests its next run when one was acknowledged. */
export interface Ask {
  askers: number;
  seconds: number;
}

/** Result of a request: acknowledged runs, and how long that took. */
export interface Asked {
  runs: number;
  seconds: number;
}

/** Serves requests of the parent, and tells it that this process is ready. `request` resolves when run `n` is acknowledged. */
export function serveAsks(request: (n: number) => Promise<unknown>): void {
  process.on('message', ({ askers, seconds }: Ask) => {
    const start = performance.now();
    const end = start + seconds * 1000;
    let runs = 0;
    const ask = async (): Promise<void> => {
      while (performance.now() < end) await request(runs++);
    };
    Promise.all(Array.from({ length: askers }, ask)).then(
      () => process.send!({ runs, seconds: (performance.now() - start) / 1000 } satisfies Asked),
      (error: Error) => process.send!({ failure: error.message }),
    );
  });
  process.send!('ready');
}
