import { numberOfDecimal } from './decimal';
import { isShort } from './memory';
import { textOfNumber } from './number';
import { TextBuilder } from './text-builder';
import { decodeUtf8 } from './utf8';
import { FALSE, Kind, NULL, TRUE, Value } from './value';

/** Maximum nesting depth of external JSON. */
const DEEPEST_JSON: i32 = 128;

/** Parses a JSON text. Returns null if it is invalid or nested too deep. */
export function parseJson(text: string): Value | null {
  return new JsonReader(text, DEEPEST_JSON).read();
}

/** Parses JSON in UTF-8 bytes. */
export function parseJsonBytes(start: usize, length: i32): Value | null {
  return parseJson(decodeUtf8(start, length));
}

/** Like `parseJsonBytes`, for JSON written by the platform or the module itself, which can have any depth. */
export function parseOwnJson(start: usize, length: i32): Value | null {
  return new JsonReader(decodeUtf8(start, length), i32.MAX_VALUE).read();
}

@final
class JsonReader {
  private at: i32 = 0;
  private valid: bool = true;

  constructor(
    private readonly text: string,
    private readonly deepest: i32,
  ) {}

  /** Open lists and objects are kept in an array instead of on the stack. */
  read(): Value | null {
    const open: Array<Value> = [];
    const keys: Array<string> = [];
    while (true) {
      let value = this.start();
      if (value === null || isShort()) return null;
      if (value.kind >= Kind.List && open.length == this.deepest) return null;
      if (value.kind >= Kind.List && !this.closes(value)) {
        open.push(value);
        if (value.kind == Kind.Object) keys.push(this.key());
        if (!this.valid) return null;
        continue;
      }
      while (true) {
        if (open.length == 0) return this.next() == -1 ? value : null;
        const parent = open[open.length - 1];
        if (parent.kind == Kind.List) parent.items.push(value);
        else parent.set(keys.pop(), value);
        if (this.closes(parent)) {
          value = open.pop();
          continue;
        }
        if (!this.accept(0x2c)) return null;
        if (parent.kind == Kind.Object) keys.push(this.key());
        if (!this.valid) return null;
        break;
      }
    }
  }

  /** Reads a scalar, or only the opening bracket of a list or object. */
  private start(): Value | null {
    const code = this.next();
    if (code == 0x22) {
      const text = this.string();
      return this.valid ? Value.text(text) : null;
    }
    if (code == 0x7b || code == 0x5b) {
      this.at++;
      return code == 0x7b ? Value.object() : Value.list();
    }
    if (code == 0x2d || isDigit(code)) return this.number();
    if (this.word('true')) return TRUE;
    if (this.word('false')) return FALSE;
    return this.word('null') ? NULL : null;
  }

  private word(word: string): bool {
    for (let i = 0; i < word.length; i++) {
      if (this.codeAt(this.at + i) != word.charCodeAt(i)) return false;
    }
    this.at += word.length;
    return true;
  }

  private closes(container: Value): bool {
    return this.accept(container.kind == Kind.List ? 0x5d : 0x7d);
  }

  private accept(code: i32): bool {
    if (this.next() != code) return false;
    this.at++;
    return true;
  }

  /** Skips white space. Returns the next character, or -1 at the end. */
  private next(): i32 {
    let code = this.codeAt(this.at);
    while (code == 0x20 || code == 0x0a || code == 0x0d || code == 0x09) code = this.codeAt(++this.at);
    return code;
  }

  private codeAt(index: i32): i32 {
    return index < this.text.length ? this.text.charCodeAt(index) : -1;
  }

  /** Reads a key and its colon. */
  private key(): string {
    if (this.next() != 0x22) {
      this.valid = false;
      return '';
    }
    const key = this.string();
    if (this.valid) this.valid = this.accept(0x3a);
    return key;
  }

  private string(): string {
    let from = ++this.at;
    let built: TextBuilder | null = null;
    while (true) {
      const code = this.codeAt(this.at);
      if (code == 0x22) {
        const end = this.at++;
        return built === null ? this.text.substring(from, end) : built.appendPart(this.text, from, end).text;
      }
      if (code < 0x20) break;
      if (code != 0x5c) {
        this.at++;
        continue;
      }
      const builder: TextBuilder = built === null ? new TextBuilder() : built;
      built = builder;
      builder.appendPart(this.text, from, this.at);
      const escaped = this.escape();
      if (escaped < 0) break;
      builder.unit(escaped);
      from = this.at;
    }
    this.valid = false;
    return '';
  }

  /** Returns the UTF-16 code unit of an escape, or -1 if it is invalid. */
  private escape(): i32 {
    const code = this.codeAt(this.at + 1);
    this.at += 2;
    switch (code) {
      case 0x22:
      case 0x5c:
      case 0x2f:
        return code;
      case 0x62:
        return 0x08;
      case 0x66:
        return 0x0c;
      case 0x6e:
        return 0x0a;
      case 0x72:
        return 0x0d;
      case 0x74:
        return 0x09;
      case 0x75:
        break;
      default:
        return -1;
    }
    let unit = 0;
    for (let i = 0; i < 4; i++) {
      const digit = hexDigit(this.codeAt(this.at++));
      if (digit < 0) return -1;
      unit = (unit << 4) | digit;
    }
    return unit;
  }

  private number(): Value | null {
    const from = this.at;
    if (this.codeAt(this.at) == 0x2d) this.at++;
    if (this.codeAt(this.at) == 0x30) this.at++;
    else if (!this.digits()) return null;
    if (this.codeAt(this.at) == 0x2e) {
      this.at++;
      if (!this.digits()) return null;
    }
    if ((this.codeAt(this.at) | 0x20) == 0x65) {
      this.at++;
      const sign = this.codeAt(this.at);
      if (sign == 0x2b || sign == 0x2d) this.at++;
      if (!this.digits()) return null;
    }
    return Value.number(numberOfDecimal(this.text, from, this.at));
  }

  private digits(): bool {
    const from = this.at;
    while (isDigit(this.codeAt(this.at))) this.at++;
    return this.at > from;
  }
}

function isDigit(code: i32): bool {
  return code >= 0x30 && code <= 0x39;
}

function hexDigit(code: i32): i32 {
  if (isDigit(code)) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

/** List or object being written. */
@final
class Written {
  index: i32 = 0;
  isEmpty: bool = true;
  readonly keys: Array<string>;
  readonly values: Array<Value>;

  constructor(
    readonly isList: bool,
    value: Value,
  ) {
    this.keys = isList ? [] : value.members.keys();
    this.values = isList ? value.items : value.members.values();
  }
}

/**
 * Returns the JSON of a value, as `JSON.stringify` does: omits undefined properties, writes null for undefined items
 * and non-finite numbers, and escapes lone surrogates. Returns `null` for undefined itself.
 */
export function writeJson(value: Value): string {
  const to = new TextBuilder();
  const open: Array<Written> = [];
  if (value.kind < Kind.List) writeScalar(value, to);
  else open.push(opened(value, to));
  while (open.length > 0) {
    const written = open[open.length - 1];
    if (!written.isList) {
      while (written.index < written.values.length && written.values[written.index].isUndefined) {
        written.index++;
      }
    }
    if (written.index == written.values.length) {
      open.pop();
      to.unit(written.isList ? 0x5d : 0x7d);
      continue;
    }
    if (!written.isEmpty) to.unit(0x2c);
    written.isEmpty = false;
    const index = written.index++;
    if (!written.isList) {
      writeQuoted(written.keys[index], to);
      to.unit(0x3a);
    }
    const item = written.values[index];
    if (item.kind < Kind.List) writeScalar(item, to);
    else open.push(opened(item, to));
  }
  return to.text;
}

function opened(value: Value, to: TextBuilder): Written {
  to.unit(value.kind == Kind.List ? 0x5b : 0x7b);
  return new Written(value.kind == Kind.List, value);
}

function writeScalar(value: Value, to: TextBuilder): void {
  if (value.kind == Kind.Text) writeQuoted(value.asText, to);
  else if (value.kind == Kind.Boolean) to.append(value.asNumber != 0 ? 'true' : 'false');
  else if (value.kind == Kind.Number && isFinite(value.asNumber)) to.append(textOfNumber(value.asNumber));
  else to.append('null');
}

function writeQuoted(text: string, to: TextBuilder): void {
  to.unit(0x22);
  writeEscaped(text, to);
  to.unit(0x22);
}

/** Writes the contents of a JSON string without the quotes. */
export function writeEscaped(text: string, to: TextBuilder): void {
  let from = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 0x20 && code != 0x22 && code != 0x5c && (code & 0xf800) != 0xd800) continue;
    if ((code & 0xfc00) == 0xd800 && i + 1 < text.length && (text.charCodeAt(i + 1) & 0xfc00) == 0xdc00) {
      i++;
      continue;
    }
    to.appendPart(text, from, i).unit(0x5c);
    from = i + 1;
    const short = shortEscape(code);
    to.unit(short);
    if (short != 0x75) continue;
    for (let shift = 12; shift >= 0; shift -= 4) {
      const digit = (code >> shift) & 15;
      to.unit(digit < 10 ? 0x30 + digit : 0x57 + digit);
    }
  }
  to.appendPart(text, from, text.length);
}

/** Returns the character after the backslash; `u` if four digits follow. */
function shortEscape(code: i32): i32 {
  switch (code) {
    case 0x22:
    case 0x5c:
      return code;
    case 0x08:
      return 0x62;
    case 0x09:
      return 0x74;
    case 0x0a:
      return 0x6e;
    case 0x0c:
      return 0x66;
    case 0x0d:
      return 0x72;
    default:
      return 0x75;
  }
}
