import fc from 'fast-check';
import { applyPatch, type ChangeableProperties } from './event.rules.js';
import { EVENT_LEVELS, EVENT_STATES } from './event.schemas.js';
import { groupsOf } from './event-lines.js';

const SOURCE = { sourceType: 'user', sourceId: 'a'.repeat(24) } as const;
const tags = fc.dictionary(fc.constantFrom('a', 'b', '__proto__x'), fc.constantFrom('1', '2'));
const event: fc.Arbitrary<ChangeableProperties> = fc.record({
  state: fc.constantFrom(...EVENT_STATES),
  level: fc.constantFrom(...EVENT_LEVELS),
  subject: fc.constantFrom('x', 'y'),
  eventTags: tags,
  disableTagChangeTracking: fc.boolean(),
  deviceId: fc.constantFrom(null, 'd1', 'd2'),
  deviceName: fc.constant(null),
});
const patch = fc.record(
  {
    state: fc.constantFrom(...EVENT_STATES),
    level: fc.constantFrom(...EVENT_LEVELS),
    subject: fc.constantFrom('x', 'y'),
    eventTags: tags,
    deviceId: fc.constantFrom(null, 'd1', 'd2'),
    comment: fc.string(),
  },
  { requiredKeys: [] },
);

describe('applyPatch', () => {
  it('applies the patch, and the update contains exactly the changed properties', () => {
    fc.assert(
      fc.property(event, patch, (stored, change) => {
        const before = structuredClone(stored);
        const { event: current, update } = applyPatch(stored, change, SOURCE, new Date(0));
        expect(stored).toEqual(before);
        const { comment, ...asked } = change;
        expect(current).toEqual({ ...stored, ...asked });
        expect(update).toMatchObject({ ...SOURCE, creationDate: '1970-01-01T00:00:00.000Z' });
        expect(update.comment).toBe(comment);
        for (const name of ['state', 'level', 'subject'] as const)
          expect(update[`${name}Change`]).toEqual(
            stored[name] === current[name] ? undefined : { old: stored[name], new: current[name] },
          );
        const told = new Map(Object.entries(stored.eventTags));
        for (const [key, { old, new: value }] of Object.entries(update.tagsChange ?? {})) {
          expect(told.get(key)).toBe(old);
          if (value === undefined) told.delete(key);
          else told.set(key, value);
        }
        const expected = stored.disableTagChangeTracking ? stored.eventTags : current.eventTags;
        expect(Object.fromEntries(told)).toEqual(expected);
        expect(update.deviceIdChange === undefined).toBe(stored.deviceId === current.deviceId);
      }),
    );
  });
});

describe('groupsOf', () => {
  it('limits the number of updates per group', () => {
    const counts = fc.array(fc.record({ updateCount: fc.nat(150) }));
    fc.assert(
      fc.property(counts, (events) => {
        const groups = groupsOf(events);
        expect(groups.flat()).toEqual(events);
        for (const group of groups) {
          const sum = group.reduce((all, { updateCount }) => all + Math.min(updateCount, 100), 0);
          expect(sum).toBeLessThanOrEqual(100);
        }
      }),
    );
  });
});
