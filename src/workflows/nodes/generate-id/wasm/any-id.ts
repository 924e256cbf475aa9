import { Run } from '../../../embedded/runtime/run';
import { Value } from '../../../embedded/runtime/value';
import { nanoid, objectId, randomUuid, uuidOfTime } from './ids';
import { uuidOfMd5, uuidOfSha1 } from './named-ids';

/** Generates an ID of the given type. If the type is unknown, fails the run and returns null. */
export function anyId(run: Run, type: string, namespace: string, name: string, length: Value): string | null {
  const form = type.trim().toLowerCase();
  if (form == 'uuidv4' || form == '') return randomUuid();
  if (form == 'uuidv1') return uuidOfTime();
  if (form == 'uuidv3') return uuidOfMd5(run, namespace, name);
  if (form == 'uuidv5') return uuidOfSha1(run, namespace, name);
  if (form == 'objectid') return objectId();
  if (form == 'nanoid') return nanoid(run, length);
  run.fail('ValidationError', 'the type of identifier is unknown');
  return null;
}
