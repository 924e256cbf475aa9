import { FilterTree } from '../../platform/topics/filter-tree.js';
import { FROM_AGENT, TO_AGENT, type PlatformTopics } from '../../platform/topics/platform-topics.js';
import { hasWildcard, isTopic, isTopicFilter } from '../../lib/mqtt/topic-filter.js';
import type { DeviceClass } from '../../modules/devices/devices/device.schemas.js';
import type { FILTER_TYPES } from '../../modules/keys/application-keys/application-key.resource.js';

/** Topics that a key or certificate allows in addition to those of the device, as stored. */
export interface TopicRules {
  filterType: (typeof FILTER_TYPES)[number];
  pubTopics: readonly string[];
  subTopics: readonly string[];
}

/** Rules about topics, prepared for many messages. */
export class TopicRights {
  private readonly pubTopics: FilterTree<string>;
  private readonly subTopics: FilterTree<string>;

  constructor(private readonly rules: TopicRules) {
    this.pubTopics = treeOf(rules.pubTopics);
    this.subTopics = treeOf(rules.subTopics);
  }

  allowsPublish(topic: string): boolean {
    const { filterType } = this.rules;
    if (filterType === 'whitelist') return this.pubTopics.covers(topic);
    return filterType === 'blacklist' ? !this.pubTopics.overlaps(topic) : filterType === 'all';
  }

  /** A filter is allowed as a whole or not at all. */
  allowsSubscribe(filter: string): boolean {
    const { filterType } = this.rules;
    if (filterType === 'whitelist') return this.subTopics.covers(filter);
    return filterType === 'blacklist' ? !this.subTopics.overlaps(filter) : filterType === 'all';
  }
}

function treeOf(filters: readonly string[]): FilterTree<string> {
  const tree = new FilterTree<string>();
  for (const filter of filters) tree.add(filter, filter);
  return tree;
}

/** Device that publishes or subscribes. */
export interface TopicUser {
  readonly deviceId: string;
  readonly deviceClass: DeviceClass;
  readonly rights: TopicRights;
}

/**
 * Purpose of a message that a device publishes: a custom topic, a report for itself or another device, or a message of
 * its agent by the rest of the topic.
 */
export type PublishPurpose =
  { kind: 'custom' } | { kind: 'state'; deviceId: string } | { kind: 'agent'; name: string };

/**
 * Purpose of a subscription: custom topics, messages to the device itself or its agent, or messages of another device,
 * which are allowed only if the device can reach that one.
 */
export type SubscribePurpose =
  { kind: 'custom' | 'command' | 'agent' } | { kind: 'other'; deviceId: string; name: 'command' | 'state' };

/** Classes with an agent, and classes that report for peripherals. */
const WITH_AGENT: ReadonlySet<DeviceClass> = new Set(['edgeCompute', 'embedded']);
const WITH_PERIPHERALS: ReadonlySet<DeviceClass> = new Set(['edgeCompute', 'gateway']);

const CUSTOM = { kind: 'custom' } as const;
const COMMAND = { kind: 'command' } as const;
const AGENT = { kind: 'agent' } as const;

/** Returns the purpose of a message, or `undefined` if the device may not publish on the topic. */
export function publishPurpose(
  topics: PlatformTopics,
  { deviceId, deviceClass, rights }: TopicUser,
  topic: string,
): PublishPurpose | undefined {
  if (!isTopic(topic)) return undefined;
  if (!topics.isReserved(topic)) return rights.allowsPublish(topic) ? CUSTOM : undefined;
  const named = topics.parse(topic);
  if (!named) return undefined;
  const isOwn = named.deviceId === deviceId;
  if (named.name === 'state' && (isOwn || WITH_PERIPHERALS.has(deviceClass)))
    return { kind: 'state', deviceId: named.deviceId };
  if (isOwn && named.name.startsWith(FROM_AGENT) && WITH_AGENT.has(deviceClass))
    return { kind: 'agent', name: named.name.slice(FROM_AGENT.length) };
  return undefined;
}

/** Returns the purpose of a subscription, or `undefined` if the device may not subscribe to the filter. */
export function subscribePurpose(
  topics: PlatformTopics,
  { deviceId, deviceClass, rights }: TopicUser,
  filter: string,
): SubscribePurpose | undefined {
  if (!isTopicFilter(filter)) return undefined;
  if (!topics.isReserved(filter)) return rights.allowsSubscribe(filter) ? CUSTOM : undefined;
  const named = topics.parse(filter);
  if (!named) return undefined;
  const { name } = named;
  const isOwn = named.deviceId === deviceId;
  if (isOwn && name.startsWith(TO_AGENT)) return WITH_AGENT.has(deviceClass) ? AGENT : undefined;
  if (hasWildcard(filter)) return undefined;
  if (isOwn && name === 'command') return COMMAND;
  if (name === 'command' || name === 'state') return { kind: 'other', deviceId: named.deviceId, name };
  return undefined;
}

/** Returns whether a device has an agent. */
export const hasAgent = (deviceClass: DeviceClass): boolean => WITH_AGENT.has(deviceClass);

/** Returns whether a device can have peripherals. */
export const hasPeripherals = (deviceClass: DeviceClass): boolean => WITH_PERIPHERALS.has(deviceClass);
