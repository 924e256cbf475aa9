import { NotFound, ValidationError } from '../../../lib/errors/errors.js';
import { MOST_ATTRIBUTES, type StoredAttribute } from '../devices/device.schemas.js';
import type { DeviceAttributePatch } from './device-attribute.resource.js';

/** What the row of a device says of its attributes. */
export interface NumberedAttributes {
  attributes: readonly StoredAttribute[];
  /** The number of each by its name: points name attributes by it. */
  attributeNumbers: Readonly<Record<string, number>>;
  /** The number that the next one gets: none is given twice. */
  nextAttributeNumber: number;
}

/** The attribute of that name, or 404. */
export function attributeNamed(
  { attributes }: Pick<NumberedAttributes, 'attributes'>,
  name: string,
): StoredAttribute {
  const attribute = attributes.find((known) => known.name === name);
  if (!attribute) throw new NotFound('Device attribute');
  return attribute;
}

/** One more attribute, under a number of its own; 400 where its name is taken or there are enough. */
export function withAttribute(device: NumberedAttributes, attribute: StoredAttribute): NumberedAttributes {
  const { attributes, attributeNumbers, nextAttributeNumber } = device;
  demandFree(attributes, attribute.name);
  if (attributes.length >= MOST_ATTRIBUTES)
    throw new ValidationError(`A device has at most ${MOST_ATTRIBUTES} attributes`);
  return {
    attributes: [...attributes, attribute],
    attributeNumbers: { ...attributeNumbers, [attribute.name]: nextAttributeNumber },
    nextAttributeNumber: nextAttributeNumber + 1,
  };
}

/** The attribute with changes. Under another name it keeps its number, and with it what it has reported. */
export function withAttributeChanged(
  device: NumberedAttributes,
  name: string,
  patch: DeviceAttributePatch,
): NumberedAttributes {
  const attribute = attributeNamed(device, name);
  const { attributes, attributeNumbers } = device;
  const changed = { ...attribute, ...patch };
  if (changed.name !== name) demandFree(attributes, changed.name);
  const numbers = Object.entries(attributeNumbers);
  return {
    ...device,
    attributes: attributes.map((known) => (known === attribute ? changed : known)),
    attributeNumbers: Object.fromEntries(
      numbers.map(([known, number]) => [known === name ? changed.name : known, number]),
    ),
  };
}

/** Without the attribute. Its number is not given again, so nothing finds what it has reported. */
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

function demandFree(attributes: readonly StoredAttribute[], name: string): void {
  if (attributes.some((known) => known.name === name))
    throw new ValidationError('deviceAttribute.name is not available');
}
