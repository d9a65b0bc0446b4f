import { randomUUID } from 'node:crypto'
import { eq, inArray } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import type { LeadRef } from '@/lib/contract/lead'
import type { Viewer } from '@/server/access/viewer'
import type { Connect } from '@/server/base/database'
import { activity, triage } from '@/server/base/schema'
import { openTestDesk, type TestDesk } from './testing/test-desk'
import { createTriageBoard } from './triage-board'
import { writeTriageRows } from './triage-rows'
import { restoreLogged } from './undo-triage'
import { commitTriageChange, lockTriage, type TriageBatch } from './write-triage'

/** Tests what triage promises, on any database. */
export function triageSuite(connect: Connect) {
  describe('triage', () => {
    let parts: TestDesk['parts']
    let kerstin: Viewer
    let eva: Viewer
    beforeAll(async () => {
      const desk = await openTestDesk({ db: await connect(), close: async () => {} })
      parts = desk.parts
      kerstin = await desk.addPerson(randomUUID(), 'staff', 'all')
      eva = await desk.addPerson(randomUUID(), 'staff', 'all')
    })

    const kind = 'declaration-of-interest'
    const newLead = (): LeadRef => ({ kind, id: randomUUID() })
    const openBoard = (services = {}) => createTriageBoard({ ...parts, ...services })
    const findEntry = async ({ id }: LeadRef, board = openBoard()) => (await board.getEntries(kind)).get(id)
    type Change = Parameters<typeof commitTriageChange>
    const change = (leads: Change[2], fields: Change[3], by = kerstin) => commitTriageChange(parts, by, leads, fields)
    const undo = async ({ logged }: TriageBatch) => {
      if (!logged) throw new Error('nothing was changed')
      return restoreLogged(parts, kerstin, logged, () => true)
    }
    const deleteTriage = async (...leads: LeadRef[]) => {
      const ids = leads.map(({ id }) => id)
      await (await connect()).delete(triage).where(inArray(triage.leadId, ids))
    }

    test('the moment of a status stays when something else changes, and an undo is logged like the change', async () => {
      const lead = newLead()
      await change([lead], { status: 'handled' })
      const handled = await findEntry(lead)
      expect(handled?.statusChangedAt).toBe(handled?.updatedAt)
      const batch = await change([lead], { assigneeId: kerstin.id })
      const assigned = await findEntry(lead)
      expect(assigned?.statusChangedAt).toBe(handled?.statusChangedAt)
      await undo(batch)
      expect(await findEntry(lead)).toMatchObject({ assigneeId: null, statusChangedAt: handled?.statusChangedAt })
      const db = await connect()
      const log = await db.select().from(activity).where(eq(activity.leadId, lead.id)).orderBy(activity.id)
      const [assignee, assigneeBefore] = [kerstin.id, kerstin.id]
      expect(log.map(({ action, details }) => [action, details])).toEqual([
        ['triage-changed', { from: 'new', to: 'handled', assignee: null }],
        ['triage-changed', { from: 'handled', to: 'handled', assignee, assigneeBefore: null }],
        ['triage-undone', { from: 'handled', to: 'handled', assignee: null, assigneeBefore }],
      ])
    })

    test('a board reads after an announced change', async () => {
      const board = openBoard({ cacheTtlMs: () => 5_000 })
      const lead = newLead()
      await board.getEntries(kind)
      await change([lead], { status: 'handled' })
      expect(await findEntry(lead, board)).toBeUndefined()
      board.invalidate()
      expect(await findEntry(lead, board)).toMatchObject({ status: 'handled' })
    })

    test('what a change does not name stays, and what is so already is no change', async () => {
      const lead = newLead()
      const assigneeId = kerstin.id
      await change([lead], { assigneeId })
      const { changed } = await change([lead], { status: 'handled' })
      expect(changed).toMatchObject([
        { before: { status: 'new', assigneeId }, after: { status: 'handled', assigneeId } },
      ])
      expect((await change([lead, newLead()], { status: 'handled' })).changed).toHaveLength(1)
      expect((await change([newLead()], { status: 'new' })).changed).toEqual([])
    })

    test('the second of two users who saw the same state changes nothing and learns what the first did', async () => {
      const [seen, untouched] = [newLead(), newLead()]
      const asSeen = { ...seen, updatedAt: null }
      await change([asSeen], { status: 'handled' }, eva)
      const again = await change([asSeen], { status: 'in-progress' }, eva)
      expect(again.conflicts, 'one’s own other tab is no conflict').toEqual([])
      const updatedAt = again.changed[0]?.after.updatedAt ?? null
      const late = await change([asSeen, { ...untouched, updatedAt: null }], { status: 'dismissed' })
      expect(late.changed).toMatchObject([untouched])
      expect(late.conflicts).toMatchObject([{ ...seen, now: { status: 'in-progress', updatedAt } }])
      const inTime = await change([{ ...seen, updatedAt }], { status: 'handled' })
      expect(inTime).toMatchObject({ conflicts: [], changed: [seen] })
    })

    test('a change of many is undone once, for all leads that were not changed since', async () => {
      const leads = Array.from({ length: 2_100 }, () => newLead()).toSorted((a, b) => (a.id < b.id ? -1 : 1))
      const [changedSince = newLead(), ...others] = leads
      await change(leads, { status: 'in-progress' })
      const batch = await change(leads, { status: 'dismissed', assigneeId: kerstin.id })
      await change([changedSince], { status: 'handled' })
      expect(await undo(batch)).toEqual({ restoredLeads: others, conflictCount: 1 })
      const entries = await openBoard().getEntries(kind)
      const restored = others.map(({ id }) => entries.get(id))
      expect(restored.every((entry) => entry?.status === 'in-progress' && entry.assigneeId === null)).toBe(true)
      expect(entries.get(changedSince.id)).toMatchObject({ status: 'handled', assigneeId: kerstin.id })
      expect(await undo(batch)).toEqual({ restoredLeads: [], conflictCount: 2_100 })
    })

    test('one’s own changes are undone one after the other, but not past another user’s', async () => {
      const lead = newLead()
      const done = { restoredLeads: [lead], conflictCount: 0 }
      const refused = { restoredLeads: [], conflictCount: 1 }
      const taken = await change([lead], { status: 'in-progress', assigneeId: kerstin.id })
      const snoozed = await change([lead], { snoozeUntil: '2027-01-11' })
      const handled = await change([lead], { status: 'handled' })
      expect(await undo(snoozed), 'not the one before the last').toEqual(refused)
      for (const one of [handled, snoozed, taken]) expect(await undo(one)).toEqual(done)
      expect(await findEntry(lead)).toMatchObject({ status: 'new' })

      const begun = await change([lead], { status: 'in-progress' })
      await change([lead], { status: 'handled' }, eva)
      await change([lead], { status: 'in-progress' }, eva)
      const dismissed = await change([lead], { status: 'dismissed' })
      expect(await undo(dismissed)).toEqual(done)
      expect(await undo(begun)).toEqual(refused)
      expect(await findEntry(lead)).toMatchObject({ status: 'in-progress' })
    })

    test('a deletion reaches every instance that reads, announced or not, unless the row was written again', async () => {
      const boards = [openBoard(), openBoard()]
      const [gone, again, kept] = [newLead(), newLead(), newLead()]
      await change([gone, again, kept], { status: 'handled' })
      for (const one of boards) expect(await findEntry(gone, one)).toBeDefined()
      const changes = boards.map((one) => one.getVersion())
      await deleteTriage(gone, again)
      await change([again], { status: 'dismissed' })
      for (const one of [...boards, openBoard()]) {
        const entries = await one.getEntries(kind)
        const left = [gone, again, kept].map(({ id }) => entries.get(id)?.status)
        expect(left).toEqual([undefined, 'dismissed', 'handled'])
      }
      expect(boards.map((one) => one.getVersion())).not.toEqual(changes)
    })

    test('a deletion waits for writers, so that an instance that reads meanwhile misses nothing', async () => {
      const board = openBoard()
      const [written, deleted] = [newLead(), newLead()]
      await change([deleted], { status: 'handled' })
      await board.getEntries(kind)
      const db = await connect()
      // PGlite does one transaction after the other by itself.
      const writing = db.transaction(async (tx) => {
        await lockTriage(tx, null, 'many')
        const after = { status: 'handled', assigneeId: null } as const
        const changes = [{ id: written.id, revision: null, before: null, after }]
        const author = { userId: kerstin.id, kind, decidedAt: new Date(), action: 'triage-changed' } as const
        await writeTriageRows(tx, { ...author, changes })
        await new Promise((resolve) => setTimeout(resolve, 50))
      })
      const deleting = deleteTriage(deleted)
      await Promise.race([deleting, board.getEntries(kind)])
      await Promise.all([writing, deleting])
      expect(await findEntry(written, board)).toBeDefined()
      expect(await findEntry(deleted, board)).toBeUndefined()
    })
  })
}
