import { beforeEach, describe, expect, test, vi } from 'vitest'
import { HOUR_MS } from '@/lib/time/durations'
import { sessions as sessionsTable } from '@/server/base/access-schema'
import type { Connect, Db } from '@/server/base/database'
import { users } from '@/server/base/schema'
import { createSeal } from '@/server/base/seal'
import { testServices } from '@/server/testing/services'
import { createSessions } from './sessions'
import { storedUser } from './testing/stored-user'

const NOW = Date.UTC(2027, 0, 20, 8)
const sessionFields = { method: 'password', device: 'Firefox, Windows', address: '192.0.2.7' } as const

export function sessionsSuite(connect: Connect): void {
  const time = { ms: NOW }
  const warn = vi.fn<() => void>()
  const create = (other: object = {}) => {
    const env = { mode: 'connected', hasPasswordSignIn: true, oidc: null, ...other }
    const seal = createSeal([new Uint8Array(32)])
    return createSessions(testServices({ connect, now: () => time.ms, logger: { warn }, env, seal }))
  }
  const sessions = create()
  const demoSessions = create({ mode: 'demo' })
  const begin = (userId = 'eva') => sessions.begin({ userId, ...sessionFields })
  const inTransaction = async <T>(work: (tx: Db) => Promise<T>) => (await connect()).transaction(work)
  const end = (id: string, userId = 'eva') => inTransaction((tx) => sessions.end(tx, userId, id, 'person'))
  const endAll = (exceptId?: string) => inTransaction((tx) => sessions.endAll(tx, 'eva', 'admin', exceptId))
  const listIds = async (store = sessions) => (await store.list('eva')).map(({ id }) => id)

  describe('a session', () => {
    beforeEach(async () => {
      time.ms = NOW
      warn.mockReset()
      const people = [storedUser('eva'), storedUser('nils', { demo: true })]
      await (await connect()).insert(users).values(people).onConflictDoNothing()
      await (await connect()).delete(sessionsTable)
    })

    test('is found with whose it is, by an id that nobody can guess', async () => {
      const [one, two] = [await begin(), await begin()]
      expect(one).not.toBe(two)
      expect(one).toMatch(/^[\w-]{32}$/)
      expect(await sessions.find(one)).toMatchObject({ session: sessionFields, user: { id: 'eva', role: 'staff' } })
      expect(await sessions.find('nothing')).toBeNull()
    })

    test('of an account of the demo exists in the demo only', async () => {
      const id = await begin('nils')
      expect(await sessions.find(id)).toBeNull()
      expect(await demoSessions.find(id)).toMatchObject({ user: { id: 'nils' } })
    })

    test('ends with the way by which it began: where passwords are off, the provider’s go on alone', async () => {
      await begin()
      const byProvider = await sessions.begin({ userId: 'eva', ...sessionFields, method: 'oidc' })
      const off = create({ hasPasswordSignIn: false })
      expect([await listIds(off), (await off.find(byProvider))?.session.id]).toEqual([[byProvider], byProvider])
    })

    test('goes on from its last use, which is written once a minute', async () => {
      const id = await begin()
      const useAfter = (ms: number) => {
        time.ms += ms
        sessions.recordUse(id)
      }
      const lastUse = async () => (await sessions.find(id))?.session.lastUsedAt.getTime()
      useAfter(HOUR_MS)
      await vi.waitFor(async () => expect(await lastUse()).toBe(NOW + HOUR_MS))
      useAfter(59_000)
      useAfter(1_000)
      await vi.waitFor(async () => expect(await lastUse()).toBe(NOW + HOUR_MS + 60_000))
      expect(warn).not.toHaveBeenCalled()
    })

    test('that has ended stays ended, and can be ended once, by its user', async () => {
      const id = await begin()
      expect([await end(id, 'nils'), await end(id), await end(id)]).toEqual([false, true, false])
      time.ms += HOUR_MS
      sessions.recordUse(id)
      expect((await sessions.find(id))?.session).toMatchObject({ endedAt: new Date(NOW), endedBy: 'person' })
    })

    test('is listed while it holds, the latest used first', async () => {
      const first = await begin()
      time.ms += 7 * HOUR_MS
      const second = await begin()
      await end(await begin())
      expect(await listIds()).toEqual([second, first])
      time.ms = NOW + 8 * HOUR_MS
      expect(await listIds(), 'the first was not used for eight hours').toEqual([second])
    })

    test('ends with all of its user, but for the one to keep', async () => {
      const [one, two, other] = [await begin(), await begin(), await begin('nils')]
      expect([await endAll(two), await listIds()]).toEqual([1, [two]])
      expect([await endAll(), await listIds()]).toEqual([1, []])
      expect((await sessions.find(one))?.session.endedBy).toBe('admin')
      expect(await demoSessions.find(other)).toMatchObject({ session: { endedAt: null } })
    })
  })
}
