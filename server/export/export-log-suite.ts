import { randomBytes, randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { HOUR_MS } from '@/lib/time/durations'
import { createActivityLog } from '@/server/access/activity'
import { makeViewer, requirePermission } from '@/server/access/viewer'
import type { Connect } from '@/server/base/database'
import { activity, exports, users } from '@/server/base/schema'
import { createSeal } from '@/server/base/seal'
import { createExportLog, type NewLogEntry } from './export-log'

/** What the log of exports promises, on any database. */
export function exportLogSuite(connect: Connect) {
  describe('the log of exports', () => {
    const kerstin = randomUUID()
    const person = { name: 'Kerstin Berg', email: `${kerstin}@skola.example`, role: 'staff', schools: 'all' } as const
    const viewer = requirePermission(makeViewer({ ...person, id: kerstin }), 'leads:export')
    const otherUser = requirePermission(makeViewer({ ...person, id: 'other-user' }), 'leads:export')
    let now = Date.UTC(2027, 0, 20, 8)
    const clock = () => (now += 1000)
    const seal = createSeal([randomBytes(32)])
    const log = createExportLog({ connect, now: clock, activity: createActivityLog({ connect, now: clock }), seal })
    const entry = (part: Partial<NewLogEntry> = {}): NewLogEntry => ({
      list: 'declarations-of-interest',
      format: 'csv',
      columns: ['createdAt', 'email'],
      scope: randomUUID(),
      leadIds: ['a', 'b'],
      reason: { purpose: 'Ring Åsa Öberg', matching: { list: 'declarations-of-interest', q: 'asa' }, newOnly: false },
      ...part,
    })
    const exportAll = async (part: Partial<NewLogEntry>, state: 'finished' | 'broken' = 'finished') => {
      const id = await log.begin(viewer, entry(part))
      await log.end({ id, state, written: 2 })
      return id
    }
    const inPart = { reason: { purpose: 'x', matching: null, newOnly: true } }
    const readActivity = async (id: string) => {
      const db = await connect()
      const rows = await db.select().from(activity).where(eq(activity.userId, kerstin)).orderBy(activity.id)
      return rows.filter(({ details }) => details?.export === id)
    }
    const expectEnd = async (id: string, end: object) => {
      const { exports: entries } = await log.readHistory(viewer, { limit: 200 })
      expect(entries.find((one) => one.id === id)).toMatchObject(end)
      expect((await readActivity(id)).map(({ action }) => action)).toEqual(['export-started', 'export-ended'])
    }

    beforeAll(async () => {
      await (await connect()).insert(users).values({ ...person, id: kerstin, createdAt: new Date() })
    })

    test('knows of an export before it ends, by ids and counts, and nobody can read why in the database', async () => {
      const id = await log.begin(viewer, entry())
      const [row] = await (await connect()).select().from(exports).where(eq(exports.id, id))
      expect(row).toMatchObject({ userId: kerstin, state: 'started', count: 2, written: null, leadIds: ['a', 'b'] })
      expect(JSON.stringify(row)).not.toMatch(/Åsa|asa/)
      const [logged] = await readActivity(id)
      expect(logged).toMatchObject({ action: 'export-started', details: { count: 2, format: 'csv' } })
    })

    test('says how it ended, and only once', async () => {
      const id = await log.begin(viewer, entry())
      await log.end({ id, state: 'broken', written: 1 })
      await log.end({ id, state: 'finished', written: 2 })
      await expectEnd(id, { state: 'broken', written: 1, count: 2 })
    })

    test('shows the person their own, newest first, page by page, with purpose and filter', async () => {
      const ids = [await exportAll({}), await exportAll({})]
      const first = await log.readHistory(viewer, { limit: 1 })
      const { reason } = entry()
      expect(first).toMatchObject({ hasMore: true, exports: [{ id: ids[1], ...reason }] })
      const second = await log.readHistory(viewer, { limit: 1, before: first.exports[0]?.at })
      expect(second.exports[0]?.id).toBe(ids[0])
      expect(await log.readHistory(otherUser, { limit: 50 })).toEqual({ exports: [], hasMore: false })
    })

    test('knows what was exported before: the last whole export and the parts after it, broken ones not', async () => {
      const scope = randomUUID()
      expect(await log.findPreviousExports(kerstin, scope)).toBeNull()
      await exportAll({ scope, leadIds: ['old'] })
      await exportAll({ scope, leadIds: ['a', 'b'] })
      await exportAll({ scope, leadIds: ['c'], ...inPart })
      await exportAll({ scope, leadIds: ['d'], ...inPart }, 'broken')
      const before = await log.findPreviousExports(kerstin, scope)
      expect([...(before?.leadIds ?? [])].toSorted()).toEqual(['a', 'b', 'c'])
      expect(await log.findPreviousExports(kerstin, randomUUID())).toBeNull()
      expect(await log.findPreviousExports('other-user', scope)).toBeNull()
    })

    test('an export whose process died is broken off an hour later', async () => {
      const id = await log.begin(viewer, entry())
      now += HOUR_MS
      await log.endAbandoned()
      await expectEnd(id, { state: 'broken', written: null })
    })

    test('takes ids of any kind and number', async () => {
      const scope = randomUUID()
      const odd = ['a,b', '{"x"}', '"', '\\', 'rad\nrad', '\u001f\u001e', '\u001d', '', ' ', 'null', 'å', "'"]
      const many = Array.from({ length: 75_000 }, (_, index) => `lead-${index}`)
      await exportAll({ scope, leadIds: [...odd, ...many] })
      const before = await log.findPreviousExports(kerstin, scope)
      expect([...(before?.leadIds ?? [])]).toEqual([...odd, ...many])
    })
  })
}
