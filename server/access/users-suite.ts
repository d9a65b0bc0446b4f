import { beforeEach, describe, expect, test } from 'vitest'
import { DAY_MS } from '@/lib/time/durations'
import type { Connect, Db } from '@/server/base/database'
import { ConflictError, NotFoundError } from '@/server/base/errors'
import { users as usersTable } from '@/server/base/schema'
import { acceptPasswordLink } from './invitations'
import { createLinkToken, PASSWORD, createSignInServices } from './testing/sign-in-world'
import { type AccessChange, createUsers, setPassword, type StoredUser, type Users } from './users'

const NOW = Date.UTC(2027, 0, 20, 8)
const maja: Parameters<Users['create']>[1] = {
  email: 'Maja@Skolan.test',
  name: 'Maja',
  role: 'staff',
  schools: ['norra'],
  passwordHash: null,
}
const boss = { email: 'boss@skolan.test', name: 'Boss', role: 'admin', schools: 'all', passwordHash: 'h' } as const

export function usersSuite(connect: Connect): void {
  const time = { ms: NOW }
  const now = () => time.ms
  const demoUsers = createUsers({ connect, now, isDemo: true })
  const services = createSignInServices({ connect, now })
  const { users, sessions } = services
  const create = async (user: typeof maja, within = users) => within.create(await connect(), user)
  const inTransaction = async <T>(work: (tx: Db) => Promise<T>) => (await connect()).transaction(work)
  const change = (id: string, accessChange: AccessChange, within = users) =>
    inTransaction((tx) => within.change(tx, id, accessChange))
  const setHash = (user: StoredUser, exceptId?: string) =>
    inTransaction((tx) => setPassword(tx, user, { passwordHash: 'hash', nowMs: now(), exceptId }))
  const statuses = async (...tried: Promise<unknown>[]) =>
    (await Promise.allSettled(tried)).map(({ status }) => status).toSorted()

  beforeEach(async () => {
    time.ms = NOW
    await (await connect()).delete(usersTable)
  })

  describe('users', () => {
    test('are found by id and by e-mail in any spelling, of which each has one', async () => {
      const made = await create(maja)
      expect(made).toMatchObject({ email: 'maja@skolan.test', disabled: false, activatedAt: null })
      expect(await users.find(made.id)).toEqual(made)
      expect(await users.findByEmail('MAJA@skolan.TEST')).toEqual(made)
      expect(await users.find('nobody')).toBeNull()
      await expect(create({ ...maja, email: 'mAJA@skolan.test' })).rejects.toThrow(ConflictError)
    })

    test('cannot lose their last active administrator, while all others can go', async () => {
      const first = await create(boss)
      await create({ ...boss, email: 'invited@x.test', passwordHash: null })
      await expect(change(first.id, { role: 'manager' })).rejects.toThrow(ConflictError)
      await expect(change(first.id, { disabled: true })).rejects.toThrow(ConflictError)
      const admins = [first]
      for (const email of ['b@x.test', 'c@x.test', 'd@x.test']) admins.push(await create({ ...boss, email }))
      const demoted = admins.map(({ id }) => change(id, { role: 'manager' }))
      expect(await statuses(...demoted), 'at once').toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected'])
    })

    test('a new password and being disabled end sessions; a new role does not need to', async () => {
      const made = await create(maja)
      const { id } = made
      const begin = () => sessions.begin({ userId: id, method: 'password', device: '?', address: '?' })
      const endedBy = async (session: string) => (await sessions.find(session))?.session.endedBy ?? null
      const [first, kept] = [await begin(), await begin()]
      await change(id, { role: 'manager' })
      expect(await endedBy(first)).toBeNull()
      await setHash(made, kept)
      expect([await endedBy(first), await endedBy(kept)]).toEqual(['password', null])
      await change(id, { disabled: true })
      await change(id, { disabled: false })
      expect([await endedBy(first), await endedBy(kept)]).toEqual(['password', 'access'])
      expect(await users.find(id)).toMatchObject({ disabled: false, passwordHash: 'hash' })
    })

    test('of demo mode do not exist for connected mode, and come back as documented', async () => {
      const email = 'admin@demo.test'
      await demoUsers.ensureDemoUser({ ...boss, email })
      const { id = '' } = (await demoUsers.findByEmail(email)) ?? {}
      expect([await users.findByEmail(email), await users.find(id)]).toEqual([null, null])
      expect([await users.list(), await users.hasRealUsers()]).toEqual([[], false])
      await create({ ...boss, email: 'other@x.test' }, demoUsers)
      await change(id, { role: 'staff', schools: [], disabled: true }, demoUsers)
      await demoUsers.ensureDemoUser({ ...boss, email })
      expect(await demoUsers.findByEmail(email)).toMatchObject({ demo: true, role: 'admin', disabled: false })
    })
  })

  describe('a link to set a password', () => {
    const openLink = (id: string) => createLinkToken(services, id)
    const accept = (token: string) => acceptPasswordLink(services, null, { token, password: PASSWORD })

    test('sets a password once, also of two at once, and is not kept in the clear', async () => {
      const { id } = await create(maja)
      const token = await openLink(id)
      expect(JSON.stringify(await (await connect()).select().from(usersTable))).not.toContain(token)
      expect(await statuses(accept(token), accept(token))).toEqual(['fulfilled', 'rejected'])
      expect(await users.find(id)).toMatchObject({ activatedAt: new Date(NOW), linkHash: null })
    })

    test.each([
      ['an invitation', null, 7],
      ['a new password', new Date(NOW), 1],
    ] as const)('for %s holds for some days, and takes the place of the one before', async (_, activatedAt, days) => {
      const { id } = await create(maja)
      await (await connect()).update(usersTable).set({ activatedAt })
      const [first, token] = [await openLink(id), await openLink(id)]
      await expect(accept(first)).rejects.toThrow(NotFoundError)
      time.ms += days * DAY_MS
      await expect(accept(token)).rejects.toThrow(NotFoundError)
      time.ms -= 1
      await accept(token)
    })

    test('ends with a password that was set otherwise, and with access that is taken away, also when it is given back', async () => {
      const [one, two, other] = [await create(maja), await create({ ...maja, email: 'two@x.test' }), await create(boss)]
      const [first, second, third] = [await openLink(one.id), await openLink(two.id), await openLink(other.id)]
      await setHash(one)
      await change(two.id, { disabled: true })
      await change(two.id, { disabled: false })
      for (const token of [first, second]) await expect(accept(token)).rejects.toThrow(NotFoundError)
      await accept(third)
    })
  })
}
