import { parseJson, writeEscaped, writeJson } from './json';
import { print, printed } from './print';
import { TextBuilder } from './text-builder';
import { Kind, UNDEFINED, Value } from './value';

/** A template that is being filled, part after part. */
@final
export class Template {
  private readonly to: TextBuilder = new TextBuilder();

  /** What stands between references. */
  written(text: string): this {
    this.to.append(text);
    return this;
  }

  /** What a reference leads to, in a text. */
  shown(value: Value): this {
    print(value, this.to);
    return this;
  }

  /** What a reference leads to, within a string of JSON. */
  quoted(value: Value): this {
    writeEscaped(value.kind < Kind.List ? printed(value) : writeJson(value), this.to);
    return this;
  }

  /** What a reference leads to, where JSON has a value: JSON of all but a text, which must be JSON itself. */
  json(value: Value): this {
    this.to.append(value.isText ? value.asText : writeJson(value));
    return this;
  }

  get text(): string {
    return this.to.text;
  }

  /** The JSON that the template has become; undefined where it is none. */
  get value(): Value {
    const value = parseJson(this.to.text);
    return value === null ? UNDEFINED : value;
  }
}
