/** Matches all but printable ASCII, and the grave accent, which some type for an apostrophe. */
export const NOT_PLAIN = /[^ -_a-~]/

/** Writes compatible characters as one (NFKC), signs and digits as in ASCII, and no invisible characters. */
export function toPlainCharacters(text: string): string {
  return NOT_PLAIN.test(text) ? decompose(text).normalize('NFC') : text
}

/** Composes letters (NFC) for files and mails, because some readers show decomposed ones as "A˚sa". */
export function composeLetters(text: string): string {
  return NOT_PLAIN.test(text) ? limitMarks(text).normalize('NFC') : text
}

const MAX_MARKS = 30
/** The two half-width characters become marks when decomposed. */
const TOO_MANY_MARKS = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu

/** Limits marks to thirty in a row (UAX #15, "Stream-Safe Text Format"), because normalising takes quadratic time. */
export function limitMarks(text: string): string {
  return text.length > MAX_MARKS ? text.replace(TOO_MANY_MARKS, '$1') : text
}

/** A text without these characters (within Latin-1 and Latin Extended-A) needs normalising only, at half the cost. */
const HAS_LOOKALIKES = /[^\t\n\r -_a-~\u00a0-\u00ac\u00ae-\u00b3\u00b5-\u0148\u014a-\u017f]/
export const INVISIBLE_CHARACTERS = /(?!\p{White_Space})[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu
const DASHES = /\p{Dash}/gu
const NON_ASCII_DIGITS = /(?!\d)\p{Nd}/gu
/** Matches quotation marks, primes, modifier letters and spacing accents that are read as `'` (UTS #39). */
const APOSTROPHES =
  /[`´\u02b9-\u02bf\u02c8\u02ca\u02cb\u0374\u0384\u055a\u05f3\u07f4\u07f5\u1fbd\u1fbf\u1ffd\u1ffe\u2018-\u201b\u2032\u2035\ua78b\ua78c\uff07]/g

/** Decomposes (NFKD) and replaces lookalikes; apostrophes also before, because NFKD makes spaces of some accents. */
export function decompose(text: string): string {
  if (!HAS_LOOKALIKES.test(text)) return text.normalize('NFKD')
  // Invisible characters are removed first, because they may stand between too many marks.
  return limitMarks(text.replace(INVISIBLE_CHARACTERS, '').replace(APOSTROPHES, "'"))
    .normalize('NFKD')
    .replace(APOSTROPHES, "'")
    .replace(DASHES, '-')
    .replace(NON_ASCII_DIGITS, toAsciiDigit)
}

/** Unicode has the digits of every script in tens from zero on (UAX #44, "Numeric_Type"). */
function toAsciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let value = 0
  while (/\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1
  return String(value % 10)
}
