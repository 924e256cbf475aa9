import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { PRINCIPAL_KINDS } from '../access/kinds/kinds.js';
import type { Principal } from '../access/principal.js';
import type { ActorType } from '../access/principal-data.js';
import type { GuardedRequest } from '../access/request.js';
import { Forbidden } from '../../lib/errors/errors.js';
import type { JobRequester } from '../jobs/job-rows.js';
import type { PayloadChannel } from '../payloads/payload-types.js';
import { loggableOf } from './redact.js';

const MAX_NAME_LENGTH = 1024;

/**
 * Author of a change, with the request in which it was made, as recorded in logs. Also identifies the requester of jobs
 * and emails.
 */
export class Author implements JobRequester {
  constructor(private readonly request: GuardedRequest) {}

  get caller(): Principal {
    return this.request.principal!;
  }

  get id(): string {
    return this.caller.actor.id;
  }

  get type(): ActorType {
    return this.caller.actor.type;
  }

  /** The channel by which the payloads of this request are counted. */
  get channel(): PayloadChannel {
    return channelOf(this.type);
  }

  /**
   * Type of the author in a signature. Throws `403` for devices, which only report and change nothing that is signed.
   */
  get signer(): 'apiToken' | 'flow' | 'user' {
    const { type } = this;
    if (type === 'device') throw new Forbidden();
    return type;
  }

  /** Returns the author of the same request for a principal that authenticated by other means than a token. */
  signedBy(principal: Principal): Author {
    const { operation, query, params, ip, secrets } = this.request;
    const body: unknown = this.request.body;
    return new Author({ operation, body, query, params, ip, secrets, principal } as GuardedRequest);
  }

  /** Returns the data that a job needs to log its changes under the request that started it. */
  snapshot(): AuthorSnapshot {
    return { id: this.id, type: this.type, facts: this.facts() };
  }

  /**
   * Returns the log columns that describe the request, by their database names; `body` if not the whole request body is
   * logged.
   */
  facts(body: unknown = this.request.body): Record<string, unknown> {
    const { operation, query, params, ip, secrets } = this.request;
    const { token, name = '' } = this.caller;
    const [resource, action] = operation!.id.split('.');
    const { type } = this;
    return {
      actor_id: this.id,
      actor_type: type === 'apiToken' ? 'ApiToken' : PRINCIPAL_KINDS[type].actorType,
      actor_name: (token ? `${token.name} (${name})` : name).slice(0, MAX_NAME_LENGTH).toWellFormed(),
      request_resource: resource,
      request_action: action,
      request_body: loggableOf(body, secrets),
      request_query_params: { ...loggableOf(query), '@address': ip ?? '' },
      request_path_params: loggableOf({ ...params }),
      response_status: Number(Object.keys(operation!.returns)[0]),
    };
  }
}

/** Returns the channel by which the payloads of an actor are counted. */
export const channelOf = (type: ActorType): PayloadChannel =>
  type === 'flow' ? 'flow.flow' : `${type}.rest`;

/** Author data stored with a job. */
export interface AuthorSnapshot {
  id: string;
  type: Author['type'];
  facts: Record<string, unknown>;
}

/** Author of changes that a job makes: they are logged under the request that started the job. */
export class JobAuthor extends Author {
  constructor(private readonly stored: AuthorSnapshot) {
    super({} as GuardedRequest);
  }

  override get id(): string {
    return this.stored.id;
  }

  override get type(): Author['type'] {
    return this.stored.type;
  }

  override facts(): Record<string, unknown> {
    return this.stored.facts;
  }
}

/** Injects the author of the change; used by every operation that writes. */
export const By = createParamDecorator(
  (_: unknown, context: ExecutionContext): Author => new Author(context.switchToHttp().getRequest()),
);
