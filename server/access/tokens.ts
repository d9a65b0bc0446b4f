import 'server-only'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { and, desc, eq, getTableColumns, gt, isNull, or } from 'drizzle-orm'
import type { NewToken, Token, TokenPurpose } from '@/lib/contract/tokens'
import { stockholmDay, stockholmDayEnd } from '@/lib/time/stockholm'
import { callerAddress } from '@/server/activity/request-context'
import { accessTokens } from '@/server/db/access-schema'
import type { Connect } from '@/server/db/database'
import { users } from '@/server/db/schema'
import { InvalidInputError, NotFoundError, UnauthenticatedError } from '@/server/errors'
import type { Services } from '@/server/services'
import type { ChangeParts } from '@/server/settings/settings'
import { command, type CommandParts } from './command'
import { type AttemptKey, countOrRefuse } from './throttle'
import { makeViewer, type Viewer, type Admin } from './viewer'

export async function listTokens({ connect }: { connect: Connect }, _viewer: Admin) {
  const { tokenHash: _, ...columns } = getTableColumns(accessTokens)
  const shown = { ...columns, createdBy: { id: users.id, name: users.name } }
  const made = (await connect()).select(shown).from(accessTokens)
  const rows = await made.innerJoin(users, eq(users.id, accessTokens.createdBy)).orderBy(desc(columns.createdAt))
  const tokens = rows.map((row): Token => {
    const [end, last] = [row.expiresAt, row.lastUsedAt].map((at) => at?.toISOString() ?? null)
    return { ...row, createdAt: row.createdAt.toISOString(), expiresAt: end ?? null, lastUsedAt: last ?? null }
  })
  return { tokens }
}

/** Only the hash is stored: a copy of the database opens nothing. `InvalidInputError` for a day that is over. */
export async function createToken(
  parts: ChangeParts,
  viewer: Admin,
  { purpose = 'figures', name, schools, until }: NewToken,
): Promise<{ id: string; token: string }> {
  const now = parts.now()
  if (until !== undefined && until < stockholmDay(now)) throw new InvalidInputError('until')
  const [id, token] = [randomUUID(), `intag_${randomBytes(32).toString('base64url')}`]
  const expiresAt = until === undefined ? null : new Date(stockholmDayEnd(until))
  const stored = { id, purpose, name, schools, tokenHash: hashOf(token), expiresAt }
  await command(parts, viewer, 'admin', async (tx, log) => {
    await tx.insert(accessTokens).values({ ...stored, createdBy: viewer.id, createdAt: new Date(now) })
    await log({ action: 'token-made', details: { token: id, purpose, name, schools, ...(until && { until }) } })
  })
  return { id, token }
}

export async function withdrawToken(parts: CommandParts, viewer: Admin, { id }: { id: string }) {
  await command(parts, viewer, 'admin', async (tx, log) => {
    const [token] = await tx.delete(accessTokens).where(eq(accessTokens.id, id)).returning()
    if (!token) throw new NotFoundError()
    await log({ action: 'token-withdrawn', details: { token: id, name: token.name } })
  })
}

type Opening = Pick<Services, 'connect' | 'now' | 'throttle' | 'activity'>

/** A manager of the token's schools. */
export async function viewerByToken(parts: Opening, purpose: TokenPurpose, request: Request): Promise<Viewer> {
  const { id, name, schools } = await openToken(parts, purpose, request)
  return makeViewer({ id, name, email: '', role: 'manager', schools })
}

/** Read each time, so that it ends at once. Wrong ones are counted by address, apart: they never lock out a right one. */
export async function openToken(parts: Opening, purpose: TokenPurpose, request: Request) {
  const [, given] = /^Bearer (\S{1,200})$/i.exec(request.headers.get('authorization') ?? '') ?? []
  if (given === undefined) throw new UnauthenticatedError()
  const { connect, now } = parts
  const db = await connect()
  const isValid = or(isNull(accessTokens.expiresAt), gt(accessTokens.expiresAt, new Date(now())))
  const isIt = and(eq(accessTokens.tokenHash, hashOf(given)), eq(accessTokens.purpose, purpose), isValid)
  const [token] = await db.select().from(accessTokens).where(isIt)
  const kind = token?.purpose === 'directory' ? 'directory' : 'token'
  const key: AttemptKey = { kind, value: token?.id ?? `address ${callerAddress()}` }
  await countOrRefuse(parts.throttle, key)
  if (!token) throw new UnauthenticatedError()
  await noteUse(parts, token, key)
  return token
}

const [MINUTE_MS, HOUR_MS] = [60_000, 3_600_000]

/** At most once a minute. The first use of an hour begins a new count, and the first of a day is logged. */
async function noteUse(
  { connect, now, throttle, activity }: Opening,
  { id, name, lastUsedAt }: typeof accessTokens.$inferSelect,
  key: AttemptKey,
): Promise<void> {
  const [at, last] = [now(), lastUsedAt?.getTime() ?? 0]
  if (Math.abs(at - last) < MINUTE_MS) return
  const isUnchanged = lastUsedAt === null ? isNull(accessTokens.lastUsedAt) : eq(accessTokens.lastUsedAt, lastUsedAt)
  const db = await connect()
  await db.transaction(async (tx) => {
    const set = { lastUsedAt: new Date(at) }
    const isFirst = and(eq(accessTokens.id, id), isUnchanged)
    const noted = await tx.update(accessTokens).set(set).where(isFirst).returning({ id: accessTokens.id })
    if (noted.length === 0) return
    if (Math.floor(at / HOUR_MS) !== Math.floor(last / HOUR_MS)) await throttle.reset(tx, key)
    if (stockholmDay(at) === stockholmDay(last)) return
    await activity.recordIn(tx, { userId: null, action: 'token-used', details: { token: id, name } })
  })
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
