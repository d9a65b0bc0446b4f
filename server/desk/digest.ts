import 'server-only'
import { createTranslator } from 'use-intl/core'
import type { MailChoice } from '@/lib/contract/settings'
import { loadMessages } from '@/lib/i18n/load-messages'
import { isWorkingDay } from '@/lib/time/working-days'
import { allow, makeViewer } from '@/server/access/viewer'
import { countList, type WorkCountParts } from '@/server/leads/list-counts'
import type { StoredUser } from '@/server/users/users'
import { createScheduledMail, type ScheduleParts } from './scheduled-mail'

export type DigestParts = WorkCountParts & ScheduleParts

/** Stockholm time. A missed digest is sent until ten: later it is no morning mail. */
const FROM_HOUR = 7
const UNTIL_HOUR = 10

/** At seven on working days. */
export function createDigest(parts: DigestParts) {
  return createScheduledMail(parts, {
    name: 'digest',
    isDue: (day, hour) => hour >= FROM_HOUR && hour < UNTIL_HOUR && isWorkingDay(day, parts.work.isHoliday),
    write: (user, language) => digestText(parts, user, language),
  })
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
async function digestText(parts: DigestParts, user: StoredUser, language: MailChoice['language']) {
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
