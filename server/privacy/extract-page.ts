import 'server-only'
import { createTranslator } from 'use-intl/core'
import { displayPhone } from '@/lib/contacts/phone'
import type { ExportColumnName } from '@/lib/contract/export'
import { LEAD_STATUSES } from '@/lib/contract/lists'
import type { Extract, ExtractedLead } from '@/lib/contract/rights'
import type { Messages } from '@/lib/i18n/load-messages'
import type { Locale } from '@/lib/i18n/locale'
import { fullTime } from '@/lib/time/format-date'
import { escapeHtml } from '@/server/base/escape-html'

type Words = ReturnType<typeof wordsOf>

/** A self-contained page, to read, print or save as PDF. */
export function extractPage(extract: Extract, messages: Messages, language: Locale): string {
  const words = wordsOf(messages, language)
  const { t, time } = words
  const { madeAt, isWhole, leads, protection } = extract
  const body = [
    element('h1', t('extract.title')),
    element('p', t('extract.made', { when: time(madeAt) })),
    element('p', t('extract.about', { count: leads.length })),
    isWhole ? '' : element('p', t('extract.notWhole')),
    element('p', t('extract.staff')),
    ...leads.flatMap((lead) => leadSection(lead, words)),
    ...sharedSection(extract, words),
    ...(protection === null ? [] : protectionSection(protection, words)),
    element('h2', t('extract.whyTitle')),
    ...(['whyBody', 'recipients', 'notListed'] as const).map((name) => element('p', t(`extract.${name}`))),
    element('h2', t('extract.otherTitle')),
    ...(['other', 'yourRights'] as const).map((name) => element('p', t(`extract.${name}`))),
  ]
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
${element('title', t('extract.title'))}
<style>${STYLE}</style>
</head>
<body>
${body.filter((part) => part !== '').join('\n')}
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
    mode: (mode: string) => modes[mode] ?? mode,
  }
}

function leadSection(lead: ExtractedLead, words: Words): string[] {
  const { t, time, status, action, column } = words
  const { kind, school, decidedAt, decidedBy, snoozeUntil } = lead
  const decided = decidedAt && t('extract.decided', { when: time(decidedAt), who: decidedBy ?? '' })
  const attempts = lead.attempts.map(({ at, by, channel, outcome }) => {
    const did = { channel: t(`extract.channel.${channel}`), outcome: t(`extract.outcome.${outcome}`) }
    return [time(at), by, t('extract.attempt', did)]
  })
  const notes = lead.notes.map((note) => [time(note.at), note.by, note.text])
  const log = lead.log.map(({ at, by, action: name, from, to }) => {
    const way = from === to ? '' : `: ${status(from)} → ${status(to)}`
    return [time(at), by, `${action(name)}${way}`]
  })
  const exports = lead.exports.map(({ at, by, purpose, columns, format }) => {
    return [time(at), by, purpose, columns.length === 0 ? format : columns.map(column).join(', ')]
  })
  return [
    element('h2', t(kind === 'asked-question' ? 'extract.question' : 'extract.declaration', { school })),
    element('h3', t('extract.fromService')),
    facts(serviceFacts(lead, words)),
    element('h3', t('extract.decisions')),
    facts([
      [t('extract.status'), status(lead.status)],
      [t('extract.assignee'), lead.assignee ?? t('extract.nobody')],
      [t('extract.last'), decided ?? t('extract.never')],
      ...(snoozeUntil === null ? [] : [[t('extract.snoozed'), snoozeUntil] as const]),
    ]),
    table(words, 'attempts', ['when', 'who', 'what'], attempts),
    table(words, 'notes', ['when', 'who', 'what'], notes),
    table(words, 'log', ['when', 'who', 'what'], log),
    table(words, 'exports', ['when', 'who', 'why', 'columns'], exports),
  ]
}

function sharedSection({ views, templates }: Extract, words: Words): string[] {
  const { t, time } = words
  const kept = views.map(({ at, by, says, shared }) => {
    const text = says === null ? t('extract.viewNames') : t('extract.viewSays', { text: says.join(': ') })
    return [time(at), by, shared ? `${text} ${t('extract.viewShared')}` : text]
  })
  return [
    element('h2', t('extract.together')),
    table(words, 'views', ['when', 'who', 'what'], kept),
    table(
      words,
      'templates',
      ['when', 'who', 'what'],
      templates.map(({ at, by, text }) => [time(at), by, text]),
    ),
  ]
}

function serviceFacts({ fromService: lead, school }: ExtractedLead, { t, time, mode }: Words) {
  const { email, phone } = 'user' in lead ? lead.user : lead.sender
  const reached = [
    ['email', email],
    ['phone', phone && displayPhone(phone)],
  ] as const
  const all: readonly (readonly [ExportColumnName, string | null | undefined])[] = [
    ['id', lead.id],
    ['school', school],
    ['createdAt', time(lead.createdAt)],
    ...('user' in lead
      ? ([
          ['firstName', lead.user.firstName],
          ['lastName', lead.user.lastName],
          ...reached,
          ['year', lead.user.highSchoolEnrollmentYear?.toString()],
        ] as const)
      : ([...reached, ['mode', mode(lead.sender.mode)], ['question', lead.question]] as const)),
  ]
  return all.map(([name, value]) => [t(`export.column.${name}`), value || t('extract.missing')] as const)
}

function protectionSection({ emails, phones, reason, people }: NonNullable<Extract['protection']>, { t }: Words) {
  return [
    element('h2', t('extract.protection')),
    facts([
      [t('export.column.email'), emails.join(', ') || t('extract.missing')],
      [t('export.column.phone'), phones.map(displayPhone).join(', ') || t('extract.missing')],
      [t('extract.why'), reason],
      [t('extract.shownTo'), people.join(', ')],
    ]),
  ]
}

function facts(rows: readonly (readonly [string, string])[]): string {
  return `<dl>${rows.map(([name, value]) => element('dt', name) + element('dd', value)).join('')}</dl>`
}

type Heading = 'attempts' | 'notes' | 'log' | 'exports' | 'views' | 'templates'
type Column = 'when' | 'who' | 'what' | 'why' | 'columns'

function table({ t }: Words, title: Heading, head: Column[], rows: string[][]): string {
  const heading = element('h3', t(`extract.${title}`))
  if (rows.length === 0) return heading + element('p', t('extract.none'))
  const line = (tag: 'td' | 'th', cells: string[]) => `<tr>${cells.map((cell) => element(tag, cell)).join('')}</tr>`
  const names = head.map((name) => t(`extract.${name}`))
  const body = rows.map((row) => line('td', row)).join('')
  return `${heading}<table><thead>${line('th', names)}</thead><tbody>${body}</tbody></table>`
}

function element(tag: string, text: string): string {
  return `<${tag}>${escapeHtml(text)}</${tag}>`
}
