import pino from 'pino'
import { beforeEach, describe, expect, test } from 'vitest'
import { maySee } from './may-see'
import { createViewers } from './viewers'
import type { StoredUser } from '@/server/users/users'

const NOW = Date.UTC(2027, 0, 20, 8)
const MINUTE_MS = 60_000
const sara: StoredUser = {
  id: 'sara',
  email: 'sara@skolan.test',
  name: 'Sara',
  role: 'staff',
  schools: ['norra', 'sodra'],
  passwordHash: null,
  disabled: false,
  demo: false,
  sessionEpoch: 3,
  activatedAt: new Date(NOW),
  createdAt: new Date(NOW),
}
const session = { userId: 'sara', epoch: 3, issuedAtMs: NOW }

describe('a viewer', () => {
  let now = NOW
  let row: StoredUser | null | Error = sara
  const find = async () => {
    if (row instanceof Error) throw row
    return row
  }
  let viewers = createViewers({ users: { find }, clock: () => now, logger: pino({ enabled: false }) })
  beforeEach(() => {
    now = NOW
    row = sara
    viewers = createViewers({ users: { find }, clock: () => now, logger: pino({ enabled: false }) })
  })

  test('has the role and the schools of the row', async () => {
    const viewer = await viewers.find(session)
    expect(viewer).toMatchObject({ id: 'sara', role: 'staff', schools: new Set(['norra', 'sodra']) })
    expect([...(viewer?.permissions ?? [])]).toEqual(['leads:read', 'leads:triage', 'leads:export', 'interest:read'])
    expect(viewer && ['norra', 'ostra', ''].map((school) => maySee(viewer, school))).toEqual([true, false, false])
  })

  test('feels a change of role or schools at the next request', async () => {
    await viewers.find(session)
    row = { ...sara, role: 'manager', schools: 'all' }
    const viewer = await viewers.find(session)
    expect(viewer).toMatchObject({ role: 'manager', schools: 'all', permissions: new Set(['interest:read']) })
    expect(viewer && maySee(viewer, 'anything')).toBe(true)
  })

  test.each([
    ['is disabled', { ...sara, disabled: true }],
    ['has a new password', { ...sara, sessionEpoch: 4 }],
    ['is gone', null],
  ])('is nobody as soon as the person %s', async (_, changed) => {
    await viewers.find(session)
    row = changed
    expect(await viewers.find(session)).toBeNull()
  })

  test('reads on for 15 minutes while the database is away, changes nothing, and then is refused', async () => {
    await viewers.find(session)
    row = new Error('connection lost')
    now += 15 * MINUTE_MS - 1
    const viewer = await viewers.find(session)
    expect(viewer).toMatchObject({ schools: new Set(['norra', 'sodra']) })
    expect([...(viewer?.permissions ?? [])]).toEqual(['leads:read', 'interest:read'])
    now += 1
    await expect(viewers.find(session)).rejects.toThrow('connection lost')
    row = sara
    expect((await viewers.find(session))?.permissions.has('leads:triage')).toBe(true)
  })

  test('nobody who was disabled, or never seen, comes in while the database is away', async () => {
    row = { ...sara, disabled: true }
    await viewers.find(session)
    row = new Error('connection lost')
    expect(await viewers.find(session)).toBeNull()
    await expect(viewers.find({ ...session, userId: 'other' })).rejects.toThrow('connection lost')
  })

  test('an old session does not come back while the database is away', async () => {
    await viewers.find(session)
    row = new Error('connection lost')
    expect(await viewers.find({ ...session, epoch: 2 })).toBeNull()
  })
})
