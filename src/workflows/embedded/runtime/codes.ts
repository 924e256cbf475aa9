/** Return codes of the module's functions. */
export const SUCCESS: i32 = 0;
export const GENERAL_ERROR: i32 = 1;
export const ALREADY_INITIALIZED: i32 = 16;
export const NOT_INITIALIZED: i32 = 17;
export const NO_TRIGGER: i32 = 18;
export const STORAGE_SIZE_NOT_POSITIVE: i32 = 40;
