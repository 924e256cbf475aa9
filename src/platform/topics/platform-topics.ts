import { isHidden } from '../../lib/mqtt/topic-filter.js';

/** Beginning of the topics of an agent on a device, after the ID of the device. */
export const FROM_AGENT = 'fromAgent/';
export const TO_AGENT = 'toAgent/';

/** Topics contain IDs as the platform writes them. */
const ID = /^[\da-f]{24}$/;

/** Topics of the platform: `<prefix>/<device ID>/…`. The prefix is configured. */
export class PlatformTopics {
  constructor(private readonly prefix: string) {}

  /** Topic of the reports of a device. */
  state(deviceId: string): string {
    return `${this.prefix}/${deviceId}/state`;
  }

  /** Topic of the commands to a device. */
  command(deviceId: string): string {
    return `${this.prefix}/${deviceId}/command`;
  }

  /** Topic of messages of the agent of a device. */
  fromAgent(deviceId: string, name: string): string {
    return `${this.prefix}/${deviceId}/${FROM_AGENT}${name}`;
  }

  /** Topic of messages to the agent of a device. */
  toAgent(deviceId: string, name: string): string {
    return `${this.prefix}/${deviceId}/${TO_AGENT}${name}`;
  }

  /** Topic under which all messages to an agent are found, because agents subscribe to them with wildcards. */
  agentKey(deviceId: string): string {
    return `${this.prefix}/${deviceId}/toAgent`;
  }

  /** Returns whether a topic or filter belongs to the platform or to brokers, and not to applications. */
  isReserved(topic: string): boolean {
    return isHidden(topic) || topic === this.prefix || topic.startsWith(`${this.prefix}/`);
  }

  /** Returns the device and the rest of a topic of the platform; `undefined` for any other one. */
  parse(topic: string): { deviceId: string; name: string } | undefined {
    const start = this.prefix.length + 1;
    if (!topic.startsWith(`${this.prefix}/`)) return undefined;
    const end = topic.indexOf('/', start);
    const deviceId = topic.slice(start, end < 0 ? start : end);
    return ID.test(deviceId) ? { deviceId, name: topic.slice(end + 1) } : undefined;
  }
}

/** Returns JSON as devices expect it, with dates as `{"$date": …}`. */
export const extendedJson = (value: unknown): string =>
  JSON.stringify(value, function (key, text: unknown) {
    const original = (this as Record<string, unknown>)[key];
    return original instanceof Date ? { $date: original.toISOString() } : text;
  });
