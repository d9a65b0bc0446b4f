import type { LeadItem } from '@/lib/api/leads'
import type { LeadKind } from '@/lib/contract/lead'
import type { QueuePage, QueueQuery } from '@/lib/contract/list-query'
import { findQueue, LEAD_KINDS, OTHER_KIND, type QueueName, type QUEUES } from '@/lib/contract/lists'
import { findQueueFilter } from '@/lib/inbox/queues'
import { leadKey } from '@/lib/leads/lead-key'
import { findNewerRows, omitNewer, summarizeNewer } from '@/lib/leads/newer-rows'
import { countByDeadline, sortByDeadline } from '@/lib/leads/queue-order'
import { createIsWaiting } from '@/lib/leads/select-rows'
import { findDueDays } from '@/lib/leads/work-rules'
import { toStockholmDay } from '@/lib/time/stockholm'
import { type Reader, toScopeKey } from '@/server/access/viewer'
import { NotFoundError } from '@/server/base/errors'
import type { Services } from '@/server/base/services'
import { mergeSnapshots } from './feed-status'
import { makeItems } from './lead-items'
import { getLeadTableIfReady } from './lead-tables'
import { readTableAndContext, selectSharedRows } from './select-leads'
import { toPageAnswer, toPageResponse } from './shared-pages'

/** Returns one page of a queue over one list or both, and records a visit of each. */
export async function listQueue(services: Services, viewer: Reader, name: QueueName, query: QueueQuery) {
  return toPageAnswer(await readQueue(services, viewer, name, query)) as QueuePage
}

type QueueRequest = QueueQuery & { name: (typeof QUEUES)[QueueName] }

/** Sends one page of a queue, or its difference to the page with the etag `known`. */
export async function respondWithQueue(services: Services, viewer: Reader, { name, known, ...query }: QueueRequest) {
  const queue = findQueue(name)
  if (queue === undefined) throw new NotFoundError()
  return toPageResponse(await readQueue(services, viewer, queue, query), known)
}

/** Every lead of these queues is waiting, so that none is tested for it. */
const WAITING_QUEUES: ReadonlySet<QueueName> = new Set(['waiting', 'late', 'dueToday', 'unassigned'])

async function readQueue(services: Services, viewer: Reader, name: QueueName, query: QueueQuery) {
  const { place: wantedKey, ...pageQuery } = query
  const { school, q, topic, offset, limit, until } = pageQuery
  const today = toStockholmDay(services.now())
  const { recordVisit, findLastEnd } = services.visits
  const readList = async (kind: LeadKind) => {
    // A request for one row makes a link to the queue's first lead, and is no visit.
    const list = await readTableAndContext(services, viewer, kind, limit === 1 ? findLastEnd : recordVisit)
    return { ...list, newerRows: findNewerRows(list.table, until, list.context) }
  }
  const [kind, secondKind]: readonly [LeadKind, LeadKind?] = query.kind === undefined ? LEAD_KINDS : [query.kind]
  const [firstList, secondList] = await Promise.all([readList(kind), secondKind && readList(secondKind)])
  const lists = secondList === undefined ? [firstList] : [firstList, secondList]
  const otherTable = secondList?.table ?? (await getLeadTableIfReady(services, viewer, OTHER_KIND[kind]))
  const selectParts = () =>
    lists.map((list) => {
      const { table, context, newerRows } = list
      const dueDays = findDueDays(context.work, today)
      const filter = { ...findQueueFilter(name, dueDays), school, q, topic }
      const isEmpty = name === 'dueToday' && dueDays === null
      const rows = isEmpty ? new Uint32Array(0) : selectSharedRows(services, viewer, list, filter)
      const isWaiting = WAITING_QUEUES.has(name) ? () => true : createIsWaiting(table, context)
      return { table, ...omitNewer(table, rows, newerRows), isWaiting, toDueDay: context.work.toDueDay }
    })
  const listKeys = lists.map(({ table, context, newerRows }) => [
    context.work.key,
    table.protection?.key,
    name === 'new' && context.lastVisitAt,
    // The key has ids, because rows have other numbers in the next table.
    ...Array.from(newerRows.own, (row) => table.id[row]),
  ])
  const viewerKey = [toScopeKey(viewer), name === 'mine' && viewer.id]
  const key = JSON.stringify(['queue', name, pageQuery, viewerKey, listKeys, today])
  const page = await services.sharedPages.getOrMake(key, { table: firstList.table, otherTable }, async () => {
    const parts = selectParts()
    const pageRows = sortByDeadline(parts, offset + limit).slice(offset)
    const itemsByPart = await Promise.all(
      lists.map(({ table, context }, index) => {
        const source = { table, otherTable: table === firstList.table ? otherTable : firstList.table, context }
        const partRows = pageRows.flatMap(({ partIndex, row }) => (partIndex === index ? [row] : []))
        return makeItems(services, viewer, source, partRows)
      }),
    )
    const items = pageRows.flatMap(({ partIndex, row }) => {
      const list = lists[partIndex]
      const item = itemsByPart[partIndex]?.(row)
      return list && item ? [addKind(item, list.kind)] : []
    })
    const total = parts.reduce((sum, { rows }) => sum + rows.length, 0)
    const { cohort } = firstList.context.work
    return { items, total, extraFields: { ...summarizeNewer(parts), cohort, deadlines: countByDeadline(parts, today) } }
  })
  const snapshot = lists.map((list) => list.snapshot).reduce(mergeSnapshots)
  if (wantedKey === undefined) return { field: 'leads', page, snapshot, position: {} }
  const place = sortByDeadline(selectParts()).findIndex(({ partIndex, row }) => {
    const list = lists[partIndex]
    return list !== undefined && leadKey({ kind: list.kind, id: list.table.id[row] ?? '' }) === wantedKey
  })
  return { field: 'leads', page, snapshot, position: { place: place === -1 ? null : place } }
}

/** Returns the same object for the same item, so that it is serialized once. */
function addKind(item: LeadItem, kind: LeadKind) {
  const queueItem = queueItems.get(item) ?? { ...item, kind }
  queueItems.set(item, queueItem)
  return queueItem
}

const queueItems = new WeakMap<LeadItem, LeadItem & { kind: LeadKind }>()
