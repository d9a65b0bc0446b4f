import 'server-only'
import { asc, eq, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { activitySeals } from '@/server/db/access-schema'
import type { Connect, Db } from '@/server/db/database'
import { activity } from '@/server/db/schema'
import { createActivity } from './activity'
import { createSealer, verifyLog } from './seals'

const MINUTE = 60_000
const START = Date.UTC(2026, 10, 16, 7)
const keptKeys = { get: async () => new Uint8Array(32).fill(5) }

/** What the chain of seals over the log finds, on any database. */
export function sealsSuite(connect: Connect): void {
  describe('the seals of the log', () => {
    let now = START
    let logged: object[] = []
    let db: Db
    const warn = ({ err }: { err?: unknown }) => expect(err).toBeUndefined()
    const logger = { info: (line: object) => logged.push(line), warn }
    const sealer = () => createSealer({ connect, keptKeys, now: () => now, logger })
    const log = createActivity({ connect, now: () => now })
    const verify = (head?: string, keys = keptKeys) =>
      verifyLog({ connect, keptKeys: keys, now: () => now, retentionMonths: 24 }, head)
    const found = async (head?: string) => (await verify(head)).findings.map(({ what, seal }) => [what, seal])

    /** So many stretches of three entries each. */
    async function stretches(count: number): Promise<void> {
      for (let number = 0; number < count; number++) {
        for (const id of ['a', 'b', 'c']) {
          const lead = { kind: 'asked-question', id } as const
          const entry = { userId: 'u', action: 'opened', lead, address: '192.0.2.7' } as const
          await log.record({ ...entry, details: { n: number, a: 'x' } })
          now += 1_000
        }
        await sealer().run()
        now += MINUTE
      }
    }
    beforeEach(async () => {
      db = await connect()
      await db.delete(activity)
      await db.delete(activitySeals)
      now = START
      logged = []
    })

    test('a log as it was written fits its seals, and the newest hash is logged once an hour', async () => {
      const one = sealer()
      await one.run()
      expect(await verify()).toEqual({ seals: 0, entries: 0, head: null, findings: [] })
      await stretches(3)
      const { head, ...rest } = await verify()
      expect(rest).toEqual({ seals: 3, entries: 9, findings: [] })
      logged = []
      await one.run()
      now += 59 * MINUTE
      await one.run()
      now += 2 * MINUTE
      await one.run()
      expect(logged).toEqual([1, 2].map(() => ({ seal: 3, hash: head })))
      expect(await found(head ?? '')).toEqual([])
    })

    test('thousands at once are sealed in pieces, each entry in exactly one, by however many instances', async () => {
      const entry = { userId: 'u', action: 'sign-in' } as const
      await log.record(...Array.from({ length: 1_203 }, (_, n) => ({ ...entry, details: { n } })))
      await Promise.all([sealer().run(), sealer().run(), sealer().run()])
      await sealer().run()
      const seals = await db.select({ count: activitySeals.count }).from(activitySeals).orderBy(asc(activitySeals.id))
      expect(seals.map(({ count }) => count)).toEqual([250, 250, 250, 250, 203])
      expect(await verify()).toMatchObject({ seals: 5, entries: 1_203, findings: [] })
    })

    const second = eq(activity.sealId, 2)
    const one = sql`${activity.id} = (select min(id) from ${activity} where seal_id = 2)`
    const secondSeal = eq(activitySeals.id, 2)
    const change = (set: Partial<typeof activity.$inferInsert>) => (it: Db) => it.update(activity).set(set).where(one)
    const add = (sealId: number) => (it: Db) =>
      it.insert(activity).values({ at: new Date(START), action: 'sign-in', sealId })
    const removeStretch = async (it: Db) => {
      await it.delete(activity).where(second)
      await it.delete(activitySeals).where(secondSeal)
    }
    const renumber = async (it: Db) => {
      await removeStretch(it)
      await it.update(activitySeals).set({ id: 2 }).where(eq(activitySeals.id, 3))
      await it.update(activity).set({ sealId: 2 }).where(eq(activity.sealId, 3))
    }
    const expire = async (it: Db) => {
      await it.delete(activity).where(second)
      await it.update(activitySeals).set({ expired: true }).where(secondSeal)
    }
    const swap = (it: Db) =>
      it.execute(sql`update ${activity} set lead_id = other.lead_id, at = other.at from ${activity} as other
        where ${second} and other.seal_id = 2 and ${activity.leadId} <> other.lead_id
          and ${activity.leadId} in ('a', 'b') and other.lead_id in ('a', 'b')`)
    const age = { at: new Date(0), expired: true }
    test.each<[string, (db: Db) => Promise<unknown>, string]>([
      ['who', change({ userId: 'another' }), 'entries-changed 2'],
      ['when', change({ at: new Date(START) }), 'entries-changed 2'],
      ['which lead', change({ leadId: 'z' }), 'entries-changed 2'],
      ['details', change({ details: { n: 9 } }), 'entries-changed 2'],
      ['two that changed places', swap, 'entries-changed 2'],
      ['from where', change({ address: '203.0.113.9' }), 'entries-changed 2'],
      ['removed', (it) => it.delete(activity).where(one), 'entries-removed 2'],
      ['added', add(2), 'entries-added 2'],
      ['moved to another stretch', change({ sealId: 1 }), 'entries-added 1, entries-removed 2'],
      ['taken out of the seals', change({ sealId: null }), 'entries-removed 2, unsealed null'],
      ['of a seal that is not there', add(99), 'without-seal null'],
      ['a stretch with its seal', removeStretch, 'seal-missing null, seal-changed 3'],
      ['a seal and the numbers of those after it', renumber, 'seal-changed 2'],
      ['a stretch marked as old', expire, 'expired-too-early 2'],
      [
        'the moment of a seal',
        (it) => it.update(activitySeals).set(age).where(secondSeal),
        'seal-changed 2, entries-added 2',
      ],
    ])('finds what was tampered with: %s', async (_, tamper, expected) => {
      await stretches(3)
      await tamper(db)
      expect((await found()).map((finding) => finding.map(String).join(' ')).join(', ')).toBe(expected)
    })

    test('the end cut off is found by a hash that was logged before', async () => {
      await stretches(3)
      const { head } = await verify()
      await db.delete(activity).where(eq(activity.sealId, 3))
      await db.delete(activitySeals).where(eq(activitySeals.id, 3))
      expect(await found()).toEqual([])
      expect(await found(head ?? '')).toEqual([['head-missing', null]])
    })

    test('an entry that is smuggled in with an earlier date is found although it is sealed', async () => {
      await stretches(3)
      now += 2 * 60 * MINUTE
      await log.record({ userId: 'u', action: 'sign-out' })
      await sealer().run()
      await db.insert(activity).values({ at: new Date(START), action: 'opened', userId: 'v' })
      expect(await found()).toEqual([['unsealed', null]])
      await sealer().run()
      expect(await found()).toEqual([['entries-late', 5]])
    })

    test('another key fits no seal', async () => {
      await stretches(2)
      const other = { get: async () => new Uint8Array(32).fill(6) }
      const { findings } = await verify(undefined, other)
      expect(findings.map(({ what }) => what)).toEqual(['seal-changed', 'seal-changed'])
    })
  })
}
