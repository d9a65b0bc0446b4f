import 'server-only'
import { createTranslator } from 'use-intl/core'
import { namedBy, personsNamed } from '@/lib/contacts/named-in-text'
import type { Extract, ExtractRequest } from '@/lib/contract/rights'
import { loadMessages } from '@/lib/i18n/load-messages'
import type { Locale } from '@/lib/i18n/locale'
import { stockholmDay } from '@/lib/time/stockholm'
import { command, type CommandParts } from '@/server/access/command'
import { type Allowed, maySee } from '@/server/access/viewer'
import { findContact, type FoundLead } from '@/server/contacts/get-contact'
import { placeOf } from '@/server/db/sealed-columns'
import { viewsAbout } from '@/server/desk/saved-views'
import { openReason } from '@/server/export/export-log'
import { knownSchools, type SchoolParts } from '@/server/leads/high-schools'
import type { LeadParts } from '@/server/leads/select-leads'
import type { Services } from '@/server/services'
import { chosenLeads, contactOpenings, type KeptData, keptAbout, protectionOf } from './contact-rights'
import { extractPage } from './extract-page'
import { nameOfLead } from './protections'

type Parts = CommandParts &
  LeadParts &
  SchoolParts &
  Pick<Services, 'contactIds' | 'users' | 'seal' | 'reading' | 'now'>

/**
 * The extract of a person's leads (GDPR, article 15; as JSON, article 20). Staff are named by role and school, by
 * name only on request (Court of Justice, C-579/21).
 */
export async function makeExtract(
  parts: Parts,
  viewer: Allowed<'admin'>,
  { id: contact, leads, language, format, withStaff }: ExtractRequest & { id: string },
): Promise<Response> {
  const found = await chosenLeads(parts, viewer, contact, leads)
  const called = await staffWords(parts, language, withStaff)
  // Includes what was opened in the last seconds.
  await parts.reading.flush()
  const kept = await keptAbout(parts.connect, found)
  const protection = await protectionOf(parts, found)
  const { emails = [], phones = [], reason = '', people = [] } = protection ?? {}
  const extract: Extract = {
    madeAt: new Date(parts.now()).toISOString(),
    isWhole: viewer.schools === 'all',
    leads: found.map((lead) => extracted(parts, lead, kept, called)),
    opened: await openedBy(parts, viewer, { contact, found, called }),
    views: await viewsOf(parts, found, called),
    protection: protection && { emails, phones, reason, people: people.map(called) },
  }
  const entries = found.map(({ kind, id }) => ({ action: 'extract-made', lead: { kind, id } }) as const)
  await command(parts, viewer, 'admin', (_tx, log) => log(...entries))
  return download(extract, language, format)
}

type Called = (id: string | null) => string

async function staffWords(parts: Parts, language: Locale, withStaff: boolean): Promise<Called> {
  const messages = await loadMessages(language)
  const staff = new Map((await parts.users.list()).map((user) => [user.id, user]))
  const names = new Map(knownSchools(parts).map(({ id, name }) => [id, name]))
  const inOne = new Intl.ListFormat(language)
  return (id) => {
    const user = id === null ? undefined : staff.get(id)
    if (user === undefined) return messages.extract.formerStaff
    if (withStaff) return user.name
    const schools = user.schools === 'all' ? [] : user.schools.map((school) => names.get(school) ?? school)
    const role = messages.common.role[user.role]
    return schools.length === 0 ? role : `${role}, ${inOne.format(schools)}`
  }
}

type Asked = { contact: string; found: readonly FoundLead[]; called: Called }

/** A contact's page shows all of its leads, but its opening is logged for one of them. */
async function openedBy(parts: Parts, viewer: Allowed<'admin'>, { contact, found, called }: Asked) {
  const chosen = new Set(found.map(nameOfLead))
  const others = (await findContact(parts, viewer, contact)).found.filter((lead) => !chosen.has(nameOfLead(lead)))
  const schools = found.map(({ table, row }) => table.schoolIds[table.school[row] ?? -1] ?? '')
  const readers = new Set(
    (await parts.users.list()).flatMap(({ id, schools: reach }) => {
      const its = { schools: reach === 'all' ? reach : new Set(reach) }
      return schools.some((school) => maySee(its, school)) ? [id] : []
    }),
  )
  const openings = await contactOpenings(parts.connect, others)
  return openings
    .filter(({ userId }) => userId !== null && readers.has(userId))
    .map(({ at, userId }) => ({ at: at.toISOString(), by: called(userId) }))
}

async function viewsOf({ connect, seal }: Parts, found: readonly FoundLead[], called: Called) {
  // By address alone: others may have the name.
  const persons = found.map(({ table, row }) => ({ ...namedBy(table.lead(row)), firstName: '', lastName: '' }))
  const named = personsNamed(persons)
  const views = await viewsAbout(await connect(), seal, found, ({ name, query }) =>
    [name, query.q ?? ''].some((text) => named(text).length > 0),
  )
  return views.map(({ view: { createdAt, ownerId, shared }, content: { name, query }, isSearch }) => ({
    at: createdAt.toISOString(),
    by: called(ownerId),
    shared,
    says: isSearch ? [name, query.q ?? ''].filter((text) => text !== '') : null,
  }))
}

function extracted(parts: Parts, { kind, id, table, row }: FoundLead, all: readonly KeptData[], called: Called) {
  const lead = table.lead(row)
  const kept = all.find((one) => one.kind === kind)
  const its = <Row extends { leadId: string | null }>(rows: readonly Row[] = []) =>
    rows.filter((one) => one.leadId === id)
  const [decided] = its(kept?.triage)
  return {
    kind,
    fromService: lead,
    school: knownSchools(parts).find((school) => school.id === lead.highSchoolId)?.name ?? lead.highSchoolId,
    status: decided?.status ?? 'new',
    assignee: decided?.assigneeId == null ? null : called(decided.assigneeId),
    decidedAt: decided?.updatedAt.toISOString() ?? null,
    decidedBy: decided === undefined ? null : called(decided.updatedBy),
    snoozeUntil: decided?.snoozeUntil ?? null,
    attempts: its(kept?.attempts).flatMap(({ at, userId, channel, outcome }) =>
      channel === null || outcome === null ? [] : [{ at: at.toISOString(), by: called(userId), channel, outcome }],
    ),
    notes: its(kept?.notes).map((note) => ({
      at: note.createdAt.toISOString(),
      by: called(note.authorId),
      text: parts.seal.open(note.sealedText, placeOf.note(note.id)) ?? '',
    })),
    log: its(kept?.activity).map(({ at, userId, action, details }) => ({
      at: at.toISOString(),
      by: called(userId),
      action,
      from: statusText(details?.['from']),
      to: statusText(details?.['to']),
    })),
    exports: (kept?.exports ?? []).flatMap((one) => {
      if (!one.ids.includes(id)) return []
      const purpose = openReason(one, parts.seal)?.purpose ?? ''
      const { format, columns, state } = one
      return [{ at: one.at.toISOString(), by: called(one.userId), format, columns, purpose, state }]
    }),
  }
}

function statusText(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** The file name does not name the person: it stays in lists of downloads. */
async function download(extract: Extract, language: Locale, format: ExtractRequest['format']): Promise<Response> {
  const messages = await loadMessages(language)
  const t = createTranslator({ locale: language, messages })
  const name = `${t('extract.fileName')}-${stockholmDay(Date.parse(extract.madeAt))}.${format}`
  const body = format === 'json' ? JSON.stringify(extract, null, 2) : extractPage(extract, messages, language)
  return new Response(body, {
    headers: {
      'content-type': format === 'json' ? 'application/json' : 'text/html; charset=utf-8',
      'content-disposition': `attachment; filename="${name}"`,
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    },
  })
}
