import { declareSuite, type Findings } from '../../../../test/doubles/handlebars-suite.js';

const FILES = [
  'basic',
  'blocks',
  'builtins',
  'data',
  'helpers',
  'regressions',
  'security',
  'subexpressions',
  'whitespace_control',
];

describe('The test suite of Handlebars', () => {
  const findings: Findings = { compared: 0, different: [], leftOut: new Map() };
  for (const file of FILES) declareSuite(file, findings);

  it('has the same results, except for what templates of workflows do not have', () => {
    expect(findings.different).toEqual([]);
    expect(findings.compared).toBeGreaterThan(220);
    expect([...findings.leftOut.keys()].sort()).toEqual([
      'data that is no JSON',
      'decorators',
      'functions of the library',
      'helpers for missing ones',
      'helpers that render blocks',
      'messages of errors',
      'options of helpers',
      'options of the compiler',
      'options of the run time',
      'partials',
      'raw blocks',
      'the helper log',
    ]);
  });
});
