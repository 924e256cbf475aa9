import { SLOTS } from './bundle';
import { UNDEFINED, Value } from './value';

/** What nodes remember for as long as the module lives. */
export const slots = new StaticArray<Value>(SLOTS).fill(UNDEFINED);
