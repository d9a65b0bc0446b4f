import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toE164 } from '@/lib/contacts/phone'
import { LEAD_LISTS } from '@/lib/contract/lists'
import { declaration } from '@/lib/leads/testing/leads'
import { createEmailCollector, createExportColumns, GROUPED_PHONE, type LeadAnswer, toFilePhone } from './export-cells'
import { selectDefaultColumns } from './export-columns'
import { WORDS } from './testing/words'

test.each([
  ['0701234567', '+46 70 123 45 67'],
  ['+46 (0)70-123 45 67', '+46 70 123 45 67'],
  ['08-123 456 78', '+46 8 123 456 78'],
  ['0046 31 12 34 56', '+46 31 12 34 56'],
  ['+467000000000', '+46 70 00 00 00 00'],
  ['+47 912 34 567', '+47 91 23 45 67'],
  ['+358 40 1234567', '+358 401 23 45 67'],
  ['+1 202 555 0143', '+1 20 25 55 01 43'],
  ['112', '112'],
  ['080312-2386', '080312-2386'],
  ['200803122386', '20080312-2386'],
  // Without the stray zero too short for a number.
  ['+46 00 000', '+46 00 000'],
  ['ring mamma', 'ring mamma'],
])('the phone %s is written as %s', (raw, written) => {
  expect(toFilePhone(raw)).toBe(written)
})

test('a phone keeps every digit of a number that can be read, and never ends like thousands', () => {
  const digits = fc.stringMatching(/^[1-9]\d{6,14}$/)
  fc.assert(
    fc.property(digits, (number) => {
      fc.pre(toE164(`+${number}`) !== null)
      const written = toFilePhone(`+${number}`)
      expect(written).toMatch(GROUPED_PHONE)
      expect(written).not.toMatch(/ \d{3}$/)
      expect(written.replaceAll(' ', '')).toBe(toE164(`+${number}`))
    }),
    { examples: [['46000000000']] },
  )
})

test('who answered is a moment of Stockholm, a name and a number, in a file only when it is chosen', () => {
  const names = ['answeredAt', 'answeredBy', 'attempts'] as const
  const triage = { status: 'handled', assignee: null, updatedAt: null } as const
  const cells = (answer?: LeadAnswer) => {
    const row = { lead: declaration('d1'), triage, school: 'Norra', ...(answer && { answer }) }
    return createExportColumns(names, WORDS).map(({ kind, readCell: cell }) => [kind, cell(row)])
  }
  const answeredAt = Date.parse('2026-11-20T13:02:00Z')
  expect(cells({ answeredAt, answeredBy: 'Sara', attempts: 2 })).toEqual([
    ['moment', Date.parse('2026-11-20T14:02:00Z')],
    ['text', 'Sara'],
    ['number', 2],
  ])
  expect(cells().map(([, cell]) => cell)).toEqual([null, null, 0])
  const usual = new Set(LEAD_LISTS.flatMap(selectDefaultColumns))
  expect(names.filter((name) => usual.has(name))).toEqual([])
})

test('addresses are collected once each, and what nothing could be sent to is counted', () => {
  const collector = createEmailCollector()
  const same = ['Asa@skola.test', ' asa@skola.test ', 'a\u200bsa@skola.test']
  const notOne = [null, '', 'a@b.test, evil@x.test', 'x@y@z', 'Åsa <asa@b.test>', 'a@b\n.test']
  const routed = ['elsa%other.test@relay.test', 'other.test!elsa@relay.test']
  for (const email of [...same, 'erik@skola.test', ...notOne, ...routed]) collector.add(email)
  expect(collector.finish()).toEqual({ emails: ['Asa@skola.test', 'erik@skola.test'], without: 8 })
})
