import 'server-only'
import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { asc, eq, or } from 'drizzle-orm'
import type { LeadList, LeadRef } from '@/lib/contract/lead'
import { LISTS } from '@/lib/contract/lists'
import { keptViewSchema, type NewView, type SavedView, type ViewQuery } from '@/lib/contract/saved-view'
import { placeOf } from '@/server/db/sealed-columns'
import type { SchoolScope } from '@/lib/contract/user'
import { command, type CommandParts, lockPerson } from '@/server/access/command'
import { type Allowed, may, maySee, seesAllOf, type Viewer } from '@/server/access/viewer'
import type { Db } from '@/server/db/database'
import { savedViews, users } from '@/server/db/schema'
import { ConflictError, ForbiddenError, NotFoundError, NotReadyError } from '@/server/errors'
import { type LeadParts, selectNamed } from '@/server/leads/select-leads'
import type { Seal } from '@/server/seal'
import { type CountParts, createViewCounter } from './view-counts'

type Parts = CountParts & CommandParts & { seal: Seal; now: () => number }

/*
 * Who sees a shared view. Its name and search are the words of somebody who saw certain schools, and may name a pupil of any
 * of them; so it is there for those only who see all that its owner saw when it was saved.
 * - That is asked at each look: whoever loses a school no longer sees the view, and sees it again with the school.
 * - What its owner comes to see or no longer sees changes nothing: the words stay what they were. Its owner always sees it.
 * - A view is never changed, only saved anew, with the reach of then.
 * - Of one that was saved before this was kept, the owner's reach of now counts; without an owner only administrators see it.
 * For everybody else it does not exist, neither in lists nor for who names its id.
 */

/** The viewer's own views and the shared ones they may see, each with how many leads it has for the viewer now; oldest first. */
export async function listViews(
  parts: Omit<Parts, 'activity' | 'now'>,
  viewer: Allowed<'leads:read'>,
): Promise<{ views: SavedView[] }> {
  const { connect, seal } = parts
  const db = await connect()
  const rows = await viewsWithOwner(db)
    .where(or(eq(savedViews.ownerId, viewer.id), eq(savedViews.shared, true)))
    .orderBy(asc(savedViews.createdAt), asc(savedViews.id))
    .limit(MOST_VIEWS + MOST_SHARED)
  const count = createViewCounter(parts, viewer)
  const views: SavedView[] = []
  for (const row of rows) {
    if (!isShownTo(row, viewer)) continue
    const { id, list, ownerId, shared, sealedView } = row.view
    const content = openView(seal, id, list, sealedView)
    if (content === null) continue
    const query = ownerId === viewer.id ? content.query : await viewInReach(parts, viewer, list, content.query)
    if (query === null) continue
    const own = ownerId === viewer.id || may(viewer, 'admin')
    views.push({ id, name: content.name, query, list, shared, own, count: await count(list, query) })
    // A count is a few milliseconds; many of them must not hold up everyone else.
    await setImmediate()
  }
  return { views }
}

type Row = { view: typeof savedViews.$inferSelect; ownerSchools: SchoolScope | null }

/** Views, each with what its owner may see now; null when the owner is gone. */
function viewsWithOwner(db: Db) {
  return db
    .select({ view: savedViews, ownerSchools: users.schools })
    .from(savedViews)
    .leftJoin(users, eq(users.id, savedViews.ownerId))
    .$dynamic()
}

function isShownTo({ view, ownerSchools }: Row, viewer: Viewer): boolean {
  if (view.ownerId === viewer.id) return true
  const reach = view.reach ?? ownerSchools
  return view.shared && (reach === null ? may(viewer, 'admin') : seesAllOf(viewer, reach))
}

const MOST_VIEWS = 100
/** Of all people together; each is sent to everybody who sees the same schools. */
const MOST_SHARED = 500

/** Keeps a filter under a name. ConflictError when the person has a hundred views, or all together five hundred shared ones. */
export async function addView(
  parts: Parts,
  viewer: Viewer,
  { list, name, query, shared }: NewView,
): Promise<SavedView> {
  const id = randomUUID()
  const sealedView = sealView(parts.seal, id, { name, query })
  await command(parts, viewer, 'leads:read', async (tx, log) => {
    await lockPerson(tx, viewer)
    if ((await tx.$count(savedViews, eq(savedViews.ownerId, viewer.id))) >= MOST_VIEWS) {
      throw new ConflictError(`There are ${MOST_VIEWS} views already`)
    }
    if (shared && (await tx.$count(savedViews, eq(savedViews.shared, true))) >= MOST_SHARED) {
      throw new ConflictError(`There are ${MOST_SHARED} shared views already`)
    }
    const reach = viewer.schools === 'all' ? 'all' : [...viewer.schools]
    const createdAt = new Date(parts.now())
    await tx.insert(savedViews).values({ id, ownerId: viewer.id, list, sealedView, reach, shared, createdAt })
    await log({ action: 'view-added', details: { view: id, shared } })
  })
  return { id, name, list, query, shared, own: true, count: await createViewCounter(parts, viewer)(list, query) }
}

/** For its owner and administrators; ForbiddenError for who else sees it, NotFoundError for whom it does not exist. */
export async function deleteView(parts: CommandParts, viewer: Viewer, { id }: { id: string }): Promise<void> {
  await command(parts, viewer, 'leads:read', async (tx, log) => {
    const [row] = await viewsWithOwner(tx).where(eq(savedViews.id, id))
    const isAdmin = may(viewer, 'admin')
    if (!row || !(isAdmin || isShownTo(row, viewer))) throw new NotFoundError()
    if (row.view.ownerId !== viewer.id && !isAdmin) throw new ForbiddenError()
    // Of two who delete it at once, the second gets NotFoundError and the log has one entry.
    const deleted = await tx.delete(savedViews).where(eq(savedViews.id, id)).returning({ id: savedViews.id })
    if (deleted.length === 0) throw new NotFoundError()
    await log({ action: 'view-deleted', details: { view: id } })
  })
}

/**
 * Takes leads out of every view that names them, and deletes the views whose name or search `isNaming` says is their person's.
 * Answers how many views were changed or deleted.
 */
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
    if (isSearch || (query.id !== undefined && otherIds?.length === 0)) await tx.delete(savedViews).where(isView)
    else
      await tx
        .update(savedViews)
        .set({ sealedView: sealView(seal, view.id, { name, query: { ...query, id: otherIds } }) })
        .where(isView)
  }
  return found.length
}

/** Every view that can be read, the oldest first. */
export async function everyView(db: Db, seal: Seal) {
  const rows = await db.select().from(savedViews).orderBy(asc(savedViews.createdAt), asc(savedViews.id))
  return rows.flatMap((view) => {
    const content = openView(seal, view.id, view.list, view.sealedView)
    return content === null ? [] : [{ view, content }]
  })
}

/** The views that name one of these leads, or whose name or search is one for their person. `otherIds`: what else a view names. */
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

/**
 * The filter of somebody else's view as the viewer may know it: without the schools and leads out of reach, which selects the
 * same leads. Null when it names nothing else.
 */
async function viewInReach(
  parts: LeadParts,
  viewer: Viewer,
  list: LeadList,
  query: ViewQuery,
): Promise<ViewQuery | null> {
  if (viewer.schools === 'all') return query
  const school = query.school?.filter((id) => maySee(viewer, id))
  const id = query.id && (await idsInReach(parts, viewer, list, query.id))
  if (school?.length === 0 || id?.length === 0) return null
  return { ...query, ...(school && { school }), ...(id && { id }) }
}

async function idsInReach(parts: LeadParts, viewer: Viewer, list: LeadList, ids: string[]): Promise<string[]> {
  try {
    const { table, rows } = await selectNamed(parts, viewer, LISTS[list].kind, ids)
    return Array.from(rows, (row) => table.id[row] ?? '')
  } catch (error) {
    if (error instanceof NotReadyError) return []
    throw error
  }
}

/** A view's name and filter: both may be a search for somebody, so they are stored enciphered as one text. */
type ViewContent = { name: string; query: ViewQuery }

function sealView(seal: Seal, id: string, { name, query }: ViewContent): string {
  return seal.close(JSON.stringify({ name, query }), placeOf.savedView(id))
}

/** Null when it was sealed with another key, or by a release whose filters were others. */
function openView(seal: Seal, id: string, list: LeadList, sealed: string): ViewContent | null {
  const text = seal.open(sealed, placeOf.savedView(id))
  const parsed = keptViewSchema.safeParse(text === null ? null : { ...JSON.parse(text), list })
  return parsed.success ? { name: parsed.data.name, query: parsed.data.query } : null
}
