import { hash } from '@node-rs/argon2'
import { asc } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { secondFactors } from '@/server/base/access-schema'
import { createAdmissionLimit } from '@/server/base/concurrency-limit'
import type { Connect, DatabaseHandle } from '@/server/base/database'
import type { Logger } from '@/server/base/logger'
import { activity, mails, settings, signInAttempts, users } from '@/server/base/schema'
import { createSeal } from '@/server/base/seal'
import type { Services } from '@/server/base/services'
import { openPgliteInMemory } from '@/server/base/testing/in-memory'
import { testServices } from '@/server/testing/services'
import { createActivityLog } from '../activity'
import { createPasswordLink } from '../invitations'
import { beginTotp, confirmTotp } from '../second-factors'
import type { Session } from '../session-cookie'
import { createSessions } from '../sessions'
import { signInWithPassword } from '../sign-in'
import { createThrottle } from '../throttle'
import { createUsers } from '../users'
import type { Viewer } from '../viewer'
import { createViewerCache } from '../viewer-cache'

export const PASSWORD = 'correct horse battery'
/** This hash is cheap to check, for tests that try hundreds of times. */
const cheapPasswordHash = hash(PASSWORD, { memoryCost: 8, timeCost: 1, parallelism: 1 })

/** The database is emptied before each test, which begins a month after the last. `announced` collects user ids. */
export function signInWorld({ demo = false } = {}) {
  let database: DatabaseHandle
  let now = Date.UTC(2027, 0, 20, 8)
  const announced: string[] = []
  const db = () => database.db
  const clock = () => now
  const advanceTime = (ms: number) => void (now += ms)
  const parts = createSignInServices({ connect: async () => db(), now: clock, demo, announced })
  beforeAll(async () => void (database = await openPgliteInMemory()))
  afterAll(() => database.close())
  beforeEach(async () => {
    advanceTime(31 * 86_400_000)
    announced.length = 0
    for (const table of [activity, mails, signInAttempts, secondFactors, settings, users]) await db().delete(table)
  })
  const entries = async () => {
    const rows = await db().select().from(activity).orderBy(asc(activity.id))
    return rows.map(({ action, userId, details }) => [action, userId, details] as const)
  }
  const actions = async () => (await entries()).map(([action]) => action)
  const signIn = (credentials: ReturnType<typeof makeCredentials> & { code?: string }) =>
    signInWithPassword(parts, credentials)
  const addUser = async (change: Partial<Parameters<Services['users']['create']>[1]> = {}) => {
    const eva = { email: 'eva@x.test', name: 'Eva', role: 'staff', schools: 'all' } as const
    return parts.users.create(db(), { ...eva, passwordHash: await cheapPasswordHash, ...change })
  }
  const findViewer = async (session: Session): Promise<Viewer> => {
    const viewer = await parts.viewers.find(session)
    if (!viewer) throw new Error('there is no such user')
    return viewer
  }
  const begin = async (userId: string, method: 'password' | 'oidc' = 'password') => {
    const id = await parts.sessions.begin({ userId, method, device: '?', address: '?' })
    const session = { id, userId, issuedAtMs: now }
    return { session, viewer: await findViewer(session) }
  }
  const addTotp = async (viewer: Viewer) => {
    const { id, secret } = await beginTotp(parts, viewer, { name: 'Telefonen' })
    const code = () => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now })
    const { recoveryCodes } = await confirmTotp(parts, viewer, { id, code: code() })
    advanceTime(30_000)
    return { id, code, recoveryCodes }
  }
  return { db, advanceTime, clock, announced, parts, signIn, entries, actions, addUser, findViewer, begin, addTotp }
}

type ServiceOptions = {
  connect: Connect
  now: () => number
  demo?: boolean
  announced?: string[]
  env?: object
  logger?: Pick<Logger, 'warn'>
}

/** Creates the services that signing in needs. With `demo` the accounts of the demo exist. */
export function createSignInServices({
  connect,
  now,
  demo = false,
  announced = [],
  logger = { warn: () => {} },
  ...other
}: ServiceOptions) {
  const auth = { url: 'https://intag.test', secret: 'a secret' }
  const env = { mode: 'connected', auth, hasPasswordSignIn: true, oidc: null, ...other.env }
  const storeEnv = demo ? { ...env, mode: 'demo' } : env
  const seal = createSeal([new Uint8Array(32).fill(7)])
  const base = testServices({ connect, now, logger, env: storeEnv, seal, cacheTtlMs: () => 0 })
  const sessions = createSessions(base)
  return testServices({
    connect,
    now,
    env,
    logger,
    sessions,
    seal,
    throttle: createThrottle(base, new Uint8Array(32).fill(7)),
    counters: { countSignIn: () => {} },
    users: createUsers({ connect, now, isDemo: demo }),
    activity: createActivityLog(base),
    viewers: createViewerCache(base, sessions),
    providerDiscovery: null,
    signInLimit: createAdmissionLimit({ maxTotal: 20, maxPerKey: 6, retryAfterSeconds: 2 }),
    announcer: { announceUser: async (userId: string) => void announced.push(userId) },
  })
}

/** Creates a link to set a password, and returns the token in it. */
export async function createLinkToken(services: Services, id: string): Promise<string> {
  const user = await services.users.find(id)
  if (!user) throw new Error('there is no such user')
  return (await createPasswordLink(services, await services.connect(), user)).url.split('#')[1] ?? ''
}

export function makeCredentials(email: string, password: string, address = '192.0.2.7') {
  return { email, password, address }
}
