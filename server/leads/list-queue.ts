import 'server-only'
import type { Services } from '@/server/base/services'
import type { LeadKind } from '@/lib/contract/lead'
import type { QueuePage, QueueQuery } from '@/lib/contract/list-query'
import { LEAD_KINDS, OTHER_KIND, type QueueName, findQueue, type QUEUES } from '@/lib/contract/lists'
import { queueFilter } from '@/lib/inbox/queues'
import { findDueDays } from '@/lib/leads/count-work'
import { sortByDeadline, countByDeadline } from '@/lib/leads/queue-order'
import { findNewerRows, omitNewer } from '@/lib/leads/newer-rows'
import { createIsWaiting } from '@/lib/leads/select-rows'
import { stockholmDay } from '@/lib/time/stockholm'
import { scopeKey, type Reader } from '@/server/access/viewer'
import { NotFoundError } from '@/server/base/errors'
import { mergeSnapshots } from './feed-status'
import { describeNewerRows, makeItems, findMatchingRows, toPageResponse } from './list-leads'
import type { LeadItem } from './table-cache'
import { readLeadList, findLeadTable, createSelectionContext } from './select-leads'

/** One page of a queue, of both lists; recorded as a visit of each. */
export async function listQueue(services: Services, viewer: Reader, name: QueueName, query: QueueQuery) {
  const { page, snapshot, positionField: rest } = await readQueue(services, viewer, name, query)
  const { items, total, etag, more } = page
  return { leads: items, total, snapshot, etag, ...more, ...rest } as QueuePage
}

export async function respondWithQueue(
  services: Services,
  viewer: Reader,
  { name, known, ...query }: QueueQuery & { name: (typeof QUEUES)[QueueName]; known?: string | undefined },
): Promise<Response> {
  const queue = findQueue(name)
  if (queue === undefined) throw new NotFoundError()
  return toPageResponse(await readQueue(services, viewer, queue, query), known)
}

/** Of these queues each lead waits. */
const ALL_WAIT: ReadonlySet<QueueName> = new Set(['waiting', 'late', 'dueToday', 'unassigned'])

async function readQueue(services: Services, viewer: Reader, name: QueueName, { place, ...query }: QueueQuery) {
  const today = stockholmDay(services.now())
  const kinds = query.kind === undefined ? LEAD_KINDS : [query.kind]
  const lists = await Promise.all(
    kinds.map(async (kind) => {
      const reading = [
        readLeadList(services, viewer, kind),
        createSelectionContext(services, viewer, kind, 'visit'),
      ] as const
      const [{ table, snapshot }, context] = await Promise.all(reading)
      return { kind, table, snapshot, context, leftOut: findNewerRows(table, query.until, context) }
    }),
  )
  const [first, second] = lists
  if (first === undefined) throw new NotFoundError()
  const otherList = second?.table ?? (await findLeadTable(services, viewer, OTHER_KIND[first.kind]))
  const triage = services.triage.getVersion()
  const { school, q, topic, offset, limit } = query
  /** What the queue has of each list. */
  const readParts = () =>
    lists.map(({ table, context, leftOut }) => {
      const due = findDueDays(context.work, today)
      const isNobodys = name === 'dueToday' && due === null
      const filter = { ...queueFilter(name, due), school, q, topic }
      const all = isNobodys ? new Uint32Array(0) : findMatchingRows(services, viewer, table, filter, context)
      const isWaiting = ALL_WAIT.has(name) ? () => true : createIsWaiting(table, context)
      return { table, ...omitNewer(table, all, leftOut), isWaiting, dueOf: context.work.toDueDay }
    })
  const key = JSON.stringify([
    'queue',
    name,
    query,
    scopeKey(viewer),
    lists.map(({ table, context, leftOut }) => [
      context.work.key,
      table.protection?.key,
      name === 'new' && context.lastVisitAt,
      ...Array.from(leftOut.own, (row) => table.id[row]),
    ]),
    name === 'mine' && viewer.id,
    today,
  ])
  const page = await services.sharedPages.getOrMake(
    key,
    { table: first.table, otherList, triageVersion: triage },
    async () => {
      const parts = readParts()
      const rows = sortByDeadline(parts, offset + limit).slice(offset)
      const items = await Promise.all(
        lists.map((list, at) => {
          const basis = { table: list.table, triage, otherList: list === first ? otherList : first.table }
          const own = rows.flatMap(({ part, row }) => (part === at ? [row] : []))
          return makeItems(services, viewer, basis, own, list.context)
        }),
      )
      const next = items.map((own) => own.values())
      return {
        items: rows.flatMap(({ part }) => {
          const item = next[part]?.next().value
          return item === undefined ? [] : [withKind(item, lists[part]?.kind)]
        }),
        total: parts.reduce((sum, part) => sum + part.rows.length, 0),
        more: { ...describeNewerRows(parts, first.context.work), deadlines: countByDeadline(parts, today) },
      }
    },
  )
  const snapshot = lists.map((list) => list.snapshot).reduce(mergeSnapshots)
  const read = { field: 'leads', page, snapshot }
  if (place === undefined) return { ...read, positionField: {} }
  const at = sortByDeadline(readParts()).findIndex(
    ({ part, row }) => `${lists[part]?.kind} ${lists[part]?.table.id[row]}` === place,
  )
  return { ...read, positionField: { place: at === -1 ? null : at } }
}

/** The same object for the same item, so that it is written once. */
function withKind(item: LeadItem, kind: LeadKind | undefined): LeadItem & { kind: LeadKind | undefined } {
  const known = queueItems.get(item) ?? { ...item, kind }
  queueItems.set(item, known)
  return known
}

const queueItems = new WeakMap<LeadItem, LeadItem & { kind: LeadKind | undefined }>()
