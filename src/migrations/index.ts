import { Foundation1795243305122 } from './1795243305122-Foundation.js';

/** Every migration, oldest first. */
export const migrations = [Foundation1795243305122];
