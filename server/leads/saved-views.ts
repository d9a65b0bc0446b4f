import 'server-only'
import type { Services } from '@/server/base/services'
import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { asc, eq, or } from 'drizzle-orm'
import type { LeadList, LeadRef } from '@/lib/contract/lead'
import { LISTS } from '@/lib/contract/lists'
import { keptViewSchema, type NewView, type SavedView, type ViewQuery } from '@/lib/contract/list-query'
import type { LeadTable } from '@/lib/leads/lead-table'
import { type SelectionContext, selectRows } from '@/lib/leads/select-rows'
import { placeOf } from '@/server/base/sealed-columns'
import { command, lockPerson } from '@/server/access/command'
import { may, maySee, seesWholeScope, type Viewer, type Reader } from '@/server/access/viewer'
import type { Db } from '@/server/base/database'
import { savedViews } from '@/server/base/schema'
import { ConflictError, ForbiddenError, NotFoundError } from '@/server/base/errors'
import { leadTable, onceReady, selectNamed, selectionContext } from './select-leads'
import { createTableCache } from './table-cache'
import type { Seal } from '@/server/base/seal'

/**
 * A shared view's text may name a pupil of any school its owner saw, so it is shown only to viewers who see all
 * those schools. It is never changed, only saved again. The owner always sees it; one without a stored scope (from
 * before 0.1.0) only they and administrators. For all others it does not exist.
 */

export async function listViews(services: Services, viewer: Reader) {
  const { connect, seal } = services
  const db = await connect()
  const isOne = or(eq(savedViews.ownerId, viewer.id), eq(savedViews.shared, true))
  const found = db.select().from(savedViews).where(isOne)
  const rows = await found.orderBy(asc(savedViews.createdAt), asc(savedViews.id)).limit(MAX_VIEWS + MAX_SHARED)
  const count = createViewCounter(services, viewer)
  const views: SavedView[] = []
  for (const row of rows) {
    if (!isShownTo(row, viewer)) continue
    const { id, list, ownerId, shared, sealedView } = row
    const content = decryptView(seal, id, list, sealedView)
    if (content === null) continue
    const query = ownerId === viewer.id ? content.query : await viewInReach(services, viewer, list, content.query)
    if (query === null) continue
    const own = ownerId === viewer.id || may(viewer, 'admin')
    views.push({ id, name: content.name, query, list, shared, own, count: await count(list, query) })
    await setImmediate()
  }
  return { views }
}

type Row = typeof savedViews.$inferSelect

function isShownTo({ ownerId, shared, reach }: Row, viewer: Viewer): boolean {
  if (ownerId === viewer.id || (shared && reach === null && may(viewer, 'admin') && viewer.schools === 'all'))
    return true
  return shared && reach !== null && seesWholeScope(viewer, reach)
}

const MAX_VIEWS = 100
const MAX_SHARED = 500

export async function addView(services: Services, viewer: Viewer, { list, name, query, shared }: NewView) {
  const id = randomUUID()
  const sealedView = sealView(services.seal, id, { name, query })
  await command(services, viewer, 'leads:read', async (tx, log) => {
    await lockPerson(tx, viewer)
    if ((await tx.$count(savedViews, eq(savedViews.ownerId, viewer.id))) >= MAX_VIEWS) {
      throw new ConflictError(`There are ${MAX_VIEWS} views already`)
    }
    if (shared && (await tx.$count(savedViews, eq(savedViews.shared, true))) >= MAX_SHARED) {
      throw new ConflictError(`There are ${MAX_SHARED} shared views already`)
    }
    const reach = viewer.schools === 'all' ? 'all' : [...viewer.schools]
    const createdAt = new Date(services.now())
    await tx.insert(savedViews).values({ id, ownerId: viewer.id, list, sealedView, reach, shared, createdAt })
    await log({ action: 'view-added', details: { view: id, shared } })
  })
  return { id, name, list, query, shared, own: true, count: await createViewCounter(services, viewer)(list, query) }
}

/** For its owner and administrators; ForbiddenError for other viewers of it, else NotFoundError. */
export async function deleteView(services: Services, viewer: Viewer, { id }: { id: string }): Promise<void> {
  await command(services, viewer, 'leads:read', async (tx, log) => {
    const [row] = await tx.select().from(savedViews).where(eq(savedViews.id, id))
    const isAdmin = may(viewer, 'admin')
    if (!row || !(isAdmin || isShownTo(row, viewer))) throw new NotFoundError()
    if (row.ownerId !== viewer.id && !isAdmin) throw new ForbiddenError()
    // Of two concurrent deletions the second gets NotFoundError and only one is logged.
    const deleted = await tx.delete(savedViews).where(eq(savedViews.id, id)).returning({ id: savedViews.id })
    if (deleted.length === 0) throw new NotFoundError()
    await log({ action: 'view-deleted', details: { view: id } })
  })
}

/** Removes the leads from views, and deletes views that `isNaming` the person. Returns how many. */
export async function eraseFromViews(
  tx: Db,
  seal: Seal,
  leads: readonly LeadRef[],
  isNaming: (view: ViewContent) => boolean,
): Promise<number> {
  const found = await viewsAbout(tx, seal, leads, isNaming)
  for (const { view, content, isSearch, otherIds } of found) {
    const { name, query } = content
    const isView = eq(savedViews.id, view.id)
    const sealedView = sealView(seal, view.id, { name, query: { ...query, id: otherIds } })
    if (isSearch || (query.id !== undefined && otherIds?.length === 0)) await tx.delete(savedViews).where(isView)
    else await tx.update(savedViews).set({ sealedView }).where(isView)
  }
  return found.length
}

export async function everyView(db: Db, seal: Seal) {
  const rows = await db.select().from(savedViews).orderBy(asc(savedViews.createdAt), asc(savedViews.id))
  return rows.flatMap((view) => {
    const content = decryptView(seal, view.id, view.list, view.sealedView)
    return content === null ? [] : [{ view, content }]
  })
}

export async function viewsAbout(
  db: Db,
  seal: Seal,
  leads: readonly LeadRef[],
  isNaming: (view: ViewContent) => boolean,
) {
  return (await everyView(db, seal)).flatMap(({ view, content }) => {
    const { query } = content
    const isNamed = new Set(leads.flatMap((lead) => (lead.kind === LISTS[view.list].kind ? [lead.id] : [])))
    const otherIds = query.id?.filter((one) => !isNamed.has(one))
    const isSearch = isNaming(content)
    return isSearch || otherIds?.length !== query.id?.length ? [{ view, content, isSearch, otherIds }] : []
  })
}

/** Without schools and leads out of scope; null when nothing is left. */
async function viewInReach(services: Services, viewer: Viewer, list: LeadList, query: ViewQuery) {
  if (viewer.schools === 'all') return query
  const school = query.school?.filter((id) => maySee(viewer, id))
  const id = query.id && (await idsInReach(services, viewer, list, query.id))
  if (school?.length === 0 || id?.length === 0) return null
  return { ...query, ...(school && { school }), ...(id && { id }) }
}

async function idsInReach(services: Services, viewer: Viewer, list: LeadList, ids: string[]): Promise<string[]> {
  const selected = await onceReady(() => selectNamed(services, viewer, LISTS[list].kind, ids))
  return selected === null ? [] : Array.from(selected.rows, (row) => selected.table.id[row] ?? '')
}

/** Name and query may identify a person, so they are stored encrypted as one text. */
type ViewContent = { name: string; query: ViewQuery }

function sealView(seal: Seal, id: string, { name, query }: ViewContent): string {
  return seal.encrypt(JSON.stringify({ name, query }), placeOf.savedView(id))
}

/** Null if sealed with another key, or by a release with other filters. */
function decryptView(seal: Seal, id: string, list: LeadList, sealed: string): ViewContent | null {
  const text = seal.decrypt(sealed, placeOf.savedView(id))
  const parsed = keptViewSchema.safeParse(text === null ? null : { ...JSON.parse(text), list })
  return parsed.success ? { name: parsed.data.name, query: parsed.data.query } : null
}

type Basis = { table: LeadTable; context: SelectionContext; triage: number }

/** All counts are of the same state of the lists; null before the first data. */
function createViewCounter(services: Services, viewer: Viewer) {
  const bases = new Map<LeadList, Promise<Basis | null>>()
  const basisOf = (list: LeadList) =>
    onceReady(async () => {
      const { kind } = LISTS[list]
      const reading = [leadTable(services, viewer, kind), selectionContext(services, viewer, kind)] as const
      const [table, context] = await Promise.all(reading)
      return { table, context, triage: services.triage.changes() }
    })
  return async (list: LeadList, query: ViewQuery): Promise<number | null> => {
    const basis = bases.get(list) ?? basisOf(list)
    bases.set(list, basis)
    const ready = await basis
    return ready && services.viewCounts.count(list, query, ready)
  }
}

const MAX_COUNTS = 2_000

/** Shared by viewers of the same schools: every browser reads all counts again at each change. */
export function createViewCounts() {
  const shared = createTableCache<number>(MAX_COUNTS)
  return {
    count: (list: LeadList, query: ViewQuery, { table, context, triage }: Basis): number => {
      const { sort: _, ...filter } = query
      const { schools, viewerId, lastVisitAt, work } = context
      const key = JSON.stringify([
        list,
        filter,
        schools === 'all' ? schools : [...schools].sort(),
        work.key,
        filter.assignee?.includes('me') === true ? viewerId : null,
        filter.fresh === true ? lastVisitAt : null,
      ])
      return shared.of(key, { table, triage }, () => selectRows(table, filter, context).length)
    },
  }
}
