import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Principal } from '../access/principal.js';
import type { GuardedRequest } from '../access/request.js';
import { Forbidden } from '../../lib/errors/errors.js';
import type { JobRequester } from '../jobs/job-rows.js';
import { keptOf } from './redact.js';

const LONGEST_NAME = 1024;
/** What a log calls those who act. */
const ACTOR_TYPES = { apiToken: 'ApiToken', device: 'Device', user: 'User' } as const;

/** Who asks for a change, and through which request: what a log tells of it. Also who a job or mail is sent by. */
export class Author implements JobRequester {
  constructor(private readonly request: GuardedRequest) {}

  get caller(): Principal {
    return this.request.principal!;
  }

  get id(): string {
    return this.caller.actor.id;
  }

  get type(): 'apiToken' | 'device' | 'user' {
    return this.caller.actor.type;
  }

  /** What they are in a signature; 403 for a device, which reports and changes nothing that is signed. */
  get signer(): 'apiToken' | 'user' {
    const { type } = this;
    if (type === 'device') throw new Forbidden();
    return type;
  }

  /** The same request signed by somebody who showed otherwise than by a token who they are. */
  signedBy(principal: Principal): Author {
    const { operation, query, params, ip, secrets } = this.request;
    const body: unknown = this.request.body;
    return new Author({ operation, body, query, params, ip, secrets, principal } as GuardedRequest);
  }

  /** What a job has to know to tell of its changes as of those of the request. */
  kept(): KeptAuthor {
    return { id: this.id, type: this.type, facts: this.facts() };
  }

  /** The columns of a log that tell of the request, by their names in the database; `body` where it is not all of it. */
  facts(body: unknown = this.request.body): Record<string, unknown> {
    const { operation, query, params, ip, secrets } = this.request;
    const { token, name = '' } = this.caller;
    const [resource, action] = operation!.id.split('.');
    return {
      actor_id: this.id,
      actor_type: ACTOR_TYPES[this.type],
      actor_name: (token ? `${token.name} (${name})` : name).slice(0, LONGEST_NAME).toWellFormed(),
      request_resource: resource,
      request_action: action,
      request_body: keptOf(body, secrets),
      request_query_params: { ...keptOf(query), '@address': ip ?? '' },
      request_path_params: keptOf({ ...params }),
      response_status: Number(Object.keys(operation!.returns)[0]),
    };
  }
}

/** What a job keeps of who asked for it. */
export interface KeptAuthor {
  id: string;
  type: Author['type'];
  facts: Record<string, unknown>;
}

/** Who asked for what a job does: logs tell of it as of the request. */
export class JobAuthor extends Author {
  constructor(private readonly keptAuthor: KeptAuthor) {
    super({} as GuardedRequest);
  }

  override get id(): string {
    return this.keptAuthor.id;
  }

  override get type(): Author['type'] {
    return this.keptAuthor.type;
  }

  override facts(): Record<string, unknown> {
    return this.keptAuthor.facts;
  }
}

/** Who asks for the change that the handler makes; for every operation that writes. */
export const By = createParamDecorator(
  (_: unknown, context: ExecutionContext): Author => new Author(context.switchToHttp().getRequest()),
);
