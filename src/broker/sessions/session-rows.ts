import type { LastWill } from './device-session.entity.js';

/** Session of a client that connects. */
export interface Opening {
  deviceId: string;
  applicationId: string;
  sessionId: string;
  address: string;
  isSecure: boolean;
  will: LastWill | null;
  /** Session of another process that this one replaces even if it is still open. */
  replacedId: string | null;
}

/** Session of a client that has disconnected, with the messages that were exchanged. */
export interface Closing {
  deviceId: string;
  sessionId: string;
  reason: string;
  messagesFromClient: number;
  messagesToClient: number;
}

/** Result of opening a session: it is open, or another process has a session of the device. */
export interface Opened {
  deviceId: string;
  isOpen: boolean;
  /** Session that was found: replaced if the new one is open. */
  priorSessionId: string | null;
  priorProcessId: string | null;
}

/** A session that has ended, with what workflows and subscribers receive. */
export interface EndedSession {
  deviceId: string;
  applicationId: string;
  connectedAt: Date;
  address: string;
  isSecure: boolean;
  will: LastWill | null;
  reason: string;
  messagesFromClient: number | null;
  messagesToClient: number | null;
}

/** Applications with workflows that run for connections, for disconnections. */
export interface ListeningRow {
  id: string;
  toConnect: boolean;
  toDisconnect: boolean;
}

export const DUPLICATE = 'Duplicate connection';
export const SHUTDOWN = 'Server shutdown';
