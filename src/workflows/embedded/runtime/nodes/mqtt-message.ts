import { isPlatformTopic, send } from '../messages';
import { Path } from '../path';
import { FAILED, Run } from '../run';
import { Value } from '../value';
import { put } from './put';

/** The longest topic, in bytes. */
const LONGEST_TOPIC = 230;

/** Publishes a message. With `resultPath` the host's answer goes there, else one that is not 0 ends the run. */
export function publish(run: Run, topic: string, message: string, qos: i32, resultPath: Path | null): i32 {
  if (!isOpen(topic)) return run.fail('ValidationError', 'messages cannot be published on this topic');
  const outcome = send(run, topic, message, qos);
  if (resultPath === null || (outcome == FAILED && run.code == 0)) return outcome;
  const code = run.code;
  run.code = 0;
  return put(run, resultPath, Value.number(code));
}

/** Whether a topic is for workflows: a name without wildcards that is neither the platform's nor the broker's. */
function isOpen(topic: string): bool {
  const length = String.UTF8.byteLength(topic);
  if (length == 0 || length > LONGEST_TOPIC || topic.startsWith('$') || isPlatformTopic(topic)) return false;
  for (let i = 0; i < topic.length; i++) {
    const unit = topic.charCodeAt(i);
    if (unit == 0x23 || unit == 0x2b || unit == 0) return false;
  }
  return true;
}
