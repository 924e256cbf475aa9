/** The part of the package that receives notifications; it has no types of its own. */
declare module 'net-snmp' {
  export interface Notification {
    readonly pdu: {
      readonly id: number;
      readonly type: number;
      readonly varbinds: readonly { readonly oid: string; readonly type: number; readonly value: unknown }[];
      readonly community?: string;
      readonly user?: string;
    };
    readonly rinfo: { readonly address: string; readonly port: number };
  }

  export interface User {
    readonly name: string;
    readonly level: number;
    readonly authProtocol?: number;
    readonly authKey?: string;
    readonly privProtocol?: number;
    readonly privKey?: string;
  }

  export interface Receiver {
    getAuthorizer(): { addCommunity(community: string): void; addUser(user: User): void };
    close(): void;
  }

  export const SecurityLevel: {
    readonly noAuthNoPriv: number;
    readonly authNoPriv: number;
    readonly authPriv: number;
  };
  export const AuthProtocols: Readonly<Record<'none' | 'md5' | 'sha', number>>;
  export const PrivProtocols: Readonly<Record<'none' | 'des' | 'aes', number>>;
  export const PduType: { readonly Trap: number };

  export function createReceiver(
    options: { readonly port: number; readonly includeAuthentication: true },
    callback: (error: Error | null, notification: Notification) => void,
  ): Receiver;
}
