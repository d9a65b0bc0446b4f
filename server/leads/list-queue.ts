import 'server-only'
import type { Services } from '@/server/base/services'
import type { SnapshotInfo } from '@/lib/contract/feed-status'
import type { LeadKind } from '@/lib/contract/lead'
import type { QueuePage, QueueQuery } from '@/lib/contract/list-query'
import { LEAD_KINDS, OTHER_KIND, type QueueName, queueNamed, type QUEUES } from '@/lib/contract/lists'
import { queueFilter } from '@/lib/inbox/queues'
import { dueDays } from '@/lib/leads/count-work'
import { byDeadline, type QueuePart, type QueueRow } from '@/lib/leads/queue-order'
import { cameAfter, withoutNewer } from '@/lib/leads/rows-until'
import { waitingRows } from '@/lib/leads/select-rows'
import { stockholmDay } from '@/lib/time/stockholm'
import { scopeKey, type Reader } from '@/server/access/viewer'
import { NotFoundError } from '@/server/base/errors'
import { idsOf, itemsOf, matchingRows, moreOf, written } from './list-leads'
import type { Basis, Item } from './table-cache'
import { currentLeads, leadsOrNull, selectionContext } from './select-leads'

/** One page of a queue, of both lists; recorded as a visit of each. */
export async function listQueue(
  services: Services,
  viewer: Reader,
  name: QueueName,
  query: QueueQuery,
): Promise<QueuePage> {
  const { page, snapshot, rest } = await readQueue(services, viewer, name, query)
  const { items, total, etag, more } = page
  return { leads: items, total, snapshot, etag, ...more, ...rest } as QueuePage
}

export async function answerQueue(
  services: Services,
  viewer: Reader,
  { name, known, ...query }: QueueQuery & { name: (typeof QUEUES)[QueueName]; known?: string | undefined },
  { request }: { request: Request },
): Promise<Response> {
  const queue = queueNamed(name)
  if (queue === undefined) throw new NotFoundError()
  const read = await readQueue(services, viewer, queue, query)
  return written({ field: 'leads', ...read }, { known, request })
}

async function readQueue(services: Services, viewer: Reader, name: QueueName, { place, ...query }: QueueQuery) {
  const today = stockholmDay(services.now())
  const kinds = query.kind === undefined ? LEAD_KINDS : [query.kind]
  const lists = await Promise.all(kinds.map((kind) => listOf(services, viewer, kind, query.until)))
  const [first, second] = lists
  if (first === undefined) throw new NotFoundError()
  const otherList = second?.table ?? (await leadsOrNull(services, viewer, OTHER_KIND[first.kind]))
  const key = JSON.stringify([
    'queue',
    name,
    query,
    scopeKey(viewer),
    lists.map(({ table, context, leftOut }) => [
      context.work.key,
      table.protection?.key,
      name === 'new' && context.lastVisitAt,
      ...idsOf(table, leftOut.own),
    ]),
    name === 'mine' && viewer.id,
    name === 'dueToday' && today,
  ])
  const triage = services.triage.changes()
  const basis = { table: first.table, otherList, triage }
  const chosen = lists.map((list) => ({ ...list, triage, otherList: list === first ? otherList : first.table }))
  const page = await services.sharedPages.of(key, basis, () =>
    makePage(services, viewer, chosen, name, { ...query, today }),
  )
  const snapshot = lists.map((list) => list.snapshot).reduce(both)
  if (place === undefined) return { page, snapshot, rest: {} }
  const order = byDeadline(chosen.map((list) => partOf(services, viewer, list, name, { ...query, today }).part))
  const at = order.findIndex((row) => nameOf(chosen, row) === place)
  return { page, snapshot, rest: { place: at === -1 ? null : at } }
}

async function listOf(services: Services, viewer: Reader, kind: LeadKind, until: string | undefined) {
  const [{ table, snapshot }, context] = await Promise.all([
    currentLeads(services, viewer, kind),
    selectionContext(services, viewer, kind, 'visit'),
  ])
  return { kind, table, snapshot, context, leftOut: cameAfter(table, until, context) }
}

type List = Awaited<ReturnType<typeof listOf>> & Basis
type Wanted = Omit<QueueQuery, 'place'> & { today: string }

async function makePage(services: Services, viewer: Reader, lists: readonly List[], name: QueueName, query: Wanted) {
  const { offset, limit } = query
  const chosen = lists.map((list) => partOf(services, viewer, list, name, query))
  const rows = byDeadline(
    chosen.map(({ part }) => part),
    offset + limit,
  ).slice(offset)
  const items = await Promise.all(
    lists.map((list, at) => {
      const own = rows.flatMap(({ part, row }) => (part === at ? [row] : []))
      return itemsOf(services, viewer, list, own, list.context)
    }),
  )
  const next = items.map((own) => own.values())
  return {
    items: rows.flatMap(({ part }) => {
      const item = next[part]?.next().value
      return item === undefined ? [] : [withKind(item, lists[part]?.kind)]
    }),
    total: chosen.reduce((sum, { part }) => sum + part.rows.length, 0),
    more: moreOf(chosen, lists),
  }
}

/** The same object for the same item, so that it is written once. */
function withKind(item: Item, kind: LeadKind | undefined): Item & { kind: LeadKind | undefined } {
  const known = queueItems.get(item) ?? { ...item, kind }
  queueItems.set(item, known)
  return known
}

const queueItems = new WeakMap<Item, Item & { kind: LeadKind | undefined }>()

/** Of these queues each lead waits. */
const ALL_WAIT: ReadonlySet<QueueName> = new Set(['waiting', 'late', 'dueToday', 'unassigned'])

function partOf(
  services: Services,
  viewer: Reader,
  { table, context, leftOut }: List,
  name: QueueName,
  { school, q, topic, today }: Wanted,
) {
  const due = dueDays(context.work, today)
  const isNobodys = name === 'dueToday' && due === null
  const filter = { ...queueFilter(name, due), school, q, topic }
  const all = isNobodys ? new Uint32Array(0) : matchingRows(services, viewer, table, filter, context)
  const { rows, ...newer } = withoutNewer(table, all, leftOut)
  const isWaiting = ALL_WAIT.has(name) ? () => true : waitingRows(table, context)
  const part: QueuePart = { table, rows, isWaiting, dueOf: context.work.dueOf }
  return { part, ...newer }
}

function nameOf(lists: readonly List[], { part, row }: QueueRow): string {
  const list = lists[part]
  return `${list?.kind} ${list?.table.id[row]}`
}

/** As old as the older, as soon as the sooner, and another version when either is. */
function both(a: SnapshotInfo, b: SnapshotInfo): SnapshotInfo {
  const [fetchedAt = a.fetchedAt] = [a.fetchedAt, b.fetchedAt].toSorted()
  const [nextAt = null] = [a.nextAt, b.nextAt].filter((at) => at !== null).toSorted()
  return {
    fetchedAt,
    nextAt,
    stale: a.stale || b.stale,
    problem: a.problem ?? b.problem,
    version: a.version + b.version,
    unreadable: a.unreadable + b.unreadable,
  }
}
