import { memoryUsage } from 'node:process';
import type { Memory } from './memory.js';

// Loaded into a server before its own code, which needs `--expose-gc`. Collects garbage for each message of the parent
// process, and sends the memory that is left.
process.on('message', () => {
  gc!();
  const { heapUsed, external, rss } = memoryUsage();
  process.send!({ used: heapUsed + external, resident: rss } satisfies Memory);
});
// The server ends when it has closed its own handles.
process.channel?.unref();
