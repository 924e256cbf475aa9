import { Injectable, Logger } from '@nestjs/common';
import { AccessCache } from '../../platform/access/access-cache.js';
import { PeriodicTask } from '../../platform/database/periodic-task.js';
import { RunsIn } from '../../platform/processes/roles.js';
import { DeviceGrantsRepository } from './device-grants.repository.js';
import type { DeviceGrant } from './device-grant.js';

/** A client that is checked. */
export interface CheckedClient {
  readonly grant?: DeviceGrant;
  readonly address: string;
  /** Returns whether the client subscribes to messages of one of the devices. */
  follows(deviceIds: ReadonlySet<string>): boolean;
  /** Continues with other rights. */
  regrant(grant: DeviceGrant): Promise<void>;
  close(reason: string): void;
}

const INTERVAL_MS = 1_000;
/** Interval at which each client is checked, in case a notification was missed or never sent. */
const CHECK_EACH_MS = 60_000;
/** The same while notifications cannot be received. */
const UNCONNECTED_MS = 5_000;
const MAX_BATCH = 500;
/** Certificates are checked one by one, so many at a time. */
const MAX_CONCURRENT = 20;

/**
 * Disconnects clients that could not sign in any more, and lets others continue with their current rights: when one of
 * the IDs that they depend on is revoked in any process, and at intervals.
 */
@Injectable()
@RunsIn('broker')
export class SessionChecks extends PeriodicTask {
  private readonly log = new Logger(SessionChecks.name);
  private readonly clients = new Map<CheckedClient, number>();
  private readonly due = new Set<CheckedClient>();
  private checking?: Promise<void>;
  /** Number of revocations so far. Rights that were read before one must be checked. */
  generation = 0;

  constructor(
    private readonly cache: AccessCache,
    private readonly grants: DeviceGrantsRepository,
  ) {
    super(INTERVAL_MS, 'Could not check the rights of MQTT clients');
    cache.onEvict((ids) => this.revoked(ids));
  }

  /** Checks a client from now on. `generation` is the one before its rights were read. */
  add(client: CheckedClient, generation: number): void {
    this.clients.set(client, Date.now());
    if (generation === this.generation) return;
    this.due.add(client);
    this.check();
  }

  delete(client: CheckedClient): void {
    this.clients.delete(client);
    this.due.delete(client);
  }

  protected override async runBatch(): Promise<boolean> {
    const before = Date.now() - (this.cache.receivesEvictions ? CHECK_EACH_MS : UNCONNECTED_MS);
    // Clients are in the order of their last check.
    for (const [client, checkedAt] of this.clients) {
      if (checkedAt > before || this.due.size >= MAX_BATCH) break;
      this.due.add(client);
    }
    this.check();
    await this.checking;
    return false;
  }

  private revoked(ids: ReadonlySet<string> | 'all'): void {
    this.generation++;
    // Repeated while Redis is down, so the clients are only due at the next check.
    if (ids === 'all') return void this.clients.forEach((_, client) => this.clients.set(client, 0));
    for (const client of this.clients.keys())
      if (client.grant!.dependsOn(ids) || client.follows(ids)) this.due.add(client);
    this.check();
  }

  private check(): void {
    if (this.due.size === 0) return;
    this.checking ??= this.checkDue()
      .catch((error: Error) => this.log.warn(`Could not check the rights of MQTT clients: ${error.message}`))
      .finally(() => (this.checking = undefined));
  }

  private async checkDue(): Promise<void> {
    while (this.due.size > 0 && !this.stopped) {
      const batch = [...this.due].slice(0, MAX_BATCH);
      for (const client of batch) this.due.delete(client);
      const withKeys = batch.filter(({ grant }) => grant!.keyId !== undefined);
      const others = batch.filter(({ grant }) => grant!.keyId === undefined);
      await this.checkKeys(withKeys);
      for (let at = 0; at < others.length; at += MAX_CONCURRENT)
        await Promise.all(
          others.slice(at, at + MAX_CONCURRENT).map((client) => this.checkCertificate(client)),
        );
    }
  }

  private async checkKeys(clients: readonly CheckedClient[]): Promise<void> {
    if (clients.length === 0) return;
    const asked = clients.map(({ grant }) => ({ deviceId: grant!.deviceId, keyId: grant!.keyId! }));
    const granted = await this.grants.withKeyIds(asked);
    const byDevice = new Map(granted.map((grant) => [grant.deviceId, grant]));
    const refused = clients.filter((client) => !this.apply(client, byDevice.get(client.grant!.deviceId)));
    if (refused.length === 0) return;
    const reasons = await this.grants.reasonsOf(
      asked.filter(({ deviceId }) => refused.some(({ grant }) => grant!.deviceId === deviceId)),
    );
    for (const client of refused) client.close(reasons.get(client.grant!.deviceId) ?? REVOKED);
  }

  private async checkCertificate(client: CheckedClient): Promise<void> {
    const { deviceId, certificate } = client.grant!;
    const { claim, endsAt } = certificate!;
    const grant = await this.grants.withCertificate(deviceId, claim, endsAt);
    if (!this.apply(client, grant)) client.close(REVOKED);
  }

  /** Lets a client continue with a grant. Returns whether it has one. */
  private apply(client: CheckedClient, grant: DeviceGrant | undefined): boolean {
    if (!grant?.allowsAddress(client.address)) return false;
    if (!this.clients.delete(client)) return true;
    this.clients.set(client, Date.now());
    void client
      .regrant(grant)
      .catch((error: Error) =>
        this.log.warn(`Could not check the subscriptions of a client: ${error.message}`),
      );
    return true;
  }
}

const REVOKED = 'Access revoked';
