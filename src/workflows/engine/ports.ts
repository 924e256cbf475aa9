import type { OutboundRequest, OutboundResponse } from '../../lib/http/safe-http.js';
import type { EdgePort } from './edge-port.js';
import type { Program } from './program.js';

/**
 * What nodes may do outside of their payload. The engine receives an implementation of each port; nodes use nothing else
 * of the platform. All act with the rights of the application of the run.
 */
export interface Ports {
  readonly api: ApiPort;
  readonly storage: StoragePort;
  readonly html: HtmlPort;
  readonly http: HttpPort;
  readonly connectors: ConnectorsPort;
  readonly credentials: CredentialsPort;
  readonly files: FilesPort;
  readonly mail: MailPort;
  readonly messages: MessagesPort;
  readonly functions: FunctionsPort;
  readonly replies: RepliesPort;
  readonly signIns: SignInsPort;
  readonly presses: PressesPort;
  readonly programs: ProgramsPort;
  /** Only edge devices have it. */
  readonly edge?: EdgePort;
}

/** Application, workflow and run on whose behalf a port acts. */
export interface Actor {
  readonly id: string;
  readonly applicationId: string;
  readonly flowId: string;
  /** ID of what the port does in PostgreSQL: a repeated run does it only once, and receives the same result. */
  readonly effectId?: string;
  /** API token whose rights operations of the API have, instead of those of the workflow. */
  readonly token?: string;
  /** Network of the client whose request started the run, if it was one to an experience. */
  readonly network?: string;
}

/** Result of an API operation: the body of a success, or the error that the API would send. */
export type ApiResult =
  | { readonly result: unknown }
  | { readonly error: { readonly type: string; readonly message: string; readonly statusCode: number } };

/**
 * Operations of the API, called in the process with the rules, limits, audit entries and triggers of a request. The
 * caller is the workflow, which may read and change what belongs to its application.
 */
export interface ApiPort {
  /**
   * @param operationId ID of the operation in the document, such as `device.get`
   * @param parameters path and query parameters by name
   */
  call(
    actor: Actor,
    operationId: string,
    parameters: Readonly<Record<string, unknown>>,
    body?: unknown,
  ): Promise<ApiResult>;
}

/** Content of a file. */
export interface FileContent {
  readonly content: Buffer;
  /** Media type, or an empty text if it is not known. */
  readonly contentType: string;
}

/** Contents of the public and private files of the application. All else about files is in the API. */
export interface FilesPort {
  /** Returns the ID of the file or directory at a path such as `/images/pump.png`, or `null`. */
  find(actor: Actor, isPrivate: boolean, path: string): Promise<ApiResult>;
  /** Returns the content of a file as a `Buffer`; an error if it has none or more than 5 MiB. */
  read(actor: Actor, isPrivate: boolean, fileId: string): Promise<ApiResult>;
  /** Replaces the content of a file and returns the file. Parameters are those of the query of the upload. */
  upload(
    actor: Actor,
    isPrivate: boolean,
    fileId: string,
    content: FileContent,
    parameters: Readonly<Record<string, unknown>>,
  ): Promise<ApiResult>;
}

/** Values that a workflow stores. Each call is atomic. Keys have 1 to 255 characters, values at most 16 KiB of JSON. */
export interface StoragePort {
  get(actor: Actor, key: string): Promise<unknown>;
  /** Returns all values by key. */
  all(actor: Actor): Promise<Readonly<Record<string, unknown>>>;
  /** Stores a value; `undefined` deletes the key. Returns the previous value. */
  set(actor: Actor, key: string, value: unknown): Promise<unknown>;
  /** Adds to a number; a missing value is 0. Returns the sum. Throws a `RunFault` if the stored value is no number. */
  add(actor: Actor, key: string, amount: number): Promise<number>;
  /**
   * Replaces the state of a node (latch, throttle, on change) for one identifier by `next(current)`, atomically; returns
   * what `next` returned as `result`. States are not part of the storage that the API shows.
   */
  update<R>(
    actor: Actor,
    nodeId: string,
    identifier: string,
    next: (current: unknown) => { readonly state: unknown; readonly result: R },
  ): Promise<R>;
}

/** Outgoing request of a workflow. The time-out is at most 30 seconds. */
export type HttpCall = Omit<OutboundRequest, 'maxBytes' | 'signal'>;

/** Requests to public addresses. */
export interface HttpPort {
  /**
   * Returns the response of any status, of at most 5 MiB. Throws a `RunFault` for failures of the transport: address, DNS,
   * TLS, time-out, size, or too many requests of the application.
   */
  send(actor: Actor, call: HttpCall, signal: AbortSignal): Promise<OutboundResponse>;
}

/** Forms in which found elements are written to a payload. */
export const HTML_FORMATS = ['text', 'xml', 'json'] as const;
export type HtmlFormat = (typeof HTML_FORMATS)[number];

/** Search in a document. */
export interface HtmlQuery {
  /** HTML, or XML that begins with its declaration. */
  readonly document: string;
  /** CSS selector. An invalid one matches nothing. */
  readonly selector: string;
  readonly format: HtmlFormat;
}

/** Documents of HTML and XML. */
export interface HtmlPort {
  /**
   * Returns the elements that match. Throws a `RunFault` for documents and selectors that exceed a limit. Waits for its
   * turn until `signal` is aborted.
   */
  find(actor: Actor, query: HtmlQuery, signal: AbortSignal): Promise<unknown[]>;
}

/** Services that are not reached over HTTP. */
export type ConnectorName = 'mongodb' | 'mysql' | 'pg' | 'redis';

/** Call of a service. */
export interface ConnectorCall {
  readonly connector: ConnectorName;
  /** How to connect, including secrets. Calls of an application with equal servers share connections. */
  readonly server: object;
  readonly request: object;
  readonly timeoutMs: number;
}

/** Drivers of databases and other services, in a process of their own. */
export interface ConnectorsPort {
  /**
   * Returns what the service responds, at most 5 MiB of JSON. Throws a `RunFault` without secrets: for what the service
   * refuses, and for addresses that are not public, unreachable servers, time-outs, size, packages that are not
   * installed, or too many calls of the application.
   */
  call(actor: Actor, call: ConnectorCall, signal: AbortSignal): Promise<unknown>;
}

/** Token that a workflow asks for. */
export interface TokenRequest {
  /** Lifetime in milliseconds; `undefined` for a token that does not expire. */
  readonly ttl: number | undefined;
  /** Value that requests with the token carry, `undefined` for none. */
  readonly extraData: unknown;
  /** Whether to record the time as the last sign-in of the user. */
  readonly isLogin: boolean;
  /** Whether to invalidate all earlier tokens of the user. */
  readonly revokes: boolean;
}

/** Sign-ins of users of the experience. */
export interface SignInsPort {
  /** Returns the ID of the user with an email address and a password. Throws a `RunFault` if too many are waiting. */
  userOfPassword(actor: Actor, email: string, password: string): Promise<string | undefined>;
  /** Returns the ID of the user with a valid token. */
  userOfToken(actor: Actor, token: string): Promise<string | undefined>;
  /** Returns a new token of a user, or `undefined` if the user does not exist. */
  signIn(actor: Actor, userId: string, request: TokenRequest): Promise<string | undefined>;
}

/** Credentials of applications. */
export interface CredentialsPort {
  /**
   * Returns a credential by its name, or `undefined`. `members` are its properties including the secrets, which must not
   * reach a payload.
   */
  opened(applicationId: string, name: string): Promise<OpenedCredential | undefined>;
}

export interface OpenedCredential {
  readonly type: string;
  readonly enabled: boolean;
  readonly members: Readonly<Record<string, unknown>>;
}

/** Mail of a workflow from the address of the platform, as HTML. */
export interface FlowMail {
  readonly to: readonly string[];
  readonly subject: string;
  readonly html: string;
}

/** Mails of the platform. */
export interface MailPort {
  /**
   * Sends a mail at most once per `effectId`. Throws a `RunFault` for invalid recipients, and if the workflow sends too
   * many mails.
   */
  send(actor: Actor, effectId: string, mail: FlowMail): Promise<void>;
}

/** Messages on custom topics of the application. */
export interface MessagesPort {
  /** Publishes a message, at most once per effect. Throws a `RunFault` for another topic, and for too many messages. */
  publish(actor: Actor, topic: string, message: string): Promise<void>;
}

/** Call of a script of an author. */
export interface FunctionCall {
  readonly applicationId: string;
  /** Workflow and version. Calls with the same key share a warm instance of the sandbox, but no state. */
  readonly key: string;
  /** Body of a function with the parameter `payload`. */
  readonly script: string;
  /** Plain data. Must not change until the call returns. */
  readonly payload: unknown;
  /** Aborted when the run may not go on; a call that waits for its turn is then not begun. */
  readonly signal: AbortSignal;
}

/** Level of a debug message. */
export type DebugLevel = 'error' | 'info' | 'verbose' | 'warn';

/** Scripts of authors, in a sandbox. */
export interface FunctionsPort {
  /**
   * Runs a script and returns the changed or returned payload. Passes messages of its `console` to `log`, also if it
   * fails. Throws a `RunFault` for errors of the script and for exceeded limits.
   */
  call(
    call: FunctionCall,
    log: (message: { readonly level: DebugLevel; readonly text: string }) => void,
  ): Promise<unknown>;
}

/** HTTP response that a workflow sends to a waiting caller. */
export interface Reply {
  readonly status: number;
  /** Header names are in lower case; a list is sent as several headers. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | Buffer;
  /** `Set-Cookie` headers without `Secure`, which depends on the connection of the caller. Endpoints only. */
  readonly cookies?: readonly string[];
  /** Content that the process with the caller makes, in place of the body. Endpoints only. */
  readonly content?: ReplyContent;
}

/** Content of a reply that depends on the request. */
export type ReplyContent = PageContent | TopicsContent;

/** A page of the experience, rendered for the request. */
export interface PageContent {
  readonly kind: 'page';
  readonly pageId: string;
  /** Replaces the layout of the page. */
  readonly layoutId?: string;
  /** Version of the experience with the views, if it is not the one of the request. */
  readonly version?: string;
  /** Data of the page. Must not be changed, like `globals`. */
  readonly pageData: unknown;
  readonly globals: unknown;
  /** Workflow that replies. */
  readonly flow: { readonly id: unknown; readonly name: unknown; readonly version: unknown };
}

/** Server-sent events with the messages on MQTT topics, until the caller disconnects. */
export interface TopicsContent {
  readonly kind: 'topics';
  readonly topics: readonly string[];
}

/** Callers that wait for a reply. */
export interface RepliesPort {
  /** Replies to a caller of the application. The first reply wins; later ones and unknown IDs do nothing. */
  reply(actor: Actor, replyId: string, reply: Reply): Promise<void>;
  /** Sends a message, text or bytes, to the WebSocket client of the application; unknown IDs do nothing. */
  message(actor: Actor, replyId: string, message: string | Buffer): Promise<void>;
}

/** Press of a virtual button at a later time. */
export interface LaterPress {
  /** ID of the run in the future, or an empty text for a new one. */
  readonly runId: string;
  readonly flowId: string;
  readonly key: string;
  /** Name of a version, `develop` or `default`. */
  readonly flowVersion: string;
  /** `undefined` for the payload of a press without one. */
  readonly payload: unknown;
  readonly dueAt: Date;
}

/** Presses of virtual buttons at a later time. */
export interface PressesPort {
  /**
   * Schedules a press, in place of the one that the application has scheduled with the same run ID. Returns `{runId}`,
   * or the error of a press.
   */
  schedule(actor: Actor, press: LaterPress): Promise<ApiResult>;
  /** Cancels a press of the application, and returns `{runId}`. Does nothing for unknown IDs, and after the press. */
  cancel(actor: Actor, runId: string): Promise<ApiResult>;
}

/** Programs of custom nodes. */
export interface ProgramsPort {
  /**
   * Returns a version of a custom node, compiled for the application of the run, or `undefined` if it does not exist.
   * @param version name of a version, `develop`, or `default` for the default version
   * @param isInstance whether the custom node belongs to the instance instead of the application
   */
  customNode(
    actor: Actor,
    id: string,
    version: string,
    isInstance: boolean,
  ): Program | undefined | Promise<Program | undefined>;
}
