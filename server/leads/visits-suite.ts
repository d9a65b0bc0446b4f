import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { MINUTE_MS } from '@/lib/time/durations'
import { storedUser } from '@/server/access/testing/stored-user'
import type { Connect } from '@/server/base/database'
import { users } from '@/server/base/schema'
import { failWhenUnreachable } from '@/server/base/testing/unreachable'
import { testServices } from '@/server/testing/services'
import { createVisits } from './visits'

const MONDAY = Date.UTC(2026, 10, 16, 7)

/** Tests what visits promise, on any database. */
export function visitsSuite(connect: Connect) {
  describe('visits', () => {
    let userId = ''
    beforeEach(async () => {
      userId = randomUUID()
      const db = await connect()
      await db.insert(users).values(storedUser(userId))
    })

    const openVisits = (parts: object) =>
      createVisits(testServices({ connect, onUnreachable: failWhenUnreachable, ...parts }))
    const visitsAt = (minute: number) => openVisits({ now: () => MONDAY + minute * MINUTE_MS })
    /** Records visits at these minutes after Monday morning, each by a new instance, as after a restart. */
    async function recordVisits(...minutes: number[]): Promise<(number | null)[]> {
      const lastEnds: (number | null)[] = []
      for (const minute of minutes) {
        const lastEnd = await visitsAt(minute).recordVisit(userId, 'asked-questions')
        lastEnds.push(lastEnd === null ? null : (lastEnd - MONDAY) / MINUTE_MS)
      }
      return lastEnds
    }

    test('half an hour after the last look a new visit begins, and each list has its own', async () => {
      expect(await recordVisits(0, 20, 45, 90, 100, 24 * 60)).toEqual([null, null, null, 45, 45, 100])
      expect(await visitsAt(24 * 60).recordVisit(userId, 'declarations-of-interest')).toBeNull()
    })

    test('asking when the last visit ended is no visit, and has the same answer', async () => {
      const findLastEnd = (minute: number) => visitsAt(minute).findLastEnd(userId, 'asked-questions')
      expect(await findLastEnd(0)).toBeNull()
      await recordVisits(0, 20)
      expect(await findLastEnd(25), 'the first visit goes on').toBeNull()
      for (const minute of [90, 200]) expect(await findLastEnd(minute)).toBe(MONDAY + 20 * MINUTE_MS)
      expect(await recordVisits(210)).toEqual([20])
    })

    test('during an outage the last answer is repeated', async () => {
      let isDatabaseAway = false
      let minute = 90
      const visits = openVisits({
        connect: () => (isDatabaseAway ? Promise.reject(new Error('away')) : connect()),
        now: () => MONDAY + minute * MINUTE_MS,
        onUnreachable: () => {},
      })
      await recordVisits(0)
      expect(await visits.recordVisit(userId, 'asked-questions')).toBe(MONDAY)
      isDatabaseAway = true
      minute = 95
      expect(await visits.recordVisit(userId, 'asked-questions')).toBe(MONDAY)
    })
  })
}
