import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { storedUser } from '@/server/access/testing/stored-user'
import type { Connect } from '@/server/base/database'
import { users } from '@/server/base/schema'
import { failWhenUnreachable } from '@/server/base/testing/unreachable'
import { testServices } from '@/server/testing/services'
import { createVisits } from './visits'

const MINUTE = 60_000
const MONDAY = Date.UTC(2026, 10, 16, 7)

/** What visits promise, on any database. */
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
    const visitsAt = (minute: number) => openVisits({ now: () => MONDAY + minute * MINUTE })
    /** Looks at the given minutes after Monday morning; a new instance each time, as after a restart. */
    async function looks(...minutes: number[]): Promise<(number | null)[]> {
      const answers: (number | null)[] = []
      for (const minute of minutes) {
        const at = await visitsAt(minute).recordVisit(userId, 'asked-questions')
        answers.push(at === null ? null : (at - MONDAY) / MINUTE)
      }
      return answers
    }

    test('half an hour after the last look a new visit begins, and each list has its own', async () => {
      expect(await looks(0, 20, 45, 90, 100, 24 * 60)).toEqual([null, null, null, 45, 45, 100])
      expect(await visitsAt(24 * 60).recordVisit(userId, 'declarations-of-interest')).toBeNull()
    })

    test('asking when the last visit ended is no visit, and has the same answer', async () => {
      const ask = (minute: number) => visitsAt(minute).findLastEnd(userId, 'asked-questions')
      expect(await ask(0)).toBeNull()
      await looks(0, 20)
      expect(await ask(25), 'the first visit goes on').toBeNull()
      expect([await ask(90), await ask(200)]).toEqual([MONDAY + 20 * MINUTE, MONDAY + 20 * MINUTE])
      expect(await looks(210)).toEqual([20])
    })

    test('during an outage the last answer is repeated', async () => {
      let isAway = false
      let minute = 90
      const visits = openVisits({
        connect: () => (isAway ? Promise.reject(new Error('away')) : connect()),
        now: () => MONDAY + minute * MINUTE,
        onUnreachable: () => {},
      })
      await looks(0)
      expect(await visits.recordVisit(userId, 'asked-questions')).toBe(MONDAY)
      isAway = true
      minute = 95
      expect(await visits.recordVisit(userId, 'asked-questions')).toBe(MONDAY)
    })
  })
}
