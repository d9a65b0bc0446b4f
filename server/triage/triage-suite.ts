import 'server-only'
import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import type { LeadRef } from '@/lib/contract/lead'
import type { Connect } from '@/server/db/db'
import { activity, users } from '@/server/db/schema'
import { changeTriage } from './change-triage'
import { createTriageBoard } from './triage-board'

/** What triage promises, on any database. */
export function triageSuite(connect: Connect): void {
  describe('triage', () => {
    const kerstin = randomUUID()
    const board = () => createTriageBoard({ connect, onUnreachable })
    const declaration = (id = randomUUID()): LeadRef => ({ kind: 'declaration-of-interest', id })

    beforeAll(async () => {
      const db = await connect()
      const row = { name: 'Kerstin Berg', role: 'staff', schools: 'all', createdAt: new Date() } as const
      await db.insert(users).values({ ...row, id: kerstin, email: `${kerstin}@skola.example` })
    })

    test('a lead that nobody touched has no entry and is told as new', async () => {
      const own = board()
      const triageOf = await own.current('asked-question')
      expect(triageOf.get('untouched')).toBeUndefined()
      const tell = await own.describe(triageOf, ['untouched'])
      expect(tell('untouched')).toEqual({ status: 'new', assignee: null, updatedAt: null })
    })

    test('a change is seen by every instance, with the assignee’s name', async () => {
      const [mine, another] = [board(), board()]
      const lead = declaration()
      await another.current(lead.kind)
      await changeTriage(await connect(), kerstin, [lead], { status: 'in-progress', assigneeId: kerstin })
      for (const one of [mine, another]) {
        const triageOf = await one.current(lead.kind)
        const tell = await one.describe(triageOf, [lead.id])
        expect(tell(lead.id)).toMatchObject({ status: 'in-progress', assignee: { id: kerstin, name: 'Kerstin Berg' } })
      }
    })

    test('what is not named stays, and what is so already is no change', async () => {
      const lead = declaration()
      const db = await connect()
      await changeTriage(db, kerstin, [lead], { assigneeId: kerstin })
      const [handled] = await changeTriage(db, kerstin, [lead], { status: 'handled' })
      expect(handled).toMatchObject({
        before: { status: 'new', assigneeId: kerstin },
        after: { status: 'handled', assigneeId: kerstin },
      })
      expect(await changeTriage(db, kerstin, [lead], { status: 'handled' })).toEqual([])
      expect(await changeTriage(db, kerstin, [declaration()], { status: 'new' })).toEqual([])
    })

    test('the same id of the other kind is another lead', async () => {
      const { id } = declaration()
      await changeTriage(await connect(), kerstin, [{ kind: 'asked-question', id }], { status: 'handled' })
      const own = board()
      expect((await own.current('asked-question')).get(id)?.status).toBe('handled')
      expect((await own.current('declaration-of-interest')).get(id)).toBeUndefined()
    })

    test('each change is in the activity log by ids alone', async () => {
      const lead = declaration()
      const db = await connect()
      await changeTriage(db, kerstin, [lead], { status: 'dismissed' })
      const [entry] = await db.select().from(activity).where(eq(activity.leadId, lead.id))
      expect(entry).toMatchObject({ userId: kerstin, action: 'triage-changed', leadKind: lead.kind })
      expect(entry?.details).toEqual({ from: 'new', to: 'dismissed', assignee: null })
    })

    test('twelve thousand leads change in one go', async () => {
      const leads = Array.from({ length: 12_000 }, () => declaration())
      const changed = await changeTriage(await connect(), kerstin, leads, { status: 'handled' })
      expect(changed).toHaveLength(leads.length)
      const triageOf = await board().current('declaration-of-interest')
      expect(leads.filter(({ id }) => triageOf.get(id)?.status !== 'handled')).toEqual([])
    })
  })
}

function onUnreachable(error: unknown): never {
  throw new Error('the database was there', { cause: error })
}
