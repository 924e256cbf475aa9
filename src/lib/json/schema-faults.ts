import type { ErrorObject } from 'ajv';

/**
 * Describes the faults of a value in one sentence. For alternatives, describes the fault of the one with a matching
 * type or, if no type matches, lists the types.
 */
export function describeFaults(name: string, faults: readonly ErrorObject[]): string {
  const told = faults.filter((fault) => !isChoice(fault) && !isNull(fault));
  let [fault = faults[0]!] = told;
  while (fault.keyword === 'type') {
    const { instancePath: at } = fault;
    const closer = told.find((other) =>
      other.instancePath === at ? other.keyword !== 'type' : other.instancePath.startsWith(`${at}/`),
    );
    if (!closer) break;
    fault = closer;
  }
  if (fault.keyword !== 'type') return describeFault(name, fault);
  const types = told.flatMap(({ keyword, instancePath, params }) =>
    keyword === 'type' && instancePath === fault.instancePath ? [String(params.type)] : [],
  );
  return describeFault(name, { ...fault, params: { type: [...new Set(types)] } });
}

const isChoice = ({ keyword }: ErrorObject): boolean => keyword === 'oneOf' || keyword === 'anyOf';
/** For nullable values, not being `null` is not a fault. */
const isNull = ({ keyword, params }: ErrorObject): boolean => keyword === 'type' && params.type === 'null';

/** Describes a fault in one sentence: the path of the value, starting with `name`, and the violated rule. */
export function describeFault(name: string, fault: ErrorObject): string {
  const at = [
    name,
    ...fault.instancePath
      .split('/')
      .slice(1)
      .map((part) => part.replace(/~1/g, '/').replace(/~0/g, '~')),
  ].join('.');
  const params = fault.params as Record<string, unknown>;
  switch (fault.keyword) {
    case 'required':
      return `${at}.${String(params.missingProperty)} is required`;
    case 'additionalProperties':
      return `${at}.${String(params.additionalProperty).slice(0, 64)} is not a property of ${at}`;
    case 'type':
      return `${at} must be ${eitherOf([params.type].flat().map(String))}`;
    case 'enum':
      return `${at} must be one of ${listed(params.allowedValues as unknown[])}`;
    case 'minLength':
      return `${at} must have at least ${String(params.limit)} characters`;
    case 'maxLength':
      return `${at} must have at most ${String(params.limit)} characters`;
    case 'maxItems':
      return `${at} must have at most ${String(params.limit)} entries`;
    case 'minItems':
      return `${at} must have at least ${String(params.limit)} entries`;
    case 'uniqueItems':
      return `${at} must not contain duplicate entries`;
    case 'pattern':
      return `${at} must match the pattern ${String(params.pattern)}`;
    case 'format':
      return `${at} must be ${FORMATS[String(params.format)] ?? `of the format ${String(params.format)}`}`;
    case 'oneOf':
    case 'anyOf':
      return `${at} does not match any of the allowed forms`;
    default:
      return `${at} ${fault.message ?? 'is not valid'}`;
  }
}

const FORMATS: Record<string, string> = {
  'date-time': 'an ISO 8601 time with a zone, such as 2026-06-13T04:00:00.000Z',
  email: 'an email address',
  uri: 'a URI',
};
const ENUMERATED = 12;

/** `a number, a string or a boolean`. */
function eitherOf(types: readonly string[]): string {
  const named = types.map(article);
  const last = named.pop() ?? 'of another type';
  return named.length > 0 ? `${named.join(', ')} or ${last}` : last;
}

function article(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

function listed(values: unknown[]): string {
  const shown = values.slice(0, ENUMERATED).map(String).join(', ');
  return values.length > ENUMERATED ? `${shown}, … (the document lists all)` : shown;
}
