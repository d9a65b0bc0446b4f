import type { LeadItem } from '@/lib/api/leads'
import type { LeadKind } from '@/lib/contract/lead'
import type { QueuePage, QueueQuery } from '@/lib/contract/list-query'
import { findQueue, LEAD_KINDS, OTHER_KIND, type QueueName, type QUEUES } from '@/lib/contract/lists'
import { findQueueFilter } from '@/lib/inbox/queues'
import { findDueDays } from '@/lib/leads/count-work'
import { findNewerRows, omitNewer } from '@/lib/leads/newer-rows'
import { countByDeadline, sortByDeadline } from '@/lib/leads/queue-order'
import { createIsWaiting } from '@/lib/leads/select-rows'
import { stockholmDay } from '@/lib/time/stockholm'
import { type Reader, scopeKey } from '@/server/access/viewer'
import { NotFoundError } from '@/server/base/errors'
import type { Services } from '@/server/base/services'
import { mergeSnapshots } from './feed-status'
import { makeItems } from './lead-items'
import { describeNewerRows, findMatchingRows, type PageResult, toPageAnswer, toPageResponse } from './list-leads'
import { getLeadTableIfReady, readLeadTable } from './lead-tables'
import { createSelectionContext } from './select-leads'

/** Returns one page of a queue over both lists, and records a visit of each. */
export async function listQueue(services: Services, viewer: Reader, name: QueueName, query: QueueQuery) {
  return toPageAnswer(await readQueue(services, viewer, name, query)) as QueuePage
}

export async function respondWithQueue(
  services: Services,
  viewer: Reader,
  { name, known, ...query }: QueueQuery & { name: (typeof QUEUES)[QueueName]; known?: string | undefined },
) {
  const queue = findQueue(name)
  if (queue === undefined) throw new NotFoundError()
  return toPageResponse(await readQueue(services, viewer, queue, query), known)
}

/** Every lead in these queues waits for an answer. */
const WAITING_QUEUES: ReadonlySet<QueueName> = new Set(['waiting', 'late', 'dueToday', 'unassigned'])

async function readQueue(
  services: Services,
  viewer: Reader,
  name: QueueName,
  { place, ...query }: QueueQuery,
): Promise<PageResult> {
  const today = stockholmDay(services.now())
  const kinds = query.kind === undefined ? LEAD_KINDS : [query.kind]
  const lists = await Promise.all(
    kinds.map(async (kind) => {
      const [{ table, snapshot }, context] = await Promise.all([
        readLeadTable(services, viewer, kind),
        createSelectionContext(services, viewer, kind, services.visits.recordVisit),
      ])
      return { kind, table, snapshot, context, newerRows: findNewerRows(table, query.until, context) }
    }),
  )
  const [first, second] = lists
  if (first === undefined) throw new NotFoundError()
  const otherTable = second?.table ?? (await getLeadTableIfReady(services, viewer, OTHER_KIND[first.kind]))
  const { school, q, topic, offset, limit } = query
  const selectParts = () =>
    lists.map(({ table, context, newerRows }) => {
      const due = findDueDays(context.work, today)
      const filter = { ...findQueueFilter(name, due), school, q, topic }
      const isEmpty = name === 'dueToday' && due === null
      const rows = isEmpty ? new Uint32Array(0) : findMatchingRows(services, viewer, table, filter, context)
      const isWaiting = WAITING_QUEUES.has(name) ? () => true : createIsWaiting(table, context)
      return { table, ...omitNewer(table, rows, newerRows), isWaiting, toDueDay: context.work.toDueDay }
    })
  const key = JSON.stringify([
    'queue',
    name,
    query,
    scopeKey(viewer),
    lists.map(({ table, context, newerRows }) => [
      context.work.key,
      table.protection?.key,
      name === 'new' && context.lastVisitAt,
      ...Array.from(newerRows.own, (row) => table.id[row]),
    ]),
    name === 'mine' && viewer.id,
    today,
  ])
  const page = await services.sharedPages.getOrMake(key, { table: first.table, otherTable }, async () => {
    const parts = selectParts()
    const rows = sortByDeadline(parts, offset + limit).slice(offset)
    const itemsByPart = await Promise.all(
      lists.map(({ table, context }, index) => {
        const tables = { table, otherTable: table === first.table ? otherTable : first.table }
        const own = rows.flatMap(({ part, row }) => (part === index ? [row] : []))
        return makeItems(services, viewer, tables, own, context)
      }),
    )
    return {
      items: rows.flatMap(({ part, row }) => {
        const list = lists[part]
        const item = itemsByPart[part]?.(row)
        return list && item ? [addKind(item, list.kind)] : []
      }),
      total: parts.reduce((sum, part) => sum + part.rows.length, 0),
      extraFields: { ...describeNewerRows(parts, first.context.work), deadlines: countByDeadline(parts, today) },
    }
  })
  const snapshot = lists.map((list) => list.snapshot).reduce(mergeSnapshots)
  if (place === undefined) return { field: 'leads', page, snapshot, position: {} }
  const index = sortByDeadline(selectParts()).findIndex(
    ({ part, row }) => `${lists[part]?.kind} ${lists[part]?.table.id[row]}` === place,
  )
  return { field: 'leads', page, snapshot, position: { place: index === -1 ? null : index } }
}

/** Returns the same object for the same item, so that it is serialized once. */
function addKind(item: LeadItem, kind: LeadKind) {
  const queueItem = queueItems.get(item) ?? { ...item, kind }
  queueItems.set(item, queueItem)
  return queueItem
}

const queueItems = new WeakMap<LeadItem, LeadItem & { kind: LeadKind }>()
