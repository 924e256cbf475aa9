import type { Answer, Client } from '../client.js';
import { unique } from './field.js';

/** Effect of one request. */
export interface Effect {
  /** Number of complete results. */
  whole: number;
  /** Description of a result that should not exist, such as an incomplete one. */
  odd?: string;
  /** Whether work that each attempt continues is partially done. Such work must not be given up. */
  isPart?: boolean;
}

/** Unique email address and callback path that are notified when the work ends. */
export interface Listener {
  email?: string;
  callbackPath?: string;
}

/** Long-running work that was requested once. */
export interface RequestedJob {
  kind: string;
  answer: Answer;
  listener: Listener;
  /** Returns the current effect of the work. */
  effect(): Promise<Effect>;
}

/** A kind of long-running work. */
export interface JobKind {
  name: string;
  /** Requests the work once. */
  ask(): Promise<RequestedJob>;
}

/** Returns the ID of the job that does the work, if any. */
export const jobOf = ({ answer }: RequestedJob): string | undefined =>
  answer.body.jobId as string | undefined;

/** Provides a new email address and callback URL for each request. */
export class OutcomeListener {
  constructor(private readonly origin: string) {}

  /** Sends the request with a unique email address and callback URL. */
  async ask(
    send: (told: { email: string; callbackUrl: string }) => ReturnType<Client['send']>,
  ): Promise<{ answer: Answer; listener: Listener }> {
    const word = unique();
    const callbackPath = `/${word}`;
    const email = `${word}@example.com`;
    const answer = await send({ email, callbackUrl: this.origin + callbackPath });
    return { answer, listener: { email, callbackPath } };
  }
}
