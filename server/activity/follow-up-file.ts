import 'server-only'
import { createTranslator } from 'use-intl/core'
import type {
  ActivityItem,
  FollowedExport,
  LeadFollowUp,
  LeadFollowUpQuery,
  PersonsHour,
  ReaderFollowUp,
  ReaderFollowUpQuery,
  ReadingHour,
} from '@/lib/contract/activity'
import type { LeadRef } from '@/lib/contract/lead'
import { csvText } from '@/lib/export/csv'
import { loadMessages } from '@/lib/i18n/load-messages'
import type { Locale } from '@/lib/i18n/locale'
import { momentText, stockholmClock } from '@/lib/time/stockholm'
import type { Allowed } from '@/server/access/viewer'
import { screenLanguage } from '@/server/http/input'
import { followLeads, followReader, type FollowUpParts } from './follow-up'

type Asked = { request: Request }

export async function answerLeadFollowUp(
  parts: FollowUpParts,
  viewer: Allowed<'admin'>,
  query: LeadFollowUpQuery,
  { request }: Asked,
): Promise<LeadFollowUp | Response> {
  const found = await followLeads(parts, viewer, query)
  return query.format === 'csv' ? leadFollowUpFile(found, screenLanguage(request)) : found
}

export async function answerReaderFollowUp(
  parts: FollowUpParts,
  viewer: Allowed<'admin'>,
  query: ReaderFollowUpQuery,
  { request }: Asked,
): Promise<ReaderFollowUp | Response> {
  const found = await followReader(parts, viewer, query)
  return query.format === 'csv' ? readerFollowUpFile(found, query, screenLanguage(request)) : found
}

export async function leadFollowUpFile(found: LeadFollowUp, locale: Locale): Promise<Response> {
  const words = await wordsIn(locale)
  const lines = [
    ...found.entries.map((entry) => entryLine(entry, words)),
    ...found.exports.map((one) => exportLine(one, words)),
    ...found.hours.map((hour) => hourLine(hour, hour.user.name, words)),
  ]
  return file('loggkontroll', lines, words)
}

export async function readerFollowUpFile(
  found: ReaderFollowUp,
  { from, to }: { from: string; to: string },
  locale: Locale,
): Promise<Response> {
  const words = await wordsIn(locale)
  const lines = [
    ...found.hours.map((hour) => hourLine(hour, '', words)),
    ...found.opened.map((entry) => entryLine(entry, words)),
    ...found.exports.map((one) => exportLine(one, words)),
  ]
  return file(`loggkontroll-${from}-${to}`, lines, words)
}

type Line = { at: string; who: string; what: string; lead: LeadRef | null; details: string; address: string }
type Words = Awaited<ReturnType<typeof wordsIn>>

async function wordsIn(locale: Locale) {
  const messages = await loadMessages(locale)
  const names: Readonly<Record<string, string>> = messages.activity.name
  const t = createTranslator({ locale, messages })
  return {
    action: (action: string) => names[action] ?? action,
    kind: (kind: LeadRef['kind']) => messages.activity.kindOf[kind],
    hour: ({ listed, opened, searches }: ReadingHour) => t('reading.file.figures', { listed, opened, searches }),
    text: messages.reading.file,
  }
}

function entryLine({ at, user, action, lead, details, address }: ActivityItem, { action: say }: Words): Line {
  const facts = Object.entries(details).map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
  return { at, who: user?.name ?? '', what: say(action), lead, details: facts.join(', '), address: address ?? '' }
}

function exportLine({ at, user, purpose, format, count, leads }: FollowedExport, { text }: Words): Line {
  const details = `${format}, ${count}: ${purpose}`
  return { at, who: user?.name ?? '', what: text.export, lead: leads[0] ?? null, details, address: '' }
}

function hourLine(hour: ReadingHour | PersonsHour, who: string, { text, hour: figures }: Words): Line {
  const reason = hour.unusualAt === null ? '' : `${text.unusual}: ${hour.reason ?? text.unanswered}`
  const details = [figures(hour), reason].filter((one) => one !== '').join('. ')
  return { at: hour.hour, who, what: text.hour, lead: null, details, address: '' }
}

/** With a byte order mark and semicolons, as Excel in Swedish opens it. */
function file(name: string, lines: readonly Line[], { text, kind }: Words): Response {
  const header = [text.when, text.who, text.what, text.kind, text.id, text.details, text.address]
  const cells = lines
    .toSorted((a, b) => (a.at < b.at ? 1 : -1))
    .map(({ at, who, what, lead, details, address }) => {
      const when = momentText(stockholmClock(Date.parse(at)))
      return [when, who, what, lead ? kind(lead.kind) : '', lead?.id ?? '', details, address]
    })
  const body = [header, ...cells].map((line) => `${line.map(csvText).join(';')}\r\n`).join('')
  return new Response(`\uFEFF${body}`, {
    headers: { 'content-type': 'text/csv; charset=utf-8', 'content-disposition': `attachment; filename="${name}.csv"` },
  })
}
