import { Injectable } from '@nestjs/common';
import { RunsIn } from '../../platform/processes/roles.js';

const MIB = 1024 * 1024;
/** Maximum size of the bodies of requests in progress, of a site and of the process. Parsed, they take several times as much. */
const MAX_PER_SITE = 32 * MIB;
const MAX = 256 * MIB;

/** Bounds the memory of bodies: those that are being received, and those of requests that wait for a workflow. */
@Injectable()
@RunsIn('sites')
export class HeldBodies {
  private readonly bySite = new Map<string, number>();
  private total = 0;

  /** Reserves memory for a body. Returns a function that releases it, or `undefined` if too much is held. */
  hold(site: string, bytes: number): (() => void) | undefined {
    const held = this.bySite.get(site) ?? 0;
    if (held + bytes > MAX_PER_SITE || this.total + bytes > MAX) return undefined;
    this.add(site, bytes);
    return () => this.add(site, -bytes);
  }

  private add(site: string, bytes: number): void {
    this.total += bytes;
    const held = (this.bySite.get(site) ?? 0) + bytes;
    if (held > 0) this.bySite.set(site, held);
    else this.bySite.delete(site);
  }
}
