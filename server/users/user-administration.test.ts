import { asc } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { makeViewer } from '@/server/access/make-viewer'
import { verifyPassword } from '@/server/access/password'
import { createActivity } from '@/server/activity/activity'
import { openPgliteInMemory } from '@/server/db/open-pglite'
import type { OpenDatabase } from '@/server/db/open-database'
import { activity as activityTable } from '@/server/db/schema'
import { ConflictError, ForbiddenError, NotFoundError } from '@/server/errors'
import { acceptInvitation } from './accept-invitation'
import { changeUser } from './change-user'
import { createUser } from './create-user'
import { inviteAgain } from './invite-again'
import { createInvitationStore } from './invitation-store'
import { listUsers } from './list-users'
import { createUsers } from './users'

const parts = vi.hoisted(() => ({ current: {} }))
vi.mock('@/server/services', () => ({ services: () => parts.current }))

const admin = makeViewer({ id: 'admin', name: 'Anna', email: 'anna@x.test', role: 'admin', schools: 'all' })
const staff = makeViewer({ id: 'staff', name: 'Sara', email: 'sara@x.test', role: 'staff', schools: 'all' })
const clock = () => Date.UTC(2027, 0, 20, 8)

/** Whose open streams were told to look again. */
const told: string[] = []
let database: OpenDatabase
let users: ReturnType<typeof createUsers>
beforeAll(async () => {
  database = await openPgliteInMemory()
  const db = async () => database.db
  users = createUsers({ db, clock, demo: false })
  parts.current = {
    env: { auth: { url: 'https://intag.test' } },
    users,
    invitations: createInvitationStore({ db, clock }),
    activity: createActivity({ db, clock }),
    announcer: { person: (userId: string) => void told.push(userId) },
  }
})
afterAll(() => database.close())

test('an administrator invites somebody, who sets a password; then takes the access away again', async () => {
  const { id, inviteUrl } = await createUser(admin, {
    email: 'eva@x.test',
    name: 'Eva',
    role: 'staff',
    schools: ['norra'],
  })
  expect(inviteUrl).toMatch(/^https:\/\/intag\.test\/invite#[\w-]{43}$/)
  expect(await listUsers(admin)).toMatchObject([{ id, email: 'eva@x.test', pending: true, disabled: false }])

  const token = inviteUrl?.split('#')[1] ?? ''
  await acceptInvitation({ token, password: 'correct horse' })
  await expect(acceptInvitation({ token, password: 'another horse' })).rejects.toThrow(NotFoundError)
  const eva = await users.find(id)
  expect(await verifyPassword(eva?.passwordHash ?? null, 'correct horse')).toBe(true)

  expect(await changeUser(admin, id, { schools: 'all', disabled: true })).toMatchObject({
    schools: 'all',
    disabled: true,
    pending: false,
  })
  expect(told).toEqual([id, id])
  expect(JSON.stringify(await listUsers(admin))).not.toMatch(/argon|password/i)

  const log = await database.db.select().from(activityTable).orderBy(asc(activityTable.id))
  expect(log.map(({ action, userId, details }) => [action, userId, details])).toEqual([
    ['user-created', 'admin', { user: id, role: 'staff' }],
    ['invitation-accepted', id, null],
    ['user-changed', 'admin', { user: id, schools: 'all', disabled: true }],
  ])
})

test('an invitation that was lost is issued anew, and the one before no longer holds', async () => {
  const input = { email: 'late@x.test', name: 'Late', role: 'staff', schools: ['norra'] } as const
  const { id, inviteUrl: first } = await createUser(admin, { ...input, schools: ['norra'] })
  const { inviteUrl: second } = await inviteAgain(admin, id)
  const answer = (url = '') => acceptInvitation({ token: url.split('#')[1] ?? '', password: 'correct horse' })
  await expect(answer(first)).rejects.toThrow(NotFoundError)
  await expect(inviteAgain(staff, id)).rejects.toThrow(ForbiddenError)
  await answer(second)
  await expect(inviteAgain(admin, id)).rejects.toThrow(ConflictError)
  await expect(inviteAgain(admin, 'nobody')).rejects.toThrow(NotFoundError)
})

test('with a password no invitation is needed', async () => {
  const made = await createUser(admin, {
    email: 'boss@x.test',
    name: 'Boss',
    role: 'admin',
    schools: 'all',
    password: 'correct horse',
  })
  expect(made).toEqual({ id: made.id })
  await expect(changeUser(admin, made.id, { disabled: true })).rejects.toThrow(ConflictError)
})

test('an unknown user is not found, and a change of nothing changes nothing', async () => {
  await expect(changeUser(admin, 'nobody', { role: 'staff' })).rejects.toThrow(NotFoundError)
  const [first] = await listUsers(admin)
  const before = await database.db.$count(activityTable)
  expect(await changeUser(admin, first?.id ?? '', {})).toEqual(first)
  expect(await database.db.$count(activityTable)).toBe(before)
})

test('nobody else may look at or change users', async () => {
  const input = { email: 'x@x.test', name: 'X', role: 'admin', schools: 'all' } as const
  await expect(listUsers(staff)).rejects.toThrow(ForbiddenError)
  await expect(createUser(staff, input)).rejects.toThrow(ForbiddenError)
  await expect(changeUser(staff, 'admin', { role: 'staff' })).rejects.toThrow(ForbiddenError)
})
