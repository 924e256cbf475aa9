/** Maximum nesting depth of JSON in workflows for devices, which is also the limit of the parser on devices. */
export const MAX_JSON_DEPTH = 128;

/** Returns whether a JSON value exceeds a depth. Iterative, because deep values would overflow the stack. */
export function isTooDeep(value: unknown, deepest = MAX_JSON_DEPTH): boolean {
  let containers = [value].filter(isContainer);
  for (let depth = 1; containers.length > 0; depth++) {
    if (depth > deepest) return true;
    containers = containers.flatMap((one): unknown[] => Object.values(one)).filter(isContainer);
  }
  return false;
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;
