import 'server-only'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Connect } from '@/server/db/db'
import { invitations, users as usersTable } from '@/server/db/schema'
import { ConflictError } from '@/server/errors'
import { createInvitationStore } from './invitation-store'
import { createUsers } from './users'

const NOW = Date.UTC(2027, 0, 20, 8)
const DAY_MS = 24 * 3_600_000
const maja = { email: 'Maja@Skolan.test', name: 'Maja', role: 'staff', schools: ['norra'], passwordHash: null } as const
const boss = { email: 'boss@skolan.test', name: 'Boss', role: 'admin', schools: 'all', passwordHash: 'h' } as const

/** What must hold for users and invitations on every database. */
export function usersSuite(db: Connect): void {
  const now = { ms: NOW }
  const clock = () => now.ms
  const users = createUsers({ db, clock, demo: false })
  const demoUsers = createUsers({ db, clock, demo: true })
  const invitationStore = createInvitationStore({ db, clock })

  beforeEach(async () => {
    now.ms = NOW
    await (await db()).delete(invitations)
    await (await db()).delete(usersTable)
  })

  describe('users', () => {
    test('are found by id and by e-mail in any spelling', async () => {
      const made = await users.create({ ...maja, schools: ['norra'] })
      expect(made).toMatchObject({ email: 'maja@skolan.test', schools: ['norra'], disabled: false, activatedAt: null })
      expect(await users.find(made.id)).toEqual(made)
      expect(await users.findByEmail('MAJA@skolan.TEST')).toEqual(made)
      expect(await users.find('nobody')).toBeNull()
    })

    test('have an e-mail of their own, whatever its spelling', async () => {
      await users.create({ ...maja, schools: 'all' })
      await expect(users.create({ ...maja, email: 'mAJA@skolan.test', schools: 'all' })).rejects.toThrow(ConflictError)
    })

    test('keep the difference between all schools, some and none', async () => {
      const all = await users.create({ ...maja, email: 'a@x.test', schools: 'all' })
      const none = await users.create({ ...maja, email: 'b@x.test', schools: [] })
      expect((await users.find(all.id))?.schools).toBe('all')
      expect((await users.find(none.id))?.schools).toEqual([])
    })

    test('cannot lose their last active administrator, while a second one can go', async () => {
      const first = await users.create(boss)
      await users.create({ ...boss, email: 'invited@x.test', passwordHash: null })
      await expect(users.change(first.id, { role: 'manager' })).rejects.toThrow(ConflictError)
      await expect(users.change(first.id, { disabled: true })).rejects.toThrow(ConflictError)

      await users.create({ ...boss, email: 'second@x.test' })
      expect(await users.change(first.id, { role: 'manager' })).toMatchObject({ role: 'manager' })
    })

    test('two administrators who demote each other at once leave one', async () => {
      const [one, two] = [await users.create(boss), await users.create({ ...boss, email: 'two@x.test' })]
      const outcomes = await Promise.allSettled([
        users.change(one.id, { role: 'staff' }),
        users.change(two.id, { role: 'staff' }),
      ])
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    })

    test('a new password and being disabled end sessions; a new role does not need to', async () => {
      const { id } = await users.create({ ...maja, schools: 'all' })
      await users.change(id, { role: 'manager' })
      expect((await users.find(id))?.sessionEpoch).toBe(0)
      await users.setPassword(id, 'hash')
      expect((await users.find(id))?.sessionEpoch).toBe(1)
      await users.change(id, { disabled: true })
      await users.change(id, { disabled: false })
      expect(await users.find(id)).toMatchObject({ sessionEpoch: 2, disabled: false, passwordHash: 'hash' })
    })

    test('of demo mode do not exist for connected mode, and come back as documented', async () => {
      await demoUsers.restoreDemo({ ...boss, email: 'admin@demo.test' })
      const made = await demoUsers.findByEmail('admin@demo.test')
      expect(made).toMatchObject({ demo: true, role: 'admin' })
      expect(await users.findByEmail('admin@demo.test')).toBeNull()
      expect(await users.find(made?.id ?? '')).toBeNull()
      expect(await users.list()).toEqual([])
      expect(await users.anyReal()).toBe(false)

      await demoUsers.create({ ...boss, email: 'other@x.test' })
      await demoUsers.change(made?.id ?? '', { role: 'staff', schools: [], disabled: true })
      await demoUsers.restoreDemo({ ...boss, email: 'admin@demo.test' })
      expect(await demoUsers.findByEmail('admin@demo.test')).toMatchObject({ role: 'admin', disabled: false })
    })
  })

  describe('an invitation', () => {
    test('sets a password once', async () => {
      const { id } = await users.create({ ...maja, schools: 'all' })
      const token = await invitationStore.issue(id)
      expect(await invitationStore.isOpen(token)).toBe(true)
      expect(await invitationStore.redeem(token, 'hash')).toBe(id)
      expect(await users.find(id)).toMatchObject({ passwordHash: 'hash', activatedAt: new Date(NOW) })
      expect(await invitationStore.isOpen(token)).toBe(false)
      expect(await invitationStore.redeem(token, 'other')).toBeNull()
    })

    test('holds for seven days, and is not kept in the clear', async () => {
      const { id } = await users.create({ ...maja, schools: 'all' })
      const token = await invitationStore.issue(id)
      expect(JSON.stringify(await (await db()).select().from(invitations))).not.toContain(token)
      now.ms += 7 * DAY_MS - 1
      expect(await invitationStore.isOpen(token)).toBe(true)
      now.ms += 1
      expect(await invitationStore.redeem(token, 'hash')).toBeNull()
    })

    test('is worth nothing to somebody who was disabled meanwhile', async () => {
      const { id } = await users.create({ ...maja, schools: 'all' })
      const token = await invitationStore.issue(id)
      await users.change(id, { disabled: true })
      expect(await invitationStore.isOpen(token)).toBe(false)
    })
  })
}
