import 'server-only'
import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { sessions as sessionsTable } from '@/server/base/access-schema'
import type { Connect } from '@/server/base/database'
import { users } from '@/server/base/schema'
import { createSessions } from './sessions'
import { storedUser } from './testing/stored-user'

const NOW = Date.UTC(2027, 0, 20, 8)
const HOUR_MS = 3_600_000
const eva = storedUser('eva')

export function sessionsSuite(db: Connect): void {
  const time = { ms: NOW }
  const warn = vi.fn<() => void>()
  const parts = { connect: db, now: () => time.ms, logger: { warn } }
  const sessions = createSessions({ ...parts, demo: false })
  const begin = (userId = 'eva') =>
    sessions.begin({ userId, method: 'password', device: 'Firefox, Windows', address: '192.0.2.7' })
  const end = async (id: string, userId = 'eva') =>
    (await db()).transaction((tx) => sessions.end(tx, userId, id, 'person'))
  const endAll = async (keep: string | null = null) =>
    (await db()).transaction((tx) => sessions.endAll(tx, 'eva', 'admin', keep))
  const listed = async () => (await sessions.list('eva', 'staff')).map(({ id }) => id)
  const lastUse = async (id: string) => (await sessions.find(id))?.session.lastUsedAt.getTime()

  const afresh = async () => {
    time.ms = NOW
    warn.mockReset()
    const people = [eva, storedUser('nils', { demo: true })]
    await (await db()).insert(users).values(people).onConflictDoNothing()
    await (await db()).delete(sessionsTable)
  }

  describe('a session', () => {
    beforeEach(afresh)

    test('is found with whose it is, by an id that nobody can guess', async () => {
      const [one, two] = [await begin(), await begin()]
      expect(one).not.toBe(two)
      expect(one).toMatch(/^[\w-]{32}$/)
      const device = { method: 'password', device: 'Firefox, Windows', address: '192.0.2.7', endedAt: null }
      expect(await sessions.find(one)).toMatchObject({ session: device, user: { id: 'eva', role: 'staff' } })
      expect(await sessions.find('nothing')).toBeNull()
    })

    test('of an account of the demo exists in the demo only', async () => {
      const id = await begin('nils')
      expect(await sessions.find(id)).toBeNull()
      expect(await createSessions({ ...parts, demo: true }).find(id)).toMatchObject({ user: { id: 'nils' } })
    })

    test('ends with the way by which it began: where passwords are off, the provider’s go on alone', async () => {
      const [byPassword, byProvider] = [await begin(), await begin()]
      await (await db()).update(sessionsTable).set({ method: 'oidc' }).where(eq(sessionsTable.id, byProvider))
      const off = createSessions({ ...parts, demo: false, env: { passwordSignIn: false, oidc: null } })
      expect([await off.find(byPassword), (await off.find(byProvider))?.session.id]).toEqual([null, byProvider])
      expect((await off.list('eva', 'staff')).map(({ id }) => id)).toEqual([byProvider])
      await (await db()).update(users).set({ role: 'admin', breakGlass: true }).where(eq(users.id, 'eva'))
      expect(await off.find(byPassword), 'who is to break the glass').not.toBeNull()
      await (await db()).update(users).set({ role: 'staff', breakGlass: false }).where(eq(users.id, 'eva'))
    })

    test('goes on from its last use, which is written once a minute', async () => {
      const id = await begin()
      const useAfter = (ms: number) => {
        time.ms += ms
        sessions.use(id)
      }
      useAfter(HOUR_MS)
      await vi.waitFor(async () => expect(await lastUse(id)).toBe(NOW + HOUR_MS))
      useAfter(59_000)
      useAfter(1_000)
      await vi.waitFor(async () => expect(await lastUse(id)).toBe(NOW + HOUR_MS + 60_000))
      expect(warn).not.toHaveBeenCalled()
    })

    test('that has ended stays ended, and can be ended once', async () => {
      const id = await begin()
      expect([await end(id, 'nils'), await end(id), await end(id)]).toEqual([false, true, false])
      time.ms += HOUR_MS
      sessions.use(id)
      expect((await sessions.find(id))?.session).toMatchObject({ endedAt: new Date(NOW), endedBy: 'person' })
    })
  })

  describe('a user’s sessions', () => {
    beforeEach(afresh)

    test('are those that hold, the latest used first', async () => {
      const first = await begin()
      time.ms += 7 * HOUR_MS
      const second = await begin()
      const third = await begin()
      await end(third)
      expect(await listed()).toEqual([second, first])
      time.ms = NOW + 8 * HOUR_MS
      expect(await listed(), 'the first was not used for eight hours').toEqual([second])
    })

    test('end together, but for the one to keep', async () => {
      const [one, two, three] = [await begin(), await begin(), await begin()]
      const other = await begin('nils')
      expect(await endAll(two)).toBe(2)
      expect(await listed()).toEqual([two])
      expect(await endAll()).toBe(1)
      for (const id of [one, three]) expect((await sessions.find(id))?.session.endedBy).toBe('admin')
      expect(await createSessions({ ...parts, demo: true }).find(other)).toMatchObject({ session: { endedAt: null } })
    })
  })
}
