import { NotFound, ValidationError } from '../../../lib/errors/errors.js';
import { MAX_ATTRIBUTES, type StoredAttribute } from '../devices/device.schemas.js';
import type { DeviceAttributePatch } from './device-attribute.resource.js';

/** Attribute data in the row of a device. */
export interface NumberedAttributes {
  attributes: readonly StoredAttribute[];
  /** Number of each attribute by name; points reference attributes by number. */
  attributeNumbers: Readonly<Record<string, number>>;
  /** Number of the next attribute; numbers are never reused. */
  nextAttributeNumber: number;
}

/** Returns the attribute with this name; throws a 404 error if it does not exist. */
export function attributeNamed(
  { attributes }: Pick<NumberedAttributes, 'attributes'>,
  name: string,
): StoredAttribute {
  const attribute = attributes.find((known) => known.name === name);
  if (!attribute) throw new NotFound('Device attribute');
  return attribute;
}

/** Adds an attribute under a new number; throws a 400 error if its name is taken or the limit is reached. */
export function withAttribute(device: NumberedAttributes, attribute: StoredAttribute): NumberedAttributes {
  const { attributes, attributeNumbers, nextAttributeNumber } = device;
  assertNameAvailable(attributes, attribute.name);
  if (attributes.length >= MAX_ATTRIBUTES)
    throw new ValidationError(`A device can have at most ${MAX_ATTRIBUTES} attributes`);
  return {
    attributes: [...attributes, attribute],
    attributeNumbers: { ...attributeNumbers, [attribute.name]: nextAttributeNumber },
    nextAttributeNumber: nextAttributeNumber + 1,
  };
}

/** Applies changes to an attribute. A renamed attribute keeps its number, and therefore the values stored for it. */
export function withAttributeChanged(
  device: NumberedAttributes,
  name: string,
  patch: DeviceAttributePatch,
): NumberedAttributes {
  const attribute = attributeNamed(device, name);
  const { attributes, attributeNumbers } = device;
  const changed = { ...attribute, ...patch };
  if (changed.name !== name) assertNameAvailable(attributes, changed.name);
  const numbers = Object.entries(attributeNumbers);
  return {
    ...device,
    attributes: attributes.map((known) => (known === attribute ? changed : known)),
    attributeNumbers: Object.fromEntries(
      numbers.map(([known, number]) => [known === name ? changed.name : known, number]),
    ),
  };
}

/** Removes the attribute. Its number is not reused, so the values stored for it can no longer be found. */
export function withoutAttribute(device: NumberedAttributes, name: string): NumberedAttributes {
  const attribute = attributeNamed(device, name);
  const { attributes, attributeNumbers } = device;
  const numbers = Object.entries(attributeNumbers);
  return {
    ...device,
    attributes: attributes.filter((known) => known !== attribute),
    attributeNumbers: Object.fromEntries(numbers.filter(([known]) => known !== name)),
  };
}

function assertNameAvailable(attributes: readonly StoredAttribute[], name: string): void {
  if (attributes.some((known) => known.name === name))
    throw new ValidationError('deviceAttribute.name is not available');
}
