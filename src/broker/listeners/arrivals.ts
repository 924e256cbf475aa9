import { networkOf } from '../../platform/throttle/network.js';

/** Maximum number of connections that have not signed in: of all clients, and of a network, such as a site behind NAT. */
const MAX_UNKNOWN = 2_000;
const MAX_UNKNOWN_PER_NETWORK = 1_000;

/** Limits the connections of clients that have not signed in, so that a flood of them does not exhaust the process. */
export class Arrivals {
  private readonly networks = new Map<string, number>();
  private total = 0;

  /**
   * Counts a connection from an address. Returns the function that must be called when the client has signed in or is
   * gone, which has no effect when called again; or `undefined` if too many others wait.
   */
  enter(address: string): (() => void) | undefined {
    const network = networkOf(address);
    const count = this.networks.get(network) ?? 0;
    if (this.total >= MAX_UNKNOWN || count >= MAX_UNKNOWN_PER_NETWORK) return undefined;
    this.total++;
    this.networks.set(network, count + 1);
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      this.leave(network);
    };
  }

  private leave(network: string): void {
    this.total--;
    const left = this.networks.get(network)! - 1;
    if (left > 0) this.networks.set(network, left);
    else this.networks.delete(network);
  }
}
