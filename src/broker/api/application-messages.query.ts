import type { JsonSchema } from '../../platform/fields/fields.js';
import { countSchema, textSchema } from '../../platform/fields/schema.js';
import { QueryText } from '../../platform/lists/query-fields.js';
import { MAX_TOPIC_BYTES } from '../../lib/mqtt/topic-filter.js';
import { StreamQuery } from '../../platform/streams/stream-query.js';

/** Parameters of a stream of messages. */
export class MessageStreamQuery extends StreamQuery {
  @QueryText({
    description: 'Topic filter: `+` matches one level, and `#` all further levels.',
    required: true,
    maxLength: MAX_TOPIC_BYTES,
    example: 'pumps/+/level',
  })
  topic: string;
}

/** Event of a stream of messages. */
export const MESSAGE_EVENT: JsonSchema = {
  title: 'MqttMessageEvent',
  type: 'object',
  description: 'An MQTT message of the application.',
  required: ['topic', 'message', 'time'],
  properties: {
    topic: textSchema('Topic of the message.', 'pumps/3/level'),
    message: textSchema('Message as text.', 'high'),
    time: countSchema(
      'Time at which the message was published, in milliseconds since 1970.',
      1_781_323_200_000,
    ),
  },
};
