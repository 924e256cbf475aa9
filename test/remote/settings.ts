/** An account on the deployed platform. */
export interface Credentials {
  email: string;
  password: string;
}

const credentials = (email?: string, password?: string): Credentials | undefined =>
  email && password ? { email, password } : undefined;

const { env } = process;

/** Settings of `npm run test:remote`, which `docs/testing.md` describes. */
export const REMOTE = {
  url: (env.API_URL ?? '').replace(/\/+$/, ''),
  user: credentials(env.API_EMAIL, env.API_PASSWORD)!,
  other: credentials(env.API_OTHER_EMAIL, env.API_OTHER_PASSWORD),
  administrator: credentials(env.API_ADMIN_EMAIL, env.API_ADMIN_PASSWORD),
  /** Folder of the reports. */
  folder: env.REPORT_DIR ?? 'reports',
};
