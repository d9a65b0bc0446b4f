import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findNewerRows, omitNewer } from './newer-rows'
import { leadTableOf } from './testing/lead-table-of'
import { declaration } from './testing/leads'

test('what came later waits, whatever its date, but for what the user has changed since', () => {
  const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 8, minute)).toISOString()
  const untouched = { status: 'new', assigneeId: null, updatedAt: 1 } as const
  const by = fc.constantFrom('me', 'other', null)
  const lead = fc.record({ minute: fc.nat(8), came: fc.nat(8), by, isListed: fc.boolean() })
  fc.assert(
    fc.property(fc.array(lead, { maxLength: 12 }), fc.option(fc.nat(8), { nil: undefined }), (leads, minute) => {
      const made = leads.map((one, index) => declaration(String(index), { createdAt: at(one.minute) }))
      const dated = leadTableOf('declaration-of-interest', made)
      const of = (row: number) => leads[Number(dated.id[row])]
      const cameAt = (row: number) => Date.parse(at(of(row)?.came ?? 0))
      const table = { ...dated, seenAt: Float64Array.from(dated.id, (_, row) => cameAt(row)) }
      const triage = new Map(leads.map((one, index) => [String(index), { ...untouched, updatedById: one.by }]))
      const all = Uint32Array.from(leads.keys()).filter((row) => of(row)?.isListed)
      const until = minute === undefined ? undefined : at(minute)
      const { rows, waiting, newest } = omitNewer(table, all, findNewerRows(table, until, { triage, viewerId: 'me' }))
      const expected = [...all].filter((row) => (of(row)?.came ?? 0) <= (minute ?? Infinity) || of(row)?.by === 'me')
      expect([[...rows], waiting]).toEqual([expected, all.length - expected.length])
      expect(newest).toBe(Math.max(...expected.map(cameAt)))
    }),
  )
})
