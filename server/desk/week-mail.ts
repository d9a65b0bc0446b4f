import 'server-only'
import { createFormatter, createTranslator } from 'use-intl/core'
import type { MailChoice } from '@/lib/contract/settings'
import { loadMessages, type Messages } from '@/lib/i18n/load-messages'
import { sizeOf } from '@/lib/interest/axis'
import { figureWords, hasBegun, NO_VALUE } from '@/lib/interest/figure-words'
import type { InterestPage } from '@/lib/interest/interest-page'
import { clauseValues, sentence } from '@/lib/interest/sentence'
import { epochDay, stockholmEpochDay } from '@/lib/time/stockholm'
import { isoWeek, mondayOf } from '@/lib/time/weeks'
import { isHolidayWeek } from '@/lib/time/working-days'
import { allow, makeViewer } from '@/server/access/viewer'
import { escapeHtml } from '@/server/escape-html'
import { curvePicture, PICTURE } from '@/server/interest/curve-picture'
import { interestPage, type PageParts } from '@/server/interest/interest'
import type { StoredUser } from '@/server/users/users'
import { MAIL_FONT, mailLink, mailPage, mailPart } from './mail-page'
import { createScheduledMail, type ScheduleParts } from './scheduled-mail'

export type WeekMailParts = PageParts & ScheduleParts

/** Stockholm time. A missed one is sent until the day ends. */
const FROM_HOUR = 7

/** On Mondays at seven, but in weeks that most people are off. */
export function createWeekMail(parts: WeekMailParts) {
  const isMonday = (day: string) => mondayOf(epochDay(day)) === epochDay(day)
  return createScheduledMail(parts, {
    name: 'week',
    isDue: (day, hour) => hour >= FROM_HOUR && isMonday(day) && !isHolidayWeek(day, parts.work.isHoliday),
    write: (user, language) => writeWeek(parts, user, language),
  })
}

type Language = MailChoice['language']
type Said = ReturnType<typeof saidOf>

/** It leaves the house, so its numbers are a manager's for everybody. Null before there is anything to count. */
async function writeWeek(parts: WeekMailParts, user: StoredUser, language: Language) {
  const viewer = allow(makeViewer({ ...user, role: 'manager' }), 'interest:read')
  const page = await interestPage(parts, viewer, {})
  if (!hasBegun(page)) return null
  const words = wordsOf(page, language, await loadMessages(language))
  const said = saidOf(page, words, parts.env.auth.url)
  const week = isoWeek(stockholmEpochDay(parts.now())).slice(6)
  return {
    subject: words.t('subject', { week, count: words.say(page.board.all.now) }),
    text: textOf(said),
    page: { html: htmlOf(said, language), pictures: { curve: await curvePicture(page, words.write, language) } },
  }
}

function wordsOf(page: InterestPage, locale: Language, messages: Messages) {
  const format = createFormatter({ locale })
  const inPage = createTranslator({ locale, messages, namespace: 'interest' })
  const inSentence = createTranslator({ locale, messages, namespace: 'interest.sentence' })
  const few = inPage('few')
  const valuesOf = clauseValues(page, { t: inSentence, few, format, locale })
  const clauses = sentence(page.board).map((clause) =>
    inSentence.markup(clause.message, { ...valuesOf(clause), link: (text) => text }),
  )
  const t = createTranslator({ locale, messages, namespace: 'mail.week' })
  const { before } = valuesOf({ message: 'total.about' })
  return { ...figureWords(format, few), before, t, inPage, sentence: clauses.join(' ') }
}

function saidOf({ board, cohort }: InterestPage, words: ReturnType<typeof wordsOf>, url: string) {
  const { t, inPage, write, say, before: than } = words
  const { now, before, beforeInAll, change, forecast, waiting, late } = board.all
  const year = String(cohort)
  const range = forecast && `${write(forecast.low)}–${write(forecast.high)}`
  const lateWords = `${write(late)} ${inPage('board.late', { count: sizeOf(late) })}`
  const compared = change?.by == null ? '' : t('compared', { share: words.signedShare(change.by), before: than })
  const curve = [
    t('curve', { count: say(now), year }),
    before !== null && beforeInAll !== null && t('curveBefore', { count: say(before), ended: say(beforeInAll) }),
    range !== null && t('curveForecast', { range }),
  ]
  return {
    sentence: words.sentence,
    numbers: [
      { name: t('now'), value: write(now), note: compared },
      { name: t('forecast'), value: range ?? NO_VALUE, note: t('forecastNote', { year }) },
      { name: t('waiting'), value: write(waiting), note: late === 0 ? '' : lateWords },
    ],
    curve: `${curve.filter(Boolean).join(', ')}.`,
    open: { text: t('open'), url: `${url}/interest` },
    why: `${inPage('foot.rounded')}. ${t('why')}`,
    off: { text: t('off'), url: `${url}/account` },
  }
}

function textOf({ sentence: first, numbers, curve, open, why, off }: Said): string {
  const lines = numbers.map(({ name, value, note }) => `  ${name}: ${value}${note && ` (${note})`}`)
  const parts = [first, lines.join('\n'), curve, `${open.text}:\n  ${open.url}`, `-- \n${why}\n${off.url}`]
  return `${parts.join('\n\n')}\n`
}

/** A table, and sizes as attributes: Outlook draws mails with Word. */
function htmlOf({ sentence: first, numbers, curve, open, why, off }: Said, language: Language): string {
  const { width, height } = PICTURE
  const wide = `width:100%;max-width:${width}px`
  const cells = numbers.map(({ name, value, note }) => {
    const large = `<br><strong style="font-size:22px">${escapeHtml(value)}</strong>`
    const small = note && `<br><span style="font-size:13px;color:#55585f">${escapeHtml(note)}</span>`
    return `<td width="33%" valign="top" style="${MAIL_FONT};font-size:14px;padding-right:12px">${escapeHtml(name)}${large}${small}</td>`
  })
  const parts = [
    mailPart(escapeHtml(first), 'font-size:18px;font-weight:600;margin:16px 0'),
    `<table role="presentation" width="${width}" cellpadding="0" cellspacing="0" border="0" style="${wide}"><tr>${cells.join('')}</tr></table>`,
    mailPart(
      `<img src="cid:curve" width="${width}" height="${height}" alt="${escapeHtml(curve)}" border="0" style="display:block;${wide};height:auto">`,
      'font-size:13px;margin:16px 0',
    ),
    mailPart(mailLink(open), 'font-size:15px;margin:16px 0 24px'),
    mailPart(`${escapeHtml(why)} ${mailLink(off)}`, 'font-size:13px;padding-top:12px;border-top:1px solid #d8d9dc'),
  ]
  return mailPage(parts, language)
}
