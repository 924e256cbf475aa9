import { languageFaults } from './plain-language.js';

/** Comments that address a tool and not a reader. */
const DIRECTIVE = /^\s*(eslint|prettier-|@ts-|global |#)/;

/** Consecutive lines of `//` without code form one text; every other comment stands alone. */
function textsOf(sourceCode) {
  const texts = [];
  const isAfterCode = ({ line, column }) => sourceCode.lines[line - 1].slice(0, column).trim() !== '';
  for (const comment of sourceCode.getAllComments()) {
    const { type, value, loc } = comment;
    if (DIRECTIVE.test(value)) continue;
    const previous = texts.at(-1);
    const continues =
      type === 'Line' &&
      previous?.last.type === 'Line' &&
      previous.last.loc.end.line === loc.start.line - 1 &&
      !isAfterCode(loc.start);
    const text = value.replace(/^\s*\* ?/gm, '');
    if (continues) Object.assign(previous, { last: comment, text: `${previous.text}\n${text}` });
    else texts.push({ first: comment, last: comment, text });
  }
  return texts;
}

/** ESLint rule: comments contain no refused phrase and no sentence that is too long. */
export const plainComments = {
  meta: { type: 'suggestion', schema: [], messages: { unclear: '{{fault}} (docs/style.md)' } },
  create: ({ sourceCode, report }) => ({
    Program() {
      for (const { first, last, text } of textsOf(sourceCode)) {
        const loc = { start: first.loc.start, end: last.loc.end };
        for (const fault of languageFaults(text)) report({ loc, messageId: 'unclear', data: { fault } });
      }
    },
  }),
};
