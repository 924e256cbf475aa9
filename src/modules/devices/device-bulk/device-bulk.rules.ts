import { ValidationError } from '../../../lib/errors/errors.js';
import {
  attributeNamed,
  withAttribute,
  withAttributeChanged,
  withoutAttribute,
  type NumberedAttributes,
} from '../device-attributes/device-attributes.rules.js';
import type { Device, DevicePatch } from '../devices/device.resource.js';
import { numbered, lowerCaseIds } from '../devices/device.rules.js';
import { MAX_TAGS, type DeviceTag, type StoredAttribute } from '../devices/device.schemas.js';
import type { DevicePlan } from '../devices/devices.service.js';
import type { UpdateOperation } from './device-bulk.schemas.js';

/** Changes to many devices. */
export interface BulkChange {
  updateFields?: DevicePatch;
  updateOperations?: readonly UpdateOperation[];
}

type Planned = { -readonly [K in keyof DevicePlan]: DevicePlan[K] };

/**
 * Returns the new values of a device, or `undefined` if nothing changes. Throws an error if the change is not allowed.
 */
export function planOf(
  stored: Device,
  { updateFields = {}, updateOperations = [] }: BulkChange,
): DevicePlan | undefined {
  const plan: Planned = { ...updateFields };
  if (updateFields.attributes) Object.assign(plan, numbered(updateFields.attributes, stored));
  const now = { ...stored, ...plan } as Device & NumberedAttributes;
  for (const step of updateOperations) {
    const change = changeOf(now, step);
    Object.assign(plan, change);
    Object.assign(now, change);
  }
  // Attribute numbers change only together with attributes, and the order of their names is irrelevant.
  const changed = Object.entries(plan).some(
    ([property, value]) =>
      property !== 'attributeNumbers' &&
      JSON.stringify(value ?? null) !== JSON.stringify(stored[property as keyof Device] ?? null),
  );
  return changed ? plan : undefined;
}

function changeOf(device: Device & NumberedAttributes, step: UpdateOperation): DevicePlan {
  const { operation, target, attributeName = '', tagKey, value } = step;
  switch (`${operation} ${target}`) {
    case 'set tag':
      return { tags: withTag(device.tags, value as DeviceTag) };
    case 'remove tag':
      return { tags: device.tags.filter(({ key }) => key !== tagKey) };
    case 'remove description':
    case 'remove parentId':
      return { [target]: null };
    case 'add attribute':
    case 'add attributeSystem':
      return attributesOf(withAttribute(device, lowerCaseIds(value as StoredAttribute)));
    case 'remove attribute':
      return has(device, attributeName) ? attributesOf(withoutAttribute(device, attributeName)) : {};
    case 'set attributeName':
      return attributesOf(withAttributeChanged(device, attributeName, { name: value as string }));
    case 'set attributeDescription':
      return attributesOf(withAttributeChanged(device, attributeName, { description: value as string }));
    case 'set attributeContentType':
      return attributesOf(withAttributeChanged(device, attributeName, { contentType: value as string }));
    case 'remove attributeDescription':
      return attributesOf(withAttributeChanged(device, attributeName, { description: undefined }));
    case 'set attributeTag': {
      const { key, value: text } = value as DeviceTag;
      const tags = { ...attributeNamed(device, attributeName).attributeTags, [key]: text };
      return attributesOf(withAttributeChanged(device, attributeName, { attributeTags: tags }));
    }
    case 'remove attributeTag': {
      const tags = Object.entries(attributeNamed(device, attributeName).attributeTags ?? {});
      const attributeTags = Object.fromEntries(tags.filter(([key]) => key !== tagKey));
      return attributesOf(withAttributeChanged(device, attributeName, { attributeTags }));
    }
    default:
      return { [target]: value };
  }
}

/** Adds the tag, replacing tags with the same key. */
function withTag(tags: readonly DeviceTag[], tag: DeviceTag): DeviceTag[] {
  const changed = [...tags.filter(({ key }) => key !== tag.key), tag];
  if (changed.length > MAX_TAGS) throw new ValidationError(`A device can have at most ${MAX_TAGS} tags`);
  return changed;
}

const has = ({ attributes }: NumberedAttributes, name: string): boolean =>
  attributes.some((attribute) => attribute.name === name);

const attributesOf = ({
  attributes,
  attributeNumbers,
  nextAttributeNumber,
}: NumberedAttributes): DevicePlan => ({
  attributes,
  attributeNumbers,
  nextAttributeNumber,
});
