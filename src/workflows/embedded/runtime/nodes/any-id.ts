import { Run } from '../run';
import { Value } from '../value';
import { nanoid, objectId, randomUuid, uuidOfTime } from './ids';
import { uuidOfMd5, uuidOfSha1 } from './named-ids';

/** An identifier of the form that is named; null, and the run fails, where there is none of that name. */
export function anyId(run: Run, type: string, namespace: string, name: string, length: Value): string | null {
  const form = type.trim().toLowerCase();
  if (form == 'uuidv4' || form == '') return randomUuid();
  if (form == 'uuidv1') return uuidOfTime();
  if (form == 'uuidv3') return uuidOfMd5(run, namespace, name);
  if (form == 'uuidv5') return uuidOfSha1(run, namespace, name);
  if (form == 'objectid') return objectId();
  if (form == 'nanoid') return nanoid(run, length);
  run.fail('ValidationError', 'there is no such type of identifier');
  return null;
}
