import type { Json } from '../../src/openapi/operations.js';

/** A change that can break a client. */
export interface BreakingChange {
  /** Operation, such as `devices.get`, or component. */
  subject: string;
  change: string;
}

/** Location of a schema: the operation or component, the path within it, and whether clients send it. */
interface Place {
  subject: string;
  at: string;
  isInput: boolean;
}

/** A schema without references, wrappers and the dialect of OpenAPI 3.0. */
interface View {
  /** Empty if any type is valid. */
  types: ReadonlySet<string>;
  choices?: ReadonlySet<unknown>;
  properties: Record<string, Json>;
  required: ReadonlySet<string>;
  isClosed: boolean;
  items?: Json;
  limits: Limits;
}

type Limits = Readonly<Record<string, string | number>>;

const COMPONENT = '#/components/schemas/';
const MINIMA = ['minimum', 'minLength', 'minItems', 'minProperties'];
const MAXIMA = ['maximum', 'maxLength', 'maxItems', 'maxProperties'];
const TEXT_LIMITS = ['pattern', 'format'];
/** Types that together are any value. */
const ANY = ['string', 'number', 'boolean', 'object', 'array'];
/** Formats of text that is not validated. */
const FREE_FORMATS: ReadonlySet<unknown> = new Set(['binary', 'password']);

/** Compares schemas of two documents. Components are compared once for input and once for output. */
export class SchemaChanges {
  private readonly seen = new Set<string>();

  constructor(
    private readonly before: Readonly<Record<string, Json>>,
    private readonly after: Readonly<Record<string, Json>>,
    private readonly changes: BreakingChange[],
  ) {}

  compare(from: Json, to: Json, place: Place): void {
    const [old, now] = [referenceIn(from), referenceIn(to)];
    // A schema that was inline belongs to its place, also if it has a name now.
    if (old === undefined) return this.compareViews(from, to, place);
    const key = `${old} ${now} ${place.isInput}`;
    if (this.seen.has(key)) return;
    this.seen.add(key);
    this.compareViews(from, to, { ...place, subject: now ?? old, at: '' });
  }

  private compareViews(from: Json, to: Json, place: Place): void {
    const [old, now] = [viewOf(from, this.before), viewOf(to, this.after)];
    const { isInput } = place;
    const say = (change: string) => this.say(place, change);
    this.compareTypes(old, now, place);
    if (isInput) {
      for (const limit of limitsTightenedBy(old.limits, now.limits)) say(limit);
      for (const name of now.required) if (!old.required.has(name)) say(`${name} is required`);
      if (now.isClosed && !old.isClosed && old.types.has('object')) say('unknown properties are refused');
    }
    for (const [name, property] of Object.entries(old.properties)) {
      const kept = now.properties[name];
      if (!kept) {
        if (!isInput || now.isClosed) say(`${name} was removed`);
        continue;
      }
      if (!isInput && old.required.has(name) && !now.required.has(name)) say(`${name} can be absent`);
      this.compare(property, kept, { ...place, at: place.at ? `${place.at}.${name}` : name });
    }
    if (old.items && now.items) this.compare(old.items, now.items, { ...place, at: `${place.at}[]` });
  }

  /** Input must accept every type and choice that it accepted; output must not have another type. */
  private compareTypes(old: View, now: View, place: Place): void {
    const [wide, narrow] = place.isInput ? [now, old] : [old, now];
    const types = [...narrow.types].filter((type) => !allows(wide.types, type));
    if (wide.types.size > 0 && (types.length > 0 || narrow.types.size === 0)) {
      const named = types.length > 0 ? types.join(' and ') : 'any type';
      this.say(place, place.isInput ? `${named} is refused` : `can be ${named}`);
    }
    // Clients must expect further values in responses, so only those of requests are compared.
    if (!place.isInput || !now.choices) return;
    if (!old.choices) return this.say(place, 'only some values are accepted');
    const refused = [...old.choices].filter((choice) => !now.choices!.has(choice));
    if (refused.length > 0) this.say(place, `the values ${refused.join(', ')} are refused`);
  }

  private say({ subject, at, isInput }: Place, change: string): void {
    const where = at && `${at}: `;
    const entry = { subject, change: `${isInput ? 'input' : 'output'}: ${where}${change}` };
    const isKnown = this.changes.some((known) => known.subject === subject && known.change === entry.change);
    if (!isKnown) this.changes.push(entry);
  }
}

/** Returns the name of the component that a schema consists of, possibly beside a description. */
function referenceIn({ $ref, allOf }: Json): string | undefined {
  if (typeof $ref === 'string') return $ref.replace(COMPONENT, '');
  const [only, ...others] = (allOf as Json[] | undefined) ?? [];
  return only && others.length === 0 ? referenceIn(only) : undefined;
}

function viewOf(schema: Json, components: Readonly<Record<string, Json>>, depth = 0): View {
  const {
    $ref,
    allOf = [],
    oneOf,
    anyOf,
  } = schema as { $ref?: string } & Record<'allOf' | 'oneOf' | 'anyOf', Json[]>;
  if (depth > 20) return ownView({});
  const partOf = (part: Json) => viewOf(part, components, depth + 1);
  if ($ref) return partOf(components[$ref.replace(COMPONENT, '')] ?? {});
  const all = [ownView(schema), ...allOf.map(partOf)].reduce(intersection);
  const alternatives = oneOf ?? anyOf;
  return alternatives ? intersection(all, unionOf(alternatives.map(partOf))) : all;
}

function ownView(schema: Json): View {
  const {
    type,
    nullable,
    enum: choices,
    properties = {},
    required = [],
    items,
    additionalProperties,
  } = schema as {
    type?: string | string[];
    nullable?: boolean;
    enum?: unknown[];
    properties?: Record<string, Json>;
    required?: string[];
    items?: Json;
    additionalProperties?: unknown;
  };
  const values = choices?.filter((choice) => choice !== null);
  const types = new Set(values?.length === 0 ? [] : [type ?? []].flat());
  if (nullable || (choices && choices.length > values!.length)) types.add('null');
  const limited = [...MINIMA, ...MAXIMA, ...TEXT_LIMITS].filter((name) => schema[name] !== undefined);
  return {
    types,
    choices: values && values.length > 0 ? new Set(values) : undefined,
    properties,
    required: new Set(required),
    isClosed: additionalProperties === false,
    items,
    limits: Object.fromEntries(limited.map((name) => [name, schema[name] as string | number])),
  };
}

function intersection(a: View, b: View): View {
  return {
    types:
      a.types.size && b.types.size ? new Set([...a.types, ...b.types]) : a.types.size ? a.types : b.types,
    choices: a.choices ?? b.choices,
    properties: { ...a.properties, ...b.properties },
    required: new Set([...a.required, ...b.required]),
    isClosed: a.isClosed || b.isClosed,
    items: a.items ?? b.items,
    limits: { ...a.limits, ...b.limits },
  };
}

/** Combines alternatives. `null` is a type, and not an alternative that requires nothing. */
function unionOf(alternatives: readonly View[]): View {
  const isNull = ({ types }: View) => types.size === 1 && types.has('null');
  const others = alternatives.filter((one) => !isNull(one));
  if (others.length === 0) return alternatives[0]!;
  const combined = others.reduce(union);
  const { types } = combined;
  if (others.length < alternatives.length && types.size > 0)
    return { ...combined, types: new Set([...types, 'null']) };
  return ANY.every((type) => types.has(type)) ? { ...combined, types: new Set() } : combined;
}

/** The common part of alternatives: each property that one of them has, and what all of them require. */
function union(a: View, b: View): View {
  return {
    types: a.types.size && b.types.size ? new Set([...a.types, ...b.types]) : new Set(),
    choices: a.choices && b.choices ? new Set([...a.choices, ...b.choices]) : undefined,
    properties: { ...a.properties, ...b.properties },
    required: new Set([...a.required].filter((name) => b.required.has(name))),
    isClosed: a.isClosed && b.isClosed,
    items: a.items ?? b.items,
    limits: {},
  };
}

const allows = (types: ReadonlySet<string>, type: string): boolean =>
  types.has(type) || (type === 'integer' && types.has('number'));

function limitsTightenedBy(old: Limits, now: Limits): string[] {
  const isBelow = (name: string) => Number(now[name]) < Number(old[name] ?? Infinity);
  const isAbove = (name: string) => Number(now[name]) > Number(old[name] ?? -Infinity);
  return [
    ...MAXIMA.filter((name) => name in now && isBelow(name)),
    // A minimum of 0 says only that sizes are not negative.
    ...MINIMA.filter((name) => name in now && isAbove(name) && !(now[name] === 0 && name !== 'minimum')),
    ...TEXT_LIMITS.filter(
      (name) =>
        now[name] !== undefined &&
        now[name] !== old[name] &&
        !FREE_FORMATS.has(now[name]) &&
        !/^int\d+$/.test(String(now[name])),
    ),
  ].map((name) => `is limited by ${name} ${now[name]}`);
}
