import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DAY_MS } from '@/lib/time/durations'
import { countByDeadline, type QueuePart, sortByDeadline } from './queue-order'
import { leadTableOf } from './testing/lead-table-of'
import { declaration, question } from './testing/leads'

/** Due some days after it came, as a goal says; null without one. */
const dueIn = (days: number | null) => (createdAt: number) =>
  days === null ? null : new Date((Math.floor(createdAt / DAY_MS) + days) * DAY_MS).toISOString().slice(0, 10)

const anyLeads = fc.array(fc.record({ at: fc.nat(12), isWaiting: fc.boolean() }), { maxLength: 60 })
const anyGoal = fc.constantFrom(null, 0, 1, 5)

test('a queue is as a full sort by deadline, arrival and id has it, and its beginning as the whole', () => {
  fc.assert(
    fc.property(fc.tuple(anyLeads, anyLeads), fc.tuple(anyGoal, anyGoal), fc.nat(80), (lists, goals, limit) => {
      const parts = lists.map((leads, partIndex): QueuePart => {
        const made = leads.map(({ at, isWaiting }, index) => {
          const [id, createdAt] = [String((index * 7) % 100), new Date(at * (DAY_MS / 3)).toISOString()]
          return { isWaiting, lead: partIndex === 0 ? question(id, { createdAt }) : declaration(id, { createdAt }) }
        })
        const table = leadTableOf(
          partIndex === 0 ? 'asked-question' : 'declaration-of-interest',
          made.map(({ lead }) => lead),
        )
        const waiting = new Set(made.flatMap(({ isWaiting, lead }) => (isWaiting ? [lead.id] : [])))
        const isWaiting = (row: number) => waiting.has(table.id[row] ?? '')
        const rows = Uint32Array.from({ length: table.size }, (_, row) => row)
        return { table, rows, isWaiting, toDueDay: dueIn(goals[partIndex] ?? null) }
      })
      const all = parts.flatMap(({ table, rows, isWaiting, toDueDay }, partIndex) =>
        [...rows].map((row) => {
          const createdAt = table.createdAt[row] ?? 0
          const due = (isWaiting(row) && toDueDay(createdAt)) || '9'
          return { partIndex, row, due, createdAt, id: table.id[row] ?? '' }
        }),
      )
      const order = (a: string | number, b: string | number) => (a < b ? -1 : Number(a > b))
      const expected = all
        .toSorted((a, b) => order(a.due, b.due) || a.createdAt - b.createdAt || order(a.id, b.id))
        .map(({ partIndex, row }) => ({ partIndex, row }))
      expect(sortByDeadline(parts)).toEqual(expected)
      expect(sortByDeadline(parts, limit)).toEqual(expected.slice(0, limit))
      expect(sortByDeadline(parts.slice(0, 1))).toEqual(expected.filter(({ partIndex }) => partIndex === 0))
      const count = (isCounted: (due: string) => boolean) => all.filter(({ due }) => isCounted(due)).length
      expect(countByDeadline(parts, '1970-01-03')).toEqual({
        late: count((due) => due < '1970-01-03'),
        today: count((due) => due === '1970-01-03'),
        tomorrow: count((due) => due === '1970-01-04'),
        later: count((due) => due > '1970-01-04'),
      })
    }),
  )
})
