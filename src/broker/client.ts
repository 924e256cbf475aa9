import { newId } from '../platform/repositories/resource.js';
import { TopicMessage, type TopicReader } from '../platform/topics/topic-message.js';
import { DeviceGrant } from './access/device-grant.js';
import type { AgentClient, AgentSession } from './agents/agent-session.js';
import type { CheckedClient } from './access/session-checks.js';
import type { ClientServices } from './client-services.js';
import type { SessionHolder } from './sessions/sessions.js';
import { ClientSubscriptions } from './client-subscriptions.js';
import { MessageWindows } from './limits/message-windows.js';
import type { Link, LinkListener } from './wire/link.js';
import { MAX_PAYLOAD_BYTES, PacketReader, type RawPacket } from './wire/packet-reader.js';
import {
  CONNACK,
  connackPacket,
  PACKET,
  PINGRESP,
  ProtocolError,
  protocolOf,
  pubackPacket,
  publishPacket,
  readConnect,
  readPacket,
  readPublish,
  subackPacket,
  unsubackPacket,
  UNSUPPORTED_V5,
  type ConnackCode,
} from './wire/packets.js';

/** Messages of a client that are processed at a time, and their bytes. More stay in its socket. */
const MAX_PENDING = 100;
const MAX_PENDING_BYTES = 1024 * 1024;
/** Bytes that a client has not read, beyond which it is disconnected. */
const MAX_BUFFERED_BYTES = 1024 * 1024;
/** Time in which a client must send its CONNECT, and in which it is signed in. */
const CONNECT_MS = 10_000;
/** Silence after which a client without keep-alive is disconnected. */
const DEFAULT_SILENCE_MS = 5 * 60_000;
const MS_PER_KEEPALIVE_SECOND = 1_500;

const UNAVAILABLE = 'Server unavailable';

/** Last will of a client, as it was sent. */
interface Will {
  topic: string;
  payload: Buffer;
}

/** Connection of a device: from its CONNECT to the end of its session. */
export class Client implements AgentClient, CheckedClient, LinkListener, SessionHolder, TopicReader {
  messagesFromClient = 0;
  messagesToClient = 0;
  /** Time in milliseconds since 1970 at which the client counts as gone, unless it sends something. */
  silentAt = Date.now() + CONNECT_MS;
  private silenceMs = CONNECT_MS;
  private state: 'new' | 'connecting' | 'open' | 'closed' = 'new';
  private readonly reader = new PacketReader();
  private granted?: DeviceGrant;
  private subscriptions?: ClientSubscriptions;
  private windows?: MessageWindows;
  private agent?: AgentSession;
  private will?: Will;
  private readonly sessionId = newId();
  private isSessionHeld = false;
  private pending = 0;
  private pendingBytes = 0;
  private isHeld = false;
  /** Acknowledgments are sent in the order of the messages. */
  private lastAck?: Promise<void>;
  private lastMessage = 0;
  /** Bytes of the largest message to the agent, which may be more than a client may leave unread. */
  private largestMessage = 0;

  constructor(
    private readonly link: Link,
    private readonly services: ClientServices,
    /** Called when the client has signed in. */
    private arrived: (() => void) | undefined,
  ) {
    link.listen(this);
  }

  /** The device, once it has signed in. */
  get grant(): DeviceGrant | undefined {
    return this.granted;
  }

  get address(): string {
    return this.link.address;
  }

  follows(deviceIds: ReadonlySet<string>): boolean {
    return this.subscriptions?.concerns(deviceIds) ?? false;
  }

  async regrant(grant: DeviceGrant): Promise<void> {
    this.granted = grant;
    await this.subscriptions!.refresh(grant);
  }

  get opening(): SessionHolder['opening'] {
    const { deviceId, applicationId } = this.granted!;
    const { address, isSecure } = this.link;
    const { will } = this;
    return {
      deviceId,
      applicationId,
      sessionId: this.sessionId,
      address,
      isSecure,
      will: will ? { topic: will.topic, payload: will.payload.toString('base64') } : null,
    };
  }

  received(chunk: Buffer): void {
    if (this.state === 'closed') return;
    this.silentAt = Date.now() + this.silenceMs;
    this.reader.push(chunk);
    this.process();
  }

  closed(): void {
    this.close('Connection closed');
  }

  /** Passes a message to the client. Messages that the client does not read in time disconnect it. */
  receive(message: TopicMessage): void {
    if (this.state !== 'open' || message.number === this.lastMessage) return;
    if (!this.subscriptions!.accepts(message)) return;
    this.lastMessage = message.number;
    if (this.link.buffered > MAX_BUFFERED_BYTES + this.largestMessage)
      return this.close('Client reads too slowly');
    this.link.write((message.packet ??= publishPacket(message.topic, message.payload)));
    this.messagesToClient++;
    this.services.messages.sent(this.granted!, message);
  }

  tell(name: string, payload: Buffer): boolean {
    const { applicationId, deviceId } = this.granted!;
    const { topics } = this.services;
    const topic = topics.toAgent(deviceId, name);
    const message = new TopicMessage(applicationId, topic, payload, Date.now(), topics.agentKey(deviceId));
    if (this.state !== 'open' || !this.subscriptions!.accepts(message)) return false;
    this.largestMessage = Math.max(this.largestMessage, payload.length);
    this.receive(message);
    return true;
  }

  get isBehind(): boolean {
    return this.link.buffered > MAX_BUFFERED_BYTES / 2;
  }

  /** Closes the connection and the session. The last will is published, unless the client has disconnected regularly. */
  close(reason: string): void {
    if (this.state === 'closed') return;
    this.state = 'closed';
    this.link.end();
    this.subscriptions?.end();
    if (this.agent) this.services.agents.close(this.agent);
    if (this.isSessionHeld) this.services.sessions.close(this, reason);
    if (this.isSessionHeld && this.will) this.services.messages.will(this.granted!, this.will);
    this.services.checks.delete(this);
    this.services.clients.delete(this);
  }

  /** Disconnects a client that was silent for too long, or whose certificate has ended. */
  check(now: number): void {
    if (this.granted && this.granted.endsAt <= now) return this.close('Certificate expired');
    // What the client has sent in the meantime is still in its socket.
    if (this.isHeld && this.state === 'open') this.silentAt = now + this.silenceMs;
    if (this.silentAt <= now) this.close(this.state === 'open' ? 'Keepalive Timeout' : 'Connection closed');
  }

  private process(): void {
    try {
      while (!this.isHeld && this.state !== 'closed') {
        const packet = this.reader.next();
        if (!packet) return;
        this.handle(packet);
      }
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      this.close(error.message);
    }
  }

  private handle(packet: RawPacket): void {
    const { type } = packet;
    if ((type === PACKET.connect) !== (this.state === 'new')) throw new ProtocolError();
    switch (type) {
      case PACKET.connect:
        return this.connect(packet);
      case PACKET.publish:
        return this.publish(packet);
      case PACKET.subscribe:
        return this.subscribe(packet);
      case PACKET.unsubscribe:
        return this.unsubscribe(packet);
      case PACKET.pingreq:
        return this.link.write(PINGRESP);
      case PACKET.disconnect:
        this.will = undefined;
        return this.close('Client disconnected');
    }
  }

  private connect({ body, bytes }: RawPacket): void {
    const { name, level } = protocolOf(body);
    if (name !== 'MQTT' && name !== 'MQIsdp') throw new ProtocolError();
    if (name !== 'MQTT' || level !== 4) {
      this.link.write(level === 5 ? UNSUPPORTED_V5 : connackPacket(CONNACK.unacceptableProtocol));
      return this.close('Protocol version is not supported');
    }
    const packet = readConnect(bytes);
    this.state = 'connecting';
    this.hold();
    this.silenceMs = CONNECT_MS;
    this.silentAt = Date.now() + CONNECT_MS;
    const { generation } = this.services.checks;
    void this.services.admission
      .admit(packet, this.link)
      .then((admitted) =>
        admitted instanceof DeviceGrant ? this.open(admitted, packet, generation) : admitted.code,
      )
      .catch((error: unknown) => this.services.failed(error))
      .then((code) => this.welcome(code ?? CONNACK.unavailable, packet.keepalive ?? 0));
  }

  /** Opens the session of a device. Returns the code of the CONNACK, or `undefined` if the client is gone. */
  private async open(
    grant: DeviceGrant,
    { will }: ReturnType<typeof readConnect>,
    generation: number,
  ): Promise<ConnackCode | undefined> {
    const { checks, limits, messages, sessions } = this.services;
    if (this.state === 'closed') return undefined;
    if (will && (will.qos === 2 || !messages.allows(grant, will.topic))) return CONNACK.notAuthorized;
    this.arrived?.();
    this.arrived = undefined;
    this.granted = grant;
    this.will = will && { topic: will.topic, payload: Buffer.from(will.payload) };
    this.subscriptions = new ClientSubscriptions(this, grant, this.services);
    this.isSessionHeld = true;
    if (limits.perClient > 0 || limits.perTopic > 0) this.windows = new MessageWindows(limits);
    this.agent = this.services.agents.open(grant, this);
    checks.add(this, generation);
    return (await sessions.open(this)) ? CONNACK.accepted : undefined;
  }

  private welcome(code: ConnackCode, keepalive: number): void {
    if (this.state === 'closed') return;
    this.link.write(connackPacket(code));
    if (code !== CONNACK.accepted) {
      this.will = undefined;
      return this.close('Authentication failed');
    }
    this.state = 'open';
    this.silenceMs = keepalive > 0 ? keepalive * MS_PER_KEEPALIVE_SECOND : DEFAULT_SILENCE_MS;
    this.silentAt = Date.now() + this.silenceMs;
    this.release();
  }

  private publish({ flags, body }: RawPacket): void {
    const { topic, payload, messageId } = readPublish(flags, body);
    if (payload.length > MAX_PAYLOAD_BYTES) throw new ProtocolError('Message too large');
    this.messagesFromClient++;
    if (!this.isWithinLimits(topic)) return;
    const work = this.services.messages.receive(this.granted!, topic, payload, this.agent);
    if (work === 'forbidden') return this.forbid(topic);
    if (!work && !this.lastAck) return void (messageId && this.link.write(pubackPacket(messageId)));
    this.begin(payload.length);
    const settled = this.settle(this.lastAck, work, topic, messageId);
    this.lastAck = settled;
    void settled.finally(() => {
      if (this.lastAck === settled) this.lastAck = undefined;
      this.finish(payload.length);
    });
  }

  private async settle(
    earlier: Promise<void> | undefined,
    work: ReturnType<ClientServices['messages']['receive']>,
    topic: string,
    messageId: number | undefined,
  ): Promise<void> {
    try {
      // Both are awaited, so that a failure of one does not hide that of the other.
      const [outcome] = await Promise.all([work, earlier]);
      if (this.state === 'closed') return;
      if (outcome === 'forbidden') this.forbid(topic);
      else if (messageId !== undefined) this.link.write(pubackPacket(messageId));
    } catch (error) {
      this.services.failed(error);
      this.close(UNAVAILABLE);
    }
  }

  private forbid(topic: string): void {
    this.close(`Publish Error - Not allowed to publish to ${topic}`);
  }

  private subscribe({ bytes }: RawPacket): void {
    if (!this.isWithinLimits()) return;
    const { messageId, subscriptions } = readPacket('subscribe', bytes);
    this.hold();
    const filters = subscriptions.map(({ topic }) => topic);
    void this.subscriptions!.add(filters).then(
      (granted) => {
        if (this.state === 'open') this.link.write(subackPacket(messageId!, granted));
        this.agent?.subscribed();
        this.release();
      },
      (error: unknown) => {
        this.services.failed(error);
        this.close(UNAVAILABLE);
      },
    );
  }

  private unsubscribe({ bytes }: RawPacket): void {
    if (!this.isWithinLimits()) return;
    const { messageId, unsubscriptions } = readPacket('unsubscribe', bytes);
    for (const filter of unsubscriptions) this.subscriptions!.delete(filter);
    this.link.write(unsubackPacket(messageId!));
  }

  /** Counts a packet. Disconnects and bans a client that sends too many. */
  private isWithinLimits(topic?: string): boolean {
    if (!this.windows || this.windows.admits(Date.now(), topic)) return true;
    this.services.ban(this.granted!);
    this.close('Rate limit exceeded');
    return false;
  }

  private begin(bytes: number): void {
    this.pending++;
    this.pendingBytes += bytes;
    if (this.isBusy) this.hold();
  }

  private finish(bytes: number): void {
    const wasBusy = this.isBusy;
    this.pending--;
    this.pendingBytes -= bytes;
    if (wasBusy && !this.isBusy) this.release();
  }

  private get isBusy(): boolean {
    return this.pending >= MAX_PENDING || this.pendingBytes > MAX_PENDING_BYTES;
  }

  /** Processes no further packets. What the client sends stays in its socket. */
  private hold(): void {
    this.isHeld = true;
    this.link.pause();
  }

  private release(): void {
    if (this.state !== 'open') return;
    this.isHeld = false;
    this.process();
    if (!this.isHeld) this.link.resume();
  }
}
