import { APPLICATION } from './application.js';
import { DEVICE } from './device.js';
import { FLOW } from './flow.js';
import { INSTANCE } from './instance.js';
import type { PrincipalKind } from './kind.js';
import { USER } from './user.js';

/** All kinds of principals. To add one, declare it in a file beside this one and list it here. */
const KINDS = { user: USER, application: APPLICATION, instance: INSTANCE, device: DEVICE, flow: FLOW };

type Kinds = typeof KINDS;
export type KindName = keyof Kinds;
/** Kinds that sign in. */
export type SessionKindName = {
  [Name in KindName]: Kinds[Name]['signsIn'] extends true ? Name : never;
}[KindName];

export const PRINCIPAL_KINDS: Readonly<Record<KindName, PrincipalKind>> = KINDS;
