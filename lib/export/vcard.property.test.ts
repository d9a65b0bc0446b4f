import fc from 'fast-check'
import ICAL from 'ical.js'
import { describe, expect, test } from 'vitest'
import { readContactDetails } from '@/lib/contacts/contact-key'
import { isLikePersonalNumber, toE164 } from '@/lib/contacts/phone'
import { exportedLead } from '@/lib/export/testing/arbitrary-leads'
import { WORDS } from '@/lib/export/testing/words'
import { declaration } from '@/lib/leads/testing/leads'
import { formatVcard } from './vcard'

const UID = '0b8f1c5e-1c5e-8b8f-8c5e-0b8f1c5e0b8f'
const context = { labels: WORDS, createUid: () => UID }

/** As a card can hold it: without controls, and line breaks all alike. */
function plain(text: string | null): string {
  return (text ?? '')
    .replace(/(?![\t\n\r\x80-\x9f])\p{Cc}/gu, '')
    .trim()
    .normalize('NFC')
    .toWellFormed()
    .replace(/\r\n|\r/g, '\n')
}

/** This reader may leave the escape of a semicolon as it is, which RFC 2426 demands in every text. */
const withoutSemicolonEscapes = (value: unknown) => [value].flat().map((text) => String(text).replaceAll(/\\+;/g, ';'))

/** Nor does it know escapes in a phone that is none. */
const withoutEscapes = (text: string) => text.replaceAll('\n', 'n').replaceAll('\\', '')

describe('a vCard file', () => {
  test('has lines of at most 75 octets, and is read as one card for each lead, with name, e-mail and phone as on screen', () => {
    fc.assert(
      fc.property(fc.array(exportedLead, { minLength: 1, maxLength: 4 }), (leads) => {
        const file = leads.map((lead) => formatVcard(lead, context)).join('')
        for (const line of file.split('\r\n')) {
          const bytes = new TextEncoder().encode(line)
          expect(bytes.length).toBeLessThanOrEqual(75)
          expect(new TextDecoder('utf-8', { fatal: true }).decode(bytes), 'no character is broken in two').toBe(line)
        }
        const parsed: unknown = ICAL.parse(file)
        const read = (leads.length === 1 ? [parsed] : parsed) as [string, [string, object, string, unknown][]][]
        expect(read).toHaveLength(leads.length)
        for (const [index, { lead }] of leads.entries()) {
          const [kind, properties] = read[index] ?? []
          const value = (name: string) => properties?.find(([property]) => property === name)?.[3]
          const { email, phone } = readContactDetails(lead)
          expect(kind).toBe('vcard')
          expect(value('version')).toBe('3.0')
          expect(value('uid')).toBe(`urn:uuid:${UID}`)
          expect(withoutSemicolonEscapes(value('email') ?? '')).toEqual(withoutSemicolonEscapes(plain(email)))
          const called = phone !== null && isLikePersonalNumber(phone) ? '' : plain(phone)
          expect(value('tel') ?? '').toBe(toE164(phone ?? '') ?? withoutEscapes(called))
          const names = 'user' in lead ? [plain(lead.user.lastName), plain(lead.user.firstName)] : ['', '']
          expect(withoutSemicolonEscapes(value('n'))).toEqual(withoutSemicolonEscapes([...names, '', '', '']))
          expect(value('fn')).not.toBe('')
        }
      }),
      { numRuns: 300 },
    )
  })

  test('has letters composed, mobile phones as such, and what looks like a personal number in the note alone', () => {
    const triage = { status: 'new', assignee: null, updatedAt: null } as const
    const card = (phone: string) => {
      const lead = declaration('d', { firstName: 'A\u030asa;B', phone })
      return formatVcard({ lead, triage, school: 'Norra' }, context).split('\r\n')
    }
    expect(card('070-174 06 05')).toContain('N:;Åsa\\;B;;;')
    expect(card('070-174 06 05')).toContain('TEL;TYPE=CELL,VOICE:+46701740605')
    expect(card('08-123 456 78')).toContain('TEL;TYPE=VOICE:+46812345678')
    const lines = card('080312-2386').filter((line) => line.includes('2386') || line.startsWith('TEL'))
    expect(lines).toEqual([expect.stringMatching(/^NOTE:/)])
  })
})
