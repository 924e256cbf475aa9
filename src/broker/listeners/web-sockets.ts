import { Injectable } from '@nestjs/common';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { WebSocketServer } from 'ws';
import { Config } from '../../config/config.js';
import { ClientCertificates } from '../../platform/certificates/client-certificate.js';
import { RunsIn } from '../../platform/processes/roles.js';
import { forwardedAddress, isForwardedSecure } from '../../platform/server/forwarded.js';
import { WebSocketLink, type Link } from '../wire/link.js';
import { MAX_PAYLOAD_BYTES } from '../wire/packet-reader.js';

const SUBPROTOCOL = 'mqtt';
/** A message of a WebSocket can contain several packets. */
const MAX_MESSAGE_BYTES = 2 * MAX_PAYLOAD_BYTES;

/** Takes what a client asks for. */
export type Upgraded = (request: IncomingMessage, socket: Socket, head: Buffer) => void;

/** WebSockets of devices, whose messages contain MQTT packets. */
@Injectable()
@RunsIn('broker')
export class WebSockets {
  /** Compressed messages are not accepted, because a small one can become very large. */
  private readonly server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE_BYTES,
    handleProtocols: (offered) => offered.has(SUBPROTOCOL) && SUBPROTOCOL,
  });

  constructor(
    private readonly config: Config,
    private readonly certificates: ClientCertificates,
  ) {}

  /** Returns a server for WebSockets only. */
  serverOf(upgraded: Upgraded): Server {
    const server = createServer((_request, response) => {
      response.writeHead(426, { Connection: 'close', Upgrade: 'websocket' }).end();
    });
    return server.on('upgrade', upgraded);
  }

  /** Returns the address of the client of a request. */
  addressOf(request: IncomingMessage): string {
    return forwardedAddress(request, this.config.TRUST_PROXY);
  }

  /** Completes the handshake of a WebSocket, and passes the connection to `accepted`. */
  accept(request: IncomingMessage, socket: Socket, head: Buffer, accepted: (link: Link) => void): void {
    socket.on('error', () => socket.destroy());
    const isSecure =
      socket instanceof TLSSocket || (this.config.TRUST_PROXY > 0 && isForwardedSecure(request));
    const certificate = this.certificates.read(request);
    const address = this.addressOf(request);
    this.server.handleUpgrade(request, socket, head, (webSocket) =>
      accepted(new WebSocketLink(webSocket, address, isSecure, certificate)),
    );
  }
}
