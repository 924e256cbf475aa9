import { WorkBudget } from '../async/work-budget.js';

/**
 * Compression runs on threads that hashes of passwords, files and name lookups share: 10 MiB take 20 to 50 ms of one. The
 * parts of concurrent compressions alternate, so their number bounds how long other work waits for a thread.
 */
const OPTIONS = { concurrency: 16, concurrencyPerOwner: 4, waitingPerOwner: 32, waiting: 256 };

/** Compression of responses. The owner is a tenant, or the network of a client that has not signed in. */
export const COMPRESSION = new WorkBudget(OPTIONS);

/** Decompression of request bodies, with the same owners. */
export const DECOMPRESSION = new WorkBudget(OPTIONS);
