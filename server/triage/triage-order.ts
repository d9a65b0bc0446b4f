import 'server-only'
import type { LeadKind, LeadRef } from '@/lib/contract/lead'
import type { TriageChange } from '@/lib/contract/triage'
import type { SchoolScope } from '@/lib/contract/user'
import type { Viewer } from '@/server/access/viewer'
import { InvalidInputError, NotFoundError } from '@/server/errors'
import { isStorableText } from '@/server/http/storable-text'
import { selectMatching, selectNamed, type SelectedLeads } from '@/server/leads/select-leads'
import { services } from '@/server/services'
import { mayWorkOnLeads } from '@/server/users/may-work-on-leads'
import type { NewTriage, TriageTarget } from './change-triage'

/** What is to be set on which leads, all of them within reach; and the schools of each kind, for those to be told. */
export type TriageOrder = { fields: NewTriage; targets: TriageTarget[]; schools: Map<LeadKind, Set<string>> }

/**
 * What a wish comes to for this viewer. Leads that are gone or out of reach, the viewer's or the assignee's, are passed
 * over; NotFoundError when none of the named is left, InvalidInputError when the assignee can work on none of them.
 */
export async function triageOrder(viewer: Viewer, change: TriageChange): Promise<TriageOrder> {
  const assignee = await assigneeOf(viewer, change.assignee)
  const selections = change.matching
    ? [await selectMatching(viewer, change.matching)]
    : await selectAllNamed(viewer, change.leads ?? [])
  const found = selections.map((selection) => storable(selection))
  if (change.leads && found.every(({ rows }) => rows.length === 0)) throw new NotFoundError()
  const kept = found.map((selection) => within(selection, assignee?.schools ?? 'all'))
  const isLeft = (all: SelectedLeads[]) => all.some(({ rows }) => rows.length > 0)
  if (isLeft(found) && !isLeft(kept)) throw new InvalidInputError('assignee')
  return {
    fields: { ...(change.status && { status: change.status }), ...(assignee && { assigneeId: assignee.id }) },
    targets: kept.flatMap((selection) => targetsOf(selection, change.leads ?? [])),
    schools: new Map(kept.map((selection) => [selection.kind, schoolsOf(selection)])),
  }
}

type Assignee = { id: string | null; schools: SchoolScope }

/** Undefined when the assignee stays as it is. */
async function assigneeOf(viewer: Viewer, wanted: string | undefined): Promise<Assignee | undefined> {
  if (wanted === undefined) return undefined
  if (wanted === 'none') return { id: null, schools: 'all' }
  if (wanted === 'me' || wanted === viewer.id) return { id: viewer.id, schools: 'all' }
  const person = isStorableText(wanted) ? await services().users.find(wanted) : null
  if (!person || !mayWorkOnLeads(person)) throw new InvalidInputError('assignee')
  return person
}

function selectAllNamed(viewer: Viewer, leads: readonly LeadRef[]): Promise<SelectedLeads[]> {
  const kinds = [...new Set(leads.map(({ kind }) => kind))]
  const idsOf = (kind: LeadKind) => leads.filter((lead) => lead.kind === kind).map(({ id }) => id)
  return Promise.all(kinds.map((kind) => selectNamed(viewer, kind, idsOf(kind))))
}

/** An id that no database can store cannot be worked on; it must not keep the others from it. */
function storable({ kind, table, rows }: SelectedLeads): SelectedLeads {
  return { kind, table, rows: rows.filter((row) => isStorableText(table.id[row] ?? '')) }
}

function within({ kind, table, rows }: SelectedLeads, schools: SchoolScope): SelectedLeads {
  if (schools === 'all') return { kind, table, rows }
  const places = new Set(schools.map((school) => table.schoolIds.indexOf(school)))
  return { kind, table, rows: rows.filter((row) => places.has(table.school[row] ?? -1)) }
}

function targetsOf({ kind, table, rows }: SelectedLeads, named: NonNullable<TriageChange['leads']>): TriageTarget[] {
  const moments = new Map<string, number | null>()
  for (const { kind: its, id, updatedAt } of named) {
    if (its === kind && updatedAt !== undefined) moments.set(id, updatedAt === null ? null : Date.parse(updatedAt))
  }
  return Array.from(rows, (row) => {
    const id = table.id[row] ?? ''
    const updatedAt = moments.get(id)
    return updatedAt === undefined ? { kind, id } : { kind, id, updatedAt }
  })
}

function schoolsOf({ table, rows }: SelectedLeads): Set<string> {
  const places = new Set<number>()
  for (const row of rows) places.add(table.school[row] ?? -1)
  return new Set([...places].map((place) => table.schoolIds[place] ?? ''))
}
