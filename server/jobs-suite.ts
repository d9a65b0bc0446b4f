import 'server-only'
import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import type { LeadRef } from '@/lib/contract/lead'
import { declaration } from '@/lib/leads/testing/leads'
import { makeViewer } from '@/server/access/viewer'
import type { Connect } from '@/server/db/database'
import { batches, jobs } from '@/server/db/job-schema'
import { triage, users } from '@/server/db/schema'
import { failWhenUnreachable } from '@/server/db/testing/unreachable'
import { openTestDesk, type TestDesk } from '@/server/leads/testing/test-desk'
import { createTriageBoard } from '@/server/triage/triage-board'
import {
  changeTriage,
  createTriageWorker,
  restoreLogged,
  type TriageBatch,
  undoLogged,
} from '@/server/triage/triage-jobs'
import type { LeadToChange } from '@/server/triage/write-triage'
import { startJob, deleteEndedJobs, endJob, JobTakenOverError } from './jobs'

/** What jobs promise when their process dies, and how they take turns, on any database. */
export function jobsSuite(connect: Connect): void {
  describe('jobs', () => {
    const kind = 'declaration-of-interest'
    const sara = randomUUID()
    const person = { name: 'Sara Ek', email: `${sara}@skola.example`, role: 'staff', schools: 'all' } as const
    const viewer = makeViewer({ ...person, id: sara })
    const leads = Array.from({ length: 600 }, (): LeadRef => ({ kind, id: randomUUID() }))
    const waiting = { kind: 'change', userId: sara, total: 600 } as const
    let desk: TestDesk
    let parts: TestDesk['parts']
    let another: ReturnType<typeof createTriageWorker>

    beforeAll(async () => {
      const db = await connect()
      await db.insert(users).values({ ...person, id: sara, createdAt: new Date() })
      desk = await openTestDesk({ db, close: async () => {} })
      desk.time.ms = Date.now()
      desk.setDeclarations(leads.map(({ id }) => declaration(id, { school: 'norra' })))
      parts = desk.parts
      another = createTriageWorker({ ...parts, logger: { info: () => {} } })
    })

    const stored = async () => {
      const rows = await (await connect()).select().from(jobs).where(eq(jobs.userId, sara))
      return rows.toSorted((a, b) => a.number - b.number)
    }
    /** As after `kill -9`, once its last sign of life is old. */
    const fallSilent = async () => {
      const db = await connect()
      await db.update(jobs).set({ heartbeat: sql`now() - interval '11 seconds'` })
    }
    const statuses = async () => {
      const triageOf = await createTriageBoard({ connect, onUnreachable: failWhenUnreachable }).current(kind)
      return [...new Set(leads.map(({ id }) => triageOf.get(id)?.status ?? 'new'))].sort()
    }
    /** Stands still after its first part until it may go on. */
    const cutAfterFirstPart = async (fields: Parameters<typeof changeTriage>[3], changing: LeadToChange[] = leads) => {
      const first = Promise.withResolvers<void>()
      const goOn = Promise.withResolvers<void>()
      const onProgress = () => {
        first.resolve()
        return goOn.promise
      }
      const result = changeTriage(parts, viewer, changing, fields, { onProgress })
      result.catch(() => {})
      await first.promise
      return { result, goOn: () => goOn.resolve() }
    }
    const undo = async () => {
      const { cursor } = (await stored()).at(-1) ?? {}
      const { at = 0, first = 0, last = 0 } = cursor ?? {}
      const { restored, conflicts } = await undoLogged(parts, viewer, { at: new Date(at), first, last }, () => true)
      return [restored.length, conflicts]
    }

    test('a change whose process died is finished by another, and can be undone as a whole', async () => {
      const cut = await cutAfterFirstPart({ status: 'handled' })
      await another.run()
      expect(await statuses(), 'while it shows signs of life it is its owner’s').toEqual(['handled', 'new'])
      await fallSilent()
      await another.run()
      expect(await statuses()).toEqual(['handled'])
      expect(await stored()).toMatchObject([{ state: 'finished', done: 600, total: 600, payload: null }])
      const event = (list: string, schools: string[]) => ({ name: 'triage', list, changes: [{ by: sara, schools }] })
      const announced = [event('asked-questions', []), event('declarations-of-interest', ['norra'])]
      expect(desk.events).toEqual(announced)
      cut.goOn()
      await expect(cut.result, 'who comes back to life writes nothing more').rejects.toThrow(JobTakenOverError)
      expect(await undo()).toEqual([600, 0])
      expect(await statuses()).toEqual(['new'])
    })

    test('an undo whose process died is finished by another', async () => {
      const { logged } = await changeTriage(parts, viewer, leads, { status: 'dismissed' })
      if (logged === null) throw new Error('nothing was changed')
      const cursor = { ...logged, at: logged.at.getTime() }
      const job = await startJob(connect, { kind: 'undo', userId: sara, total: 600, cursor })
      const begun = { ...logged, last: logged.first + 199 }
      expect((await restoreLogged(parts, viewer, { logged: begun, job })).restored).toHaveLength(200)
      expect(await statuses()).toEqual(['dismissed', 'new'])
      await fallSilent()
      await another.run()
      expect(await statuses()).toEqual(['new'])
      expect((await stored()).at(-1)).toMatchObject({ kind: 'undo', state: 'finished', done: 600, conflicts: 0 })
    })

    test('a user who may no longer change leads changes no more of them', async () => {
      const db = await connect()
      await cutAfterFirstPart({ status: 'in-progress' })
      await fallSilent()
      await db.update(users).set({ disabled: true }).where(eq(users.id, sara))
      await another.run()
      await db.update(users).set({ disabled: false }).where(eq(users.id, sara))
      expect(await statuses()).toEqual(['in-progress', 'new'])
      expect((await stored()).at(-1)).toMatchObject({ state: 'stopped', payload: null })
      expect(await undo()).toEqual([250, 0])
    })

    test('a user who lost the school is given no more of its leads', async () => {
      const db = await connect()
      const eva = randomUUID()
      await db.insert(users).values({ ...person, id: eva, email: `${eva}@skola.example`, createdAt: new Date() })
      await cutAfterFirstPart({ assigneeId: eva })
      await fallSilent()
      const moved = db.update(users).set({ schools: ['sodra'] })
      await moved.where(eq(users.id, eva))
      await another.run()
      expect(await db.$count(triage, eq(triage.assigneeId, eva))).toBe(250)
      expect((await stored()).at(-1)).toMatchObject({ state: 'finished', done: 600 })
      expect(await undo()).toEqual([250, 0])
    })

    test('bulk changes take turns on all instances; a silent owner delays none', async () => {
      const before = await startJob(connect, waiting)
      // Its owner is not silent, however slow this machine is.
      const db = await connect()
      await db
        .update(jobs)
        .set({ heartbeat: new Date(Date.now() + 60_000) })
        .where(eq(jobs.number, before.number))
      const order: string[] = []
      const next = changeTriage(parts, viewer, leads, { status: 'handled' }).then((batch: TriageBatch) => {
        order.push('next')
        return batch
      })
      await changeTriage(parts, viewer, leads.slice(0, 1), { status: 'dismissed' })
      order.push('single')
      await expect.poll(async () => (await stored()).at(-1)?.number).toBeGreaterThan(before.number)
      order.push('before')
      await endJob(connect, before, 'finished')
      expect((await next).changed, 'what was decided before its turn is no conflict').toHaveLength(600)
      expect(order).toEqual(['single', 'before', 'next'])

      const silent = await startJob(connect, waiting)
      await fallSilent()
      await changeTriage(parts, viewer, leads, { status: 'new' })
      await endJob(connect, silent, 'stopped')
      expect(await statuses()).toEqual(['new'])
    })

    test('a client that leaves while waiting has changed nothing', async () => {
      const before = await startJob(connect, waiting)
      const gone = new AbortController()
      const going = changeTriage(parts, viewer, leads, { status: 'handled' }, { signal: gone.signal })
      gone.abort()
      await expect(going).rejects.toThrow('aborted')
      expect((await stored()).at(-1)).toMatchObject({ state: 'stopped', done: 0, payload: null })
      await endJob(connect, before, 'stopped')
    })

    test('an abandoned bulk change of the release before is finished, too', async () => {
      const db = await connect()
      const cut = await cutAfterFirstPart({ status: 'dismissed' })
      const half = (await stored()).at(-1)
      if (!half?.cursor) throw new Error('nothing was begun')
      const leadsThen = JSON.stringify([{ kind, ids: leads.map(({ id }) => id), seen: [[leads[599]?.id, null]] }])
      const { at, revision, first: firstLog, last: lastLog } = half.cursor
      const when = { at: new Date(at), heartbeat: new Date(0) }
      const left = { userId: sara, owner: 'before', revision, firstLog, lastLog, ...when }
      await db.delete(jobs).where(eq(jobs.number, half.number))
      const changing = { ...left, state: 'changing' as const, fields: { status: 'dismissed' as const }, done: 250 }
      await db.insert(batches).values({ ...changing, leads: leadsThen })
      await another.run()
      expect(await statuses(), 'of one the user had seen another state').toEqual(['dismissed', 'new'])
      expect((await stored()).at(-1)).toMatchObject({ state: 'finished', done: 600, total: 600, conflicts: 1 })
      const whole = (await stored()).at(-1)?.cursor
      const undoing = { ...left, firstLog: whole?.first, lastLog: whole?.last, state: 'undoing' as const }
      await db.insert(batches).values({ ...undoing, undoneLog: firstLog })
      await another.run()
      expect(await statuses(), 'all but the one that was looked at before').toEqual(['dismissed', 'new'])
      expect((await stored()).at(-1)).toMatchObject({ kind: 'undo', done: 599, total: 599 })
      expect(await db.$count(batches)).toBe(0)
      cut.goOn()
      await expect(cut.result).rejects.toThrow(JobTakenOverError)
      await changeTriage(parts, viewer, leads, { status: 'new' })
    })

    test('a part needs no row, and rows that have ended go', async () => {
      const db = await connect()
      const count = (await stored()).length
      await changeTriage(parts, viewer, leads.slice(0, 250), { status: 'handled' })
      expect(await stored()).toHaveLength(count)
      await db.transaction((tx) => deleteEndedJobs(tx, new Date(Date.now() + 60_000)))
      expect(await stored()).toEqual([])
    })
  })
}
