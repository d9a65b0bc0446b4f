import type { MailWay } from '@/lib/contract/lists'
import { oneLine } from '@/lib/inbox/lead-text'

export const REQUIRED_PLACEHOLDERS = ['sender', 'programme'] as const
export const PLACEHOLDERS = ['firstName', 'school', ...REQUIRED_PLACEHOLDERS] as const
type TemplateValues = Partial<Record<(typeof PLACEHOLDERS)[number], string | null>>

const KNOWN_PLACEHOLDERS = new RegExp(`([^\\S\\n]*)\\{(${PLACEHOLDERS.join('|')})\\}`, 'g')

/** Fills in the known values. An unknown name goes with the blanks before it; any other stays and prevents sending. */
export function fillTemplate(text: string, values: TemplateValues): string {
  const filled = text.replace(KNOWN_PLACEHOLDERS, (match, blanks: string, name: keyof TemplateValues) => {
    const value = oneLine(values[name] ?? '')
    if (value !== '') return blanks + value
    return name === 'firstName' || name === 'school' ? '' : match
  })
  return filled.replace(/^[^\S\n]+$/gm, '')
}

export const PLACEHOLDER = /\{([^{}\n]{1,40})\}/

export function unknownPlaceholders(text: string): string[] {
  const known: readonly string[] = PLACEHOLDERS
  const found = [...text.matchAll(new RegExp(PLACEHOLDER, 'g'))].map(([, name = '']) => name)
  return [...new Set(found)].filter((name) => !known.includes(name)).map((name) => `{${name}}`)
}

const ADDRESS = /^[^\s@<>(),;:"[\]\\\p{C}]{1,64}@[^\s@<>(),;:"[\]\\\p{C}]{1,190}$/u

export function isMailAddress(value: string): boolean {
  return ADDRESS.test(value) && !isRoutedAddress(value)
}

/** Tells whether an address may lead elsewhere, such as `elsa%other.example@relay.example` (RFC 5321, 3.6.1). */
export function isRoutedAddress(value: string): boolean {
  return /[%!]|@.*@/su.test(value)
}

/** Windows and Outlook cut addresses of 2 048 characters and more. */
export const LINK_SAFE_LENGTH = 1_900

const SUBJECT_FIELDS = { program: 'subject', outlook: 'subject', gmail: 'su' }
const COMPOSE_PAGES = {
  outlook: 'https://outlook.office.com/mail/deeplink/compose?',
  gmail: 'https://mail.google.com/mail/?view=cm&fs=1&',
}

type Mail = { to: string; subject?: string; body?: string }

/** Creates a link that opens a mail (RFC 6068); line breaks of the body are CRLF. */
export function createMailLink(way: Exclude<MailWay, 'intag'>, { to, subject = '', body = '' }: Mail): string {
  const fields: string[] = []
  if (subject !== '') fields.push(`${SUBJECT_FIELDS[way]}=${encode(oneLine(subject))}`)
  if (body !== '') fields.push(`body=${encode(body.replace(/\r\n|\r|\n/g, '\r\n'))}`)
  const recipient = encode(to.trim())
  if (way !== 'program') return COMPOSE_PAGES[way] + [`to=${recipient}`, ...fields].join('&')
  // The local part of an address may have at signs of its own, in quotes.
  const address = recipient.replace(/%40(?!.*%40)/, '@')
  return `mailto:${address}${fields.length === 0 ? '' : `?${fields.join('&')}`}`
}

/** Encodes apostrophes, too, because a program that quotes the address would end it there. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll("'", '%27')
}
