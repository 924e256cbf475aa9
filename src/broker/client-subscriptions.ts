import { hasWildcard, matchesTopic } from '../lib/mqtt/topic-filter.js';
import type { TopicMessage, TopicReader } from '../platform/topics/topic-message.js';
import type { DeviceGrant } from './access/device-grant.js';
import { hasPeripherals, subscribePurpose, type SubscribePurpose } from './access/topic-rights.js';
import type { ClientServices } from './client-services.js';
import { SUBSCRIPTION_REFUSED } from './wire/packets.js';

/** Maximum number of filters of a client, and of those with wildcards. A gateway has one for each peripheral. */
const MAX_FILTERS = 2_000;
const MAX_WILDCARDS = 100;
/** Many idle clients have no filters, and an empty map takes as much memory as the rest of their subscriptions. */
const NO_FILTERS: ReadonlyMap<string, SubscribePurpose> = new Map();

/** The topic filters of a client. All are granted QoS 0. */
export class ClientSubscriptions {
  private added?: Map<string, SubscribePurpose>;
  private wildcards = 0;
  private agentFilters = 0;
  private hasEnded = false;

  constructor(
    private readonly client: TopicReader,
    private grant: DeviceGrant,
    private readonly services: Pick<ClientServices, 'bus' | 'grants' | 'topics'>,
  ) {}

  /** Subscribes to filters. Returns the granted QoS, or the code of the refusal, for each. */
  async add(filters: readonly string[]): Promise<number[]> {
    const purposes = await this.allowed(filters);
    const subscribed: Promise<void>[] = [];
    const granted = filters.map((filter, at) => {
      const purpose = purposes[at];
      if (!purpose || !this.hasRoomFor(filter)) return SUBSCRIPTION_REFUSED;
      subscribed.push(this.subscribe(filter, purpose));
      return 0;
    });
    await Promise.all(subscribed);
    return granted;
  }

  delete(filter: string): void {
    const purpose = this.filters.get(filter);
    if (!purpose) return;
    this.added!.delete(filter);
    if (hasWildcard(filter)) this.wildcards--;
    if (purpose.kind === 'agent' && --this.agentFilters > 0) return;
    this.services.bus.unsubscribe(this.grant.applicationId, this.keyOf(filter, purpose), this.client);
  }

  /** Returns whether a message is for the client: messages to agents are found by the device. */
  accepts({ topic, key }: TopicMessage): boolean {
    if (key === topic) return true;
    for (const [filter, { kind }] of this.filters)
      if (kind === 'agent' && matchesTopic(filter, topic)) return true;
    return false;
  }

  /** Removes the filters that the device may no longer use. */
  async refresh(grant: DeviceGrant): Promise<void> {
    this.grant = grant;
    const filters = [...this.filters.keys()];
    const purposes = await this.allowed(filters);
    for (const [at, filter] of filters.entries()) if (!purposes[at]) this.delete(filter);
  }

  /** Returns whether a filter names one of the devices. */
  concerns(ids: ReadonlySet<string>): boolean {
    for (const purpose of this.filters.values())
      if (purpose.kind === 'other' && ids.has(purpose.deviceId)) return true;
    return false;
  }

  end(): void {
    this.hasEnded = true;
    for (const filter of [...this.filters.keys()]) this.delete(filter);
  }

  private get filters(): ReadonlyMap<string, SubscribePurpose> {
    return this.added ?? NO_FILTERS;
  }

  /** Returns the purpose of each filter, or `undefined` if the device may not subscribe to it. */
  private async allowed(filters: readonly string[]): Promise<(SubscribePurpose | undefined)[]> {
    const { grant } = this;
    const purposes = filters.map((filter) => subscribePurpose(this.services.topics, grant, filter));
    const idsOf = (isWanted: (name: string) => boolean) =>
      purposes.flatMap((purpose) =>
        purpose?.kind === 'other' && isWanted(purpose.name) ? purpose.deviceId : [],
      );
    const isForGateway = (name: string) => name === 'command' && hasPeripherals(grant.deviceClass);
    const [peripherals, others] = await Promise.all([
      this.services.grants.reached(grant, idsOf(isForGateway), true),
      this.services.grants.reached(
        grant,
        idsOf((name) => !isForGateway(name)),
        false,
      ),
    ]);
    return purposes.map((purpose) => {
      if (purpose?.kind !== 'other') return purpose;
      return (isForGateway(purpose.name) ? peripherals : others).has(purpose.deviceId) ? purpose : undefined;
    });
  }

  private hasRoomFor(filter: string): boolean {
    if (this.filters.has(filter)) return true;
    return this.filters.size < MAX_FILTERS && (!hasWildcard(filter) || this.wildcards < MAX_WILDCARDS);
  }

  private async subscribe(filter: string, purpose: SubscribePurpose): Promise<void> {
    // The client may have disconnected while its rights were read.
    if (this.hasEnded || this.filters.has(filter)) return;
    (this.added ??= new Map()).set(filter, purpose);
    if (hasWildcard(filter)) this.wildcards++;
    if (purpose.kind === 'agent') this.agentFilters++;
    await this.services.bus.subscribe(this.grant.applicationId, this.keyOf(filter, purpose), this.client);
  }

  private keyOf(filter: string, { kind }: SubscribePurpose): string {
    return kind === 'agent' ? this.services.topics.agentKey(this.grant.deviceId) : filter;
  }
}
