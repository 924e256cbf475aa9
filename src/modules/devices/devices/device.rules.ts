import { NAME_PATTERN } from '../../../platform/fields/fields.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import type { Device, DevicePatch, DevicePost } from './device.resource.js';
import type { DeviceClass, StoredAttribute } from './device.schemas.js';

const NAME = new RegExp(NAME_PATTERN);
/** Seconds between two reports of a system that says nothing of it. */
const SYSTEM_INTERVAL = 60;

/** Where a device belongs: what changes together, because each part is checked against the others. */
export interface Placed {
  deviceClass: DeviceClass;
  gatewayId: string | null;
  parentId: string | null;
  systemInterval: number | null;
}

/** Attributes with the numbers by which points name them. */
type Numbered = Pick<Device, 'attributes' | 'attributeNumbers' | 'nextAttributeNumber'>;

/**
 * The class of a device and what follows from it, once `change` is made to what there is; without a device, of a new one.
 * Whether gateway and parent exist is not asked here. Throws 400.
 */
export function placedAs(change: Partial<DevicePatch>, stored?: Placed): Placed {
  const asked = change.deviceClass ?? stored?.deviceClass ?? 'standalone';
  if (stored && (asked === 'system') !== (stored.deviceClass === 'system'))
    throw new ValidationError('device.deviceClass cannot change to or from system');
  const mayHaveGateway = asked === 'peripheral' || asked === 'floating';
  if (change.gatewayId !== undefined && !mayHaveGateway)
    throw new ValidationError('device.gatewayId is for peripherals only');
  if (change.gatewayId !== undefined && change.deviceClass === 'floating')
    throw new ValidationError('device.gatewayId is not for a floating device, which has no gateway');
  if (change.systemInterval !== undefined && asked !== 'system')
    throw new ValidationError('device.systemInterval is for systems only');
  const kept = change.deviceClass === 'floating' || !mayHaveGateway ? null : (stored?.gatewayId ?? null);
  const gatewayId = change.gatewayId?.toLowerCase() ?? kept;
  const parentId = change.parentId === undefined ? stored?.parentId : change.parentId?.toLowerCase();
  return {
    deviceClass: mayHaveGateway ? (gatewayId ? 'peripheral' : 'floating') : asked,
    gatewayId,
    parentId: parentId ?? null,
    systemInterval: change.systemInterval ?? stored?.systemInterval ?? null,
  };
}

/** The columns of a new device; 400 where its attributes are none of its class. What it names is not looked for. */
export function newDevice(post: DevicePost) {
  const placed = placedAs(post);
  const attributes = post.attributes ?? [];
  checkAttributes(attributes, placed.deviceClass);
  return { keepDuplicates: false, tags: [], ...post, ...numbered(attributes), ...placed };
}

/** The interval of a system: what was asked for, or a usual one; not below `least`, the limit of its owner, or 400. */
export function intervalOf(asked: number | null, least: number): number {
  if (asked !== null && asked < least)
    throw new ValidationError(`device.systemInterval must be at least ${least}, the limit of the owner`);
  return asked ?? Math.max(SYSTEM_INTERVAL, least);
}

/** Throws 400 for the first attribute that cannot be one of a device of that class. */
export function checkAttributes(attributes: readonly StoredAttribute[], deviceClass: DeviceClass): void {
  const names = new Set<string>();
  attributes.forEach((attribute, i) => {
    const at = `device.attributes.${i}`;
    if (names.has(attribute.name)) throw new ValidationError(`${at}.name is there already`);
    names.add(attribute.name);
    checkAttribute(attribute, deviceClass, at);
  });
}

/** Throws 400 where an attribute, which messages call `at`, cannot be one of a device of that class. */
export function checkAttribute(
  { dataType, contentType, attributeTags = {}, system }: Omit<StoredAttribute, 'name'>,
  deviceClass: DeviceClass,
  at: string,
): void {
  if (contentType !== undefined && dataType !== 'blob')
    throw new ValidationError(`${at}.contentType is for blobs only`);
  if (system !== undefined && deviceClass !== 'system')
    throw new ValidationError(`${at}.system is for attributes of systems only`);
  if (!Object.keys(attributeTags).every((key) => NAME.test(key)))
    throw new ValidationError(`${at}.attributeTags has a key that is none: letters, digits, _ and - only`);
}

/**
 * Attributes with their numbers. One keeps the number that its name has where its data type stays; others get new ones,
 * and what was reported under a number that no name has is out of reach, and removed by a job.
 */
export function numbered(
  attributes: readonly StoredAttribute[],
  stored: Numbered = { attributes: [], attributeNumbers: {}, nextAttributeNumber: 1 },
): Numbered {
  const types = new Map(stored.attributes.map(({ name, dataType }) => [name, dataType]));
  let next = stored.nextAttributeNumber;
  const numbers = attributes.map(({ name, dataType }) => {
    const isKept = types.get(name) === dataType;
    return [name, isKept ? stored.attributeNumbers[name]! : next++] as const;
  });
  return {
    attributes: attributes.map(withIdsInLowerCase),
    attributeNumbers: Object.fromEntries(numbers),
    nextAttributeNumber: next,
  };
}

/** The numbers of attributes that a change takes away, or makes anew under another: what they reported is to be removed. */
export function goneNumbers(
  { attributeNumbers: before }: Pick<Device, 'attributeNumbers'>,
  { attributeNumbers: after = before }: Partial<Pick<Device, 'attributeNumbers'>>,
): number[] {
  const kept = new Set(Object.values(after));
  return Object.values(before).filter((number) => !kept.has(number));
}

/** Ids are kept in lower case, wherever they stand. */
export function withIdsInLowerCase<T extends Omit<StoredAttribute, 'name' | 'dataType'>>(attribute: T): T {
  const { system } = attribute;
  if (!system?.childAttributes) return attribute;
  const childAttributes = system.childAttributes.map((child) =>
    child.deviceIds ? { ...child, deviceIds: child.deviceIds.map((id) => id.toLowerCase()) } : child,
  );
  return { ...attribute, system: { ...system, childAttributes } };
}
