/** Text that is written without being escaped. */
export class SafeText {
  constructor(readonly text: string) {}
}

/** Safe text that was counted as written when it was rendered. */
export class RenderedText extends SafeText {}

const SPECIAL = /[&<>"'`=]/;
const SPECIALS = /[&<>"'`=]/g;
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#x27;',
  '`': '&#x60;',
  '=': '&#x3D;',
};

/** Escapes a text for HTML, also for attributes without quotes. */
export const escaped = (text: string): string =>
  SPECIAL.test(text) ? text.replace(SPECIALS, (character) => ENTITIES[character]!) : text;
