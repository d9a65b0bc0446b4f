// First: Next takes the storages of requests as they are when it is loaded.
import { createBrowser } from './test-browser'
import { asc, eq } from 'drizzle-orm'
import type { NextRequest } from 'next/server'
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest'
import { sessions as sessionsTable } from '@/server/base/access-schema'
import type { OpenDatabase } from '@/server/base/database'
import { activity as activityTable, signInAttempts, users as usersTable } from '@/server/base/schema'
import { openPgliteInMemory } from '@/server/base/testing/in-memory'
import type { Env } from '@/server/base/env'
import { createLogger } from '@/server/base/logger'
import { createHttpTransport } from '@/server/base/transport'
import { type StoredUser, type Users } from '../users'
import { testServices } from '@/server/testing/services'
import { answerAuth } from '@/server/http/next-auth'
import { createProviderCheck } from '../provider-check'
import { signInWithPassword } from '../sign-in'
import { servicesOf } from './sign-in-world'
import { type Account, CLIENT, startTestProvider, type TestProvider } from './oidc-test-provider'

export const ORIGIN = 'http://intag.test'
type Oidc = NonNullable<Env['oidc']>
type ProviderOptions = Partial<Parameters<typeof startTestProvider>[0]>

export function startProviderFor(accounts: Record<string, Account>, other: ProviderOptions = {}) {
  const uris = { redirectUri: `${ORIGIN}/api/auth/callback/oidc`, signedOutUri: `${ORIGIN}/signin?signedOut` }
  return startTestProvider({ accounts, ...uris, ...other })
}

type Settings = Partial<Oidc>

export function signOnWorld(
  accounts: () => Record<string, Account>,
  optionsFor = async (): Promise<ProviderOptions> => ({}),
) {
  let database: OpenDatabase
  let provider: TestProvider
  beforeAll(async () => {
    vi.stubEnv('NEXTAUTH_URL', ORIGIN)
    database = await openPgliteInMemory()
    provider = await startProviderFor(accounts(), await optionsFor())
  })
  afterAll(async () => {
    vi.unstubAllEnvs()
    await provider.close()
    await database.close()
  })
  beforeEach(async () => {
    for (const table of [activityTable, sessionsTable, signInAttempts, usersTable]) await database.db.delete(table)
  })
  afterEach(() => {
    provider.behave()
    Object.assign(provider.accounts, accounts())
  })
  return {
    db: () => database.db,
    provider: () => provider,
    sessionRows: () => database.db.select().from(sessionsTable),
    open: (settings?: Settings, of: Pick<TestProvider, 'issuer'> = provider) => openIntag(database, of, settings),
  }
}

function openIntag(database: OpenDatabase, provider: Pick<TestProvider, 'issuer'>, settings: Settings = {}) {
  const { services: parts, ...seen } = partsFor(database, {
    issuer: provider.issuer,
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
    name: 'Skolan',
    trustEmail: false,
    roleMap: null,
    schoolMap: null,
    ...settings,
  })
  const answer = (request: NextRequest) => {
    const nextauth = request.nextUrl.pathname.split('/').slice(3)
    return answerAuth(parts, request, {
      params: Promise.resolve({ nextauth }),
    })
  }
  const openBrowser = () => createBrowser({ origin: ORIGIN, answer })
  const browser = openBrowser()
  const begin = async (query = '', within = browser) =>
    (await within.post(`signin/oidc${query}`, { callbackUrl: '/questions' })).url ?? ''
  return {
    ...parts,
    ...seen,
    answer,
    withPassword: (credentials: Parameters<typeof signInWithPassword>[1]) => signInWithPassword(parts, credentials),
    browser,
    openBrowser,
    begin,
    /** At the provider's page the person says who they are; one whom it knows already is not asked. */
    async signIn(as: string, { query = '', within = browser } = {}) {
      const page = await within.visit(await begin(query, within))
      return page.url.includes('/interaction/') ? within.visit(`${page.url}/as/${as}`) : page
    },
    addUser: (email: string, other: Partial<StoredUser> = {}) => addUser(database, parts.users, email, other),
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

function partsFor(database: OpenDatabase, oidc: Oidc) {
  const now = Date.now
  const connect = async () => database.db
  const log: Record<string, unknown>[] = []
  const announced: string[] = []
  const outcomes: string[] = []
  const logger = createLogger({ logLevel: 'info' }, { write: (line) => void log.push(JSON.parse(line)) })
  const auth = { url: ORIGIN, secret: 's'.repeat(32) }
  const env = { mode: 'connected' as const, auth, oidc, passwordSignIn: true }
  const providerCheck = createProviderCheck({ oidc, transport: createHttpTransport(), now })
  const services = testServices({
    ...servicesOf({ connect, now, announced, env, logger }),
    providerCheck,
    counters: { signIn: (way: string, outcome: string) => void outcomes.push(`${way} ${outcome}`) },
  })
  return { services, providerCheck, log, announced, outcomes }
}
