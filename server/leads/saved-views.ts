import 'server-only'
import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { asc, eq, or } from 'drizzle-orm'
import type { LeadList, LeadRef } from '@/lib/contract/lead'
import { LISTS } from '@/lib/contract/lists'
import type { Body } from '@/lib/contract/endpoints'
import { newViewSchema, type SavedView, type ViewQuery } from '@/lib/contract/list-query'
import { selectRows } from '@/lib/leads/select-rows'
import { executeCommand, lockUser } from '@/server/access/command'
import { may, maySeeSchool, maySeeScope, type Viewer, type Reader } from '@/server/access/viewer'
import type { Db } from '@/server/base/database'
import { ConflictError, ForbiddenError, NotFoundError } from '@/server/base/errors'
import { savedViews } from '@/server/base/schema'
import type { Seal } from '@/server/base/seal'
import { sealContext } from '@/server/base/seal-context'
import type { Services } from '@/server/base/services'
import { readIfReady, createSelectionKey, selectByIds, readTableAndContext } from './select-leads'

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
    const query = { ...content.query }
    // Without schools and leads out of scope; not at all when nothing is left.
    if (ownerId !== viewer.id && viewer.schools !== 'all') {
      const { school, id: named } = query
      const selected = named && (await readIfReady(() => selectByIds(services, viewer, LISTS[list].kind, named)))
      if (school) query.school = school.filter((one) => maySeeSchool(viewer, one))
      if (named) query.id = Array.from(selected?.rows ?? [], (place) => selected?.table.id[place] ?? '')
      if (query.school?.length === 0 || query.id?.length === 0) continue
    }
    const own = ownerId === viewer.id || may(viewer, 'admin')
    views.push({ id, name: content.name, query, list, shared, own, count: await count(list, query) })
    await setImmediate()
  }
  return { views }
}

function isShownTo({ ownerId, shared, reach }: typeof savedViews.$inferSelect, viewer: Viewer): boolean {
  if (ownerId === viewer.id) return true
  if (!shared) return false
  return reach === null ? may(viewer, 'admin') && viewer.schools === 'all' : maySeeScope(viewer, reach)
}

const MAX_VIEWS = 100
const MAX_SHARED = 500

export async function addView(
  services: Services,
  viewer: Viewer,
  { list, name, query, shared }: Body<'POST /api/views'>,
) {
  const id = randomUUID()
  const sealedView = encryptView(services.seal, id, { name, query })
  await executeCommand(services, viewer, 'leads:read', async (tx, log) => {
    await lockUser(tx, viewer)
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
  await executeCommand(services, viewer, 'leads:read', async (tx, log) => {
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

/** Removes the leads from views, and deletes views that `isNaming` the person. */
export async function eraseFromViews(
  tx: Db,
  seal: Seal,
  leads: readonly LeadRef[],
  namesPerson: (view: ViewContent) => boolean,
): Promise<void> {
  for (const { view, content } of await readAllViews(tx, seal)) {
    const { name, query } = content
    const erasedIds = new Set(leads.flatMap(({ kind, id }) => (kind === LISTS[view.list].kind ? [id] : [])))
    const id = query.id?.filter((one) => !erasedIds.has(one))
    const isView = eq(savedViews.id, view.id)
    if (namesPerson(content) || (id?.length === 0 && query.id?.length !== 0)) await tx.delete(savedViews).where(isView)
    else if (id?.length !== query.id?.length) {
      const sealedView = encryptView(seal, view.id, { name, query: { ...query, id } })
      await tx.update(savedViews).set({ sealedView }).where(isView)
    }
  }
}

export async function readAllViews(db: Db, seal: Seal) {
  const rows = await db.select().from(savedViews).orderBy(asc(savedViews.createdAt), asc(savedViews.id))
  return rows.flatMap((view) => {
    const content = decryptView(seal, view.id, view.list, view.sealedView)
    return content === null ? [] : [{ view, content }]
  })
}

/** Name and query may identify a person, so they are stored encrypted as one text. */
type ViewContent = { name: string; query: ViewQuery }

function encryptView(seal: Seal, id: string, { name, query }: ViewContent): string {
  return seal.encrypt(JSON.stringify({ name, query }), sealContext.savedView(id))
}

/** Null if sealed with another key, or by a release with other filters. */
function decryptView(seal: Seal, id: string, list: LeadList, sealed: string): ViewContent | null {
  const text = seal.decrypt(sealed, sealContext.savedView(id))
  const parsed = newViewSchema.safeParse(text === null ? null : { ...JSON.parse(text), list })
  return parsed.success ? { name: parsed.data.name, query: parsed.data.query } : null
}

/**
 * All counts are of the same state of the lists; null before the first data. They are shared by viewers of the same
 * schools: every browser reads all of them again at each change.
 */
function createViewCounter(services: Services, viewer: Viewer) {
  const read = (list: LeadList) =>
    readIfReady(async () => {
      const found = await readTableAndContext(services, viewer, LISTS[list].kind)
      return { ...found, triage: services.triage.getVersion() }
    })
  const states = new Map<LeadList, ReturnType<typeof read>>()
  return async (list: LeadList, query: ViewQuery): Promise<number | null> => {
    const reading = states.get(list) ?? read(list)
    states.set(list, reading)
    const state = await reading
    if (state === null) return null
    const { sort: _, ...filter } = query
    const { table, context, triage } = state
    const key = createSelectionKey(viewer, table, filter, context)
    return services.viewCounts.getOrMake(
      key,
      { table, triageVersion: triage },
      () => selectRows(table, filter, context).length,
    )
  }
}
