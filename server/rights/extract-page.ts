import 'server-only'
import { createTranslator } from 'use-intl/core'
import { displayPhone } from '@/lib/contacts/phone'
import type { ExportColumnName } from '@/lib/contract/export'
import { LEAD_STATUSES } from '@/lib/contract/lists'
import type { Extract, ExtractedLead } from '@/lib/contract/rights'
import type { Messages } from '@/lib/i18n/load-messages'
import type { Locale } from '@/lib/i18n/locale'
import { fullTime } from '@/lib/time/format-date'

type Words = ReturnType<typeof wordsOf>

/** One page that needs nothing else, to be read, printed or saved as PDF. */
export function extractPage(extract: Extract, messages: Messages, language: Locale): string {
  const words = wordsOf(messages, language)
  const { t, time } = words
  const parts = [
    `<h1>${text(t('extract.title'))}</h1>`,
    paragraph(t('extract.made', { when: time(extract.madeAt) })),
    paragraph(t('extract.about', { count: extract.leads.length })),
    extract.isWhole ? '' : paragraph(t('extract.notWhole')),
    paragraph(t('extract.staff')),
    ...extract.leads.map((lead) => leadSection(lead, words)),
    togetherSection(extract, words),
    protectionSection(extract.protection, words),
    `<h2>${text(t('extract.whyTitle'))}</h2>`,
    paragraph(t('extract.whyBody')),
    paragraph(t('extract.recipients')),
    paragraph(t('extract.notListed')),
    `<h2>${text(t('extract.otherTitle'))}</h2>`,
    paragraph(t('extract.other')),
    paragraph(t('extract.yourRights')),
  ]
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${text(t('extract.title'))}</title>
<style>${STYLE}</style>
</head>
<body>
${parts.filter((part) => part !== '').join('\n')}
</body>
</html>
`
}

const STYLE = `
body { font: 11pt/1.45 system-ui, sans-serif; color: #111; max-width: 46rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 18pt } h2 { font-size: 13pt; margin: 2rem 0 .5rem; border-bottom: 1px solid #999 } h3 { font-size: 11pt; margin: 1rem 0 .25rem } h3 + p { margin: 0; color: #555 }
dl { display: grid; grid-template-columns: minmax(7rem, 11rem) minmax(0, 3fr); gap: .2rem 1rem; margin: 0 } dt { color: #555 } dd { margin: 0; overflow-wrap: anywhere; white-space: pre-wrap }
table { border-collapse: collapse; width: 100% } th, td { text-align: left; vertical-align: top; padding: .2rem .75rem .2rem 0; border-top: 1px solid #ddd; overflow-wrap: anywhere; white-space: pre-wrap }
@media print { body { margin: 0; max-width: none } h2, h3 { break-after: avoid } tr { break-inside: avoid } }
`

function wordsOf(messages: Messages, locale: Locale) {
  const t = createTranslator({ locale, messages })
  const names: Record<string, string> = messages.activity.name
  const columns: Record<string, string> = messages.export.column
  const modes: Record<string, string> = messages.inbox.mode
  return {
    t,
    time: (at: string) => (Number.isNaN(Date.parse(at)) ? at : fullTime(Date.parse(at), locale)),
    status: (status: string | null) => {
      const known = LEAD_STATUSES.find((one) => one === status)
      return known === undefined ? '' : messages.common.status[known]
    },
    action: (action: string) => names[action] ?? action,
    column: (column: string) => columns[column] ?? column,
    /** A new way to be answered is not known to us. */
    mode: (mode: string) => modes[mode] ?? mode,
  }
}

function leadSection(lead: ExtractedLead, words: Words): string {
  const { t, time, status, action, column } = words
  const isQuestion = lead.kind === 'asked-question'
  const { decidedAt, decidedBy } = lead
  const decided = decidedAt && t('extract.decided', { when: time(decidedAt), who: decidedBy ?? '' })
  const attempts = lead.attempts.map(({ at, by, channel, outcome }) => {
    const did = { channel: t(`extract.channel.${channel}`), outcome: t(`extract.outcome.${outcome}`) }
    return [time(at), by, t('extract.attempt', did)]
  })
  const log = lead.log.map(({ at, by, action: name, from, to }) => {
    const way = from === to ? '' : `: ${status(from)} → ${status(to)}`
    return [time(at), by, `${action(name)}${way}`]
  })
  const exports = lead.exports.map(({ at, by, purpose, columns, format }) => {
    return [time(at), by, purpose, columns.length === 0 ? format : columns.map(column).join(', ')]
  })
  return [
    `<h2>${text(t(isQuestion ? 'extract.question' : 'extract.declaration', { school: lead.school }))}</h2>`,
    `<h3>${text(t('extract.fromService'))}</h3>`,
    facts(serviceFacts(lead, words)),
    `<h3>${text(t('extract.decisions'))}</h3>`,
    facts([
      [t('extract.status'), status(lead.status)],
      [t('extract.assignee'), lead.assignee ?? t('extract.nobody')],
      [t('extract.last'), decided ?? t('extract.never')],
      ...(lead.snoozeUntil === null ? [] : [[t('extract.snoozed'), lead.snoozeUntil] as const]),
    ]),
    table(words, 'attempts', ['when', 'who', 'what'], attempts),
    table(
      words,
      'notes',
      ['when', 'who', 'what'],
      lead.notes.map((note) => [time(note.at), note.by, note.text]),
    ),
    table(words, 'log', ['when', 'who', 'what'], log),
    table(words, 'exports', ['when', 'who', 'why', 'columns'], exports),
  ].join('\n')
}

function togetherSection({ opened, views }: Extract, words: Words): string {
  const { t, time } = words
  const says = ({ says: texts, shared }: Extract['views'][number]) =>
    `${texts === null ? t('extract.viewNames') : t('extract.viewSays', { text: texts.join(': ') })}${shared ? ` ${t('extract.viewShared')}` : ''}`
  const looks = opened.map(({ at, by }) => [time(at), by])
  const kept = views.map((view) => [time(view.at), view.by, says(view)])
  return [
    `<h2>${text(t('extract.together'))}</h2>`,
    table(words, 'opened', ['when', 'who'], looks),
    table(words, 'views', ['when', 'who', 'what'], kept),
  ].join('\n')
}

function serviceFacts({ fromService: lead, school }: ExtractedLead, { t, time, mode }: Words): [string, string][] {
  const its: [ExportColumnName, string | null][] =
    'user' in lead
      ? [
          ['firstName', lead.user.firstName],
          ['lastName', lead.user.lastName],
          ['email', lead.user.email],
          ['phone', lead.user.phone && displayPhone(lead.user.phone)],
          ['year', lead.user.highSchoolEnrollmentYear?.toString() ?? null],
        ]
      : [
          ['email', lead.sender.email],
          ['phone', lead.sender.phone && displayPhone(lead.sender.phone)],
          ['mode', mode(lead.sender.mode)],
          ['question', lead.question],
        ]
  const all: [ExportColumnName, string | null][] = [
    ['id', lead.id],
    ['school', school],
    ['createdAt', time(lead.createdAt)],
    ...its,
  ]
  return all.map(([name, value]) => [t(`export.column.${name}`), value || t('extract.missing')])
}

function protectionSection(protection: Extract['protection'], { t }: Words): string {
  if (protection === null) return ''
  const { emails, phones, reason, people } = protection
  return [
    `<h2>${text(t('extract.protection'))}</h2>`,
    facts([
      [t('export.column.email'), emails.join(', ') || t('extract.missing')],
      [t('export.column.phone'), phones.map(displayPhone).join(', ') || t('extract.missing')],
      [t('extract.why'), reason],
      [t('extract.shownTo'), people.join(', ')],
    ]),
  ].join('\n')
}

function paragraph(words: string): string {
  return `<p>${text(words)}</p>`
}

function facts(rows: readonly (readonly [string, string])[]): string {
  return `<dl>${rows.map(([name, value]) => `<dt>${text(name)}</dt><dd>${text(value)}</dd>`).join('')}</dl>`
}

type Heading = 'attempts' | 'notes' | 'log' | 'exports' | 'opened' | 'views'
type Column = 'when' | 'who' | 'what' | 'why' | 'columns'

function table({ t }: Words, title: Heading, head: Column[], rows: string[][]): string {
  const heading = `<h3>${text(t(`extract.${title}`))}</h3>`
  if (rows.length === 0) return heading + paragraph(t('extract.none'))
  const line = (cells: string[], tag: 'td' | 'th') =>
    `<tr>${cells.map((cell) => `<${tag}>${text(cell)}</${tag}>`).join('')}</tr>`
  const names = head.map((name) => t(`extract.${name}`))
  return `${heading}<table><thead>${line(names, 'th')}</thead><tbody>${rows.map((row) => line(row, 'td')).join('')}</tbody></table>`
}

/** What people wrote, as text and nothing else. */
function text(value: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
  return value.replace(/[&<>"']/g, (letter) => entities[letter] ?? '')
}
