import { beforeEach, describe, expect, test } from 'vitest'
import type { LeadTable } from '@/lib/leads/lead-table'
import { leadTableOf } from '@/lib/leads/testing/lead-table-of'
import { declaration } from '@/lib/leads/testing/leads'
import type { Connect } from '@/server/base/database'
import { knownLeads } from '@/server/base/schema'
import { failWhenUnreachable } from '@/server/base/testing/unreachable'
import { createKnownLeads } from './known-leads'
import { forgetGoneLeads } from './known-leads-log'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const START = Date.UTC(2026, 10, 20, 8)
const kind = 'declaration-of-interest'

/** Moments by id, in minutes after the start. */
type MinuteById = Record<string, number>
type DatabaseAccess = { connect: Connect; onUnreachable: (error: unknown) => void }

export function knownLeadsSuite(connect: Connect): void {
  describe('known leads', () => {
    let now = START
    beforeEach(async () => {
      now = START
      await (await connect()).delete(knownLeads)
    })

    /** Starts an instance. `sees` gives it a list, and returns the moment at which each lead was first seen. */
    function start(access: DatabaseAccess = { connect, onUnreachable: failWhenUnreachable }) {
      const known = createKnownLeads({ ...access, now: () => now })
      let table: LeadTable | null = null
      const sees = async (leads: MinuteById): Promise<MinuteById> => {
        const dates = Object.entries(leads).map(([id, minute]) => [id, new Date(START + minute * MINUTE)] as const)
        const sent = dates.map(([id, date]) => declaration(id, { createdAt: date.toISOString() }))
        const { id: ids, seenAt } = (table = await known.stampSeenAt(leadTableOf(kind, sent), table))
        return Object.fromEntries(ids.map((id, row) => [id, ((seenAt[row] ?? Number.NaN) - START) / MINUTE]))
      }
      return { sees, countGone: (since: number) => known.countGoneSince(kind, since).count }
    }
    const forget = async () => forgetGoneLeads(await connect(), kind, now - 30 * DAY)
    const countRows = async () => (await connect()).$count(knownLeads)

    test('what the first list has came at its date, and no later; what comes then is seen when it comes, whatever its date', async () => {
      const instance = start()
      expect(await instance.sees({ old: -90, future: 60 })).toEqual({ old: -90, future: 0 })
      now += 10 * MINUTE
      const later = { old: -90, future: 60, late: -60, ahead: 120 }
      expect(await instance.sees(later)).toEqual({ old: -90, future: 0, late: 10, ahead: 10 })
      now += 10 * MINUTE
      expect(await instance.sees({ ...later, old: 15 }), 'with another date').toMatchObject({ old: -90, late: 10 })
    })

    test('a restart knows them, and what came while nothing ran is seen then', async () => {
      const before = start()
      await before.sees({ a: -90, b: -30 })
      now += MINUTE
      await before.sees({ a: -90, b: -30, c: -60 })
      now += 600 * MINUTE
      const after = start()
      expect(await after.sees({ a: -90, c: -60, d: -45 })).toEqual({ a: -90, c: 1, d: 601 })
      expect([after.countGone(START), before.countGone(START)], 'b is gone').toEqual([1, 0])
      now += MINUTE
      expect(await start().sees({ a: -90, b: -30, c: -60, d: -45 })).toEqual({ a: -90, b: -30, c: 1, d: 601 })
    })

    test('a lead that comes back is not new again, until it has been forgotten', async () => {
      const instance = start()
      await instance.sees({ a: -90, b: -30 })
      now += DAY
      await instance.sees({ a: -90 })
      expect([instance.countGone(now - 1), instance.countGone(now)]).toEqual([1, 0])
      now += 5 * DAY
      await forget()
      expect(await instance.sees({ a: -90, b: -30 })).toEqual({ a: -90, b: -30 })
      expect(instance.countGone(START)).toBe(0)
      now += MINUTE
      await instance.sees({ a: -90 })
      now += 31 * DAY
      await forget()
      expect(await start().sees({ a: -90, b: -30 })).toEqual({ a: -90, b: (now - START) / MINUTE })
    })

    test('instances agree, by the first that saw a lead, whichever of them comes later', async () => {
      const [leader, follower] = [start(), start()]
      await leader.sees({ a: -90 })
      await follower.sees({ a: -90 })
      now += MINUTE
      await leader.sees({ a: -90, b: -60 })
      now += MINUTE
      await leader.sees({ a: -90, b: -60, c: -50 })
      await leader.sees({ a: -90, c: -50 })
      now += MINUTE
      expect(await follower.sees({ a: -90, b: -60 }), 'one behind').toEqual({ a: -90, b: 1 })
      await forget()
      expect(await follower.sees({ a: -90, c: -50 })).toEqual({ a: -90, c: 2 })
      expect([leader.countGone(START), follower.countGone(START)]).toEqual([1, 1])
    })

    test('while the database is away leads are seen when they come, and it learns of them later', async () => {
      let isAway = false
      const errors: unknown[] = []
      const awayOrNot = () => (isAway ? Promise.reject(new Error('away')) : connect())
      const instance = start({ connect: awayOrNot, onUnreachable: (error) => errors.push(error) })
      await instance.sees({ a: -90 })
      isAway = true
      now += MINUTE
      expect(await instance.sees({ a: -90, b: -60 })).toEqual({ a: -90, b: 1 })
      expect(errors).not.toEqual([])
      const other = start({ connect: awayOrNot, onUnreachable: () => {} })
      expect(await other.sees({ a: -90, b: -60 }), 'it cannot know').toEqual({ a: -90, b: -60 })
      isAway = false
      now += MINUTE
      await instance.sees({ a: -90, b: -60, c: 0 })
      const all = { a: -90, b: 1, c: 2 }
      expect(await start().sees({ a: -90, b: -60, c: 0 })).toEqual(all)
      expect(await other.sees({ a: -90, b: -60, c: 0 })).toEqual(all)
    })

    test('a night leaves each lead in one row, and of rows no more than they need', async () => {
      const instance = start()
      const leads: MinuteById = Object.fromEntries(Array.from({ length: 1_200 }, (_, at) => [`l${at}`, -at]))
      await instance.sees(leads)
      for (let at = 0; at < 9; at++) {
        now += MINUTE
        await instance.sees(Object.assign(leads, { [`new${at}`]: -at }))
      }
      const expected = await instance.sees(leads)
      expect(await countRows()).toBe(12)
      await forget()
      expect(await countRows()).toBe(3)
      expect(await start().sees(leads)).toEqual(expected)
    })
  })
}
