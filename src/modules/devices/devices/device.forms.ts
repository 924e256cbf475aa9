import { RowShape } from '../../../platform/database/row-shape.js';
import type { Stored } from '../../../platform/responses/answers.js';
import { DEVICE_COMPUTED } from './device.columns.js';
import { Device } from './device.resource.js';
import type { DeviceTag, StoredAttribute } from './device.schemas.js';

/** How devices are shown. */
export interface DeviceForm {
  tagsAsObject?: boolean;
  attributesAsObject?: boolean;
  excludeConnectionInfo?: boolean;
}

/** The text of tags as an object of lists of values by key. */
export function tagsByKey(text: string): string {
  const values = new Map<string, string[]>();
  for (const { key, value } of JSON.parse(text) as DeviceTag[])
    values.set(key, [...(values.get(key) ?? []), value]);
  return JSON.stringify(Object.fromEntries(values));
}

/** The text of attributes as an object, by name. */
export const attributesByName = (text: string): string =>
  JSON.stringify(Object.fromEntries((JSON.parse(text) as StoredAttribute[]).map((one) => [one.name, one])));

const shapes = new Map<string, RowShape<Device>>();

/** How rows of devices are read and shown so. Of each form there is one shape; all read the same but for the connection. */
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

/** A device that was written, in the form that is asked for. */
export const shown = async (device: Promise<Stored<Device>>, form: DeviceForm): Promise<Stored<Device>> =>
  (await device).shownAs(shapeOf(form));
