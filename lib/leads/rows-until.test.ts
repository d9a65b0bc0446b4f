import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cameAfter, withoutNewer } from './rows-until'
import { leadTableOf } from './testing/lead-table-of'
import { declaration } from './testing/leads'
import type { TriageEntry } from './triage-columns'

const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 8, minute)).toISOString()

test('what came later waits, but for what the user has changed since', () => {
  const lead = fc.record({ minute: fc.nat(8), by: fc.constantFrom('me', 'other', null), isListed: fc.boolean() })
  fc.assert(
    fc.property(fc.array(lead, { maxLength: 12 }), fc.option(fc.nat(8), { nil: undefined }), (leads, minute) => {
      const given = leads.map((one, index) => ({ ...one, id: String(index) }))
      const table = leadTableOf(
        'declaration-of-interest',
        given.map(({ id, minute: came }) => declaration(id, { createdAt: at(came) })),
      )
      const triage = new Map(
        given.map(({ id, by }): [string, TriageEntry] => {
          return [id, { status: 'new', assigneeId: null, updatedAt: 1, updatedById: by }]
        }),
      )
      const of = (row: number) => given[Number(table.id[row])]
      const all = Uint32Array.from({ length: table.size }, (_, row) => row).filter((row) => of(row)?.isListed)
      const until = minute === undefined ? undefined : at(minute)
      const { rows, waiting, newest } = withoutNewer(table, all, cameAfter(table, until, { triage, viewerId: 'me' }))
      const expected = [...all].filter((row) => (of(row)?.minute ?? 0) <= (minute ?? Infinity) || of(row)?.by === 'me')
      expect([[...rows], waiting]).toEqual([expected, all.length - expected.length])
      expect(newest).toBe(expected.length === 0 ? -Infinity : table.createdAt[expected[0] ?? 0])
    }),
  )
})
