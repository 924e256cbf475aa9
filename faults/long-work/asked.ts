import type { Answer, Client } from '../client.js';
import { unique } from './field.js';

/** What there is of something that was asked for once. */
export interface Effect {
  /** How often it is there whole. */
  whole: number;
  /** What is there and should not be, such as half of it. */
  odd?: string;
  /** Whether a part is there of what is done piece by piece: it stays where the work is given up. */
  isPart?: boolean;
}

/** Somebody who hears how work ended, by an address and a path that nobody else has. */
export interface Listener {
  email?: string;
  callbackPath?: string;
}

/** Long work that was asked for once. */
export interface Asked {
  kind: string;
  answer: Answer;
  listener: Listener;
  /** What there is of it. */
  effect(): Promise<Effect>;
}

/** Work of a kind. */
export interface Kind {
  name: string;
  /** Asks for it once. */
  ask(): Promise<Asked>;
}

/** The job that does it, where one does. */
export const jobOf = ({ answer }: Asked): string | undefined => answer.body.jobId as string | undefined;

/** Somebody who hears of one thing by mail and by callback. */
export class Listening {
  constructor(private readonly origin: string) {}

  /** Asks in a way that says who is to hear of it. */
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
