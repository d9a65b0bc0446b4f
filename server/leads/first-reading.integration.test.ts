import { afterAll, beforeAll, expect, test } from 'vitest'
import { declaration, question } from '@/lib/leads/testing/leads'
import type { LeadTable } from '@/lib/leads/lead-table'
import { builtTableOf } from '@/server/feed/testing/built-table'
import { createSettings } from '@/server/settings/settings'
import { listVisits } from '@/server/db/schema'
import { firstReading } from './first-reading'
import { openTestDesk, type TestDesk } from './testing/test-desk'

let desk: TestDesk
let parts: Parameters<typeof firstReading>[0]
beforeAll(async () => {
  desk = await openTestDesk()
  const { connect } = desk.parts
  parts = { ...desk.parts, settings: createSettings({ connect, onUnreachable: () => {} }) }
})
afterAll(() => desk.close())

const tables: LeadTable[] = [
  builtTableOf('asked-question', [question('q1'), question('q2')]),
  builtTableOf('declaration-of-interest', [declaration('d1'), declaration('d2')]),
]

test('each list is read alone as users will read it, with pauses, and nothing is recorded', async () => {
  for (const table of tables) {
    let turns = 0
    await firstReading(parts, table, { yieldTurn: async () => void turns++ })
    expect(turns).toBeGreaterThan(5)
  }
  expect(await desk.db.select().from(listVisits)).toEqual([])
})

test('of a list that changed, what is new in it is read, and what is gone is passed over', async () => {
  for (const table of tables) {
    const asked: number[] = []
    const watched = { ...table, lead: (row: number) => (asked.push(row), table.lead(row)) }
    await firstReading(parts, watched, { ids: [table.id[1] ?? '', 'gone'], yieldTurn: async () => {} })
    expect(new Set(asked)).toEqual(new Set([1]))
  }
})

test.each(['lead', 'createdAt', 'school', 'texts'] as const)('it comes upon what is wrong with %s', async (name) => {
  for (const table of tables) {
    const trap = () => {
      throw new Error(`a loop over ${name}`)
    }
    const trapped = Object.defineProperty({ ...table }, name, { get: trap })
    await expect(firstReading(parts, trapped, { yieldTurn: async () => {} })).rejects.toThrow(`a loop over ${name}`)
  }
})
