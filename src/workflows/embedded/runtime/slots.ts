import { SLOTS } from './bundle';
import { UNDEFINED, Value } from './value';

/** Values that nodes keep during the lifetime of the module. */
export const slots = new StaticArray<Value>(SLOTS).fill(UNDEFINED);
