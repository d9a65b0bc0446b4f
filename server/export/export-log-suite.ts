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

/** Tests what the log of exports promises, on any database. */
export function exportLogSuite(connect: Connect) {
  describe('the log of exports', () => {
    const kerstin = randomUUID()
    const account = { name: 'Kerstin Berg', email: `${kerstin}@skola.example`, role: 'staff', schools: 'all' } as const
    const viewer = requirePermission(makeViewer({ ...account, id: kerstin }), 'leads:export')
    const otherUser = requirePermission(makeViewer({ ...account, id: 'other-user' }), 'leads:export')
    let now = Date.UTC(2027, 0, 20, 8)
    const tick = () => (now += 1000)
    const seal = createSeal([randomBytes(32)])
    const log = createExportLog({ connect, now: tick, activity: createActivityLog({ connect, now: tick }), seal })
    const createEntry = (part: Partial<NewLogEntry> = {}): NewLogEntry => ({
      list: 'declarations-of-interest',
      format: 'csv',
      columns: ['createdAt', 'email'],
      scope: randomUUID(),
      leadIds: ['a', 'b'],
      reason: { purpose: 'Ring Åsa Öberg', matching: { list: 'declarations-of-interest', q: 'asa' }, newOnly: false },
      ...part,
    })
    const logExport = async (part: Partial<NewLogEntry>, state: 'finished' | 'broken' = 'finished') => {
      const id = await log.begin(viewer, createEntry(part))
      await log.end({ id, state, written: 2 })
      return id
    }
    const newOnly = { reason: { purpose: 'x', matching: null, newOnly: true } }
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
      await (await connect()).insert(users).values({ ...account, id: kerstin, createdAt: new Date() })
    })

    test('knows of an export before it ends, by ids and counts, and nobody can read why in the database', async () => {
      const id = await log.begin(viewer, createEntry())
      const [row] = await (await connect()).select().from(exports).where(eq(exports.id, id))
      expect(row).toMatchObject({ userId: kerstin, state: 'started', count: 2, written: null, leadIds: ['a', 'b'] })
      expect(JSON.stringify(row)).not.toMatch(/Åsa|asa/)
      const [logged] = await readActivity(id)
      expect(logged).toMatchObject({ action: 'export-started', details: { count: 2, format: 'csv' } })
    })

    test('says how it ended, and only once', async () => {
      const id = await log.begin(viewer, createEntry())
      await log.end({ id, state: 'broken', written: 1 })
      await log.end({ id, state: 'finished', written: 2 })
      await expectEnd(id, { state: 'broken', written: 1, count: 2 })
    })

    test('shows the person their own, newest first, page by page, with purpose and filter', async () => {
      const ids = [await logExport({}), await logExport({})]
      const first = await log.readHistory(viewer, { limit: 1 })
      const { reason } = createEntry()
      expect(first).toMatchObject({ hasMore: true, exports: [{ id: ids[1], ...reason }] })
      const second = await log.readHistory(viewer, { limit: 1, before: first.exports[0]?.at })
      expect(second.exports[0]?.id).toBe(ids[0])
      expect(await log.readHistory(otherUser, { limit: 50 })).toEqual({ exports: [], hasMore: false })
    })

    test('knows what was exported before: the last whole export and the parts after it, broken ones not', async () => {
      const scope = randomUUID()
      expect(await log.findPreviousExports(kerstin, scope)).toBeNull()
      await logExport({ scope, leadIds: ['old'] })
      await logExport({ scope, leadIds: ['a', 'b'] })
      await logExport({ scope, leadIds: ['c'], ...newOnly })
      await logExport({ scope, leadIds: ['d'], ...newOnly }, 'broken')
      const before = await log.findPreviousExports(kerstin, scope)
      expect([...(before?.leadIds ?? [])].toSorted()).toEqual(['a', 'b', 'c'])
      expect(await log.findPreviousExports(kerstin, randomUUID())).toBeNull()
      expect(await log.findPreviousExports('other-user', scope)).toBeNull()
    })

    test('an export whose process died is broken off an hour later', async () => {
      const id = await log.begin(viewer, createEntry())
      now += HOUR_MS
      await log.endAbandoned()
      await expectEnd(id, { state: 'broken', written: null })
    })

    test('takes ids of any kind and number', async () => {
      const scope = randomUUID()
      const odd = ['a,b', '{"x"}', '"', '\\', 'rad\nrad', '\u001f\u001e', '\u001d', '', ' ', 'null', 'å', "'"]
      const many = Array.from({ length: 75_000 }, (_, index) => `lead-${index}`)
      await logExport({ scope, leadIds: [...odd, ...many] })
      const before = await log.findPreviousExports(kerstin, scope)
      expect([...(before?.leadIds ?? [])]).toEqual([...odd, ...many])
    })
  })
}
