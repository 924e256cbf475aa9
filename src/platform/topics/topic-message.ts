let count = 0;

/** Message on a topic of an application. */
export class TopicMessage {
  /** Number of the message in this process, by which a reader with several filters recognizes a repetition. */
  readonly number = ++count;
  /** The message as a packet of a protocol, once a reader has encoded it for all others. */
  packet?: Buffer;

  /**
   * `time` is in milliseconds since 1970. `key` is the topic by which readers are found, if it is not that of the message.
   */
  constructor(
    readonly applicationId: string,
    readonly topic: string,
    readonly payload: Buffer,
    readonly time: number,
    readonly key = topic,
  ) {}
}

/** Receives messages of topics. Must not throw. */
export interface TopicReader {
  receive(message: TopicMessage): void;
}
