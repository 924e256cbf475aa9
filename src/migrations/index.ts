import { Foundation1795243305122 } from './1795243305122-Foundation.js';
import { Identity1795264925957 } from './1795264925957-Identity.js';

/** Every migration, oldest first. */
export const migrations = [Foundation1795243305122, Identity1795264925957];
