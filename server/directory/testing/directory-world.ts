import 'server-only'
import { eq } from 'drizzle-orm'
import { afterAll, beforeEach, expect } from 'vitest'
import { parseRoleMap, parseSchoolMap } from '@/server/access/oidc-claims'
import { createIdentities } from '@/server/access/provider-sign-in'
import { partsOf } from '@/server/access/testing/sign-in-world'
import { createToken } from '@/server/access/tokens'
import { allow, makeViewer } from '@/server/access/viewer'
import { accessTokens, directoryGroups } from '@/server/db/access-schema'
import { activity, signInAttempts, users as usersTable } from '@/server/db/schema'
import { openPgliteInMemory } from '@/server/db/testing/in-memory'
import { programRoutes } from '@/server/http/routes'
import { routeWorld } from '@/server/http/testing/route-world'
import { createLogger } from '@/server/logger'
import { scimError, serveScim } from '../scim'

export const ORIGIN = 'https://intag.test'
export const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

const oidc = {
  issuer: 'https://id.test',
  clientId: 'intag',
  clientSecret: 's',
  name: 'Skolan',
  trustEmail: true,
  roleMap: parseRoleMap('groups:Intag-Personal=staff; groups:Intag-Admin=admin; groups:6f1c-rektor=manager'),
  schoolMap: parseSchoolMap('groups:Norra=norra; groups:Södra=sodra; groups:Intag-Admin=all'),
}
const handlers = programRoutes('/scim/v2', serveScim, scimError)
const manager = makeViewer({ id: 'boss', name: 'Boss', email: 'boss@x.test', role: 'admin', schools: 'all' })
export const boss = allow(manager, 'admin')

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Sent = { token?: string | null; type?: string; headers?: Record<string, string> }

/** A directory's key, an administrator, an emergency account and one made by hand; `key` is another before each test. */
export async function directoryWorld() {
  const { db, close } = await openPgliteInMemory()
  afterAll(() => close())
  const time = { ms: Date.UTC(2026, 10, 20, 8) }
  const announced: string[] = []
  const env = { mode: 'connected' as const, auth: { url: ORIGIN, secret: 's'.repeat(32) }, passwordSignIn: true, oidc }
  const logger = createLogger({ logLevel: 'silent' })
  const options = { connect: async () => db, now: () => time.ms, announced, env, logger }
  const overRedis: { announcer: { userChanged: (id: string) => Promise<void> } | null } = { announcer: null }
  const announcer = {
    userChanged: async (id: string) => {
      announced.push(id)
      await overRedis.announcer?.userChanged(id)
    },
  }
  const parts = { ...partsOf(options), identities: createIdentities(options), announcer }
  const { cookie } = routeWorld(parts)
  const made = { key: '', keyId: '' }
  beforeEach(async () => {
    for (const table of [activity, signInAttempts, accessTokens, directoryGroups, usersTable]) await db.delete(table)
    const at = { createdAt: new Date(time.ms), activatedAt: new Date(time.ms) }
    const row = { name: 'Boss', role: 'admin', schools: 'all', ...at } as const
    await db.insert(usersTable).values([
      { id: 'boss', email: 'boss@x.test', ...row },
      { id: 'glass', email: 'glas@skola.example', ...row, breakGlass: true, passwordHash: 'x' },
      { id: 'old', email: 'gammal@skola.example', ...row, role: 'staff', schools: ['norra'] },
    ])
    const token = await createToken(parts, boss, { purpose: 'directory', name: 'Entra', schools: 'all' })
    Object.assign(made, { key: token.token, keyId: token.id })
    announced.length = 0
  })
  const ask = (method: Method, path: string, body?: unknown, { token = made.key, ...sent }: Sent = {}) =>
    send(method, path, body, { token, ...sent })
  const stored = async (id: string) => (await db.select().from(usersTable).where(eq(usersTable.id, id)))[0]
  return { db, time, announced, parts, overRedis, made, cookie, ask, stored, ...clientOf(ask) }
}

async function send(method: Method, path: string, body: unknown, { token = null, type, headers }: Sent) {
  const url = new URL(`${ORIGIN}/scim/v2/${path}`)
  const request = new Request(url, {
    method,
    headers: {
      'content-type': type ?? 'application/scim+json; charset=utf-8',
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const segments = url.pathname.split('/').slice(3)
  const answer = await handlers[method](request, { params: Promise.resolve({ path: segments }) })
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, json: text === '' ? null : JSON.parse(text) }
}

function clientOf(ask: (method: Method, path: string, body: object) => ReturnType<typeof send>) {
  return {
    addUser: async (email?: string): Promise<string> => (await ask('POST', 'Users', entraUser(email))).json.id,
    addGroup: async (displayName: string, members: string[] = [], more: object = {}): Promise<string> => {
      const group = { displayName, members: members.map((value) => ({ value })), ...more }
      return (await ask('POST', 'Groups', group)).json.id
    },
    patch: (path: string, ...operations: object[]) => ask('PATCH', path, { schemas: [PATCH], Operations: operations }),
  }
}

export const entraUser = (email = 'eva@skola.example') => ({
  schemas: [USER, ENTERPRISE],
  externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
  userName: email,
  active: true,
  emails: [{ primary: true, type: 'work', value: email }],
  meta: { resourceType: 'User' },
  displayName: 'Eva Ek',
  name: { formatted: 'Eva Ek', familyName: 'Ek', givenName: 'Eva' },
  roles: [],
  [ENTERPRISE]: { department: 'Antagning' },
})

export const refusal = (status: number, scimType?: string) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
  status: String(status),
  ...(scimType && { scimType }),
  detail: expect.any(String),
})
