import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allow } from '@/server/access/viewer'
import { activity } from '@/server/db/schema'
import { ForbiddenError, NotFoundError } from '@/server/errors'
import { openTestDesk, type TestDesk } from '@/server/leads/testing/test-desk'
import { believeList } from './believe-list'
import { emptyListState, type ListState } from './list-refresher'

let desk: TestDesk
beforeAll(async () => {
  desk = await openTestDesk()
})
afterAll(() => desk.close())

test('an administrator says that a list is right: it is logged, and every instance is told', async () => {
  const doubt = { before: 100, now: 7, digest: 'd', answers: 2, lastedMs: 30_000 }
  const held: ListState<never> = {
    ...emptyListState<never>(),
    problem: { kind: 'unreadable', since: 0, detail: 'only 7 of 100', doubt },
  }
  const told: unknown[] = []
  const parts = {
    connect: desk.parts.connect,
    activity: desk.parts.activity,
    feed: { askedQuestions: () => held, declarations: emptyListState<never>, highSchools: emptyListState<never> },
    announcer: { believed: (...what: unknown[]) => void told.push(what) },
  }
  const anna = allow(await desk.person('anna', 'admin', 'all'), 'admin')
  const sara = await desk.person('sara', 'staff', ['norra', 'sodra'])

  await expect(believeList(parts, anna, 'high-schools')).rejects.toThrow(NotFoundError)
  expect(() => allow(sara, 'admin')).toThrow(ForbiddenError)
  expect(told).toEqual([])

  const list = 'asked-questions'
  expect(await believeList(parts, anna, list)).toEqual({ list, before: 100, now: 7 })
  expect(told).toEqual([[list, 7]])
  const logged = await desk.db.select().from(activity).where(eq(activity.action, 'list-believed'))
  expect(logged).toMatchObject([{ userId: 'anna', details: { list, before: 100, now: 7 } }])
})
