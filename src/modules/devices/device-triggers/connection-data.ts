/** How a device is connected. */
export interface ConnectionFacts {
  address: string | null;
  method: 'mqtt' | 'rest';
  /** Whether the connection uses TLS; `false` if the platform does not know. */
  secure: boolean;
}

/** The end of a connection. Unknown values are `null`. */
export interface DisconnectionFacts {
  connectedAt: Date | null;
  disconnectReason: string | null;
  messagesFromDevice: number | null;
  messagesToDevice: number | null;
}

/** Returns the data that workflows receive of a connection or its end. */
export const connectionData = (facts: ConnectionFacts & Partial<DisconnectionFacts>): object =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null));
