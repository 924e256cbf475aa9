import { Foundation1795241801078 } from './1795241801078-Foundation.js';

/** Every migration, oldest first. */
export const migrations = [Foundation1795241801078];
