import { readContactDetails } from '@/lib/contacts/contact-key'
import { isLikePersonalNumber, toE164 } from '@/lib/contacts/phone'
import { composeLetters } from '@/lib/leads/plain-characters'
import { formatClock, toStockholmClock } from '@/lib/time/stockholm'
import { type ExportedLead, type ExportLabels, findUser } from './export-cells'

/** Writes vCard 3.0 (RFC 2426). A lead has the same UUID every time, so that importing it again changes its card. */
export function formatVcard(
  { lead, school }: ExportedLead,
  { labels, createUid }: { labels: ExportLabels; createUid: (leadId: string) => string },
): string {
  const contact = readContactDetails(lead)
  // An address book would offer to call a personal number.
  const isPersonalNumber = contact.phone !== null && isLikePersonalNumber(contact.phone)
  const email = removeControls(contact.email)
  const phone = isPersonalNumber ? '' : removeControls(contact.phone)
  const e164 = toE164(phone)
  const user = findUser(lead)
  const firstName = removeControls(user?.firstName)
  const lastName = removeControls(user?.lastName)
  const ms = Date.parse(lead.createdAt)
  const noteParts = [
    labels.vCard.note,
    school,
    user?.highSchoolEnrollmentYear != null && labels.vCard.formatEnrollmentYear(user.highSchoolEnrollmentYear),
    !Number.isNaN(ms) && formatClock(toStockholmClock(ms)),
    isPersonalNumber && contact.phone,
    'question' in lead && lead.question,
  ].filter(Boolean)
  const lines = [
    'BEGIN:VCARD',
    'VERSION:3.0',
    `UID:urn:uuid:${createUid(lead.id)}`,
    `FN:${escapeText(`${firstName} ${lastName}`.trim() || email || phone || labels.vCard.nameMissing)}`,
    `N:${escapeText(lastName)};${escapeText(firstName)};;;`,
    email && `EMAIL;TYPE=INTERNET:${escapeText(email)}`,
    phone && `TEL;TYPE=${e164?.startsWith('+467') === true ? 'CELL,VOICE' : 'VOICE'}:${e164 ?? escapeText(phone)}`,
    removeControls(school) && `CATEGORIES:${escapeText(school)}`,
    `NOTE:${escapeText(noteParts.join('\n'))}`,
    'END:VCARD',
  ]
  return lines.filter(Boolean).map(foldLine).join('')
}

const CONTROLS = /(?![\t\n\r\x80-\x9f])\p{Cc}/gu

/** Removes the control characters, because no property of a card may hold them (RFC 2426, 4). */
function removeControls(text: string | null | undefined): string {
  return text?.replace(CONTROLS, '').trim() ?? ''
}

function escapeText(text: string): string {
  return composeLetters(text)
    .toWellFormed()
    .replace(/\r\n|\r/g, '\n')
    .replace(CONTROLS, '')
    .replace(/[\\,;]/g, String.raw`\$&`)
    .replaceAll('\n', String.raw`\n`)
}

const encoder = new TextEncoder()
const octets = new Uint8Array(75)

/** Breaks a line into ones of at most 75 octets of UTF-8 (RFC 2426, 2.6), never within a character. */
function foldLine(line: string): string {
  const parts: string[] = []
  for (let start = 0; start < line.length;) {
    // All lines but the first begin with a space.
    const { read } = encoder.encodeInto(line.slice(start), parts.length === 0 ? octets : octets.subarray(1))
    parts.push(line.slice(start, start + read))
    start += read
  }
  return `${parts.join('\r\n ')}\r\n`
}
