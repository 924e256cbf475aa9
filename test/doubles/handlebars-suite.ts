import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Dialect, Helper } from '../../src/workflows/language/handlebars/dialect.js';
import { bounded } from '../../src/workflows/language/handlebars/budget.js';
import { SafeText } from '../../src/workflows/language/handlebars/safe-text.js';
import { Scope } from '../../src/workflows/language/handlebars/scope.js';
import { SERVER_DIALECT } from '../../src/workflows/language/server-dialect.js';
import { prepareTemplate } from '../../src/workflows/language/handlebars/template.js';

const require = createRequire(import.meta.url);
/** The test suite of Handlebars, as `kbn-handlebars` has it. */
const FOLDER = 'kbn-handlebars/target/types/packages/kbn-handlebars/src/spec';

/** Ends an expectation that concerns something which templates of workflows do not have. */
class NotApplicable extends Error {
  override name = 'NotApplicable';
}

type Fn = (...args: unknown[]) => unknown;

/** What the expectations of the suite found. */
export interface Findings {
  /** Number of templates whose result was compared. */
  compared: number;
  /** Those with another result. */
  readonly different: { template: string; expected: string; result: string }[];
  /** Number of templates that were left out, by reason. */
  readonly leftOut: Map<string, number>;
}

/** Text that the helpers of the suite return to be written without being escaped. */
class SafeString {
  constructor(private readonly text: unknown) {}

  toString(): string {
    return String(this.text);
  }

  toHTML(): string {
    return this.toString();
  }
}

/** Declares the tests of a file of the suite with `describe` and `it`. */
export function declareSuite(file: string, findings: Findings): void {
  const source = readFileSync(require.resolve(`${FOLDER}/index.${file}.test.js`), 'utf8');
  /** Whether a template of the current test was left out. What the test then expects besides is not applicable. */
  let isPartial = false;
  const note = (reason: string): void => {
    isPartial = true;
    findings.leftOut.set(reason, (findings.leftOut.get(reason) ?? 0) + 1);
  };
  const leaveOut = (reason: string): never => {
    note(reason);
    throw new NotApplicable(reason);
  };
  const applicable = (test: () => void): void => {
    isPartial = false;
    try {
      test();
    } catch (error) {
      if (!(error instanceof NotApplicable || isPartial)) throw error;
    }
  };
  const expectTemplate = (template: string) => new Bench(template, findings, { note, leaveOut });
  const library = (known: object) =>
    new Proxy(known, {
      get: (_, name) => Reflect.get(known, name) ?? leaveOut('functions of the library'),
      set: () => leaveOut('functions of the library'),
    });
  const modules: Readonly<Record<string, unknown>> = {
    tslib: { __importDefault: (module: unknown) => ({ default: module }) },
    '../..': library({ SafeString, escapeExpression: (text: unknown) => text }),
    '../__jest__/test_bench': { expectTemplate, forEachCompileFunctionName: () => undefined },
  };
  const declared = {
    describe,
    it: Object.assign((name: string, test: () => void) => it(name, () => applicable(test)), {
      skip: () => undefined,
    }),
    expect,
    beforeEach: () => undefined,
    afterEach: () => undefined,
    jest: {},
    // Tests replace its methods.
    console: {},
  };
  // The file is one of CommonJS, which declares its tests when it runs.
  // eslint-disable-next-line @typescript-eslint/no-implied-eval
  const run = new Function(
    'require',
    'exports',
    'global',
    'kbnHandlebarsEnv',
    ...Object.keys(declared),
    source,
  );
  run((name: string) => modules[name], {}, library({}), library({}), ...Object.values(declared));
}

/** Expectation on one template, with the methods that the suite calls. */
class Bench {
  private input: unknown = {};
  private readonly helpers = new Map<string, Fn>();
  private reason?: string;

  constructor(
    private readonly template: string,
    private readonly findings: Findings,
    private readonly is: { note(reason: string): void; leaveOut(reason: string): never },
  ) {}

  withInput(input: unknown): this {
    this.input = input;
    return this;
  }

  withHelper(name: string, helper: Fn | undefined): this {
    if (helper) this.helpers.set(name, helper);
    return this;
  }

  withHelpers(helpers: Readonly<Record<string, Fn | undefined>>): this {
    for (const [name, helper] of Object.entries(helpers)) if (helper) this.helpers.set(name, helper);
    return this;
  }

  withPartial(): this {
    return this.without('partials');
  }

  withPartials(): this {
    return this.without('partials');
  }

  withDecorator(): this {
    return this.without('decorators');
  }

  withDecorators(): this {
    return this.without('decorators');
  }

  withCompileOptions(options?: object): this {
    return options && Object.keys(options).length > 0 ? this.without('options of the compiler') : this;
  }

  withRuntimeOptions(): this {
    return this.without('options of the run time');
  }

  toCompileTo(expected: string): void {
    if (this.reason ?? this.inapplicable) return void this.skip();
    const dialect: Dialect = {
      helpers: new Map([
        ['lookup', SERVER_DIALECT.helpers.get('lookup')!],
        ...[...this.helpers].map(([name, helper]) => [name, this.adapted(helper)] as const),
      ]),
      bare: new Set(this.helpers.keys()),
    };
    const { template, findings } = this;
    const result = this.rendered(dialect);
    findings.compared++;
    if (result !== expected) findings.different.push({ template, expected, result });
  }

  private rendered(dialect: Dialect): string {
    try {
      return bounded(prepareTemplate(this.template, dialect).render, Scope.root(this.input));
    } catch (error) {
      if (error instanceof NotApplicable) throw error;
      return String(error);
    }
  }

  /** Errors have other messages, and missing helpers are errors as well. */
  toThrow(): void {
    this.skip('messages of errors');
  }

  private without(reason: string): this {
    this.reason ??= reason;
    return this;
  }

  private skip(reason = this.reason ?? this.inapplicable!): void {
    this.is.note(reason);
  }

  private get inapplicable(): string | undefined {
    if (!isPlain(this.input)) return 'data that is no JSON';
    if (/\{\{~?#?>/.test(this.template)) return 'partials';
    if (/\{\{~?#?\*/.test(this.template)) return 'decorators';
    if (this.template.includes('{{{{')) return 'raw blocks';
    if (/\{\{~?#?log\b/.test(this.template)) return 'the helper log';
    if (this.helpers.has('helperMissing') || this.helpers.has('blockHelperMissing'))
      return 'helpers for missing ones';
    return undefined;
  }

  /** Calls a helper as the library does. Blocks of workflows depend on a value only, so a helper has no body to call. */
  private adapted(helper: Fn): Helper {
    return (args, { hash, scope }) => {
      const noBody = () => this.is.leaveOut('helpers that render blocks');
      const body = new Proxy(noBody, { get: noBody });
      const options = new Proxy(
        { hash: Object.fromEntries(hash), fn: body, inverse: body },
        { get: (known, name) => Reflect.get(known, name) ?? this.is.leaveOut('options of helpers') },
      );
      const result = helper.call(scope.context, ...args, options);
      return result instanceof SafeString ? new SafeText(result.toString()) : result;
    };
  }
}

/** Returns whether a value can be part of a payload. */
function isPlain(value: unknown, seen = new Set()): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'function';
  if (seen.has(value)) return true;
  seen.add(value);
  const prototype: unknown = Object.getPrototypeOf(value);
  const isContainer = Array.isArray(value) || prototype === Object.prototype || prototype === null;
  return isContainer && Object.values(value).every((member) => isPlain(member, seen));
}
