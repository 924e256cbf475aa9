import {
  Injectable,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { mergeMap, type Observable } from 'rxjs';
import type { GuardedRequest } from '../access/request.js';
import { StoredResource } from '../responses/stored-resources.js';
import { SiteChanges, type SiteChange } from './site-changes.js';

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** Announces what an operation has changed before its response is sent. */
@Injectable()
export class SiteChangesInterceptor implements NestInterceptor {
  constructor(private readonly changes: SiteChanges) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<GuardedRequest>();
    if (READS.has(request.method)) return next.handle();
    return next.handle().pipe(
      mergeMap(async (result: unknown) => {
        const change = changeOf(request, result);
        if (change) await this.changes.announce(change);
        return result;
      }),
    );
  }
}

/** Returns the user or the application that the path names, or the application that was created. */
function changeOf({ params }: GuardedRequest, result: unknown): SiteChange | undefined {
  const { experienceUserId, applicationId } = params as Readonly<Record<string, string | undefined>>;
  if (experienceUserId !== undefined) return { kind: 'user', id: experienceUserId.toLowerCase() };
  if (applicationId !== undefined) return { kind: 'application', id: applicationId.toLowerCase() };
  const created = result instanceof StoredResource ? (result as StoredResource<{ id: string }>) : undefined;
  return created && { kind: 'application', id: created.text('id')! };
}

/**
 * Declares that the operations of a controller change what sites of experiences are made of. Those that write are
 * announced to all processes before they respond, so that they take effect on the next request to a site.
 */
export const ChangesSites = (): ClassDecorator => UseInterceptors(SiteChangesInterceptor);
