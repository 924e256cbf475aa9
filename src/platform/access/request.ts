import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { OperationMeta, Role } from '../operations/operation.js';
import type { DeclaredSecrets } from '../responses/declared-secrets.js';
import type { DeviceReach, Principal } from './principal.js';
import type { Standing } from './standing.js';

/** The application that a path names, with the caller's role on it: what `AccessGuard` leaves for the handler. */
export interface ApplicationAccess {
  id: string;
  ownerId: string;
  ownerType: 'user' | 'organization';
  role: Role;
  /** Which of its devices the caller reaches; absent, all of them. Others are to the caller as if they did not exist. */
  devices?: DeviceReach;
  /** The device that asks, where one does: it reaches itself, or its token would be void. */
  ownDeviceId?: string;
}

/** An application, and who says how much of everything it may have. */
export type OwnedApplication = Pick<ApplicationAccess, 'id' | 'ownerId' | 'ownerType'>;

/** A request once the guards have let it through. */
export interface GuardedRequest extends Request {
  operation?: OperationMeta;
  principal?: Principal;
  /** What decides on the request, where it was read together with the principal. */
  standing?: Standing;
  application?: ApplicationAccess;
  /** What the document says of secrets in the body. */
  secrets?: DeclaredSecrets;
}

/** Who is asking. */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext): Principal => {
  const { principal } = context.switchToHttp().getRequest<GuardedRequest>();
  if (!principal) throw new Error('A public operation has no caller');
  return principal;
});

/** The application in the path; the guard has checked that the caller has the operation's role on it. */
export const CurrentApplication = createParamDecorator(
  (_: unknown, context: ExecutionContext): ApplicationAccess => {
    const { application } = context.switchToHttp().getRequest<GuardedRequest>();
    if (!application) throw new Error('The path names no application');
    return application;
  },
);
