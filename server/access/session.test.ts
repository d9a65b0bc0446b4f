import { encode } from 'next-auth/jwt'
import pino from 'pino'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { StoredUser } from '@/server/users/users'
import { createViewers, signedIn } from './session'
import { readSessionToken, renewedSessionCookie, type Session, sessionCookieName } from './session-cookie'
import type { Found, StoredSession } from './sessions'
import { makeViewer, maySee } from './viewer'

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
  managed: false,
  breakGlass: false,
  activatedAt: new Date(NOW),
  createdAt: new Date(NOW),
}

describe('the session cookie', () => {
  const secret = 's'.repeat(32)
  const overHttp = { auth: { url: 'http://localhost:3000', secret } }
  const overHttps = { auth: { url: 'https://intag.test', secret } }

  test('a renewed cookie carries the same person and session on', async () => {
    const cookie = await renewedSessionCookie({ userId: 'u1', id: 's3' }, overHttp)
    const value = cookie.slice(cookie.indexOf('=') + 1, cookie.indexOf(';'))
    expect(await readSessionToken(value, secret)).toMatchObject({ userId: 'u1', id: 's3' })
    expect(await readSessionToken(value, 't'.repeat(32))).toBeNull()
  })

  test('over https the cookie is bound to https', async () => {
    expect(sessionCookieName(overHttp)).toBe('next-auth.session-token')
    expect(await renewedSessionCookie({ userId: 'u1', id: 's1' }, overHttps)).toMatch(
      /^__Host-next-auth\.session-token=[^;]*; Path=\/; Max-Age=28800; HttpOnly; SameSite=Lax; Secure$/,
    )
  })

  test('of a request is the one by our name, the last if there are several', async () => {
    const cookie = await renewedSessionCookie({ userId: 'sara', id: 's1' }, overHttp)
    const pair = cookie.slice(0, cookie.indexOf(';'))
    const viewers = { find: async ({ userId }: Session) => makeViewer({ ...sara, id: userId }) }
    const who = async (header: string) => {
      const found = await signedIn(
        { env: overHttp, viewers },
        new Request('http://x.test', { headers: { cookie: header } }),
      )
      return found?.viewer.id ?? null
    }
    expect(await who(`theme=dark; next-auth.session-token=noise;${pair}`)).toBe('sara')
    expect(await who(`x-${pair}; ${pair}x`)).toBeNull()
    expect(await signedIn({ env: overHttp, viewers }, new Request('http://x.test'))).toBeNull()
  })

  test('an expired token, one without a session, and noise are nobody', async () => {
    const expired = await encode({ token: { sub: 'u1', sid: 's1' }, secret, maxAge: -60 })
    const foreign = await encode({ token: { sub: 'u1', name: 'Eva' }, secret })
    expect(await Promise.all([expired, foreign, 'noise', ''].map((token) => readSessionToken(token, secret)))).toEqual([
      null,
      null,
      null,
      null,
    ])
  })
})

const session = { userId: 'sara', id: 's1', issuedAtMs: NOW }
const stored: StoredSession = {
  id: 's1',
  userId: 'sara',
  method: 'password',
  createdAt: new Date(NOW),
  lastUsedAt: new Date(NOW),
  provedAt: new Date(NOW),
  device: 'Firefox, Windows',
  address: '192.0.2.7',
  endedAt: null,
  endedBy: null,
  sealedIdToken: null,
  providerSid: null,
}

test('a token that was read once is refused as soon as it has expired', async () => {
  const secret = 's'.repeat(32)
  const token = await encode({ token: { sub: 'u1', sid: 's1' }, secret, maxAge: 60 })
  vi.useFakeTimers({ now: Date.now(), toFake: ['Date'] })
  try {
    expect(await readSessionToken(token, secret)).toMatchObject({ userId: 'u1' })
    expect(await readSessionToken(token, 't'.repeat(32)), 'by another secret').toBeNull()
    vi.advanceTimersByTime(59_000)
    expect(await readSessionToken(token, secret)).toMatchObject({ userId: 'u1' })
    vi.advanceTimersByTime(61_000)
    expect(await readSessionToken(token, secret)).toBeNull()
  } finally {
    vi.useRealTimers()
  }
})

describe('a viewer', () => {
  let now = NOW
  let row: StoredUser | null | Error = sara
  let kept: StoredSession = stored
  let mustEnrol = false
  const find = async (id: string): Promise<Found> => {
    if (row instanceof Error) throw row
    return row && id === kept.id ? { session: kept, user: row, mustEnrol } : null
  }
  let viewers = createViewers({ sessions: { find }, now: () => now, logger: pino({ enabled: false }) })
  beforeEach(() => {
    now = NOW
    row = sara
    kept = stored
    mustEnrol = false
    viewers = createViewers({ sessions: { find }, now: () => now, logger: pino({ enabled: false }) })
  })

  test('has the role and the schools of the row', async () => {
    const viewer = await viewers.find(session)
    expect(viewer).toMatchObject({ id: 'sara', role: 'staff', schools: new Set(['norra', 'sodra']) })
    expect([...(viewer?.permissions ?? [])]).toEqual([
      'leads:read',
      'leads:triage',
      'leads:reply',
      'leads:export',
      'interest:read',
    ])
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
    ['is gone', null],
  ])('is nobody as soon as the person %s', async (_, changed) => {
    await viewers.find(session)
    row = changed
    expect(await viewers.find(session)).toBeNull()
  })

  test('is nobody with a session that has ended, or that is somebody else’s', async () => {
    expect(await viewers.find({ ...session, userId: 'eva' })).toBeNull()
    kept = { ...stored, endedAt: new Date(NOW) }
    expect(await viewers.find(session)).toBeNull()
  })

  test.each([
    ['unused for eight hours', {}, 8 * 60],
    ['used all the time, but twelve hours old', { lastUsedAt: new Date(NOW + 719 * MINUTE_MS) }, 12 * 60],
  ])('is nobody with a session that is %s', async (_, other, minutes) => {
    kept = { ...stored, ...other }
    now = NOW + minutes * MINUTE_MS - 1
    expect(await viewers.find(session)).not.toBeNull()
    now += 1
    expect(await viewers.find(session)).toBeNull()
  })

  test('who administers is asked anew after an hour without use', async () => {
    row = { ...sara, role: 'admin' }
    now = NOW + 60 * MINUTE_MS - 1
    expect(await viewers.find(session)).not.toBeNull()
    now += 1
    expect(await viewers.find(session)).toBeNull()
    kept = { ...stored, lastUsedAt: new Date(now - 1) }
    expect(await viewers.find(session)).not.toBeNull()
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
    await expect(viewers.find({ ...session, id: 's2', userId: 'other' })).rejects.toThrow('connection lost')
  })

  test('an old session does not come back while the database is away', async () => {
    kept = { ...stored, endedAt: new Date(NOW) }
    await viewers.find(session)
    row = new Error('connection lost')
    expect(await viewers.find(session)).toBeNull()
    await expect(viewers.find({ ...session, id: 's0' })).rejects.toThrow('connection lost')
  })

  test('does not come back as read before a change was told, however late that reading ends', async () => {
    const late = Promise.withResolvers<Found>()
    let reading = () => late.promise
    const told = createViewers({
      sessions: { find: () => reading() },
      now: () => now,
      logger: pino({ enabled: false }),
      holdsMs: () => 5_000,
    })
    const before = told.find(session)
    told.forget('sara')
    late.resolve({ session: stored, user: { ...sara, schools: 'all' }, mustEnrol: false })
    expect(await before).toMatchObject({ schools: 'all' })
    reading = () => Promise.reject(new Error('connection lost'))
    await expect(told.find(session)).rejects.toThrow('connection lost')
  })

  test('may do nothing and sees nothing while the role asks for a second factor that is not there', async () => {
    mustEnrol = true
    const viewer = await viewers.find(session)
    expect(viewer).toMatchObject({ mustEnrol: true, permissions: new Set(), schools: new Set() })
    row = { ...sara, role: 'admin', schools: 'all' }
    expect(await viewers.find(session)).toMatchObject({ permissions: new Set(), schools: new Set() })
    await viewers.find(session)
    row = new Error('connection lost')
    expect(await viewers.find(session), 'nor from memory').toMatchObject({ permissions: new Set(), schools: new Set() })
  })

  test('is not known any more once a change was told, but is while changes may only have been missed', async () => {
    await viewers.find(session)
    row = new Error('connection lost')
    viewers.forgetAll()
    expect(await viewers.find(session)).toMatchObject({ id: 'sara' })
    viewers.forget('sara')
    await expect(viewers.find(session)).rejects.toThrow('connection lost')
  })

  test('is known without asking while changes are told, and taken back at once when one is', async () => {
    let reads = 0
    const told = createViewers({
      sessions: { find: (id) => (reads++, find(id)) },
      now: () => now,
      logger: pino({ enabled: false }),
      holdsMs: () => 5_000,
    })
    const first = await told.find(session)
    expect(await told.find(session)).toBe(first)
    expect(reads).toBe(1)
    row = { ...sara, disabled: true }
    told.forget('nils')
    expect(await told.find(session)).not.toBeNull()
    told.forget('sara')
    expect(await told.find(session)).toBeNull()
    row = sara
    now += 5_000
    expect(await told.find(session), 'for what nobody tells').not.toBeNull()
  })
})
