import 'server-only'
import { and, eq } from 'drizzle-orm'
import { errors, jwtVerify } from 'jose'
import { z } from 'zod'
import { withCallerAddress } from '@/server/base/request-context'
import { NotReadyError } from '@/server/base/errors'
import { MAX_FORM_BYTES } from '@/server/access/sign-in'
import { users } from '@/server/base/schema'
import type { Services } from '@/server/base/services'
import { addressOf } from './front-door'
import { readText } from './input'

/** Below next-auth's own routes. */
export const BACK_CHANNEL = 'backchannel-logout'
const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const MAX_AGE_SECONDS = 300
const CLOCK_TOLERANCE_SECONDS = 60

const named = z.string().min(1).optional()
const logoutSchema = z
  .object({ iss: z.string(), iat: z.number(), sub: named, sid: named, nonce: z.never().optional() })
  .extend({ events: z.object({ [EVENT]: z.looseObject({}) }) })
  .refine(({ sub, sid }) => sub !== undefined || sid !== undefined)

/**
 * OpenID Connect Back-Channel Logout 1.0. No browser and no cookie is involved; the signature is the proof (section 2.6).
 * A token that comes twice ends nothing new. `NotReadyError` while the provider cannot be asked for its keys.
 */
export async function backChannelLogout(services: Services, request: Request): Promise<Response> {
  const { env, providerCheck, now, connect, sessions, activity, announcer } = services
  const headers = { 'cache-control': 'no-store' }
  const refused = () => Response.json({ error: 'invalid_request' }, { status: 400, headers })
  const token = new URLSearchParams(await readText(request, MAX_FORM_BYTES)).get('logout_token') ?? ''
  if (!env.oidc || !providerCheck) return refused()
  const { issuer, algorithm, keys } = await providerCheck.metadata().catch(() => {
    throw new NotReadyError('The provider’s keys cannot be read', 60)
  })
  const terms = { issuer, audience: env.oidc.clientId, algorithms: [algorithm], currentDate: new Date(now()) }
  const age = { maxTokenAge: MAX_AGE_SECONDS, clockTolerance: CLOCK_TOLERANCE_SECONDS }
  const verified = await jwtVerify(token, keys, { ...terms, ...age }).catch((error: unknown) => {
    if (error instanceof errors.JOSEError) return null
    throw error
  })
  const logout = logoutSchema.safeParse(verified?.payload).data
  if (logout === undefined) return refused()
  const { iss, iat, sub, sid = null } = logout
  const before = new Date((iat + CLOCK_TOLERANCE_SECONDS) * 1000)
  const db = await connect()
  await withCallerAddress(addressOf(request), async () => {
    const ended = await db.transaction(async (tx) => {
      const isSubject = and(eq(users.issuer, iss), eq(users.subject, sub ?? ''))
      const [user] = await tx.select({ id: users.id }).from(users).where(isSubject)
      const owners = await sessions.endAtProvider(tx, { sid, userId: user?.id ?? null, before })
      for (const owner of new Set(owners)) {
        const count = owners.filter((each) => each === owner).length
        const details = { user: owner, count, with: 'oidc' }
        await activity.recordIn(tx, { userId: owner, action: 'sessions-ended', details })
      }
      return new Set(owners)
    })
    for (const owner of ended) await announcer.userChanged(owner)
  })
  return new Response(null, { headers })
}
