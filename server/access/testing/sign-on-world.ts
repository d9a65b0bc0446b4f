// This import comes first, because Next keeps the request storages that exist when it is loaded.
import { createBrowser } from './test-browser'
import { asc, eq } from 'drizzle-orm'
import type { NextRequest } from 'next/server'
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest'
import { sessions as sessionsTable } from '@/server/base/access-schema'
import type { DatabaseHandle } from '@/server/base/database'
import { activity as activityTable, signInAttempts, users as usersTable } from '@/server/base/schema'
import { openPgliteInMemory } from '@/server/base/testing/in-memory'
import type { Env } from '@/server/base/env'
import { createLogger } from '@/server/base/logger'
import { createHttpTransport } from '@/server/base/transport'
import type { StoredUser } from '../users'
import { testServices } from '@/server/testing/services'
import { answerAuth } from '@/server/http/next-auth'
import { createProviderDiscovery } from '../provider-discovery'
import { signInWithPassword } from '../sign-in'
import { createSignInServices } from './sign-in-world'
import { type Account, CLIENT, startTestProvider, type TestProvider } from './oidc-test-provider'

export const ORIGIN = 'http://intag.test'
type Oidc = NonNullable<Env['oidc']>

export function signOnWorld(accounts: () => Record<string, Account>) {
  let database: DatabaseHandle
  let provider: TestProvider
  beforeAll(async () => {
    database = await openPgliteInMemory()
    provider = await startTestProvider({ accounts: accounts(), origin: ORIGIN })
  })
  afterAll(async () => {
    await provider.close()
    await database.close()
  })
  beforeEach(async () => {
    vi.stubEnv('NEXTAUTH_URL', ORIGIN)
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
    open: (settings: Partial<Oidc> = {}, { issuer }: Pick<TestProvider, 'issuer'> = provider) =>
      openIntag(database, { issuer, ...settings }),
  }
}

function openIntag({ db }: DatabaseHandle, settings: Partial<Oidc> & Pick<Oidc, 'issuer'>) {
  const client = { clientId: CLIENT.id, clientSecret: CLIENT.secret, name: 'Skolan' }
  const oidc: Oidc = { ...client, trustEmail: false, roleMap: null, schoolMap: null, ...settings }
  const now = Date.now
  const log: Record<string, unknown>[] = []
  const announced: string[] = []
  const outcomes: string[] = []
  const auth = { url: ORIGIN, secret: 's'.repeat(32) }
  const env = { mode: 'connected', auth, oidc, hasPasswordSignIn: true } as const
  const logger = createLogger({ logLevel: 'info' }, { write: (line) => void log.push(JSON.parse(line)) })
  const providerDiscovery = createProviderDiscovery({ issuer: oidc.issuer, transport: createHttpTransport(), now })
  const services = testServices({
    ...createSignInServices({ connect: async () => db, now, announced, env, logger }),
    providerDiscovery,
    counters: { countSignIn: (way: string, outcome: string) => void outcomes.push(`${way} ${outcome}`) },
  })
  const answer = (request: NextRequest) => {
    const nextauth = request.nextUrl.pathname.split('/').slice(3)
    return answerAuth(services, request, { params: Promise.resolve({ nextauth }) })
  }
  const openBrowser = () => createBrowser({ origin: ORIGIN, answer })
  const browser = openBrowser()
  const begin = async (query = '', within = browser) =>
    (await within.post(`signin/oidc${query}`, { callbackUrl: '/questions' })).url ?? ''
  return {
    ...services,
    providerDiscovery,
    log,
    announced,
    outcomes,
    answer,
    browser,
    openBrowser,
    begin,
    withPassword: (credentials: Parameters<typeof signInWithPassword>[1]) => signInWithPassword(services, credentials),
    /** Signs in at the provider's page, unless the provider already knows the user. */
    async signIn(accountId: string, { within = browser } = {}) {
      const page = await within.visit(await begin('', within))
      return page.url.includes('/interaction/') ? within.visit(`${page.url}/as/${accountId}`) : page
    },
    async addUser(email: string, other: Partial<StoredUser> = {}): Promise<string> {
      const person = { email, name: 'N', role: 'staff', passwordHash: null } as const
      const { id } = await services.users.create(db, { ...person, schools: ['norra'] })
      if (Object.keys(other).length > 0) await db.update(usersTable).set(other).where(eq(usersTable.id, id))
      return id
    },
    async entries() {
      const rows = await db.select().from(activityTable).orderBy(asc(activityTable.id))
      return rows.map(({ action, userId, details }) => [action, userId, details?.reason ?? null])
    },
  }
}
