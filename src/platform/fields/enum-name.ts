/** Suffixes of bodies and results, which share the enums of their resource. */
const DERIVED = /(Post|Patch)(Response)?$/;
const QUERY = /^Advanced(\w+)Query$/;

/**
 * Returns the name of the component for an enum without a title. A compound term, such as `deviceClass`, is a name by
 * itself: `DeviceClass`. Other words, and fields to sort or filter by, need the resource: `DeviceStatus`.
 */
export function enumName(owner: string, property: string): string {
  const term = pascal(property);
  const isCompound = /[a-z\d][A-Z]/.test(property) && !property.endsWith('Field');
  return isCompound ? term : `${owner.replace(QUERY, '$1').replace(DERIVED, '')}${term}`;
}

/** Returns a name such as `sortField`, `_type` or `orgs_get` in PascalCase. */
export const pascal = (name: string): string =>
  name.replace(/(?:^|[^A-Za-z\d]+)([A-Za-z\d])/g, (_match, first: string) => first.toUpperCase());
