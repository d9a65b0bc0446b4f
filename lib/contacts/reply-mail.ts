import type { MailWay } from '@/lib/contract/limits'
import { toOneLine } from '@/lib/inbox/lead-text'

const ADDRESS = /^[^\s@<>(),;:"[\]\\\p{C}]{1,64}@[^\s@<>(),;:"[\]\\\p{C}]{1,190}$/u

export function isMailAddress(value: string): boolean {
  return ADDRESS.test(value) && !isRoutedAddress(value)
}

/** Tells whether an address may lead elsewhere, such as `elsa%other.example@relay.example` (RFC 5321, 3.6.1). */
export function isRoutedAddress(value: string): boolean {
  return /[%!]|@.*@/su.test(value)
}

/** Windows and Outlook cut links of 2 048 characters and more; the rest is for what they add. */
export const LINK_SAFE_LENGTH = 1_900

const SUBJECT_FIELDS = { program: 'subject', outlook: 'subject', gmail: 'su' }
const COMPOSE_PAGES = {
  outlook: 'https://outlook.office.com/mail/deeplink/compose?',
  gmail: 'https://mail.google.com/mail/?view=cm&fs=1&',
}

type Mail = { to: string; subject: string; body?: string }

/** Creates a link that opens a mail (RFC 6068); line breaks of the body are CRLF. */
export function createMailLink(way: Exclude<MailWay, 'intag'>, { to, subject, body = '' }: Mail): string {
  const fields = [`${SUBJECT_FIELDS[way]}=${encode(toOneLine(subject))}`]
  if (body !== '') fields.push(`body=${encode(body.replace(/\r\n|\r|\n/g, '\r\n'))}`)
  const recipient = encode(to.trim())
  if (way !== 'program') return COMPOSE_PAGES[way] + [`to=${recipient}`, ...fields].join('&')
  // The local part of an address may have at signs of its own, in quotes.
  const address = recipient.replace(/%40(?!.*%40)/, '@')
  return `mailto:${address}?${fields.join('&')}`
}

/** Encodes apostrophes, too, because a program that quotes the address would end it there. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll("'", '%27')
}
