import 'server-only'
import { createTranslator } from 'use-intl/core'
import { namedBy, personsNamed } from '@/lib/contacts/named-in-text'
import type { Extract, ExtractRequest } from '@/lib/contract/rights'
import { loadMessages } from '@/lib/i18n/load-messages'
import type { Locale } from '@/lib/i18n/locale'
import { stockholmDay } from '@/lib/time/stockholm'
import { command, type CommandParts } from '@/server/access/command'
import type { Admin } from '@/server/access/viewer'
import type { FoundLead } from '@/server/leads/get-contact'
import { placeOf } from '@/server/base/sealed-columns'
import { ownTemplates } from '@/server/replies/reply-templates'
import { viewsAbout } from '@/server/leads/saved-views'
import { decryptReason } from '@/server/export/export-log'
import { knownSchools, type SchoolParts } from '@/server/feed/feed'
import type { LeadParts } from '@/server/leads/select-leads'
import type { Services } from '@/server/base/services'
import { chosenLeads, type KeptData, keptAbout, protectionOf } from './contact-rights'
import { extractPage } from './extract-page'
import { textOf } from './naming-texts'

type Parts = CommandParts &
  LeadParts &
  SchoolParts &
  Pick<Services, 'contactIds' | 'users' | 'seal' | 'openings' | 'now'>

/** GDPR, article 15; as JSON, article 20. Staff by name only on request (Court of Justice, C-579/21). */
export async function makeExtract(
  parts: Parts,
  viewer: Admin,
  { id: contact, leads, language, format, withStaff }: ExtractRequest & { id: string },
): Promise<Response> {
  const found = await chosenLeads(parts, viewer, contact, leads)
  const nameOf = await staffNames(parts, language, withStaff)
  // Includes what was opened in the last seconds.
  await parts.openings.flush()
  const kept = await keptAbout(parts.connect, found)
  const protection = await protectionOf(parts, found)
  const { emails = [], phones = [], reason = '', people = [] } = protection ?? {}
  const extract: Extract = {
    madeAt: new Date(parts.now()).toISOString(),
    isWhole: viewer.schools === 'all',
    leads: found.map((lead) => extractLead(parts, lead, kept, nameOf)),
    ...(await textsOf(parts, found, nameOf)),
    protection: protection && { emails, phones, reason, people: people.map(nameOf) },
  }
  const entries = found.map(({ kind, id }) => ({ action: 'extract-made', lead: { kind, id } }) as const)
  await command(parts, viewer, 'admin', (_tx, log) => log(...entries))
  return download(extract, language, format)
}

type NameOf = (id: string | null) => string

async function staffNames(parts: Parts, language: Locale, withStaff: boolean): Promise<NameOf> {
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

async function textsOf({ connect, seal }: Parts, found: readonly FoundLead[], nameOf: NameOf) {
  // By address alone: others may have the name.
  const persons = found.map(({ table, row }) => ({ ...namedBy(table.lead(row)), firstName: '', lastName: '' }))
  const named = personsNamed(persons)
  const db = await connect()
  const views = await viewsAbout(db, seal, found, ({ name, query }) =>
    [name, query.q ?? ''].some((text) => named(text).length > 0),
  )
  const templates = (await ownTemplates(db, seal)).filter((template) => named(textOf(template)).length > 0)
  return { views: viewsIn(views, nameOf), templates: templatesIn(templates, nameOf) }
}

function templatesIn(templates: Awaited<ReturnType<typeof ownTemplates>>, nameOf: NameOf): Extract['templates'] {
  return templates.map((template) => ({
    at: template.updatedAt.toISOString(),
    by: nameOf(template.ownerId),
    text: textOf(template),
  }))
}

function viewsIn(views: Awaited<ReturnType<typeof viewsAbout>>, nameOf: NameOf): Extract['views'] {
  return views.map(({ view: { createdAt, ownerId, shared }, content: { name, query }, isSearch }) => ({
    at: createdAt.toISOString(),
    by: nameOf(ownerId),
    shared,
    says: isSearch ? [name, query.q ?? ''].filter((text) => text !== '') : null,
  }))
}

function extractLead(parts: Parts, { kind, id, table, row }: FoundLead, all: readonly KeptData[], nameOf: NameOf) {
  const lead = table.lead(row)
  const kept = all.find((one) => one.kind === kind)
  const ofLead = <Row extends { leadId: string | null }>(rows: readonly Row[] = []) =>
    rows.filter((one) => one.leadId === id)
  const [decided] = ofLead(kept?.triage)
  return {
    kind,
    fromService: lead,
    school: knownSchools(parts).find((school) => school.id === lead.highSchoolId)?.name ?? lead.highSchoolId,
    status: decided?.status ?? 'new',
    assignee: decided?.assigneeId == null ? null : nameOf(decided.assigneeId),
    decidedAt: decided?.updatedAt.toISOString() ?? null,
    decidedBy: decided === undefined ? null : nameOf(decided.updatedBy),
    snoozeUntil: decided?.snoozeUntil ?? null,
    attempts: ofLead(kept?.attempts).flatMap(({ at, userId, channel, outcome }) =>
      channel === null || outcome === null ? [] : [{ at: at.toISOString(), by: nameOf(userId), channel, outcome }],
    ),
    notes: ofLead(kept?.notes).map((note) => ({
      at: note.createdAt.toISOString(),
      by: nameOf(note.authorId),
      text: parts.seal.decrypt(note.sealedText, placeOf.note(note.id)) ?? '',
    })),
    log: ofLead(kept?.activity).map(({ at, userId, action, details }) => ({
      at: at.toISOString(),
      by: nameOf(userId),
      action,
      from: statusText(details?.['from']),
      to: statusText(details?.['to']),
    })),
    exports: (kept?.exports ?? []).flatMap((one) => {
      if (!one.ids.includes(id)) return []
      const purpose = decryptReason(one, parts.seal)?.purpose ?? ''
      const { format, columns, state } = one
      return [{ at: one.at.toISOString(), by: nameOf(one.userId), format, columns, purpose, state }]
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
