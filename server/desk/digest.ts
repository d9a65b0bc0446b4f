import 'server-only'
import { createHash } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { createTranslator } from 'use-intl/core'
import { awayUntil, type Preference, preferenceSchemas } from '@/lib/contract/settings'
import { loadMessages } from '@/lib/i18n/load-messages'
import { stockholmClock, stockholmDay } from '@/lib/time/stockholm'
import { isWorkingDay } from '@/lib/time/working-days'
import { allow, makeViewer, may, type Viewer } from '@/server/access/viewer'
import type { Connect } from '@/server/db/database'
import { preferences } from '@/server/db/schema'
import type { Env } from '@/server/env'
import { countList, type WorkCountParts } from '@/server/leads/list-counts'
import type { Logger } from '@/server/logger'
import { getPreference } from '@/server/settings/preferences'
import type { Work } from '@/server/settings/work'
import { mayReadLeads, type StoredUser, type Users } from '@/server/users/users'
import { type Delivery, type Mailer, troubleOf } from './mailer'
import { claimMail, releaseMail } from './mails'

export type DigestParts = WorkCountParts & {
  connect: Connect
  env: Pick<Env, 'auth'>
  users: Pick<Users, 'list'>
  work: Work
  mailer: Pick<Mailer, 'send'> | null
  logger: Pick<Logger, 'info' | 'warn'>
}

const MINUTE_MS = 60_000
/** Stockholm time. A missed digest is sent until ten: later it is no morning mail. */
const FROM_HOUR = 7
const UNTIL_HOUR = 10
/** After a temporary refusal, of one mail or of all. */
const PAUSE_MS = 5 * MINUTE_MS

type Recipient = { user: StoredUser; language: Preference<'digest'>['language'] }

/** At seven on working days. Every instance checks each minute; a row per day and user makes it one mail. */
export function createDigest(parts: DigestParts) {
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
      const isTime = hour >= FROM_HOUR && hour < UNTIL_HOUR && at >= pausedUntil
      if (mailer === null || !isTime || !isWorkingDay(day, parts.work.isHoliday)) return
      let count = 0
      const recipients = (await recipientsOf(parts, day)).filter((one) => now() - lastFailureAt(one) >= PAUSE_MS)
      for (const one of recipients.toSorted((a, b) => lastFailureAt(a) - lastFailureAt(b))) {
        const sent = await sendTo(parts, mailer, one, day)
        if (sent === 'none') continue
        if (sent.ok) {
          count += 1
          continue
        }
        logger.warn({ kind: sent.kind, detail: sent.detail }, 'a digest could not be sent')
        failedAt.set(one.user.id, now())
        if (troubleOf(sent) !== 'server') continue
        pausedUntil = now() + PAUSE_MS
        break
      }
      if (count > 0) logger.info({ count }, 'digests were sent')
    },
  }
}

/** Null where it is not available: no mail server, or no permission to read leads. */
export async function digestChoice(parts: Pick<DigestParts, 'connect' | 'mailer'>, viewer: Viewer) {
  if (parts.mailer === null || !may(viewer, 'leads:read')) return null
  const { value } = await getPreference(parts, viewer, { name: 'digest' })
  return { isOn: preferenceSchemas.digest.safeParse(value).data?.on ?? false }
}

async function recipientsOf({ connect, users, work }: DigestParts, day: string): Promise<Recipient[]> {
  const db = await connect()
  const rows = await db.select().from(preferences).where(eq(preferences.name, 'digest'))
  const choices = new Map(rows.map(({ userId, value }) => [userId, preferenceSchemas.digest.safeParse(value).data]))
  const { leave } = await work.settings()
  return (await users.list()).flatMap((user) => {
    const choice = choices.get(user.id)
    const isHere = mayReadLeads(user) && awayUntil(leave, user.id, day) === null
    return choice?.on && isHere ? [{ user, language: choice.language }] : []
  })
}

async function sendTo(parts: DigestParts, mailer: Pick<Mailer, 'send'>, { user, language }: Recipient, day: string) {
  const { connect, env, now } = parts
  const name = `digest ${day} ${user.id}`
  if (!(await claimMail(await connect(), now(), { name }))) return 'none'
  const release = async () => releaseMail(await connect(), name)
  let sent: Delivery
  try {
    const text = await digestText(parts, user, language)
    if (text === null) return 'none'
    const headers = { 'List-Unsubscribe': `<${env.auth.url}/account>` }
    const key = `digest-${createHash('sha256').update(name).digest('base64url')}`
    sent = await mailer.send({ to: user.email, ...text, key, purpose: 'digest', headers })
  } catch (error) {
    await release().catch(() => {})
    throw error
  }
  if (!sent.ok && troubleOf(sent) !== 'mail') await release()
  return sent
}

const KINDS = { questions: 'asked-question', declarations: 'declaration-of-interest' } as const
const COUNTS = [
  ['fresh', 'new'],
  ['waiting', 'waiting'],
  ['late', 'late'],
  ['followUp', 'followUps'],
  ['mine', 'mine'],
] as const

/** Numbers and links, no names. Null when there is nothing to do. */
async function digestText(parts: DigestParts, user: StoredUser, language: Recipient['language']) {
  const viewer = allow(makeViewer(user), 'leads:read')
  const t = createTranslator({ locale: language, messages: await loadMessages(language), namespace: 'mail.digest' })
  const { url } = parts.env.auth
  const totals = { waiting: 0, any: 0 }
  const sections: string[] = []
  for (const name of ['questions', 'declarations'] as const) {
    const { numbers } = await countList(parts, viewer, KINDS[name], undefined)
    const lines = COUNTS.flatMap(([word, of]) => (numbers[of] > 0 ? [`  ${t(word, { count: numbers[of] })}`] : []))
    if (lines.length > 0) sections.push([t(name), ...lines, `  ${url}/${name}`].join('\n'))
    totals.waiting += numbers.waiting
    totals.any += lines.length
  }
  if (totals.any === 0) return null
  const text = [t('hello'), ...sections, `${t('all')}\n  ${url}/today`, `-- \n${t('why')}\n${url}/account`].join('\n\n')
  return { subject: t('subject', { count: totals.waiting }), text: `${text}\n` }
}
