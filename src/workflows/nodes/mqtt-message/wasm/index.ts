import { isPlatformTopic, send } from '../../../embedded/runtime/messages';
import { Path } from '../../../embedded/runtime/path';
import { FAILED, Run } from '../../../embedded/runtime/run';
import { Value } from '../../../embedded/runtime/value';
import { put } from '../../../embedded/runtime/put';

/** Maximum length of a topic in bytes. */
const LONGEST_TOPIC = 230;

/**
 * Publishes a message. With `resultPath`, writes the host's return code there; otherwise, a code other than 0 fails the
 * run.
 */
export function publish(run: Run, topic: string, message: string, qos: i32, resultPath: Path | null): i32 {
  if (!isOpen(topic)) return run.fail('ValidationError', 'messages cannot be published on this topic');
  const outcome = send(run, topic, message, qos);
  if (resultPath === null || (outcome == FAILED && run.code == 0)) return outcome;
  const code = run.code;
  run.code = 0;
  return put(run, resultPath, Value.number(code));
}

/**
 * Checks whether workflows can publish on a topic: it has no wildcards and belongs neither to the platform nor to the
 * broker.
 */
function isOpen(topic: string): bool {
  const length = String.UTF8.byteLength(topic);
  if (length == 0 || length > LONGEST_TOPIC || topic.startsWith('$') || isPlatformTopic(topic)) return false;
  for (let i = 0; i < topic.length; i++) {
    const unit = topic.charCodeAt(i);
    if (unit == 0x23 || unit == 0x2b || unit == 0) return false;
  }
  return true;
}
