import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cameAfter, withoutNewer } from './rows-until'
import { leadTableOf } from './testing/lead-table-of'
import { declaration } from './testing/leads'
import type { TriageEntry } from './triage-columns'

const START = Date.UTC(2026, 10, 20, 8)
const at = (minute: number) => new Date(START + minute * 60_000).toISOString()

test('what came later waits, whatever its date, but for what the user has changed since', () => {
  const by = fc.constantFrom('me', 'other', null)
  const lead = fc.record({ minute: fc.nat(8), came: fc.nat(8), by, isListed: fc.boolean() })
  fc.assert(
    fc.property(fc.array(lead, { maxLength: 12 }), fc.option(fc.nat(8), { nil: undefined }), (leads, minute) => {
      const given = leads.map((one, index) => ({ ...one, id: String(index) }))
      const dated = leadTableOf(
        'declaration-of-interest',
        given.map((one) => declaration(one.id, { createdAt: at(one.minute) })),
      )
      const of = (row: number) => given[Number(dated.id[row])]
      const cameAt = (row: number) => Date.parse(at(of(row)?.came ?? 0))
      const table = { ...dated, seenAt: Float64Array.from(dated.id, (_, row) => cameAt(row)) }
      const triage = new Map(
        given.map((one): [string, TriageEntry] => {
          return [one.id, { status: 'new', assigneeId: null, updatedAt: 1, updatedById: one.by }]
        }),
      )
      const all = Uint32Array.from({ length: table.size }, (_, row) => row).filter((row) => of(row)?.isListed)
      const until = minute === undefined ? undefined : at(minute)
      const { rows, waiting, newest } = withoutNewer(table, all, cameAfter(table, until, { triage, viewerId: 'me' }))
      const expected = [...all].filter((row) => (of(row)?.came ?? 0) <= (minute ?? Infinity) || of(row)?.by === 'me')
      expect([[...rows], waiting]).toEqual([expected, all.length - expected.length])
      expect(newest).toBe(Math.max(...expected.map(cameAt)))
    }),
  )
})
