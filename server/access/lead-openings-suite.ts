import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { HOUR_MS } from '@/lib/time/durations'
import type { Db } from '@/server/base/database'
import { activity } from '@/server/base/schema'
import { testServices } from '@/server/testing/services'
import { createLeadOpenings } from './lead-openings'

const kind = 'asked-question'

export function openingsSuite(openDatabase: () => Promise<Db>): void {
  describe('openings of leads', () => {
    let now = 0
    let isDatabaseDown = false
    const warnings: object[] = []
    const services = testServices({
      connect: async () => (isDatabaseDown ? Promise.reject(new Error('away')) : openDatabase()),
      now: () => now,
      logger: { warn: (fields: object) => void warnings.push(fields) },
    })
    const createInstance = () => createLeadOpenings(services)
    const listLogged = async () => {
      const rows = await (await openDatabase()).select().from(activity).where(eq(activity.action, 'opened'))
      return rows
        .map(({ userId, leadKind, leadId, loggedAt: at }) => `${userId} ${leadKind} ${leadId} ${at.getTime()}`)
        .toSorted()
    }
    beforeEach(async () => {
      now = Date.UTC(2026, 10, 20, 8)
      await (await openDatabase()).delete(activity)
    })

    test('are logged once an hour for each user and lead, on whichever instance and after a restart', async () => {
      const instances = [createInstance(), createInstance(), createInstance()]
      for (const one of instances) {
        one.add('eva', kind, ['q1', 'q2', 'q1'])
        one.add('bo', kind, ['q1'])
        one.add('eva', 'declaration-of-interest', ['q1', 'not\0storable'])
      }
      await Promise.all(instances.map((one) => one.flush()))
      const once = ['bo asked-question q1', 'eva asked-question q1', 'eva asked-question q2']
      const first = [...once, 'eva declaration-of-interest q1'].map((entry) => `${entry} ${now}`).toSorted()
      expect(await listLogged()).toEqual(first)
      const restarted = createInstance()
      const openAgain = async () => {
        restarted.add('bo', kind, ['q1'])
        await restarted.flush()
      }
      now += HOUR_MS - 1
      await openAgain()
      expect(await listLogged()).toEqual(first)
      now += 1
      await openAgain()
      expect(await listLogged()).toHaveLength(5)
    })

    test('wait for the database, and keep their time', async () => {
      const one = createInstance()
      const openedAt = now
      isDatabaseDown = true
      one.add('eva', kind, ['q1'])
      const flushing = one.flush()
      now += HOUR_MS / 4
      // The failing write has begun, so that this opening is added beside its batch.
      await Promise.resolve()
      one.add('eva', kind, ['q1'])
      await flushing
      expect(warnings).toHaveLength(1)
      isDatabaseDown = false
      one.add('eva', kind, ['q1', 'q2'])
      await one.flush()
      expect(await listLogged()).toEqual([`eva ${kind} q1 ${openedAt}`, `eva ${kind} q2 ${now}`])
    })
  })
}
