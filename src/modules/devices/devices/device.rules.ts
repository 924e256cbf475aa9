import { NAME_PATTERN } from '../../../platform/fields/fields.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import type { Device, DevicePatch, DevicePost } from './device.resource.js';
import type { DeviceClass, StoredAttribute } from './device.schemas.js';

const NAME = new RegExp(NAME_PATTERN);
/** Default number of seconds between two reports of a system. */
const SYSTEM_INTERVAL = 60;

/** Position of a device: properties that change together because they are validated against each other. */
export interface DevicePosition {
  deviceClass: DeviceClass;
  gatewayId: string | null;
  parentId: string | null;
  systemInterval: number | null;
}

/** Attributes with the numbers by which points reference them. */
type Numbered = Pick<Device, 'attributes' | 'attributeNumbers' | 'nextAttributeNumber'>;

/**
 * Returns the class and dependent properties after applying `change` to a stored device, or to a new one if `stored` is
 * omitted. Does not check whether gateway and parent exist. Throws a 400 error if the change is invalid.
 */
export function withPosition(change: Partial<DevicePatch>, stored?: DevicePosition): DevicePosition {
  const asked = change.deviceClass ?? stored?.deviceClass ?? 'standalone';
  if (stored && (asked === 'system') !== (stored.deviceClass === 'system'))
    throw new ValidationError('device.deviceClass cannot change to or from system');
  const mayHaveGateway = asked === 'peripheral' || asked === 'floating';
  if (change.gatewayId !== undefined && !mayHaveGateway)
    throw new ValidationError('device.gatewayId is supported only for peripherals');
  if (change.gatewayId !== undefined && change.deviceClass === 'floating')
    throw new ValidationError('device.gatewayId is not supported for floating devices');
  if (change.systemInterval !== undefined && asked !== 'system')
    throw new ValidationError('device.systemInterval is supported only for systems');
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

/**
 * Returns the columns of a new device; throws a 400 error if its class does not support its attributes. References are
 * not checked.
 */
export function newDevice(post: DevicePost) {
  const placed = withPosition(post);
  const attributes = post.attributes ?? [];
  checkAttributes(attributes, placed.deviceClass);
  return { keepDuplicates: false, tags: [], ...post, ...numbered(attributes), ...placed };
}

/**
 * Returns the requested or default interval of a system; throws a 400 error if it is below `min`, the limit of its
 * owner.
 */
export function intervalOf(asked: number | null, min: number): number {
  if (asked !== null && asked < min)
    throw new ValidationError(`device.systemInterval must be at least ${min}, the limit of the owner`);
  return asked ?? Math.max(SYSTEM_INTERVAL, min);
}

/** Throws a 400 error for the first attribute that the class does not support. */
export function checkAttributes(attributes: readonly StoredAttribute[], deviceClass: DeviceClass): void {
  const names = new Set<string>();
  attributes.forEach((attribute, i) => {
    const at = `device.attributes.${i}`;
    if (names.has(attribute.name)) throw new ValidationError(`${at}.name is a duplicate`);
    names.add(attribute.name);
    checkAttribute(attribute, deviceClass, at);
  });
}

/** Throws a 400 error if the class does not support the attribute; `at` is its name in messages. */
export function checkAttribute(
  { dataType, contentType, attributeTags = {}, system }: Omit<StoredAttribute, 'name'>,
  deviceClass: DeviceClass,
  at: string,
): void {
  if (contentType !== undefined && dataType !== 'blob')
    throw new ValidationError(`${at}.contentType is supported only for blobs`);
  if (system !== undefined && deviceClass !== 'system')
    throw new ValidationError(`${at}.system is supported only for attributes of systems`);
  if (!Object.keys(attributeTags).every((key) => NAME.test(key)))
    throw new ValidationError(
      `${at}.attributeTags has an invalid key: only letters, digits, _ and - are allowed`,
    );
}

/**
 * Assigns numbers to attributes. An attribute keeps its number while its name and data type do not change; others get
 * new numbers. Values stored under unassigned numbers are inaccessible, and a job deletes them.
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
    attributes: attributes.map(lowerCaseIds),
    attributeNumbers: Object.fromEntries(numbers),
    nextAttributeNumber: next,
  };
}

/** Returns the numbers of attributes that a change removes or renumbers; their stored values must be deleted. */
export function removedNumbers(
  { attributeNumbers: before }: Pick<Device, 'attributeNumbers'>,
  { attributeNumbers: after = before }: Partial<Pick<Device, 'attributeNumbers'>>,
): number[] {
  const kept = new Set(Object.values(after));
  return Object.values(before).filter((number) => !kept.has(number));
}

/** Converts IDs to lower case wherever they occur. */
export function lowerCaseIds<T extends Omit<StoredAttribute, 'name' | 'dataType'>>(attribute: T): T {
  const { system } = attribute;
  if (!system?.childAttributes) return attribute;
  const childAttributes = system.childAttributes.map((child) =>
    child.deviceIds ? { ...child, deviceIds: child.deviceIds.map((id) => id.toLowerCase()) } : child,
  );
  return { ...attribute, system: { ...system, childAttributes } };
}
