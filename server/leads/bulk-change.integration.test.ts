import { and, eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { LeadRef } from '@/lib/contract/lead'
import type { Viewer } from '@/server/access/viewer'
import { activity, triage } from '@/server/base/schema'
import { withPostgres } from '@/server/base/testing/on-each-database'
import { openTestDesk, type TestDesk } from './testing/test-desk'
import { createTriageBoard } from './triage-board'
import { restoreLogged } from './undo-triage'
import { commitTriageChange, lockTriage } from './write-triage'

const kind = 'declaration-of-interest'
const single: LeadRef = { kind, id: 'single' }
const last: LeadRef = { kind, id: 'n2499' }
const others = Array.from({ length: 2_499 }, (_, at): LeadRef => ({ kind, id: `n${String(at).padStart(4, '0')}` }))
const leads = [...others, last]

/** PGlite has one connection: nobody else does anything meanwhile. */
withPostgres('while a change of many leads is under way', (open) => {
  let desk: TestDesk
  let sara: Viewer
  let eva: Viewer
  beforeAll(async () => {
    desk = await openTestDesk(await open())
    sara = await desk.addPerson('sara', 'staff', 'all')
    eva = await desk.addPerson('eva', 'staff', 'all')
  })
  afterAll(() => desk.close())
  beforeEach(async () => {
    await desk.db.delete(triage)
    await desk.db.delete(activity)
  })

  const board = () => createTriageBoard(desk.parts)
  const statusesOf = async (reader = board()) => {
    const entries = await reader.getEntries(kind)
    return [...new Set(leads.map(({ id }) => entries.get(id)?.status ?? 'new'))].toSorted()
  }
  const handleAll = () => commitTriageChange(desk.parts, sara, leads, { status: 'handled' })
  const takeSingle = () => commitTriageChange(desk.parts, eva, [single], { status: 'in-progress' })

  /** Another connection has decided about the last lead and does not end: the change has written all others and waits. */
  async function heldAtItsLast(change: () => Promise<unknown>, meanwhile: () => Promise<void>) {
    let result: Promise<unknown> = Promise.resolve()
    await desk.db.transaction(async (tx) => {
      await lockTriage(tx, null, 'one')
      const set = { status: 'dismissed', updatedBy: 'eva', revision: sql`nextval('triage_revision')` } as const
      const inserting = tx.insert(triage).values({ kind, leadId: last.id, updatedAt: new Date(), ...set })
      await inserting.onConflictDoUpdate({ target: [triage.kind, triage.leadId], set })
      result = change()
      result.catch(() => {})
      await expect.poll(waiting).toHaveLength(1)
      await meanwhile()
    })
    return result
  }
  const waiting = async () => {
    const ofLocks = sql`pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    return desk.db.select({ pid: sql<number>`pid` }).from(ofLocks)
  }
  async function endTheWaiting() {
    for (const { pid } of await waiting()) await desk.db.execute(sql`select pg_terminate_backend(${pid}::int)`)
  }

  test('others decide about other leads, and nobody sees a part of it', async () => {
    const changed = await heldAtItsLast(handleAll, async () => {
      expect((await takeSingle()).changed).toHaveLength(1)
      expect([...(await board().getEntries(kind)).keys()]).toEqual(['single'])
    })
    expect(changed).toMatchObject({ conflicts: [{ ...last, now: { status: 'dismissed', updatedById: 'eva' } }] })
    expect(await statusesOf()).toEqual(['dismissed', 'handled'])
    expect(await desk.db.$count(activity, eq(activity.action, 'triage-changed'))).toBe(leads.length)
  })

  test('a board that has read a later decision finds the change afterwards', async () => {
    const reader = board()
    await heldAtItsLast(handleAll, async () => {
      await takeSingle()
      expect((await reader.getEntries(kind)).get('single')?.status).toBe('in-progress')
    })
    expect(await statusesOf(reader)).toEqual(['dismissed', 'handled'])
  })

  test('a lost connection has changed nothing and undone nothing', async () => {
    await expect(heldAtItsLast(handleAll, endTheWaiting)).rejects.toThrow('query')
    expect(await statusesOf()).toEqual(['dismissed', 'new'])
    expect(await desk.db.$count(activity)).toBe(0)
    const { logged } = await handleAll()
    const undo = async () => logged && restoreLogged(desk.parts, sara, logged, () => true)
    await expect(heldAtItsLast(undo, endTheWaiting)).rejects.toThrow('query')
    expect(await statusesOf()).toEqual(['dismissed', 'handled'])
    expect((await undo())?.conflictCount).toBe(1)
    const undone = and(eq(activity.action, 'triage-undone'), eq(activity.userId, 'sara'))
    expect(await desk.db.$count(activity, undone)).toBe(others.length)
  })
})
