/** How deep lists and objects may stand in each other in the JSON of workflows for devices, as in what devices read. */
export const DEEPEST_JSON = 128;

/** Whether a value of JSON is nested deeper. It may be so deep that recursion would not come to its end. */
export function isTooDeep(value: unknown): boolean {
  let containers = [value].filter(isContainer);
  for (let depth = 1; containers.length > 0; depth++) {
    if (depth > DEEPEST_JSON) return true;
    containers = containers.flatMap((one): unknown[] => Object.values(one)).filter(isContainer);
  }
  return false;
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;
