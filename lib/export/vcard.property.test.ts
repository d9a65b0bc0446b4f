import fc from 'fast-check'
import ICAL from 'ical.js'
import { describe, expect, test } from 'vitest'
import { toE164 } from '@/lib/contacts/phone'
import { exportedLead } from '@/lib/export/testing/arbitrary-leads'
import { WORDS } from '@/lib/export/testing/words'
import { contactDetails, type ExportedLead } from './export-cells'
import { vcard } from './vcard'

const UID = '0b8f1c5e-1c5e-8b8f-8c5e-0b8f1c5e0b8f'
const context = { words: WORDS, uid: () => UID }
const cards = (leads: ExportedLead[]) => leads.map((lead) => vcard(lead, context)).join('')

/** As a card can hold it: without controls, and line breaks all alike. */
function plain(text: string | null): string {
  return (text ?? '')
    .replace(/(?![\t\n\r\x80-\x9f])\p{Cc}/gu, '')
    .trim()
    .toWellFormed()
    .replace(/\r\n|\r/g, '\n')
}

/** This reader may leave the escape of the one character that parts a name as it is. */
function withoutSemicolonEscapes(parts: unknown): unknown {
  return Array.isArray(parts) ? parts.map((part) => String(part).replaceAll(String.raw`\;`, ';')) : parts
}

describe('a vCard file', () => {
  test('is read as one card for each lead, with name, e-mail and phone as on screen', () => {
    fc.assert(
      fc.property(fc.array(exportedLead, { minLength: 1, maxLength: 4 }), (leads) => {
        const parsed: unknown = ICAL.parse(cards(leads))
        const read = (leads.length === 1 ? [parsed] : parsed) as [string, [string, object, string, unknown][]][]
        expect(read).toHaveLength(leads.length)
        for (const [index, { lead }] of leads.entries()) {
          const [kind, properties] = read[index] ?? []
          const value = (name: string) => properties?.find(([property]) => property === name)?.[3]
          const { email, phone } = contactDetails(lead)
          expect(kind).toBe('vcard')
          expect(value('version')).toBe('4.0')
          expect(value('uid')).toBe(`urn:uuid:${UID}`)
          expect(value('email') ?? '').toBe(plain(email))
          const number = phone === null ? null : toE164(phone)
          expect(value('tel') ?? '').toBe(number === null ? plain(phone) : `tel:${number}`)
          const names = 'user' in lead ? [plain(lead.user.lastName), plain(lead.user.firstName)] : ['', '']
          expect(withoutSemicolonEscapes(value('n'))).toEqual(withoutSemicolonEscapes([...names, '', '', '']))
          expect(value('fn')).not.toBe('')
        }
      }),
      { numRuns: 300 },
    )
  })

  test('has no line over 75 octets, and no character broken in two', () => {
    fc.assert(
      fc.property(exportedLead, (lead) => {
        for (const line of vcard(lead, context).split('\r\n')) {
          const bytes = new TextEncoder().encode(line)
          expect(bytes.length).toBeLessThanOrEqual(75)
          expect(new TextDecoder('utf-8', { fatal: true }).decode(bytes)).toBe(line)
        }
      }),
      { numRuns: 300 },
    )
  })
})
