type TemplateValues = { firstName: string | null; school: string | null }

export const PLACEHOLDERS = ['firstName', 'school'] as const satisfies readonly (keyof TemplateValues)[]

const KNOWN = /([^\S\n]*)\{(firstName|school)\}/g

/** An unknown value goes with the blanks before it ("Hej {firstName}!" becomes "Hej!"); other braces stay. */
export function fillTemplate(text: string, values: TemplateValues): string {
  const filled = text.replace(KNOWN, (_match, blanks: string, name: string) => {
    const value = oneLine(name === 'firstName' ? values.firstName : values.school)
    return value === '' ? '' : blanks + value
  })
  return filled.replace(/^[^\S\n]+$/gm, '')
}

/** A line break must not begin a new header. */
function oneLine(value: string | null): string {
  return (value ?? '').replace(/\s+/gu, ' ').trim()
}

export const PLACEHOLDER = /\{([^{}\n]{1,40})\}/

export function unknownPlaceholders(text: string): string[] {
  const known: readonly string[] = PLACEHOLDERS
  const found = [...text.matchAll(new RegExp(PLACEHOLDER, 'g'))].map(([, name = '']) => name)
  return [...new Set(found)].filter((name) => !known.includes(name)).map((name) => `{${name}}`)
}

const ADDRESS = /^[^\s@<>(),;:"[\]\\\p{C}]{1,64}@[^\s@<>(),;:"[\]\\\p{C}]{1,190}$/u

/** One address: nothing that reads as a second one, a command, or a route. */
export function isMailAddress(value: string): boolean {
  return ADDRESS.test(value) && !isRoutedAddress(value)
}

/** May lead elsewhere (`elsa%other.example@relay.example`, `other.example!elsa@relay.example`; RFC 5321, 3.6.1). */
export function isRoutedAddress(value: string): boolean {
  return /[%!]|@.*@/su.test(value)
}

/** Outlook and Windows cut longer addresses (2 083 characters). */
export const MAILTO_SAFE_LENGTH = 1_900

/** RFC 6068: all percent-encoded but the last at sign, line breaks as CRLF, half a surrogate pair as U+FFFD. */
export function mailtoUrl({ to, subject = '', body = '' }: { to: string; subject?: string; body?: string }): string {
  const fields = [
    ...(subject === '' ? [] : [`subject=${encoded(subject.replace(/\s+/gu, ' ').trim())}`]),
    ...(body === '' ? [] : [`body=${encoded(body.replace(/\r\n|\r|\n/g, '\r\n'))}`]),
  ]
  return `mailto:${address(to.trim())}${fields.length === 0 ? '' : `?${fields.join('&')}`}`
}

/** The local part may have others, in quotes. */
function address(to: string): string {
  const at = to.lastIndexOf('@')
  return at === -1 ? encoded(to) : `${encoded(to.slice(0, at))}@${encoded(to.slice(at + 1))}`
}

/** A program that quotes the address would end it at an apostrophe. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll("'", '%27')
}
