import 'server-only'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Connect } from '@/server/base/database'
import { users as usersTable } from '@/server/base/schema'
import { ConflictError, NotFoundError } from '@/server/base/errors'
import { emptyListState } from '@/server/feed/list-state'
import { testServices } from '@/server/testing/services'
import { createActivity } from './activity'
import { createSessions } from './sessions'
import { acceptInvitation } from './invitations'
import { linkToken, PASSWORD } from './testing/sign-in-world'
import { type AccessChange, createUsers, setPassword, type Users } from './users'

const NOW = Date.UTC(2027, 0, 20, 8)
const DAY_MS = 24 * 3_600_000
const maja: Parameters<Users['create']>[1] = {
  email: 'Maja@Skolan.test',
  name: 'Maja',
  role: 'staff',
  schools: ['norra'],
  passwordHash: null,
}
const boss = { email: 'boss@skolan.test', name: 'Boss', role: 'admin', schools: 'all', passwordHash: 'h' } as const

export function usersSuite(db: Connect): void {
  const now = { ms: NOW }
  const clock = () => now.ms
  const users = createUsers({ connect: db, now: clock, demo: false })
  const demoUsers = createUsers({ connect: db, now: clock, demo: true })
  const sessions = createSessions({ connect: db, now: clock, logger: { warn: () => {} }, demo: false })
  const create = async (user: Parameters<Users['create']>[1], into = users) => into.create(await db(), user)
  const change = async (id: string, what: AccessChange, within = users) =>
    (await db()).transaction((tx) => within.change(tx, id, what))
  const services = testServices({
    connect: db,
    now: clock,
    env: { auth: { url: 'https://intag.test' }, passwordSignIn: true, oidc: null },
    users,
    feed: { highSchools: () => emptyListState() },
    activity: createActivity({ connect: db, now: clock }),
    throttle: { reset: async () => {} },
    announcer: { userChanged: async () => {} },
  })

  beforeEach(async () => {
    now.ms = NOW
    await (await db()).delete(usersTable)
  })

  describe('users', () => {
    test('are found by id and by e-mail in any spelling', async () => {
      const made = await create(maja)
      expect(made).toMatchObject({ email: 'maja@skolan.test', schools: ['norra'], disabled: false, activatedAt: null })
      expect(await users.find(made.id)).toEqual(made)
      expect(await users.findByEmail('MAJA@skolan.TEST')).toEqual(made)
      expect(await users.find('nobody')).toBeNull()
    })

    test('have an e-mail of their own, whatever its spelling', async () => {
      await create(maja)
      await expect(create({ ...maja, email: 'mAJA@skolan.test' })).rejects.toThrow(ConflictError)
    })

    test('keep the difference between all schools, some and none', async () => {
      const all = await create({ ...maja, email: 'a@x.test', schools: 'all' })
      const none = await create({ ...maja, email: 'b@x.test', schools: [] })
      expect((await users.find(all.id))?.schools).toBe('all')
      expect((await users.find(none.id))?.schools).toEqual([])
    })

    test('cannot lose their last active administrator, while a second one can go', async () => {
      const first = await create(boss)
      await create({ ...boss, email: 'invited@x.test', passwordHash: null })
      await expect(change(first.id, { role: 'manager' })).rejects.toThrow(ConflictError)
      await expect(change(first.id, { disabled: true })).rejects.toThrow(ConflictError)

      await create({ ...boss, email: 'second@x.test' })
      expect(await change(first.id, { role: 'manager' })).toMatchObject({ role: 'manager' })
    })

    test('two administrators who demote each other at once leave one', async () => {
      const [one, two] = [await create(boss), await create({ ...boss, email: 'two@x.test' })]
      const outcomes = await Promise.allSettled([change(one.id, { role: 'staff' }), change(two.id, { role: 'staff' })])
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    })

    test('a new password and being disabled end sessions; a new role does not need to', async () => {
      const made = await create(maja)
      const { id } = made
      const begin = () => sessions.begin({ userId: id, method: 'password', device: '?', address: '?' })
      const endedBy = async (session: string) => (await sessions.find(session))?.session.endedBy ?? null
      const first = await begin()
      await change(id, { role: 'manager' })
      expect(await endedBy(first)).toBeNull()
      await (await db()).transaction((tx) => setPassword(tx, made, 'hash', new Date(clock())))
      expect(await endedBy(first)).toBe('password')
      const second = await begin()
      await change(id, { disabled: true })
      await change(id, { disabled: false })
      expect([await endedBy(second), await endedBy(first)]).toEqual(['access', 'password'])
      const [kept, other] = [await begin(), await begin()]
      await (await db()).transaction((tx) => setPassword(tx, made, 'hash', new Date(clock()), kept))
      expect([await endedBy(kept), await endedBy(other)]).toEqual([null, 'password'])
      expect(await users.find(id)).toMatchObject({ disabled: false, passwordHash: 'hash' })
    })

    test('of demo mode do not exist for connected mode, and come back as documented', async () => {
      await demoUsers.restoreDemo({ ...boss, email: 'admin@demo.test' })
      const made = await demoUsers.findByEmail('admin@demo.test')
      expect(made).toMatchObject({ demo: true, role: 'admin' })
      expect(await users.findByEmail('admin@demo.test')).toBeNull()
      expect(await users.find(made?.id ?? '')).toBeNull()
      expect(await users.list()).toEqual([])
      expect(await users.anyReal()).toBe(false)

      await create({ ...boss, email: 'other@x.test' }, demoUsers)
      await change(made?.id ?? '', { role: 'staff', schools: [], disabled: true }, demoUsers)
      await demoUsers.restoreDemo({ ...boss, email: 'admin@demo.test' })
      expect(await demoUsers.findByEmail('admin@demo.test')).toMatchObject({ role: 'admin', disabled: false })
    })
  })

  describe('a link to set a password', () => {
    const open = async (id: string) => linkToken(services, id)
    const accept = (token: string, password = PASSWORD) => acceptInvitation(services, null, { token, password })

    test('sets a password once, also of two at once, and is not kept in the clear', async () => {
      const { id } = await create(maja)
      const token = await open(id)
      expect(JSON.stringify(await (await db()).select().from(usersTable))).not.toContain(token)
      const outcomes = await Promise.allSettled([accept(token), accept(token)])
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
      expect(await users.find(id)).toMatchObject({ activatedAt: new Date(NOW), linkHash: null })
      await expect(accept(token)).rejects.toThrow(NotFoundError)
    })

    test.each([
      ['an invitation', null, 7],
      ['a new password', new Date(NOW), 1],
    ] as const)('for %s holds for some days, and takes the place of the one before', async (_, activatedAt, days) => {
      const { id } = await create(maja)
      await (await db()).update(usersTable).set({ activatedAt })
      const [first, token] = [await open(id), await open(id)]
      await expect(accept(first)).rejects.toThrow(NotFoundError)
      now.ms += days * DAY_MS
      await expect(accept(token)).rejects.toThrow(NotFoundError)
      now.ms -= 1
      await accept(token)
    })

    test('ends with a password that was set otherwise, and with access that is taken away, also when it is given back', async () => {
      const [one, two, other] = [await create(maja), await create({ ...maja, email: 'two@x.test' }), await create(boss)]
      const [first, second, third] = [await open(one.id), await open(two.id), await open(other.id)]
      await (await db()).transaction((tx) => setPassword(tx, one, 'new', new Date(clock())))
      await change(two.id, { disabled: true })
      await change(two.id, { disabled: false })
      for (const token of [first, second]) await expect(accept(token)).rejects.toThrow(NotFoundError)
      await accept(third)
    })
  })
}
