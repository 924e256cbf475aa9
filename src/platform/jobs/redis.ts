/** The address of Redis, as the platform was started with or as it started its own. */
export const REDIS_URL = Symbol('redis url');
