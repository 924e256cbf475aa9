import { Resolver } from 'node:dns/promises';
import { withTimeout } from '../async/with-timeout.js';

const ATTEMPTS = { timeout: 2_000, tries: 2 };
/** Limit for all attempts at all servers. */
const MAX_MS = 5_000;

/** Reads TXT records of DNS. */
export class TxtRecords {
  /** Name servers as `address` or `address:port`; those of the system if absent. */
  servers?: readonly string[];

  /** Returns the texts of the records of a name; none if it has none or its servers do not answer within five seconds. */
  async of(name: string): Promise<string[]> {
    const resolver = new Resolver(ATTEMPTS);
    if (this.servers) resolver.setServers(this.servers);
    const found = resolver.resolveTxt(name).catch(() => []);
    const records = await withTimeout(MAX_MS, found);
    resolver.cancel();
    return (records ?? []).map((parts) => parts.join(''));
  }
}
