import fc from 'fast-check';
import {
  expressions,
  pathOf,
  paths,
  templates,
  textOf,
  written,
} from '../../../test/suites/embedded/expressions.js';
import { compileExpression, compilePath, compileTemplate, compileValue } from './compile.js';
import { evaluate } from './evaluate.js';

// What the engine compiles has the results of the evaluator, whose results devices have as well.

const leaf = fc.oneof(
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.string(),
  fc.constantFrom('7', ' 1 '),
);
const payloads = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c', '0', 'length', 'a name'), tie('any'), { maxKeys: 4 }),
  ),
})).any;

it('an expression has the value of the evaluator', () => {
  fc.assert(
    fc.property(expressions, payloads, (expression, payload) => {
      expect(compileExpression(written(expression))(payload)).toEqual(evaluate(expression, payload));
    }),
    { numRuns: 2_000 },
  );
});

it('a path reads what the evaluator reads, also as the only reference of a template and of an expression', () => {
  fc.assert(
    fc.property(paths, payloads, (path, payload) => {
      const value = evaluate({ kind: 'reference', path }, payload);
      const reference = path.length === 0 ? '.' : pathOf(path);
      expect(compilePath(reference)(payload)).toBe(value);
      expect(compileValue(`{{${reference}}}`)(payload)).toBe(value);
      expect(compileExpression(`{{${reference}}}`)(payload)).toBe(value);
    }),
    { numRuns: 1_000 },
  );
});

it('a template without escaping has the text of the evaluator', () => {
  fc.assert(
    fc.property(templates, payloads, (template, payload) => {
      const text = textOf(template).replace(/\{\{(.*?)\}\}/g, '{{{$1}}}');
      expect(compileTemplate(text)(payload)).toBe(evaluate({ kind: 'text', template }, payload));
    }),
    { numRuns: 1_000 },
  );
});
