/** What a template's placeholders stand for; null or empty where it is not known. */
type TemplateValues = { firstName: string | null; school: string | null }

export const PLACEHOLDERS = ['firstName', 'school'] as const satisfies readonly (keyof TemplateValues)[]

const KNOWN = /([^\S\n]*)\{(firstName|school)\}/g

/**
 * Puts the values in place of `{firstName}` and `{school}`. One that is not known goes with the blanks before it, so that
 * "Hej {firstName}!" becomes "Hej!". Any other braces stay as they are, and so do braces within a value.
 */
export function fillTemplate(text: string, values: TemplateValues): string {
  const filled = text.replace(KNOWN, (_match, blanks: string, name: string) => {
    const value = oneLine(name === 'firstName' ? values.firstName : values.school)
    return value === '' ? '' : blanks + value
  })
  return filled.replace(/^[^\S\n]+$/gm, '')
}

/** A name with a line break in it must not become a new line of the subject. */
function oneLine(value: string | null): string {
  return (value ?? '').replace(/\s+/gu, ' ').trim()
}

/** Anything in braces, as long as a name may be. */
export const PLACEHOLDER = /\{([^{}\n]{1,40})\}/

/** What stands in braces like a placeholder and is none, each once: a slip of the pen that would go out as it stands. */
export function unknownPlaceholders(text: string): string[] {
  const known: readonly string[] = PLACEHOLDERS
  const found = [...text.matchAll(new RegExp(PLACEHOLDER, 'g'))].map(([, name = '']) => name)
  return [...new Set(found)].filter((name) => !known.includes(name)).map((name) => `{${name}}`)
}

const ADDRESS = /^[^\s@<>(),;:"[\]\\\p{C}]{1,64}@[^\s@<>(),;:"[\]\\\p{C}]{1,190}$/u

/**
 * One address, as it may stand in an envelope or a list of recipients: nothing that could be read as a second one, as a command, or
 * as a way on to another server.
 */
export function isMailAddress(value: string): boolean {
  return ADDRESS.test(value) && !isRoutedAddress(value)
}

/**
 * It may lead to somebody else than it names (`elsa%other.example@relay.example`, `other.example!elsa@relay.example`; RFC 5321,
 * 3.6.1), so no mail program is handed it either.
 */
export function isRoutedAddress(value: string): boolean {
  return /[%!]|@.*@/su.test(value)
}

type Mail = { to: string; subject?: string; body?: string }

/** Outlook and Windows cut a longer address off (2 083 characters); others take far more. */
export const MAILTO_SAFE_LENGTH = 1_900

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
