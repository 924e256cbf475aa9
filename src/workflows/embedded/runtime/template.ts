import { parseJson, writeEscaped, writeJson } from './json';
import { print, printed } from './print';
import { TextBuilder } from './text-builder';
import { Kind, UNDEFINED, Value } from './value';

/** Template that is rendered part by part. */
@final
export class Template {
  private readonly to: TextBuilder = new TextBuilder();

  /** Appends the text between references. */
  written(text: string): this {
    this.to.append(text);
    return this;
  }

  /** Appends the value of a reference as text. */
  shown(value: Value): this {
    print(value, this.to);
    return this;
  }

  /** Appends the value of a reference within a JSON string. */
  quoted(value: Value): this {
    writeEscaped(value.kind < Kind.List ? printed(value) : writeJson(value), this.to);
    return this;
  }

  /**
   * Appends the value of a reference as a JSON value: texts verbatim, because they must be JSON, and others as their
   * JSON.
   */
  json(value: Value): this {
    this.to.append(value.isText ? value.asText : writeJson(value));
    return this;
  }

  get text(): string {
    return this.to.text;
  }

  /** Parses the rendered JSON. Returns undefined if it is invalid. */
  get value(): Value {
    const value = parseJson(this.to.text);
    return value === null ? UNDEFINED : value;
  }
}
