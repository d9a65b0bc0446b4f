// First: Next takes the storages of requests as they are when it is loaded.
import { createBrowser } from './test-browser'
import { asc, eq } from 'drizzle-orm'
import type { NextRequest } from 'next/server'
import { createActivity } from '@/server/activity/activity'
import { identities as identitiesTable, sessions as sessionsTable } from '@/server/db/access-schema'
import type { OpenDatabase } from '@/server/db/database'
import { activity as activityTable, invitations as invitationsTable, users as usersTable } from '@/server/db/schema'
import type { Env } from '@/server/env'
import { createLogger } from '@/server/logger'
import { createSeal } from '@/server/seal'
import { createHttpTransport } from '@/server/upstream/transport'
import { createInvitations } from '@/server/users/invitations'
import { createUsers, type StoredUser, type Users } from '@/server/users/users'
import { createIdentities } from '../identities'
import { answerAuth } from '../next-auth'
import { createProviderCheck } from '../provider-check'
import { createViewers } from '../session'
import { createSessions } from '../sessions'
import { createSignIn } from '../sign-in'
import { createPasskeys } from '@/server/access/passkeys'
import { createSecondFactors } from '@/server/access/second-factors'
import { createKnownDevices } from '@/server/access/known-devices'
import { createThrottle } from '../throttle'
import { type Account, CLIENT, startTestProvider, type TestProvider } from './oidc-test-provider'

export const ORIGIN = 'http://intag.test'
type Oidc = NonNullable<Env['oidc']>
type ProviderOptions = Partial<Parameters<typeof startTestProvider>[0]>

/** The provider, on a port of its own, registered for Intag. */
export function startProviderFor(accounts: Record<string, Account>, other: ProviderOptions = {}) {
  const uris = { redirectUri: `${ORIGIN}/api/auth/callback/oidc`, signedOutUri: `${ORIGIN}/signin?signedOut` }
  return startTestProvider({ accounts, ...uris, ...other })
}

/** Intag as it answers below `/api/auth`, set up for a provider, with a browser in front of it. */
export function openIntag(
  database: OpenDatabase,
  provider: Pick<TestProvider, 'issuer'>,
  { timeoutMs = 5_000, ...settings }: Partial<Oidc> & { timeoutMs?: number } = {},
) {
  const parts = partsFor(database, timeoutMs, {
    issuer: provider.issuer,
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
    name: 'Skolan',
    scope: 'openid email profile',
    trustEmail: false,
    roleMap: null,
    schoolMap: null,
    ...settings,
  })
  const answer = (request: NextRequest) => {
    const nextauth = request.nextUrl.pathname.split('/').slice(3)
    return answerAuth({ ...parts, otherAddress: { hear: () => {} } }, request, {
      params: Promise.resolve({ nextauth }),
    })
  }
  const openBrowser = () => createBrowser({ origin: ORIGIN, answer })
  const browser = openBrowser()
  const begin = async (query = '', within = browser) =>
    (await within.post(`signin/oidc${query}`, { callbackUrl: '/questions' })).url ?? ''
  return {
    ...parts,
    answer,
    withPassword: parts.signIn.withPassword,
    browser,
    openBrowser,
    begin,
    /** At the provider's page the person says who they are; one whom it knows already is not asked. */
    async signIn(as: string, { query = '', within = browser } = {}) {
      const page = await within.visit(await begin(query, within))
      return page.url.includes('/interaction/') ? within.visit(`${page.url}/as/${as}`) : page
    },
    addUser: (email: string, other: Partial<StoredUser> = {}) => addUser(database, parts.users, email, other),
    /** What the activity log has, oldest first. */
    async entries() {
      const rows = await database.db.select().from(activityTable).orderBy(asc(activityTable.id))
      return rows.map(({ action, userId, details }) => [action, userId, details?.reason ?? null])
    },
  }
}

async function addUser({ db }: OpenDatabase, users: Users, email: string, other: Partial<StoredUser>): Promise<string> {
  const person = { email, name: 'N', role: 'staff', passwordHash: null } as const
  const { id } = await users.create(db, { ...person, schools: ['norra'] })
  await db
    .update(usersTable)
    .set({ email, ...other })
    .where(eq(usersTable.id, id))
  return id
}

function partsFor(database: OpenDatabase, timeoutMs: number, oidc: Oidc) {
  const now = Date.now
  const connect = async () => database.db
  const log: Record<string, unknown>[] = []
  const told: string[] = []
  const logger = createLogger({ logLevel: 'info' }, { write: (line) => void log.push(JSON.parse(line)) })
  const users = createUsers({ connect, now, demo: false })
  const activity = createActivity({ connect, now })
  const transport = createHttpTransport()
  const auth = { url: ORIGIN, secret: 's'.repeat(32) }
  const env = { mode: 'connected' as const, auth, oidc, passwordSignIn: true }
  const sessions = createSessions({ connect, now, logger, demo: false, env })
  const seal = createSeal(new Uint8Array(32).fill(7))
  const devices = createKnownDevices({ connect, now, env })
  const passkeys = createPasskeys({ connect, now, seal, env })
  const secondFactors = createSecondFactors({ connect, now, seal, passkeys })
  const throttle = createThrottle({ connect, now, hashKey: new Uint8Array(32).fill(7) })
  return {
    log,
    told,
    env,
    now,
    devices,
    connect,
    logger,
    users,
    throttle,
    sessions,
    activity,
    viewers: createViewers({ sessions, now, logger }),
    identities: createIdentities({ connect, now }),
    invitations: createInvitations({ connect, now }),
    signIn: createSignIn({ users, activity, throttle, devices, secondFactors, passkeys, env, now }),
    providerCheck: createProviderCheck({ oidc, transport, now, logger, timeoutMs }),
    seal,
    announcer: { person: async (id: string) => void told.push(id) },
  }
}

/** Nobody is known, and nothing has happened. */
export async function emptyDatabase({ db }: OpenDatabase): Promise<void> {
  for (const table of [activityTable, sessionsTable, identitiesTable, invitationsTable, usersTable])
    await db.delete(table)
}
