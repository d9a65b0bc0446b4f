/**
 * What a spreadsheet may take for a formula: `= + - @` first, also in full width and behind white space or characters that
 * cannot be seen, and a first tab or line break (OWASP, CSV Injection).
 */
const DANGEROUS = /^(?:[\t\r\n]|[\s\p{Cc}\p{Cf}"']*[=+\-@\uff1d\uff0b\uff0d\uff20\ufe62\ufe63\ufe66\ufe6b\u2212])/u

/** The text with an apostrophe before it if a spreadsheet could take it for a formula; any other text is left alone. */
export function harmless(text: string): string {
  return DANGEROUS.test(text) ? `'${text}` : text
}
