import { RowShape } from '../../../platform/database/row-shape.js';
import type { StoredResource } from '../../../platform/responses/stored-resources.js';
import { attributesByName, tagsByKey, type DeviceForm } from '../devices/device.forms.js';
import { DeviceRecipe } from './device-recipe.resource.js';

const shapes = new Map<string, RowShape<DeviceRecipe>>();

/** Returns a recipe in the requested form, with its tags and attributes as arrays or objects. */
export function shownAs(
  recipe: StoredResource<DeviceRecipe>,
  { tagsAsObject = false, attributesAsObject = false }: DeviceForm,
): StoredResource<DeviceRecipe> {
  const key = `${tagsAsObject} ${attributesAsObject}`;
  let shape = shapes.get(key);
  if (!shape) {
    shape = new RowShape(DeviceRecipe, [
      { property: 'tags', kind: 'json', sql: 't.tags', write: tagsAsObject ? tagsByKey : undefined },
      {
        property: 'attributes',
        kind: 'json',
        sql: 't.attributes',
        write: attributesAsObject ? attributesByName : undefined,
      },
    ]);
    shapes.set(key, shape);
  }
  return recipe.withShape(shape);
}
