/** What XML 1.0 cannot hold in any spelling: controls but tab and line breaks, and what is no character. */
const FORBIDDEN = /(?![\t\n\r\x7f-\x9f])\p{Cc}|[\ufffe\uffff]/gu
const SPECIAL = /[&<>"\r]/g
const HAS_ANY = /[&<>"\ufffe\uffff]|(?![\t\n\x7f-\x9f])\p{Cc}/u

/** The text as XML can hold it: without the controls it forbids, which no screen shows, and half a surrogate pair as U+FFFD. */
export function xmlCharacters(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed()
  return HAS_ANY.test(whole) ? whole.replace(FORBIDDEN, '') : whole
}

/** A text of such characters within an element or attribute. */
export function xmlText(text: string): string {
  return HAS_ANY.test(text) ? text.replace(SPECIAL, (character) => references[character] ?? character) : text
}

/** A carriage return as it is would be read as a line feed. */
const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
}
