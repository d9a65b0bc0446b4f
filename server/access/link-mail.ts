import { randomUUID } from 'node:crypto'
import { createTranslator } from 'use-intl/core'
import type { LinkMailResult } from '@/lib/contract/service-report'
import { loadMessages } from '@/lib/i18n/load-messages'
import type { Locale } from '@/lib/i18n/locale'
import { formatDate } from '@/lib/time/format-time'
import { TooManyTriesError } from '@/server/base/errors'
import type { Services } from '@/server/base/services'
import { executeCommand } from './command'
import { LINK_TTL_MS } from './invitations'
import { recordMailOutcome, sendWithinQuota } from './mail-quota'
import type { StoredUser } from './users'
import type { Viewer } from './viewer'

/** `sign-in` is for users who have no password here. */
type AccountLink = { url: string; kind: 'invitation' | 'reset' | 'sign-in' }
type LinkMail = { user: StoredUser; link: AccountLink; language: Locale | undefined }

const UNKNOWN_DELIVERY = { outcome: 'unknown', detail: '' } as const

/** Mails the link. It never throws, because the administrator sees the link in any case. */
export async function sendLinkMail(
  services: Services,
  viewer: Viewer,
  { user, link, language }: LinkMail,
): Promise<{ mail?: LinkMailResult }> {
  if (language === undefined || services.mailer === null) return {}
  try {
    // A mail is sent once per key, so each link has a new one.
    const key = `link-${randomUUID()}`
    const content = await writeMail(viewer.name, link, language, services.now())
    const addresses = { to: user.email, replyTo: viewer.email, about: `user ${user.id}` }
    const mail = { ...content, ...addresses, purpose: 'link', key } as const
    const delivery = (await sendWithinQuota(services, viewer, mail)) ?? UNKNOWN_DELIVERY
    await executeCommand(services, viewer, 'admin', async (tx, log) => {
      await recordMailOutcome(tx, key, delivery)
      await log({ action: 'link-mailed', details: { user: user.id, outcome: delivery.outcome } })
    })
    return { mail: delivery }
  } catch (err) {
    if (err instanceof TooManyTriesError) return { mail: { outcome: 'too-many', detail: '' } }
    services.logger.warn({ err }, 'a link may not have been mailed')
    return { mail: UNKNOWN_DELIVERY }
  }
}

async function writeMail(senderName: string, { url, kind }: AccountLink, locale: Locale, now: number) {
  const t = createTranslator({ locale, messages: await loadMessages(locale), namespace: 'mail.link' })
  const paragraphs = [t(`${kind}.body`, { from: senderName }), `${t(`${kind}.open`)}:\n  ${url}`]
  if (kind !== 'sign-in') {
    const until = formatDate(now + LINK_TTL_MS[kind], { dateStyle: 'full', timeStyle: 'short' }, locale)
    paragraphs.push(t('valid', { until }))
  }
  paragraphs.push(`-- \n${t('unexpected', { from: senderName })}`)
  return { subject: t(`${kind}.subject`), text: `${paragraphs.join('\n\n')}\n` }
}
