import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { OperationMeta, Role } from '../operations/operation.js';
import type { DeclaredSecrets } from '../responses/declared-secrets.js';
import type { Principal } from './principal.js';
import type { DeviceReach } from './principal-data.js';
import type { AccessContext } from './access-context.js';

/** The application in the path with the caller's role on it. `AccessGuard` stores it for the handler. */
export interface ApplicationAccess {
  id: string;
  ownerId: string;
  ownerType: 'user' | 'organization';
  role: Role;
  /**
   * Devices of the application that the caller can access; absent if unrestricted. Other devices appear not to exist.
   */
  devices?: DeviceReach;
  /** ID of the calling device, if any. A device can always access itself; otherwise its token would be invalid. */
  ownDeviceId?: string;
}

/** An application with the owner whose limits apply to it. */
export type OwnedApplication = Pick<ApplicationAccess, 'id' | 'ownerId' | 'ownerType'>;

/** A request that has passed the guards. */
export interface GuardedRequest extends Request {
  operation?: OperationMeta;
  principal?: Principal;
  /** Place and membership, if they were read together with the principal. */
  accessContext?: AccessContext;
  application?: ApplicationAccess;
  /** Secrets that the API document declares in the body. */
  secrets?: DeclaredSecrets;
}

/** Injects the caller. */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext): Principal => {
  const { principal } = context.switchToHttp().getRequest<GuardedRequest>();
  if (!principal) throw new Error('A public operation has no caller');
  return principal;
});

/** Injects the application in the path. The guard has verified that the caller has the operation's role on it. */
export const CurrentApplication = createParamDecorator(
  (_: unknown, context: ExecutionContext): ApplicationAccess => {
    const { application } = context.switchToHttp().getRequest<GuardedRequest>();
    if (!application) throw new Error('The path does not name an application');
    return application;
  },
);
