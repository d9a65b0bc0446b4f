import 'server-only'
import { randomUUID } from 'node:crypto'
import { eq, inArray } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import type { LeadRef } from '@/lib/contract/lead'
import { makeViewer } from '@/server/access/viewer'
import { createActivity } from '@/server/access/activity'
import { testServices } from '@/server/testing/services'
import type { Connect } from '@/server/base/database'
import { activity, triage, triageDeletions, users } from '@/server/base/schema'
import { failWhenUnreachable } from '@/server/base/testing/unreachable'
import { restoreLogged } from './undo-triage'
import { createTriageBoard, DELETIONS_KEPT_MS } from './triage-board'
import { changeTriage, lockTriage, type TriageBatch, writeTriage } from './write-triage'

/** What triage promises, on any database. */
export function triageSuite(connect: Connect): void {
  describe('triage', () => {
    const kerstin = randomUUID()
    const person = { name: 'Kerstin Berg', email: `${kerstin}@skola.example`, role: 'staff', schools: 'all' } as const
    const viewer = makeViewer({ ...person, id: kerstin })
    const parts = testServices({ connect, activity: createActivity({ connect, now: Date.now }) })
    const board = () => createTriageBoard({ connect, onUnreachable: failWhenUnreachable })
    const declaration = (id: string = randomUUID()): LeadRef => ({ kind: 'declaration-of-interest', id })

    beforeAll(async () => {
      const db = await connect()
      await db.insert(users).values({ ...person, id: kerstin, createdAt: new Date() })
    })

    test('the moment of a status stays when something else changes', async () => {
      const lead = declaration()
      const entryOf = async ({ kind, id }: LeadRef) => (await board().current(kind)).get(id)
      await changeTriage(parts, viewer, [lead], { status: 'handled' })
      const handled = await entryOf(lead)
      expect(handled?.statusAt).toBe(handled?.updatedAt)
      const batch = (await changeTriage(parts, viewer, [lead], { assigneeId: kerstin })).logged
      const assigned = await entryOf(lead)
      expect(assigned?.updatedAt).toBeGreaterThan(handled?.updatedAt ?? Infinity)
      expect(assigned?.statusAt).toBe(handled?.statusAt)
      if (batch) await restoreLogged(parts, viewer, batch, () => true)
      expect(await entryOf(lead)).toMatchObject({ assigneeId: null, statusAt: handled?.statusAt })
    })

    test('a board reads after an announced change, and after a while in case one was missed', async () => {
      const time = { ms: 0 }
      const clock = { now: () => time.ms, ttlMs: () => 5_000 }
      const own = createTriageBoard({ connect, onUnreachable: failWhenUnreachable, ...clock })
      const statusOf = async ({ kind, id }: LeadRef) => (await own.current(kind)).get(id)?.status
      const [lead, other] = [declaration(), declaration()]
      await own.current(lead.kind)
      await changeTriage(parts, viewer, [lead], { status: 'handled' })
      expect(await statusOf(lead)).toBeUndefined()
      own.invalidate()
      expect(await statusOf(lead)).toBe('handled')
      await changeTriage(parts, viewer, [other], { status: 'dismissed' })
      time.ms += 4_999
      expect(await statusOf(other)).toBeUndefined()
      time.ms += 1
      expect(await statusOf(other)).toBe('dismissed')
    })

    test('what is not named stays, and what is so already is no change', async () => {
      const lead = declaration()
      await changeTriage(parts, viewer, [lead], { assigneeId: kerstin })
      const [handled] = (await changeTriage(parts, viewer, [lead], { status: 'handled' })).changed
      expect(handled?.before).toMatchObject({ status: 'new', assigneeId: kerstin })
      expect(handled?.after).toMatchObject({ status: 'handled', assigneeId: kerstin })
      expect((await changeTriage(parts, viewer, [lead], { status: 'handled' })).changed).toEqual([])
      expect((await changeTriage(parts, viewer, [declaration()], { status: 'new' })).changed).toEqual([])
    })

    test('the same id of the other kind is another lead', async () => {
      const { id } = declaration()
      await changeTriage(parts, viewer, [{ kind: 'asked-question', id }], { status: 'handled' })
      const own = board()
      expect((await own.current('asked-question')).get(id)?.status).toBe('handled')
      expect((await own.current('declaration-of-interest')).get(id)).toBeUndefined()
    })

    test('of two who saw the same state, the second changes nothing and learns what the first did; one’s own other tab is no conflict', async () => {
      const db = await connect()
      const eva = randomUUID()
      await db.insert(users).values({ ...person, id: eva, email: `${eva}@skola.example`, createdAt: new Date() })
      const evaViewer = makeViewer({ ...person, id: eva })
      const [seen, untouched] = [declaration(), declaration()]
      const both = [seen, untouched].map((lead) => ({ ...lead, updatedAt: null }))
      await changeTriage(parts, evaViewer, [{ ...seen, updatedAt: null }], { status: 'handled' })
      const again = await changeTriage(parts, evaViewer, [{ ...seen, updatedAt: null }], { status: 'in-progress' })
      const { updatedAt } = again.changed[0]?.after ?? { updatedAt: 0 }
      const late = await changeTriage(parts, viewer, both, { status: 'dismissed' })
      expect(late.changed.map(({ id }) => id)).toEqual([untouched.id])
      expect(late.conflicts).toMatchObject([{ ...seen, now: { status: 'in-progress', updatedAt } }])
      const inTime = await changeTriage(parts, viewer, [{ ...seen, updatedAt }], { status: 'handled' })
      expect(inTime).toMatchObject({ conflicts: [], changed: [{ id: seen.id }] })
    })

    const undo = async ({ logged }: TriageBatch) => {
      if (!logged) throw new Error('nothing was changed')
      return restoreLogged(parts, viewer, logged, ({ id }) => id !== 'out of scope')
    }

    test('what was done to many is undone for all whom nobody has touched since, once', async () => {
      const leads = Array.from({ length: 2_100 }, () => declaration()).toSorted((a, b) => (a.id < b.id ? -1 : 1))
      const [handled] = leads
      await changeTriage(parts, viewer, leads, { status: 'in-progress' })
      const batch = await changeTriage(parts, viewer, leads, { status: 'dismissed', assigneeId: kerstin })
      if (handled) await changeTriage(parts, viewer, [handled], { status: 'handled' })
      expect(await undo(batch)).toEqual({ restored: leads.slice(1), conflicts: 1 })
      const triageOf = await board().current('declaration-of-interest')
      expect(leads.slice(1).every(({ id }) => triageOf.get(id)?.status === 'in-progress')).toBe(true)
      expect(leads.slice(1).every(({ id }) => triageOf.get(id)?.assigneeId === null)).toBe(true)
      expect(triageOf.get(handled?.id ?? '')).toMatchObject({ status: 'handled', assigneeId: kerstin })
      expect(await undo(batch)).toEqual({ restored: [], conflicts: 2_100 })
    })

    test('one’s own changes are undone one after the other, but not past another user’s', async () => {
      const db = await connect()
      const eva = randomUUID()
      await db.insert(users).values({ ...person, id: eva, email: `${eva}@skola.example`, createdAt: new Date() })
      const lead = declaration()
      const status = async () => (await board().current(lead.kind)).get(lead.id)?.status
      const taken = await changeTriage(parts, viewer, [lead], { status: 'in-progress', assigneeId: kerstin })
      const aside = await changeTriage(parts, viewer, [lead], { snoozeUntil: '2027-01-11' })
      const done = await changeTriage(parts, viewer, [lead], { status: 'handled' })
      expect(await undo(aside), 'not the one before the last').toEqual({ restored: [], conflicts: 1 })
      for (const one of [done, aside, taken]) expect(await undo(one)).toEqual({ restored: [lead], conflicts: 0 })
      expect(await status()).toBe('new')
      expect(await undo(taken), 'once').toEqual({ restored: [], conflicts: 1 })

      const begun = await changeTriage(parts, viewer, [lead], { status: 'in-progress' })
      for (const next of ['handled', 'in-progress'] as const) {
        await changeTriage(parts, makeViewer({ ...person, id: eva }), [lead], { status: next })
      }
      const last = await changeTriage(parts, viewer, [lead], { status: 'dismissed' })
      expect(await undo(last)).toEqual({ restored: [lead], conflicts: 0 })
      expect(await undo(begun)).toEqual({ restored: [], conflicts: 1 })
      expect(await status()).toBe('in-progress')
    })

    test('an undoing is logged like the change, and is refused out of scope', async () => {
      const db = await connect()
      const lead = declaration()
      const batch = await changeTriage(parts, viewer, [lead, declaration('out of scope')], { status: 'handled' })
      expect(await undo(batch)).toEqual({ restored: [lead], conflicts: 1 })
      const log = await db.select().from(activity).where(eq(activity.leadId, lead.id)).orderBy(activity.id)
      expect(log.map(({ action, details }) => [action, details])).toEqual([
        ['triage-changed', { from: 'new', to: 'handled', assignee: null }],
        ['triage-undone', { from: 'handled', to: 'new', assignee: null }],
      ])
    })

    test('a failure in the middle changes nothing', async () => {
      const leads = Array.from({ length: 1_200 }, () => declaration())
      const unstorable = declaration('\u0000')
      await expect(changeTriage(parts, viewer, [...leads, unstorable], { status: 'handled' })).rejects.toThrow('query')
      const triageOf = await board().current('declaration-of-interest')
      expect(leads.filter(({ id }) => triageOf.has(id))).toEqual([])
    })

    const deleteRows = async (...ids: string[]) => {
      const db = await connect()
      await db.delete(triage).where(inArray(triage.leadId, ids))
    }

    test('a deletion reaches every instance that reads, announced or not, unless the row was written again', async () => {
      const boards = [board(), board()]
      const [gone, again, kept] = [declaration(), declaration(), declaration()]
      await changeTriage(parts, viewer, [gone, again, kept], { status: 'handled' })
      for (const one of boards) expect((await one.current(gone.kind)).has(gone.id)).toBe(true)
      const changes = boards.map((one) => one.changes())
      await deleteRows(gone.id, again.id)
      await changeTriage(parts, viewer, [again], { status: 'dismissed' })
      for (const one of [...boards, board()]) {
        const triageOf = await one.current(gone.kind)
        const left = [gone, again, kept].map(({ id }) => triageOf.get(id)?.status)
        expect(left).toEqual([undefined, 'dismissed', 'handled'])
      }
      expect(boards.map((one) => one.changes())).not.toEqual(changes)
    })

    test('a deletion waits for writers, so that an instance that reads meanwhile misses nothing', async () => {
      const own = board()
      const [written, deleted] = [declaration(), declaration()]
      await changeTriage(parts, viewer, [deleted], { status: 'handled' })
      await own.current(deleted.kind)
      const db = await connect()
      // PGlite does one transaction after the other by itself.
      const writing = db.transaction(async (tx) => {
        await lockTriage(tx, null, 'many')
        const change = {
          id: written.id,
          revision: null,
          before: null,
          after: { status: 'handled', assigneeId: null },
        } as const
        const as = { userId: kerstin, kind: written.kind, at: new Date(), action: 'triage-changed' } as const
        await writeTriage(tx, as, [change])
        await new Promise((resolve) => setTimeout(resolve, 50))
      })
      const deleting = deleteRows(deleted.id)
      await Promise.race([deleting, own.current(deleted.kind)])
      await Promise.all([writing, deleting])
      const triageOf = await own.current(deleted.kind)
      expect([triageOf.has(written.id), triageOf.has(deleted.id)]).toEqual([true, false])
    })

    test('an instance that slept longer than deletions are kept starts again', async () => {
      const time = { ms: Date.now() }
      const own = createTriageBoard({ connect, onUnreachable: failWhenUnreachable, now: () => time.ms })
      const [gone, kept] = [declaration(), declaration()]
      await changeTriage(parts, viewer, [gone, kept], { status: 'handled' })
      await own.current(gone.kind)
      await deleteRows(gone.id)
      await (await connect()).delete(triageDeletions).where(eq(triageDeletions.leadId, gone.id))
      expect((await own.current(gone.kind)).has(gone.id)).toBe(true)
      time.ms += DELETIONS_KEPT_MS
      const triageOf = await own.current(gone.kind)
      expect([triageOf.has(gone.id), triageOf.has(kept.id)]).toEqual([false, true])
    })
  })
}
