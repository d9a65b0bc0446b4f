import 'server-only'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { and, eq, gt } from 'drizzle-orm'
import { createTranslator } from 'use-intl/core'
import type { LinkMailResult } from '@/lib/contract/feed-status'
import { invitePath } from '@/lib/contract/invite-link'
import { loadMessages } from '@/lib/i18n/load-messages'
import type { Locale } from '@/lib/i18n/locale'
import { formatDate } from '@/lib/time/format-time'
import { executeCommand } from './command'
import { recordMailOutcome, sendWithinQuota } from './mail-quota'
import { hashNewPassword } from './passwords'
import { mayUsePassword } from './sign-in-rules'
import { accountAttemptKeys, secretAttemptKey } from './throttle'
import type { Db } from '@/server/base/database'
import { findCallerAddress } from '@/server/base/request-context'
import { users } from '@/server/base/schema'
import { ConflictError, NotFoundError, TooManyTriesError } from '@/server/base/errors'
import type { Services } from '@/server/base/services'
import { setPassword, type StoredUser } from './users'
import type { Viewer } from './viewer'

/** `sign-in`: they have no password here, and the link is the page. */
type AccountLink = { url: string; kind: 'invitation' | 'reset' | 'sign-in' }

const DAY_MS = 24 * 3_600_000
/** A reset link opens an account in use, so it expires sooner. */
export const LINK_TTL_MS = { invitation: 7 * DAY_MS, reset: DAY_MS }

/** A link to set a password, valid once; it replaces the user's link before. After the # its token reaches no log and no Referer header. */
export async function createPasswordLink({ env, now }: Services, tx: Db, { id, activatedAt }: StoredUser): Promise<AccountLink> {
  const kind = activatedAt === null ? 'invitation' : 'reset'
  const token = randomBytes(32).toString('base64url')
  const set = { linkHash: hashToken(token), linkExpiresAt: new Date(now() + LINK_TTL_MS[kind]) }
  await tx.update(users).set(set).where(eq(users.id, id))
  return { url: env.auth.url + invitePath({ token, isReset: kind === 'reset' }), kind }
}

/** The same `NotFoundError` for unknown, used and expired tokens. Checked before the slow hash. */
export async function acceptInvitation(
  services: Services,
  _nobody: null,
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
    // The lock lets one of two who use the link at once find it gone.
    if ((await findInvited(tx).for('update')).length === 0) throw new NotFoundError()
    await setPassword(tx, user, passwordHash, new Date(now()))
    const { accountNetwork: here, account } = accountAttemptKeys(user.email, findCallerAddress() ?? '')
    await throttle.reset(tx, here, account, secretAttemptKey(user.id, 'password'), secretAttemptKey(user.id, 'factor'))
    const action = user.activatedAt === null ? 'invitation-accepted' : 'password-reset'
    await activity.recordIn(tx, { userId: user.id, action })
  })
  await announcer.announceUser(user.id)
}

function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/** Never throws: whatever comes of the mail, the link is shown. Empty without a language or a mail server. */
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
    const parts = [body, `${t(`${kind}.open`)}:\n  ${url}`, valid, `-- \n${unexpected}`]
    const written = { subject: t(`${kind}.subject`), text: `${parts.filter(Boolean).join('\n\n')}\n` }
    const key = `link-${randomUUID()}`
    const about = `user ${user.id}`
    const mail = { ...written, to: user.email, replyTo: viewer.email, purpose: 'link', key, about } as const
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
