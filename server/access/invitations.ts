import 'server-only'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { and, eq, gt } from 'drizzle-orm'
import { createTranslator } from 'use-intl/core'
import type { LinkMailResult } from '@/lib/contract/service-report'
import { invitePath } from '@/lib/contract/invite-link'
import { loadMessages } from '@/lib/i18n/load-messages'
import type { Locale } from '@/lib/i18n/locale'
import { formatDate } from '@/lib/time/format-time'
import type { Db } from '@/server/base/database'
import { ConflictError, NotFoundError, TooManyTriesError } from '@/server/base/errors'
import { findCallerAddress } from '@/server/base/request-context'
import { users } from '@/server/base/schema'
import type { Services } from '@/server/base/services'
import { executeCommand } from './command'
import { recordMailOutcome, sendWithinQuota } from './mail-quota'
import { hashNewPassword } from './passwords'
import { mayUsePassword } from './sign-in-rules'
import { accountAttemptKeys, secretAttemptKey } from './throttle'
import { setPassword, type StoredUser } from './users'
import type { Viewer } from './viewer'

/** The link of kind `sign-in` is the address of the sign-in page, for users who have no password here. */
type AccountLink = { url: string; kind: 'invitation' | 'reset' | 'sign-in' }

const DAY_MS = 24 * 3_600_000
/** A reset link opens an account in use, so it expires sooner. */
export const LINK_TTL_MS = { invitation: 7 * DAY_MS, reset: DAY_MS }

/** Replaces the user's link to set a password, valid once. Its token, after the #, reaches no log and no Referer. */
export async function createPasswordLink({ env, now }: Services, tx: Db, user: StoredUser): Promise<AccountLink> {
  const kind = user.activatedAt === null ? 'invitation' : 'reset'
  const token = randomBytes(32).toString('base64url')
  const set = { linkHash: hashToken(token), linkExpiresAt: new Date(now() + LINK_TTL_MS[kind]) }
  await tx.update(users).set(set).where(eq(users.id, user.id))
  return { url: env.auth.url + invitePath({ token, isReset: kind === 'reset' }), kind }
}

/** Throws the same `NotFoundError` for unknown, used and expired tokens, before the slow hash is computed. */
export async function acceptInvitation(
  services: Services,
  _viewer: null,
  { token, password }: { token: string; password: string },
): Promise<void> {
  const { connect, env, now, throttle, activity, announcer } = services
  const findInvited = (db: Db) => {
    const isOpen = and(eq(users.linkHash, hashToken(token)), gt(users.linkExpiresAt, new Date(now())))
    const isInvited = and(isOpen, eq(users.disabled, false))
    return db.select().from(users).where(isInvited)
  }
  const db = await connect()
  const [user] = await findInvited(db)
  if (!user) throw new NotFoundError()
  if (!mayUsePassword(env, user)) throw new ConflictError('Sign in with the account of your organisation')
  const passwordHash = await hashNewPassword(services, user, password)
  await db.transaction(async (tx) => {
    // The row lock makes the second of two simultaneous uses fail.
    if ((await findInvited(tx).for('update')).length === 0) throw new NotFoundError()
    await setPassword(tx, user, passwordHash, new Date(now()))
    const { accountNetwork, account } = accountAttemptKeys(user.email, findCallerAddress() ?? '')
    const secrets = [secretAttemptKey(user.id, 'password'), secretAttemptKey(user.id, 'factor')]
    await throttle.reset(tx, accountNetwork, account, ...secrets)
    const action = user.activatedAt === null ? 'invitation-accepted' : 'password-reset'
    await activity.recordIn(tx, { userId: user.id, action })
  })
  await announcer.announceUser(user.id)
}

function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/** Mails the link and returns the outcome. It never throws, because the administrator sees the link in any case. */
export async function sendLinkMail(
  services: Services,
  viewer: Viewer,
  { user, link, language }: { user: StoredUser; link: AccountLink; language: Locale | undefined },
): Promise<{ mail?: LinkMailResult }> {
  if (language === undefined || services.mailer === null) return {}
  try {
    const { url, kind } = link
    const t = createTranslator({ locale: language, messages: await loadMessages(language), namespace: 'mail.link' })
    const untilMs = kind === 'sign-in' ? null : services.now() + LINK_TTL_MS[kind]
    const until = untilMs === null ? '' : formatDate(untilMs, { dateStyle: 'full', timeStyle: 'short' }, language)
    const valid = until && t('valid', { until })
    const [body, unexpected] = [t(`${kind}.body`, { from: viewer.name }), t('unexpected', { from: viewer.name })]
    const paragraphs = [body, `${t(`${kind}.open`)}:\n  ${url}`, valid, `-- \n${unexpected}`]
    const content = { subject: t(`${kind}.subject`), text: `${paragraphs.filter(Boolean).join('\n\n')}\n` }
    const key = `link-${randomUUID()}`
    const about = `user ${user.id}`
    const mail = { ...content, to: user.email, replyTo: viewer.email, purpose: 'link', key, about } as const
    const sent = (await sendWithinQuota(services, viewer, mail)) ?? { outcome: 'unknown', detail: '' }
    await executeCommand(services, viewer, 'admin', async (tx, log) => {
      await recordMailOutcome(tx, key, sent)
      await log({ action: 'link-mailed', details: { user: user.id, outcome: sent.outcome } })
    })
    return { mail: sent }
  } catch (err) {
    if (err instanceof TooManyTriesError) return { mail: { outcome: 'too-many', detail: '' } }
    services.logger.warn({ err }, 'a link may not have been mailed')
    return { mail: { outcome: 'unknown', detail: '' } }
  }
}
