import { hash } from '@node-rs/argon2'
import { asc } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { createActivity } from '../activity'
import { recoveryCodes, secondFactors } from '@/server/base/access-schema'
import type { OpenDatabase } from '@/server/base/database'
import { activity, settings, signInAttempts, users } from '@/server/base/schema'
import { openPgliteInMemory } from '@/server/base/testing/in-memory'
import type { HighSchoolList } from '@/server/feed/list-source'
import { emptyListState } from '@/server/feed/list-state'
import type { Logger } from '@/server/base/logger'
import { createSeal } from '@/server/base/seal'
import { createSettings } from '../settings'
import { createInvitations } from '../invitations'
import { createUsers } from '../users'
import { beginTotp, confirmTotp } from '@/server/access/own-credentials'
import { createKnownDevices } from '../known-devices'
import { createSecondFactors } from '@/server/access/second-factors'
import { createViewers } from '../session'
import type { Session, AuthEnv } from '../session-cookie'
import { createSessions } from '../sessions'
import { createSignIn } from '../sign-in'
import type { PasswordEnv } from '../sign-in-rules'
import { createThrottle } from '../throttle'
import type { Viewer } from '../viewer'

export const PASSWORD = 'correct horse battery'
/** For tests that try a password hundreds of times: a hash carries what it costs to check. */
export const cheapHash = (password: string) => hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 })

export function attempt(email: string, password: string, more: { address?: string; device?: string } = {}) {
  return { email, password, address: '192.0.2.7', device: null, ...more }
}

/** Emptied before each test, which begins a month after the one before. */
export function signInWorld({ demo = false } = {}) {
  let database: OpenDatabase
  let now = Date.UTC(2027, 0, 20, 8)
  const announced: string[] = []
  beforeAll(async () => {
    database = await openPgliteInMemory()
  })
  afterAll(() => database.close())
  beforeEach(async () => {
    now += 31 * 86_400_000
    announced.length = 0
    for (const table of [activity, signInAttempts, recoveryCodes, secondFactors, settings, users])
      await database.db.delete(table)
  })
  const db = () => database.db
  const clock = () => now
  const pass = (ms: number) => void (now += ms)
  const auth = { url: 'https://intag.test', secret: 'a secret' }
  const env = { mode: 'connected', auth, passwordSignIn: true, oidc: null } as const
  const parts = partsOf({ connect: async () => db(), now: clock, demo, announced, env, logger: { warn: () => {} } })
  const logLines = async () => {
    const rows = await db().select().from(activity).orderBy(asc(activity.id))
    return rows.map(({ action, userId, details }) => [action, userId, details?.with])
  }
  const actions = async () => (await logLines()).map(([action]) => action)
  return { db, pass, clock, announced, parts, signIn: parts.signIn, logLines, actions, ...peopleOf(parts, db, pass) }
}

type Parts = ReturnType<typeof partsOf<Pick<Logger, 'warn'>, PasswordEnv & AuthEnv>>

function peopleOf(parts: Parts, db: () => OpenDatabase['db'], pass: (ms: number) => void) {
  const person = async (change: Partial<Parameters<Parts['users']['create']>[1]> = {}) => {
    const eva = { email: 'eva@x.test', name: 'Eva', role: 'staff', schools: 'all' } as const
    return parts.users.create(db(), { ...eva, passwordHash: await cheapHash(PASSWORD), ...change })
  }
  const viewerOf = async (session: Session): Promise<Viewer> => {
    const viewer = await parts.viewers.find(session)
    if (!viewer) throw new Error('nobody')
    return viewer
  }
  const begin = async (userId: string, method: 'password' | 'oidc' = 'password') => {
    const id = await parts.sessions.begin({ userId, method, device: '?', address: '?' })
    const session = { id, userId, issuedAtMs: parts.now() }
    return { session, viewer: await viewerOf(session) }
  }
  const withApp = async (viewer: Viewer) => {
    const { id, secret } = await beginTotp(parts, viewer, { name: 'Telefonen' })
    const code = () => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: parts.now() })
    const { recoveryCodes: codes } = await confirmTotp(parts, viewer, { id, code: code() })
    pass(30_000)
    return { id, code, recoveryCodes: codes }
  }
  const deviceOf = async (userId: string) => /=([^;]*)/.exec(await parts.devices.remember(null, userId))?.[1] ?? ''
  return { person, viewerOf, begin, withApp, deviceOf }
}

type Options<Log, Settings> = {
  connect: () => Promise<OpenDatabase['db']>
  now: () => number
  demo?: boolean
  announced: string[]
  env: Settings
  logger: Log
}

/** `announced` gets whom the announcer has named. */
export function partsOf<Log extends Pick<Logger, 'warn'>, Settings extends PasswordEnv & AuthEnv>(
  options: Options<Log, Settings>,
) {
  const { connect, now, demo = false, announced, env, logger } = options
  const seal = createSeal(new Uint8Array(32).fill(7))
  const sessions = createSessions({ connect, now, logger, demo, env })
  const parts = {
    connect,
    now,
    env,
    logger,
    seal,
    sessions,
    feed: { highSchools: () => emptyListState<HighSchoolList>() },
    secondFactors: createSecondFactors({ connect, now, seal }),
    users: createUsers({ connect, now, demo }),
    devices: createKnownDevices({ connect, now, env }),
    activity: createActivity({ connect, now }),
    throttle: createThrottle({ connect, now, hashKey: new Uint8Array(32).fill(7) }),
    invitations: createInvitations({ connect, now }),
    viewers: createViewers({ sessions, now, logger }),
    providerCheck: null as { canProve: () => boolean } | null,
    settings: createSettings({ connect }),
    announcer: { userChanged: async (userId: string) => void announced.push(userId) },
  }
  return { ...parts, signIn: createSignIn(parts) }
}
