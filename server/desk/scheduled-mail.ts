import 'server-only'
import { createHash } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { Permission } from '@/lib/contract/endpoint'
import { type MailChoice, mailChoiceSchema, type ScheduledMail } from '@/lib/contract/settings'
import { stockholmClock, stockholmDay } from '@/lib/time/stockholm'
import { may, type Viewer } from '@/server/access/viewer'
import type { Connect } from '@/server/db/database'
import { preferences } from '@/server/db/schema'
import type { Env } from '@/server/env'
import type { Logger } from '@/server/logger'
import { getPreference } from '@/server/settings/preferences'
import type { Work } from '@/server/settings/work'
import { isPermitted, type StoredUser, type Users } from '@/server/users/users'
import { type Delivery, type Mail, type Mailer, troubleOf } from './mailer'
import { claimMail, releaseMail } from './mails'

export type ScheduleParts = {
  connect: Connect
  now: () => number
  env: Pick<Env, 'auth'>
  users: Pick<Users, 'list'>
  work: Pick<Work, 'settings' | 'isHoliday'>
  mailer: Pick<Mailer, 'send'> | null
  logger: Pick<Logger, 'info' | 'warn'>
}

/** What one must be allowed to read. */
const NEEDS = { digest: 'leads:read', week: 'interest:read' } as const satisfies Record<ScheduledMail, Permission>

/** `name` is that of the user's choice. `write`: null when there is nothing to say. */
type MailPlan = {
  name: ScheduledMail
  isDue: (day: string, hour: number) => boolean
  write: (user: StoredUser, language: MailChoice['language']) => Promise<Pick<Mail, 'subject' | 'text' | 'page'> | null>
}

const MINUTE_MS = 60_000
/** After a temporary refusal, of one mail or of all. */
const PAUSE_MS = 5 * MINUTE_MS

type Recipient = { user: StoredUser; language: MailChoice['language'] }

/** Every instance checks each minute; a row per mail, day and user, written before it is sent, makes it one. */
export function createScheduledMail(parts: ScheduleParts, plan: MailPlan) {
  const { now, logger, mailer } = parts
  let pausedUntil = 0
  /** The last failure per user: they come last, and delay the others only once. */
  const failedAt = new Map<string, number>()
  const lastFailureAt = ({ user }: Recipient) => failedAt.get(user.id) ?? 0
  return {
    run: async (): Promise<void> => {
      const at = now()
      const day = stockholmDay(at)
      const hour = new Date(stockholmClock(at)).getUTCHours()
      if (mailer === null || at < pausedUntil || !plan.isDue(day, hour)) return
      let count = 0
      const all = await recipientsOf(parts, plan.name)
      const recipients = all.filter((one) => now() - lastFailureAt(one) >= PAUSE_MS)
      for (const one of recipients.toSorted((a, b) => lastFailureAt(a) - lastFailureAt(b))) {
        const sent = await sendTo({ ...parts, mailer }, plan, { ...one, day })
        if (sent === 'none') continue
        count += Number(sent.ok)
        if (sent.ok) continue
        const { kind, detail } = sent
        logger.warn({ mail: plan.name, kind, detail }, 'a scheduled mail could not be sent')
        failedAt.set(one.user.id, now())
        if (troubleOf(sent) !== 'server') continue
        pausedUntil = now() + PAUSE_MS
        break
      }
      if (count > 0) logger.info({ mail: plan.name, count }, 'scheduled mails were sent')
    },
  }
}

/** Null where it is not available: no mail server, or no permission. */
export async function mailChoice(
  parts: Pick<ScheduleParts, 'connect' | 'mailer'>,
  viewer: Viewer,
  name: ScheduledMail,
): Promise<{ isOn: boolean } | null> {
  if (parts.mailer === null || !may(viewer, NEEDS[name])) return null
  const { value } = await getPreference(parts, viewer, { name })
  return { isOn: mailChoiceSchema.safeParse(value).data?.on ?? false }
}

async function recipientsOf({ connect, users }: ScheduleParts, name: ScheduledMail) {
  const db = await connect()
  const rows = await db.select().from(preferences).where(eq(preferences.name, name))
  const choices = new Map(rows.map(({ userId, value }) => [userId, mailChoiceSchema.safeParse(value).data]))
  return (await users.list()).flatMap((user): Recipient[] => {
    const choice = choices.get(user.id)
    return choice?.on && isPermitted(user, NEEDS[name]) ? [{ user, language: choice.language }] : []
  })
}

type Sending = ScheduleParts & { mailer: Pick<Mailer, 'send'> }

async function sendTo(parts: Sending, plan: MailPlan, { user, language, day }: Recipient & { day: string }) {
  const { connect, env, now, mailer } = parts
  const { name: purpose, write } = plan
  const name = `${purpose} ${day} ${user.id}`
  if (!(await claimMail(await connect(), now(), { name }))) return 'none'
  const release = async () => releaseMail(await connect(), name)
  let sent: Delivery
  try {
    const written = await write(user, language)
    if (written === null) return 'none'
    const headers = { 'List-Unsubscribe': `<${env.auth.url}/account>` }
    const key = `${purpose}-${createHash('sha256').update(name).digest('base64url')}`
    sent = await mailer.send({ to: user.email, ...written, key, purpose, headers })
  } catch (error) {
    await release().catch(() => {})
    throw error
  }
  if (!sent.ok && troubleOf(sent) !== 'mail') await release()
  return sent
}
