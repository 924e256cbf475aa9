import { ApiSchema } from '@nestjs/swagger';
import { StringField } from '../../platform/fields/fields.js';
import { MAX_TOPIC_LENGTH } from '../../workflows/messages/topic-messages.js';

@ApiSchema({ name: 'MqttPublishBody', description: 'An MQTT message to publish.' })
export class MqttPublishBody {
  @StringField({
    column: false,
    required: true,
    minLength: 1,
    maxLength: MAX_TOPIC_LENGTH,
    description: 'Topic of the message, without wildcards.',
    example: 'pumps/3/level',
  })
  topic: string;

  @StringField({
    column: false,
    required: true,
    maxLength: 32767,
    description: 'Text of the message; can be empty.',
    example: 'high',
  })
  message: string;
}
