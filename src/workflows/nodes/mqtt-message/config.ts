import { ConfigFault } from '../config-fault.js';
import { nodeConfig, OPTIONAL_PATH, TEMPLATE } from '../node-config.js';
import { checkOptionalTarget, checkTemplate } from '../texts.js';

/** Publishes a message. Topics of the platform and of brokers are not allowed. */
export interface MqttMessageConfig {
  readonly topicTemplate: string;
  readonly messageTemplate?: string;
  readonly qos?: 0 | 1;
  /** Path of the host's result code. If omitted, a code other than 0 terminates the run. */
  readonly resultPath?: string;
}

/** Maximum length of a topic in bytes. For templates, enforced at run time. */
const MAX_TOPIC_LENGTH = 230;

export const config = nodeConfig<MqttMessageConfig>(
  {
    required: ['topicTemplate'],
    properties: {
      topicTemplate: { ...TEMPLATE, minLength: 1 },
      messageTemplate: TEMPLATE,
      qos: { type: 'integer', enum: [0, 1] },
      resultPath: OPTIONAL_PATH,
    },
  },
  ({ topicTemplate, messageTemplate = '', resultPath }) => {
    checkTemplate('topicTemplate', topicTemplate);
    if (/^\$|[+#]/.test(topicTemplate))
      throw new ConfigFault('topicTemplate', 'must not begin with $ or contain wildcards');
    if (!topicTemplate.includes('{{') && Buffer.byteLength(topicTemplate) > MAX_TOPIC_LENGTH)
      throw new ConfigFault('topicTemplate', `must have at most ${MAX_TOPIC_LENGTH} bytes`);
    checkTemplate('messageTemplate', messageTemplate);
    checkOptionalTarget('resultPath', resultPath);
  },
);
