export type Mail = { to: string; subject?: string; body?: string }

/** Outlook and Windows cut a longer address off (2 083 characters); others take far more. */
export const MAILTO_SAFE_LENGTH = 2_000

/**
 * A `mailto:` address as RFC 6068 wants it: everything percent-encoded as UTF-8 but the at sign before the domain, line
 * breaks as CRLF. A stray half of a surrogate pair, which cannot be encoded, becomes U+FFFD.
 */
export function mailtoUrl({ to, subject = '', body = '' }: Mail): string {
  const fields = [
    ...(subject === '' ? [] : [`subject=${encoded(subject.replace(/\s+/gu, ' ').trim())}`]),
    ...(body === '' ? [] : [`body=${encoded(body.replace(/\r\n|\r|\n/g, '\r\n'))}`]),
  ]
  return `mailto:${address(to.trim())}${fields.length === 0 ? '' : `?${fields.join('&')}`}`
}

/** What comes before the last at sign may hold others, in quotes. */
function address(to: string): string {
  const at = to.lastIndexOf('@')
  return at === -1 ? encoded(to) : `${encoded(to.slice(0, at))}@${encoded(to.slice(at + 1))}`
}

/** An apostrophe is allowed by the standard, but ends the address where a program puts it in quotes. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll("'", '%27')
}
