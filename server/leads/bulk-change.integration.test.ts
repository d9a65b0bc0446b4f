import { and, eq, sql } from 'drizzle-orm'
import pino from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { LeadRef } from '@/lib/contract/lead'
import { makeViewer } from '@/server/access/viewer'
import { createActivity } from '@/server/access/activity'
import { testServices } from '@/server/testing/services'
import { type OpenDatabase, openPostgres } from '@/server/base/database'
import { activity, triage, users } from '@/server/base/schema'
import { createOwnDatabase, type OwnDatabase } from '@/server/base/testing/own-database'
import { failWhenUnreachable } from '@/server/base/testing/unreachable'
import { restoreLogged } from './undo-triage'
import { createTriageBoard } from './triage-board'
import { changeTriage, lockTriage } from './write-triage'

const kind = 'declaration-of-interest'
const leads = Array.from({ length: 2_500 }, (_, at): LeadRef => ({ kind, id: `n${String(at).padStart(4, '0')}` }))
const last = leads.slice(-1)
const single: LeadRef[] = [{ kind, id: 'single' }]
const viewerOf = (id: string) =>
  makeViewer({ id, name: id, email: `${id}@skola.example`, role: 'staff', schools: 'all' })
const [sara, eva] = [viewerOf('sara'), viewerOf('eva')]

/** PGlite has one connection: nobody else does anything meanwhile. */
describe.skipIf(process.env.TEST_DATABASE_URL === undefined)('while a change of many leads is under way', () => {
  let own: OwnDatabase
  let database: OpenDatabase
  const connect = async () => database.db
  const parts = testServices({ connect, activity: createActivity({ connect, now: Date.now }) })
  const board = () => createTriageBoard({ connect, onUnreachable: failWhenUnreachable })
  const statusesOf = async (reader = board()) => {
    const entries = await reader.current(kind)
    return [...new Set(leads.map(({ id }) => entries.get(id)?.status ?? 'new'))].toSorted()
  }

  beforeAll(async () => {
    own = await createOwnDatabase()
    database = await openPostgres(own.url, pino({ enabled: false }))
    for (const { id, name } of [sara, eva])
      await database.db.insert(users).values({
        id,
        name,
        email: `${id}@skola.example`,
        role: 'staff',
        schools: 'all',
        createdAt: new Date(),
      })
  })
  afterAll(async () => {
    await database.close()
    await own.drop()
  })
  beforeEach(async () => {
    await database.db.delete(triage)
    await database.db.delete(activity)
  })

  /** Another connection has decided about the last lead and does not end: the change has written all others and waits. */
  async function heldAtItsLast(change: () => Promise<unknown>, meanwhile: () => Promise<void>) {
    let result: Promise<unknown> = Promise.resolve()
    await database.db.transaction(async (tx) => {
      await lockTriage(tx, null, 'one')
      await tx
        .insert(triage)
        .values({ kind, leadId: last[0]?.id ?? '', status: 'dismissed', updatedAt: new Date(), updatedBy: 'eva' })
        .onConflictDoUpdate({
          target: [triage.kind, triage.leadId],
          set: { status: 'dismissed', updatedBy: 'eva', revision: sql`nextval('triage_revision')` },
        })
      result = change()
      result.catch(() => {})
      await expect.poll(waiting).toHaveLength(1)
      await meanwhile()
    })
    return result
  }
  const waiting = async () => {
    const isWaiting = sql`datname = current_database() and wait_event_type = 'Lock'`
    return database.db
      .select({ pid: sql<number>`pid` })
      .from(sql`pg_stat_activity`)
      .where(isWaiting)
  }

  test('others decide about other leads, and nobody sees a part of it', async () => {
    const changed = heldAtItsLast(
      () => changeTriage(parts, sara, leads, { status: 'handled' }),
      async () => {
        expect((await changeTriage(parts, eva, single, { status: 'in-progress' })).changed).toHaveLength(1)
        const entries = await board().current(kind)
        expect([...entries.keys()]).toEqual(['single'])
      },
    )
    expect(await changed).toMatchObject({
      conflicts: [{ ...last[0], now: { status: 'dismissed', updatedById: 'eva' } }],
    })
    expect(await statusesOf()).toEqual(['dismissed', 'handled'])
    expect(await database.db.$count(activity, eq(activity.action, 'triage-changed'))).toBe(leads.length)
  })

  test('a board that has read a later decision finds it afterwards', async () => {
    const reader = board()
    await heldAtItsLast(
      () => changeTriage(parts, sara, leads, { status: 'handled' }),
      async () => {
        await changeTriage(parts, eva, single, { status: 'in-progress' })
        expect((await reader.current(kind)).get('single')?.status).toBe('in-progress')
      },
    )
    expect(await statusesOf(reader)).toEqual(['dismissed', 'handled'])
  })

  test('a lost connection has changed nothing', async () => {
    const changed = heldAtItsLast(() => changeTriage(parts, sara, leads, { status: 'handled' }), endTheWaiting)
    await expect(changed).rejects.toThrow('query')
    expect(await statusesOf()).toEqual(['dismissed', 'new'])
    expect(await database.db.$count(activity)).toBe(0)
  })

  test('nor has it undone anything', async () => {
    const { logged } = await changeTriage(parts, sara, leads, { status: 'handled' })
    if (logged === null) throw new Error('nothing was changed')
    const undo = () => restoreLogged(parts, sara, logged, () => true)
    await expect(heldAtItsLast(undo, endTheWaiting)).rejects.toThrow('query')
    expect(await statusesOf()).toEqual(['dismissed', 'handled'])
    expect(await undo()).toMatchObject({ restored: leads.slice(0, -1), conflicts: 1 })
    const undone = and(eq(activity.action, 'triage-undone'), eq(activity.userId, 'sara'))
    expect(await database.db.$count(activity, undone)).toBe(leads.length - 1)
  })

  async function endTheWaiting() {
    for (const { pid } of await waiting()) await database.db.execute(sql`select pg_terminate_backend(${pid}::int)`)
  }
})
