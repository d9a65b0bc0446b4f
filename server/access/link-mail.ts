import 'server-only'
import { randomUUID } from 'node:crypto'
import { createTranslator } from 'use-intl/core'
import type { LinkMail } from '@/lib/contract/feed-status'
import { loadMessages } from '@/lib/i18n/load-messages'
import type { Locale } from '@/lib/i18n/locale'
import { formatDate } from '@/lib/time/format-time'
import { command } from './command'
import { finishMail, sendCounted } from './mail-quota'
import type { Viewer } from './viewer'
import { NotReadyError, TooManyTriesError } from '@/server/base/errors'
import type { Services } from '@/server/base/services'
import { type InvitationPurpose, VALID_MS } from './invitations'
import type { StoredUser } from './users'

/** `sign-in`: they have no password here, and the link is the page. */
export type Link = { url: string; kind: InvitationPurpose | 'sign-in' }

/** Never throws: whatever comes of the mail, the link is shown. Empty without a language or a mail server. */
export async function mailTheLink(
  services: Services,
  viewer: Viewer,
  { user, link, language }: { user: StoredUser; link: Link; language: Locale | undefined },
): Promise<{ mail?: LinkMail }> {
  if (language === undefined || services.mailer === null) return {}
  try {
    const written = await write(link, { from: viewer, language, now: services.now() })
    const key = `link-${randomUUID()}`
    const about = `user ${user.id}`
    const mail = { ...written, to: user.email, replyTo: viewer.email, purpose: 'link', key, about } as const
    const sent = (await sendCounted(services, viewer, mail)) ?? { outcome: 'unknown', detail: '' }
    await command(services, viewer, 'admin', async (tx, log) => {
      await finishMail(tx, key, sent)
      await log({ action: 'link-mailed', details: { user: user.id, outcome: sent.outcome } })
    })
    return { mail: sent }
  } catch (err) {
    if (err instanceof TooManyTriesError) return { mail: { outcome: 'too-many', detail: '' } }
    if (err instanceof NotReadyError) return { mail: { outcome: 'try-later', detail: '' } }
    services.logger.warn({ err }, 'a link may not have been mailed')
    return { mail: { outcome: 'unknown', detail: '' } }
  }
}

const TO_THE_MINUTE = { dateStyle: 'full', timeStyle: 'short' } as const

type Writing = { from: Viewer; language: Locale; now: number }

async function write({ url, kind }: Link, { from, language, now }: Writing) {
  const t = createTranslator({ locale: language, messages: await loadMessages(language), namespace: 'mail.link' })
  const body = t(`${kind}.body`, { from: from.name })
  const untilMs = kind === 'sign-in' ? null : now + VALID_MS[kind]
  const valid = untilMs === null ? '' : t('valid', { until: formatDate(untilMs, TO_THE_MINUTE, language) })
  const open = t(`${kind}.open`)
  const unexpected = t('unexpected', { from: from.name })
  const text = [body, `${open}:\n  ${url}`, valid, `-- \n${unexpected}`].filter(Boolean).join('\n\n')
  return { subject: t(`${kind}.subject`), text: `${text}\n` }
}
