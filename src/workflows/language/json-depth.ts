/** Maximum nesting depth of JSON in workflows for devices, which is also the limit of the parser on devices. */
export const DEEPEST_JSON = 128;

/** Returns whether a JSON value exceeds the maximum depth. Iterative, because deep values would overflow the stack. */
export function isTooDeep(value: unknown): boolean {
  let containers = [value].filter(isContainer);
  for (let depth = 1; containers.length > 0; depth++) {
    if (depth > DEEPEST_JSON) return true;
    containers = containers.flatMap((one): unknown[] => Object.values(one)).filter(isContainer);
  }
  return false;
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;
