import 'server-only'
import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import type { Connect } from '@/server/base/database'
import { NotFoundError } from '@/server/base/errors'
import { activity } from '@/server/base/schema'
import { DAY, HOUR, openInstallation, START } from './testing/installation'

/** What happens to notes and decisions when a service gives the same people other ids, on any database. */
export function renewedIdsSuite(connect: Connect): void {
  describe('renewed ids', () => {
    const many = Array.from({ length: 40 }, (_, index) => `d${index}`)
    const renewed = (ids: readonly string[]) => ids.map((id) => `new-${id}`)
    /** An installation that has read the list, with notes on some of its leads. */
    const opened = async (ids: readonly string[], notesOn: readonly string[]) => {
      const it = await openInstallation(connect, ids)
      for (const id of notesOn) await it.annotate(id)
      await it.pass(HOUR)
      return it
    }

    test('a list as long as before, but of renewed ids, purges nothing until an administrator agrees', async () => {
      const ten = many.slice(0, 10)
      const it = await opened(ten, ten)
      const keptOf = async () => (await Promise.all(ten.map(it.isKept))).filter(Boolean).length
      it.answers(renewed(ten))
      await it.pass(7.1 * DAY)
      expect(await it.hold()).toMatchObject({ cause: 'renewed', missing: 10, after: 10, since: START + HOUR })
      expect(await keptOf()).toBe(10)
      expect(await it.agree()).toEqual({ holds: [] })
      await expect(it.agree(), 'once').rejects.toThrow(NotFoundError)
      const agreed = await it.db.select().from(activity).where(eq(activity.action, 'purge-agreed'))
      expect(agreed).toMatchObject([{ userId: it.author, details: { cause: 'renewed', before: 10, now: 10 } }])
      await it.pass(0)
      expect([await it.hold(), await keptOf()]).toEqual([null, 0])
    })

    test('ids renewed piece by piece over days, with restarts, are noticed before the first is purged, until they are back', async () => {
      const it = await opened(many, [])
      const hold = async (gone: number) => {
        it.answers([...renewed(many.slice(0, gone)), ...many.slice(gone)])
        it.restart()
        await it.pass(0)
        it.sleep(1.5 * DAY)
        return it.hold()
      }
      expect([await hold(2), await hold(4)]).toEqual([null, null])
      expect(await hold(6)).toMatchObject({ cause: 'renewed', missing: 6, after: 40 })
      it.sleep(30 * DAY)
      expect(await hold(40)).toMatchObject({ missing: 40, after: 40 })
      expect([await hold(0), await hold(0)], 'the renewed ids are gone instead').toEqual([null, null])
    })

    test('two withdrawn leads are not too many, nor is a season that ends over weeks', async () => {
      const short = await opened(['d1', 'd2', 'd3'], ['d1', 'd2'])
      short.answers(['d3', 'x', 'y'])
      await short.pass(0)
      expect(await short.hold()).toBeNull()
      const long = await opened(many, ['d0', 'd39'])
      for (let week = 1; week < 8; week++) {
        long.sleep(7 * DAY)
        long.answers([...many.slice(4 * week), ...renewed(many.slice(0, 4 * week))])
        await long.pass(0)
        expect(await long.hold()).toBeNull()
      }
    })
  })
}
