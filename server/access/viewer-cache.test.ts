import { encode } from 'next-auth/jwt'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { MINUTE_MS } from '@/lib/time/durations'
import { testServices } from '@/server/testing/services'
import { createNextAuthCookies, toSessionCookieName } from './cookies'
import { serializeSessionCookie, readSession } from './session-cookie'
import type { SessionWithUser, StoredSession } from './sessions'
import { storedUser } from './testing/stored-user'
import type { StoredUser } from './users'
import { createViewerCache } from './viewer-cache'

const NOW = Date.UTC(2027, 0, 20, 8)
const secret = 's'.repeat(32)
const sara = storedUser('sara', { schools: ['norra', 'sodra'] })

describe('the session cookie', () => {
  const env = { auth: { url: 'http://localhost:3000', secret } }

  test.each([
    ['https://intag.test', '__Host-next-auth.session-token'],
    ['https://intag.test:8443', '__Host-8443.next-auth.session-token'],
    ['http://localhost:3000', 'next-auth.session-token'],
    ['http://localhost:3100', '3100.next-auth.session-token'],
    ['http://localhost', '80.next-auth.session-token'],
    ['http://intag.test', 'next-auth.session-token'],
    ['http://intag.test:3000', '3000.next-auth.session-token'],
  ])('of %s is %s, and the others bear its mark', (url, name) => {
    const names = Object.values(createNextAuthCookies({ auth: { url, secret } })).map((cookie) => cookie.name)
    expect([toSessionCookieName({ auth: { url, secret } }), names[0]]).toEqual([name, name])
    const mark = name.replace(/^__Host-/, '').replace('session-token', '')
    expect(names.filter((each) => !each.replace(/^__(?:Host|Secure)-/, '').startsWith(mark))).toEqual([])
  })

  const read = (cookie = '', by = secret) =>
    readSession({ headers: new Headers({ cookie }) }, { auth: { ...env.auth, secret: by } })

  test('of a request is the one by our name, the last if there are several', async () => {
    const [pair = ''] = (await serializeSessionCookie({ userId: 'sara', id: 's1' }, env)).split(';')
    const cookie = `theme=dark; next-auth.session-token=noise;${pair}`
    expect(await read(cookie)).toMatchObject({ userId: 'sara', id: 's1' })
    expect([await read(`x-${pair}; ${pair}x`), await read()]).toEqual([null, null])
  })

  test('that has expired, also once it was read, has no session, another secret, or is noise, is nobody’s', async () => {
    vi.useFakeTimers({ now: Date.now(), toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const readToken = (token: string, by?: string) => read(`next-auth.session-token=${token}`, by)
    const foreign = await encode({ token: { sub: 'u1', name: 'Eva' }, secret })
    for (const token of [foreign, 'noise', '']) expect(await readToken(token)).toBeNull()
    const token = await encode({ token: { sub: 'u1', sid: 's1' }, secret, maxAge: 60 })
    expect(await readToken(token, 't'.repeat(32))).toBeNull()
    expect(await readToken(token)).toMatchObject({ userId: 'u1', id: 's1' })
    vi.advanceTimersByTime(59_000)
    expect(await readToken(token)).not.toBeNull()
    vi.advanceTimersByTime(61_000)
    expect(await readToken(token)).toBeNull()
  })
})

describe('a viewer', () => {
  const session = { userId: 'sara', id: 's1', issuedAtMs: NOW }
  const at = new Date(NOW)
  const times = { createdAt: at, lastUsedAt: at, provedAt: at, endedAt: null, endedBy: null }
  const device = { method: 'password', device: 'Firefox, Windows', address: '192.0.2.7' } as const
  const stored = { id: 's1', userId: 'sara', ...times, ...device, sealedIdToken: null, providerSid: null }

  let now = NOW
  let row: StoredUser | null | Error
  let storedSession: StoredSession
  let mustEnrol: boolean
  let reads: number
  const findStored = async (id: string): Promise<SessionWithUser | null> => {
    reads += 1
    if (row instanceof Error) throw row
    return row && id === storedSession.id ? { session: storedSession, user: row, mustEnrol } : null
  }
  const create = (ttlMs = 0) =>
    createViewerCache(testServices({ now: () => now, logger: { warn: () => {} }, cacheTtlMs: () => ttlMs }), {
      find: findStored,
    })
  let viewers: ReturnType<typeof create>
  beforeEach(() => {
    now = NOW
    row = sara
    storedSession = stored
    mustEnrol = false
    reads = 0
    viewers = create()
  })
  const lost = Object.assign(new Error('connection lost'), { code: 'ECONNRESET' })

  const disable = () => void (row = { ...sara, disabled: true })
  const endSession = () => void (storedSession = { ...stored, endedAt: new Date(NOW) })
  test.each([
    ['a disabled user', disable],
    ['a user who is gone', () => void (row = null)],
    ['a session that has ended', endSession],
    ['another person’s session', () => void (row = storedUser('eva'))],
  ])('is nobody for %s, also while the database is away', async (_, change) => {
    change()
    expect(await viewers.find(session)).toBeNull()
    row = lost
    expect(await viewers.find(session)).toBeNull()
  })

  test.each([
    ['staff', 'unused for eight hours', {}, 8 * 60],
    ['staff', 'used all the time, but twelve hours old', { lastUsedAt: new Date(NOW + 719 * MINUTE_MS) }, 12 * 60],
    ['admin', 'unused for an hour', {}, 60],
    ['admin', 'used since', { lastUsedAt: new Date(NOW + 30 * MINUTE_MS) }, 90],
  ] as const)('of the %s is nobody with a session that is %s', async (role, _, other, minutes) => {
    row = { ...sara, role }
    storedSession = { ...stored, ...other }
    now = NOW + minutes * MINUTE_MS - 1
    expect(await viewers.find(session)).not.toBeNull()
    now += 1
    expect(await viewers.find(session)).toBeNull()
  })

  test('reads on for 15 minutes while the database is away, changes nothing, and then is refused', async () => {
    await viewers.find(session)
    row = new Error('no outage')
    await expect(viewers.find(session)).rejects.toThrow('no outage')
    row = lost
    await expect(viewers.find({ ...session, id: 'unseen' })).rejects.toThrow('connection lost')
    now += 15 * MINUTE_MS - 1
    const viewer = await viewers.find(session)
    expect(viewer).toMatchObject({ schools: new Set(['norra', 'sodra']) })
    expect([...(viewer?.permissions ?? [])]).toEqual(['leads:read', 'interest:read'])
    now += 1
    await expect(viewers.find(session)).rejects.toThrow('connection lost')
    row = sara
    expect((await viewers.find(session))?.permissions.has('leads:triage')).toBe(true)
  })

  test('may do nothing and sees nothing while the role asks for a second factor that is not there', async () => {
    mustEnrol = true
    row = { ...sara, role: 'admin', schools: 'all' }
    const nothing = { mustEnrol: true, permissions: new Set(), schools: new Set() }
    expect(await viewers.find(session)).toMatchObject(nothing)
    row = lost
    expect(await viewers.find(session), 'nor from memory').toMatchObject(nothing)
  })

  test('is dropped by a change, and kept as a fallback when changes may have been missed', async () => {
    await viewers.find(session)
    row = lost
    viewers.invalidateAll()
    expect(await viewers.find(session)).not.toBeNull()
    viewers.invalidate('sara')
    await expect(viewers.find(session)).rejects.toThrow('connection lost')
  })

  test('is cached while changes are announced, and invalidated by one', async () => {
    const cached = create(5_000)
    const first = await cached.find(session)
    expect(await cached.find(session)).toBe(first)
    expect(reads).toBe(1)
    disable()
    cached.invalidate('nils')
    expect(await cached.find(session)).not.toBeNull()
    cached.invalidate('sara')
    expect(await cached.find(session)).toBeNull()
    row = sara
    now += 5_000
    expect(await cached.find(session), 'for what is not announced').not.toBeNull()
  })
})
