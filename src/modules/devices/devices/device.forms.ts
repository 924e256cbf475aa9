import { RowShape } from '../../../platform/database/row-shape.js';
import type { StoredResource } from '../../../platform/responses/stored-resources.js';
import { DEVICE_COMPUTED } from './device.columns.js';
import { Device } from './device.resource.js';
import type { DeviceTag, StoredAttribute } from './device.schemas.js';

/** Representation of devices in responses. */
export interface DeviceForm {
  tagsAsObject?: boolean;
  attributesAsObject?: boolean;
  excludeConnectionInfo?: boolean;
}

/** Returns tags in JSON as an object with lists of values by key. */
export function tagsByKey(text: string): string {
  const values = new Map<string, string[]>();
  for (const { key, value } of JSON.parse(text) as DeviceTag[])
    values.set(key, [...(values.get(key) ?? []), value]);
  return JSON.stringify(Object.fromEntries(values));
}

/** Returns attributes in JSON as an object by name. */
export const attributesByName = (text: string): string =>
  JSON.stringify(Object.fromEntries((JSON.parse(text) as StoredAttribute[]).map((one) => [one.name, one])));

const shapes = new Map<string, RowShape<Device>>();

/**
 * Returns the shape that reads rows of devices in the given form. There is one shape per form; they differ in their
 * columns only by the connection.
 */
export function shapeOf(form: DeviceForm): RowShape<Device> {
  const { tagsAsObject = false, attributesAsObject = false, excludeConnectionInfo = false } = form;
  const key = `${tagsAsObject} ${attributesAsObject} ${excludeConnectionInfo}`;
  let shape = shapes.get(key);
  if (!shape) {
    const computed = DEVICE_COMPUTED.flatMap((one) => {
      if (one.property === 'tags' && tagsAsObject) return [{ ...one, write: tagsByKey }];
      if (one.property === 'attributes' && attributesAsObject) return [{ ...one, write: attributesByName }];
      return one.property === 'connectionInfo' && excludeConnectionInfo ? [] : [one];
    });
    shapes.set(key, (shape = new RowShape(Device, computed)));
  }
  return shape;
}

/** Returns a written device in the requested form. */
export const toForm = async (
  device: Promise<StoredResource<Device>>,
  form: DeviceForm,
): Promise<StoredResource<Device>> => (await device).withShape(shapeOf(form));
