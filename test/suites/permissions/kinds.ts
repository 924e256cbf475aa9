import { tokenOf } from '../../make/make.js';
import { EVERYWHERE, standing, type Kind } from './callers.js';
import { DEVICES } from './devices.js';
import { MEMBERS, OTHERS, REFUSED } from './people.js';
import { BELONGING, TOKENS } from './tokens.js';

/** Every kind of caller, except those that differ only in scopes. */
export const KINDS: readonly Kind[] = [
  ...REFUSED,
  ...MEMBERS,
  ...OTHERS,
  ...TOKENS,
  ...BELONGING,
  ...DEVICES,
];

/** A caller with every role and one scope. */
export const scoped = (scope: string): Kind => ({
  name: `the scope ${JSON.stringify(scope)}`,
  standing: standing({ scopes: [scope], roles: EVERYWHERE }),
  make: ({ test, owner }) =>
    Promise.resolve({ token: tokenOf(test, owner.id, [scope]), user: owner, samples: {} }),
});
