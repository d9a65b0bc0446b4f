import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allow } from '@/server/access/viewer'
import { activity } from '@/server/db/schema'
import { ForbiddenError, NotFoundError } from '@/server/errors'
import { openTestDesk, type TestDesk } from '@/server/leads/testing/test-desk'
import { agreeToPurge, listPurgeHolds, measureList } from './purge-holds'

let desk: TestDesk
beforeAll(async () => {
  desk = await openTestDesk()
})
afterAll(() => desk.close())

test('an administrator agrees that a list is as small as it is', async () => {
  const list = 'asked-questions'
  const { parts, db } = desk
  const sara = await desk.person('sara', 'staff', ['norra', 'sodra'])
  const anna = allow(await desk.person('anna', 'admin', 'all'), 'admin')
  expect(await listPurgeHolds(parts, anna)).toEqual({ holds: [] })
  await expect(agreeToPurge(parts, anna, { list })).rejects.toThrow(NotFoundError)
  await measureList(db, list, 100, 0)
  expect(await measureList(db, list, 60, 0)).toEqual({ isHeld: true, unknownMs: 0 })
  expect((await listPurgeHolds(parts, anna)).holds).toEqual([
    { list, before: 100, now: 60, since: '1970-01-01T00:00:00.000Z' },
  ])
  await expect(agreeToPurge(parts, sara, { list })).rejects.toThrow(ForbiddenError)
  expect(await agreeToPurge(parts, anna, { list })).toEqual({ holds: [] })
  // 60 is the measure from now on: 58 is no fall, 50 is one.
  expect(await measureList(db, list, 58, parts.now())).toMatchObject({ isHeld: false })
  expect(await measureList(db, list, 50, parts.now())).toMatchObject({ isHeld: true })
  expect((await listPurgeHolds(parts, anna)).holds).toMatchObject([{ before: 60, now: 50 }])
  expect(await db.select().from(activity).where(eq(activity.action, 'purge-agreed'))).toMatchObject([
    { userId: 'anna', details: { list, before: 100, now: 60 } },
  ])
})
