import { isObject } from '../lib/json/json.js';
import type { EdgeDevice } from '../workflows/engine/edge-port.js';
import type { FlowGlobal } from '../workflows/graph/graph.js';
import type { Documents } from './store/documents.js';

/** Application of the gateway. */
export interface SyncedApplication {
  readonly id: string;
  readonly name: string;
  readonly globals: readonly FlowGlobal[];
}

/** Parts that the platform syncs, by the type that `onSync` triggers know them by. */
export type SyncType = 'application' | 'device' | 'peripheral';

/** ETags of the parts, as a hello reports them. */
export interface SyncEtags {
  readonly globalsEtag?: string;
  readonly deviceEtag?: string;
  readonly peripheralsEtag?: string;
}

const MAX_PERIPHERALS = 1_000;
const DOCUMENT = 'synced';

interface Synced {
  application?: SyncedApplication;
  device?: EdgeDevice;
  peripherals?: readonly EdgeDevice[];
  etags?: SyncEtags;
}

/** Application, device and peripherals as the platform has synced them last. They are known without a connection. */
export class SyncedFacts {
  private synced: Synced;

  constructor(private readonly documents: Documents) {
    this.synced = (documents.get(DOCUMENT) as Synced | undefined) ?? {};
  }

  get application(): SyncedApplication {
    return this.synced.application ?? { id: '', name: '', globals: [] };
  }

  get device(): EdgeDevice | undefined {
    return this.synced.device;
  }

  get peripherals(): readonly EdgeDevice[] {
    return this.synced.peripherals ?? [];
  }

  get etags(): SyncEtags {
    return this.synced.etags ?? {};
  }

  /** Stores the parts of a message. Returns the types of those that it has. Parts that cannot be read are ignored. */
  apply(message: Readonly<Record<string, unknown>>): SyncType[] {
    const { application, device, peripherals } = message;
    const changed: SyncType[] = [];
    const next = { ...this.synced, etags: { ...this.etags, ...etagsIn(message) } };
    if (isObject(application)) {
      next.application = applicationOf(application);
      changed.push('application');
    }
    const own = deviceOf(device);
    if (own) {
      next.device = own;
      changed.push('device');
    }
    if (Array.isArray(peripherals)) {
      next.peripherals = peripherals.slice(0, MAX_PERIPHERALS).flatMap((one) => deviceOf(one) ?? []);
      changed.push('peripheral');
    }
    this.documents.set(DOCUMENT, next);
    this.synced = next;
    return changed;
  }

  clear(): void {
    this.documents.delete(DOCUMENT);
    this.synced = {};
  }
}

function etagsIn(message: Readonly<Record<string, unknown>>): SyncEtags {
  const names = ['globalsEtag', 'deviceEtag', 'peripheralsEtag'] as const;
  return Object.fromEntries(
    names.flatMap((name) => (typeof message[name] === 'string' ? [[name, message[name]]] : [])),
  );
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function applicationOf({ id, name, globals }: Readonly<Record<string, unknown>>): SyncedApplication {
  const given: readonly unknown[] = Array.isArray(globals) ? globals : [];
  const isGlobal = (one: unknown): one is FlowGlobal =>
    isObject(one) && typeof one.key === 'string' && typeof one.json === 'string';
  return { id: textOf(id), name: textOf(name), globals: given.filter(isGlobal) };
}

function deviceOf(value: unknown): EdgeDevice | undefined {
  if (!isObject(value) || typeof value.id !== 'string') return undefined;
  const { tags, attributes } = value;
  return {
    ...value,
    id: value.id,
    name: textOf(value.name),
    tags: listOf(tags, 'key') as EdgeDevice['tags'],
    attributes: listOf(attributes, 'name') as EdgeDevice['attributes'],
  };
}

/** Returns the objects of a list that have a text as a member. */
function listOf(value: unknown, member: string): object[] {
  const given: readonly unknown[] = Array.isArray(value) ? value : [];
  return given.filter((one): one is object => isObject(one) && typeof one[member] === 'string');
}
