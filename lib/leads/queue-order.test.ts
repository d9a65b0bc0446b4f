import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countByDeadline, type QueuePart, sortByDeadline } from './queue-order'
import { leadTableOf } from './testing/lead-table-of'
import { declaration, question } from './testing/leads'

const DAY_MS = 86_400_000

/** Due some days after it came, as a goal says; null without one. */
const dueIn = (days: number | null) => (createdAt: number) =>
  days === null ? null : new Date((Math.floor(createdAt / DAY_MS) + days) * DAY_MS).toISOString().slice(0, 10)

const lead = fc.record({ at: fc.integer({ min: 0, max: 12 }), isWaiting: fc.boolean() })
const leads = fc.array(lead, { maxLength: 60 })
const goal = fc.constantFrom(null, 0, 1, 5)

test('a queue is as a full sort by deadline, arrival and id has it, and its beginning as the whole', () => {
  fc.assert(
    fc.property(leads, leads, goal, goal, fc.nat(80), (questions, declarations, asked, declared, limit) => {
      const fieldsOf = ({ at }: { at: number }) => ({ createdAt: new Date(at * (DAY_MS / 3)).toISOString() })
      const idOf = (index: number) => String((index * 7) % 100)
      const asks = questions.map((one, index) => question(idOf(index), fieldsOf(one)))
      const declares = declarations.map((one, index) => declaration(idOf(index), fieldsOf(one)))
      const tables = [leadTableOf('asked-question', asks), leadTableOf('declaration-of-interest', declares)]
      const parts = tables.map((table, part): QueuePart => {
        const given = part === 0 ? questions : declarations
        const waiting = new Set(given.flatMap(({ isWaiting }, index) => (isWaiting ? idOf(index) : [])))
        return {
          table,
          rows: Uint32Array.from({ length: table.size }, (_, row) => row),
          isWaiting: (row) => waiting.has(table.id[row] ?? ''),
          toDueDay: dueIn(part === 0 ? asked : declared),
        }
      })
      const all = parts.flatMap(({ table, rows, isWaiting, toDueDay }, part) =>
        [...rows].map((row) => {
          const createdAt = table.createdAt[row] ?? 0
          return { part, row, due: (isWaiting(row) && toDueDay(createdAt)) || '9', createdAt, id: table.id[row] ?? '' }
        }),
      )
      const order = (a: string | number, b: string | number) => (a < b ? -1 : Number(a > b))
      const expected = all
        .toSorted((a, b) => order(a.due, b.due) || a.createdAt - b.createdAt || order(a.id, b.id) || a.part - b.part)
        .map(({ part, row }) => ({ part, row }))
      expect(sortByDeadline(parts)).toEqual(expected)
      const today = '1970-01-03'
      const counts = { late: 0, today: 0, tomorrow: 0, later: 0 }
      for (const { due } of all) {
        const far = due > '1970-01-04' ? 'later' : 'tomorrow'
        counts[due < today ? 'late' : due === today ? 'today' : far] += 1
      }
      expect(countByDeadline(parts, today)).toEqual(counts)
      expect(sortByDeadline(parts, limit)).toEqual(expected.slice(0, limit))
      expect(sortByDeadline(parts.slice(0, 1))).toEqual(expected.filter(({ part }) => part === 0))
    }),
  )
})
