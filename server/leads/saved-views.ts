import { randomUUID } from 'node:crypto'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { eq, or } from 'drizzle-orm'
import { z } from 'zod'
import type { Body } from '@/lib/contract/endpoints'
import type { LeadList, LeadRef } from '@/lib/contract/lead'
import { newViewSchema, type SavedView, type ViewQuery } from '@/lib/contract/saved-views'
import { LISTS } from '@/lib/contract/lists'
import { getOrCreate } from '@/lib/get-or-create'
import { leadKey } from '@/lib/leads/lead-key'
import { selectRows } from '@/lib/leads/select-rows'
import { checkLimit, executeCommand, lockUser } from '@/server/access/command'
import { may, maySeeScope, type Reader, type Viewer } from '@/server/access/viewer'
import type { Db } from '@/server/base/database'
import { ForbiddenError, NotFoundError } from '@/server/base/errors'
import { savedViews } from '@/server/base/schema'
import type { Seal } from '@/server/base/seal'
import { sealContext } from '@/server/base/seal-context'
import type { Services } from '@/server/base/services'
import { readIfReady } from './lead-tables'
import { createSelectionKey, readTableAndContext } from './select-leads'

const MAX_OWN_VIEWS = 100
const MAX_SHARED_VIEWS = 500

const isOwnedBy = ({ id }: Viewer) => eq(savedViews.ownerId, id)
const isShared = eq(savedViews.shared, true)
const oldestFirst = [savedViews.createdAt, savedViews.id]

/** Lists the viewer's own views and the shared ones they may see, with the number of leads in each. */
export async function listViews(services: Services, viewer: Reader) {
  const { connect, seal } = services
  const db = await connect()
  const isCandidate = or(isOwnedBy(viewer), isShared)
  const candidates = db.select().from(savedViews).where(isCandidate)
  const rows = await candidates.orderBy(...oldestFirst).limit(MAX_OWN_VIEWS + MAX_SHARED_VIEWS)
  const countLeads = createViewCounter(services, viewer)
  const views: SavedView[] = []
  for (const row of rows) {
    const { id, list, ownerId, shared } = row
    const content = maySeeView(row, viewer) ? decryptView(seal, row) : null
    // A view that another release saved with other filters is left out.
    const { data: view } = newViewSchema.safeParse({ ...content, list })
    if (view === undefined) continue
    const { name, query } = view
    const mayDelete = ownerId === viewer.id || may(viewer, 'admin')
    views.push({ id, name, query, list, shared, own: mayDelete, count: await countLeads(list, query) })
    // Counting hundreds of views must not hold up other requests.
    await yieldToEventLoop()
  }
  return { views }
}

/** A shared view may name a pupil of any school that its owner saw, so only viewers of all these schools see it. */
function maySeeView({ ownerId, shared, reach }: typeof savedViews.$inferSelect, viewer: Viewer) {
  return ownerId === viewer.id || (shared && reach !== null && maySeeScope(viewer, reach))
}

export async function addView(services: Services, viewer: Viewer, view: Body<'POST /api/views'>) {
  const { list, name, query, shared } = view
  const id = randomUUID()
  const sealedView = encryptView(services.seal, id, { name, query })
  await executeCommand(services, viewer, 'leads:read', async (tx, log) => {
    await lockUser(tx, viewer)
    await checkLimit(tx, savedViews, isOwnedBy(viewer), MAX_OWN_VIEWS, `There are ${MAX_OWN_VIEWS} views already`)
    if (shared)
      await checkLimit(tx, savedViews, isShared, MAX_SHARED_VIEWS, `There are ${MAX_SHARED_VIEWS} shared views already`)
    const reach = viewer.schools === 'all' ? 'all' : [...viewer.schools]
    const createdAt = new Date(services.now())
    await tx.insert(savedViews).values({ id, ownerId: viewer.id, list, sealedView, reach, shared, createdAt })
    await log({ action: 'view-added', details: { view: id, shared } })
  })
  return { id, name, list, query, shared, own: true, count: await createViewCounter(services, viewer)(list, query) }
}

/** Throws ForbiddenError for a view that the viewer sees but neither owns nor administers, NotFoundError for others. */
export async function deleteView(services: Services, viewer: Viewer, { id }: { id: string }) {
  await executeCommand(services, viewer, 'leads:read', async (tx, log) => {
    const hasId = eq(savedViews.id, id)
    // Of two concurrent deletions the second waits, and finds no row.
    const [row] = await tx.select().from(savedViews).where(hasId).for('update')
    const isAdmin = may(viewer, 'admin')
    if (!row || !(isAdmin || maySeeView(row, viewer))) throw new NotFoundError()
    if (row.ownerId !== viewer.id && !isAdmin) throw new ForbiddenError()
    await tx.delete(savedViews).where(hasId)
    await log({ action: 'view-deleted', details: { view: id } })
  })
}

/** Removes leads from views. Deletes views whose text names the person, and those that listed only these leads. */
export async function eraseFromViews(
  tx: Db,
  seal: Seal,
  leads: readonly LeadRef[],
  namesPerson: (text: string) => boolean,
) {
  const erasedKeys = new Set(leads.map(leadKey))
  for (const { view, content } of await readAllViews(tx, seal)) {
    const { name, query } = content
    const ids = query.id?.filter((id) => !erasedKeys.has(leadKey({ kind: LISTS[view.list].kind, id })))
    const losesLeads = ids?.length !== query.id?.length
    const hasId = eq(savedViews.id, view.id)
    if ([name, query.q ?? ''].some(namesPerson) || (losesLeads && ids?.length === 0))
      await tx.delete(savedViews).where(hasId)
    else if (losesLeads) {
      const sealedView = encryptView(seal, view.id, { name, query: { ...query, id: ids } })
      await tx.update(savedViews).set({ sealedView }).where(hasId)
    }
  }
}

/** Reads the views of all users, without those that were encrypted with another key. */
export async function readAllViews(db: Db, seal: Seal) {
  const allViews = db.select().from(savedViews)
  return (await allViews.orderBy(...oldestFirst)).flatMap((view) => {
    const content = decryptView(seal, view)
    return content === null ? [] : [{ view, content }]
  })
}

/** Only what may identify a person is read, so that views of another release, with other filters, are erased, too. */
const viewContentSchema = z.object({
  name: z.string(),
  query: z.looseObject({ q: z.string().optional(), id: z.array(z.string()).optional() }),
})
type ViewContent = z.infer<typeof viewContentSchema>

function encryptView(seal: Seal, id: string, content: ViewContent) {
  return seal.encrypt(JSON.stringify(content), sealContext.savedView(id))
}

function decryptView(seal: Seal, { id, sealedView }: typeof savedViews.$inferSelect): ViewContent | null {
  const text = seal.decrypt(sealedView, sealContext.savedView(id))
  return text === null ? null : (viewContentSchema.safeParse(JSON.parse(text)).data ?? null)
}

/** The count is null before the service's first answer. Viewers of the same schools share the counts. */
function createViewCounter(services: Services, viewer: Viewer) {
  const readState = (list: LeadList) => readIfReady(() => readTableAndContext(services, viewer, LISTS[list].kind))
  const states = new Map<LeadList, ReturnType<typeof readState>>()
  return async (list: LeadList, query: ViewQuery): Promise<number | null> => {
    const { sort: _, ...filter } = query
    const state = await getOrCreate(states, list, () => readState(list))
    if (state === null) return null
    const { table, context } = state
    const key = createSelectionKey(viewer, state, filter)
    return services.viewCounts.getOrMake(key, { table }, () => selectRows(table, filter, context).length)
  }
}
