import { networkOf } from './network.js';

interface Maxima {
  /** Maximum number of connections of all clients. */
  readonly total: number;
  /** Maximum number of connections of a network, such as a company behind NAT. */
  readonly perNetwork: number;
}

/** Limits the connections of a process, so that a flood from one network does not exhaust it. */
export class ConnectionLimit {
  private readonly networks = new Map<string, number>();
  private total = 0;

  constructor(private readonly max: Maxima) {}

  /**
   * Counts a connection from an address. Returns the function that must be called when it no longer counts, which has no
   * effect when called again; or `undefined` if there are too many.
   */
  enter(address: string): (() => void) | undefined {
    const network = networkOf(address);
    const count = this.networks.get(network) ?? 0;
    if (this.total >= this.max.total || count >= this.max.perNetwork) return undefined;
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
