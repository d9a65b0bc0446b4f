import { encode } from 'next-auth/jwt'
import pino from 'pino'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { StoredUser } from './users'
import { createViewers, signedIn } from './session'
import {
  nextAuthCookies,
  readSessionToken,
  renewedSessionCookie,
  type Session,
  sessionCookieName,
} from './session-cookie'
import type { Found, StoredSession } from './sessions'
import { storedUser } from './testing/stored-user'
import { makeViewer, maySee } from './viewer'

const NOW = Date.UTC(2027, 0, 20, 8)
const MINUTE_MS = 60_000
const [secret, otherSecret] = ['s'.repeat(32), 't'.repeat(32)]
const sara = storedUser('sara', { schools: ['norra', 'sodra'] })

describe('the session cookie', () => {
  const overHttp = { auth: { url: 'http://localhost:3000', secret } }
  const overHttps = { auth: { url: 'https://intag.test', secret } }
  const pairOf = async (userId: string, id: string) => {
    const cookie = await renewedSessionCookie({ userId, id }, overHttp)
    return cookie.slice(0, cookie.indexOf(';'))
  }

  test('a renewed cookie carries the same person and session on', async () => {
    const value = (await pairOf('u1', 's3')).split('=').slice(1).join('=')
    expect(await readSessionToken(value, secret)).toMatchObject({ userId: 'u1', id: 's3' })
    expect(await readSessionToken(value, otherSecret)).toBeNull()
  })

  test('over https the cookie is bound to https', async () => {
    expect(sessionCookieName(overHttp)).toBe('next-auth.session-token')
    expect(await renewedSessionCookie({ userId: 'u1', id: 's1' }, overHttps)).toMatch(
      /^__Host-next-auth\.session-token=[^;]*; Path=\/; Max-Age=28800; HttpOnly; SameSite=Lax; Secure$/,
    )
  })

  test.each([
    ['https://intag.test', '__Host-next-auth.session-token'],
    ['https://intag.test:8443', '__Host-8443.next-auth.session-token'],
    ['http://localhost:3000', 'next-auth.session-token'],
    ['http://127.0.0.1:3000', 'next-auth.session-token'],
    ['http://localhost:3100', '3100.next-auth.session-token'],
    ['http://localhost', '80.next-auth.session-token'],
    ['http://intag.test', 'next-auth.session-token'],
    ['http://intag.test:3000', '3000.next-auth.session-token'],
  ])('of %s is %s', (url, name) => {
    const names = Object.values(nextAuthCookies({ auth: { url, secret } })).map((cookie) => cookie.name)
    expect(names[0]).toBe(name)
    const mark = name.replace(/^__Host-/, '').replace('session-token', '')
    expect(names.filter((each) => !each.replace(/^__(?:Host|Secure)-/, '').startsWith(mark))).toEqual([])
  })

  test('of a request is the one by our name, the last if there are several', async () => {
    const pair = await pairOf('sara', 's1')
    const viewers = { find: async ({ userId }: Session) => makeViewer({ ...sara, id: userId }) }
    const who = async (cookie?: string) => {
      const request = new Request('http://x.test', { headers: cookie === undefined ? {} : { cookie } })
      return (await signedIn({ env: overHttp, viewers }, request))?.viewer.id ?? null
    }
    expect(await who(`theme=dark; next-auth.session-token=noise;${pair}`)).toBe('sara')
    expect([await who(`x-${pair}; ${pair}x`), await who()]).toEqual([null, null])
  })

  test('an expired token, one without a session, and noise are nobody', async () => {
    const expired = await encode({ token: { sub: 'u1', sid: 's1' }, secret, maxAge: -60 })
    const foreign = await encode({ token: { sub: 'u1', name: 'Eva' }, secret })
    for (const token of [expired, foreign, 'noise', '']) expect(await readSessionToken(token, secret)).toBeNull()
  })

  test('a token that was read once is refused as soon as it has expired', async () => {
    const token = await encode({ token: { sub: 'u1', sid: 's1' }, secret, maxAge: 60 })
    vi.useFakeTimers({ now: Date.now(), toFake: ['Date'] })
    try {
      expect(await readSessionToken(token, secret)).toMatchObject({ userId: 'u1' })
      expect(await readSessionToken(token, otherSecret), 'by another secret').toBeNull()
      vi.advanceTimersByTime(59_000)
      expect(await readSessionToken(token, secret)).toMatchObject({ userId: 'u1' })
      vi.advanceTimersByTime(61_000)
      expect(await readSessionToken(token, secret)).toBeNull()
    } finally {
      vi.useRealTimers()
    }
  })
})

const session = { userId: 'sara', id: 's1', issuedAtMs: NOW }
const at = new Date(NOW)
const times = { createdAt: at, lastUsedAt: at, provedAt: at, endedAt: null, endedBy: null }
const device = { method: 'password', device: 'Firefox, Windows', address: '192.0.2.7' } as const
const stored: StoredSession = { id: 's1', userId: 'sara', ...times, ...device, sealedIdToken: null, providerSid: null }

describe('a viewer', () => {
  let now = NOW
  let row: StoredUser | null | Error = sara
  let kept: StoredSession = stored
  let mustEnrol = false
  const find = async (id: string): Promise<Found> => {
    if (row instanceof Error) throw row
    return row && id === kept.id ? { session: kept, user: row, mustEnrol } : null
  }
  const viewersOf = (reading: typeof find, ttlMs = 0) => {
    const logger = pino({ enabled: false })
    return createViewers({ sessions: { find: reading }, now: () => now, logger, ttlMs: () => ttlMs })
  }
  let viewers = viewersOf(find)
  beforeEach(() => {
    now = NOW
    row = sara
    kept = stored
    mustEnrol = false
    viewers = viewersOf(find)
  })
  const lost = new Error('connection lost')

  test('has the role and the schools of the row', async () => {
    const viewer = await viewers.find(session)
    expect(viewer).toMatchObject({ id: 'sara', role: 'staff', schools: new Set(['norra', 'sodra']) })
    const permissions = ['leads:read', 'leads:triage', 'leads:reply', 'leads:export', 'interest:read']
    expect([...(viewer?.permissions ?? [])]).toEqual(permissions)
    expect(viewer && ['norra', 'ostra', ''].map((school) => maySee(viewer, school))).toEqual([true, false, false])
  })

  test('is nobody once disabled or gone, with a session that has ended, or that is another person’s', async () => {
    expect(await viewers.find(session)).not.toBeNull()
    for (const changed of [{ ...sara, disabled: true }, null]) {
      row = changed
      expect(await viewers.find(session)).toBeNull()
    }
    row = sara
    expect(await viewers.find({ ...session, userId: 'eva' })).toBeNull()
    kept = { ...stored, endedAt: new Date(NOW) }
    expect(await viewers.find(session)).toBeNull()
  })

  test.each([
    ['staff', 'unused for eight hours', {}, 8 * 60],
    ['staff', 'used all the time, but twelve hours old', { lastUsedAt: new Date(NOW + 719 * MINUTE_MS) }, 12 * 60],
    ['admin', 'unused for an hour', {}, 60],
    ['admin', 'used since', { lastUsedAt: new Date(NOW + 30 * MINUTE_MS) }, 90],
  ] as const)('of the %s is nobody with a session that is %s', async (role, _, other, minutes) => {
    row = { ...sara, role }
    kept = { ...stored, ...other }
    now = NOW + minutes * MINUTE_MS - 1
    expect(await viewers.find(session)).not.toBeNull()
    now += 1
    expect(await viewers.find(session)).toBeNull()
  })

  test('reads on for 15 minutes while the database is away, changes nothing, and then is refused', async () => {
    await viewers.find(session)
    row = lost
    now += 15 * MINUTE_MS - 1
    const viewer = await viewers.find(session)
    expect(viewer).toMatchObject({ schools: new Set(['norra', 'sodra']) })
    expect([...(viewer?.permissions ?? [])]).toEqual(['leads:read', 'interest:read'])
    now += 1
    await expect(viewers.find(session)).rejects.toThrow('connection lost')
    row = sara
    expect((await viewers.find(session))?.permissions.has('leads:triage')).toBe(true)
  })

  test.each([
    ['a disabled user', () => (row = { ...sara, disabled: true })],
    ['a session that has ended', () => (kept = { ...stored, endedAt: new Date(NOW) })],
  ])('%s does not come back while the database is away, nor does one that was never seen', async (_, change) => {
    change()
    await viewers.find(session)
    row = lost
    expect(await viewers.find(session)).toBeNull()
    for (const unseen of [
      { ...session, id: 's0' },
      { ...session, id: 's2', userId: 'other' },
    ])
      await expect(viewers.find(unseen)).rejects.toThrow('connection lost')
  })

  test('may do nothing and sees nothing while the role asks for a second factor that is not there', async () => {
    mustEnrol = true
    const nothing = { mustEnrol: true, permissions: new Set(), schools: new Set() }
    expect(await viewers.find(session)).toMatchObject(nothing)
    row = { ...sara, role: 'admin', schools: 'all' }
    expect(await viewers.find(session)).toMatchObject(nothing)
    row = lost
    expect(await viewers.find(session), 'nor from memory').toMatchObject(nothing)
  })

  test('is dropped by a change, and kept as a fallback when changes may have been missed', async () => {
    await viewers.find(session)
    row = lost
    viewers.invalidateAll()
    expect(await viewers.find(session)).toMatchObject({ id: 'sara' })
    viewers.invalidate('sara')
    await expect(viewers.find(session)).rejects.toThrow('connection lost')
  })

  test('is cached while changes are announced, and invalidated by one', async () => {
    let reads = 0
    const cached = viewersOf((id) => (reads++, find(id)), 5_000)
    const first = await cached.find(session)
    expect(await cached.find(session)).toBe(first)
    expect(reads).toBe(1)
    row = { ...sara, disabled: true }
    cached.invalidate('nils')
    expect(await cached.find(session)).not.toBeNull()
    cached.invalidate('sara')
    expect(await cached.find(session)).toBeNull()
    row = sara
    now += 5_000
    expect(await cached.find(session), 'for what is not announced').not.toBeNull()
  })
})
