import 'server-only'
import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { asc, eq, or } from 'drizzle-orm'
import { comparablePhone } from '@/lib/contacts/contact-key'
import type { LeadList, LeadRef } from '@/lib/contract/lead'
import { LISTS } from '@/lib/contract/lists'
import {
  type NewView,
  newViewSchema,
  type SavedView,
  type SavedViewsAnswer,
  type ViewQuery,
} from '@/lib/contract/saved-view'
import { foldText } from '@/lib/leads/comparable-text'
import { command, type CommandParts } from '@/server/access/command'
import { type Allowed, may, maySee, type Viewer } from '@/server/access/viewer'
import type { Db } from '@/server/db/database'
import { savedViews } from '@/server/db/schema'
import { ConflictError, ForbiddenError, NotFoundError, NotReadyError } from '@/server/errors'
import { type LeadParts, selectNamed } from '@/server/leads/select-leads'
import type { Seal } from '@/server/seal'
import { type CountParts, createViewCounter } from './view-counts'

type Parts = CountParts & CommandParts & { seal: Seal; now: () => number }

/**
 * The viewer's own views and the shared ones that are about something in reach, each with how many leads it has for the
 * viewer now; oldest first.
 */
export async function listViews(
  parts: Omit<Parts, 'activity' | 'now'>,
  viewer: Allowed<'leads:read'>,
): Promise<SavedViewsAnswer> {
  const { connect, seal } = parts
  const db = await connect()
  const rows = await db
    .select()
    .from(savedViews)
    .where(or(eq(savedViews.ownerId, viewer.id), eq(savedViews.shared, true)))
    .orderBy(asc(savedViews.createdAt), asc(savedViews.id))
  const count = createViewCounter(parts, viewer)
  const views: SavedView[] = []
  for (const { id, list, ownerId, shared, sealedView } of rows) {
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

const MOST_VIEWS = 100

/** Keeps a filter under a name. ConflictError when the person has a hundred views already. */
export async function addView(
  parts: Parts,
  viewer: Viewer,
  { list, name, query, shared }: NewView,
): Promise<SavedView> {
  const id = randomUUID()
  const sealedView = sealView(parts.seal, id, { name, query })
  await command(parts, viewer, 'leads:read', async (tx, log) => {
    if ((await tx.$count(savedViews, eq(savedViews.ownerId, viewer.id))) >= MOST_VIEWS) {
      throw new ConflictError(`There are ${MOST_VIEWS} views already`)
    }
    const createdAt = new Date(parts.now())
    await tx.insert(savedViews).values({ id, ownerId: viewer.id, list, sealedView, shared, createdAt })
    await log({ action: 'view-added', details: { view: id, shared } })
  })
  return { id, name, list, query, shared, own: true, count: await createViewCounter(parts, viewer)(list, query) }
}

/** For its owner and administrators; for anybody else a private view does not exist. */
export async function deleteView(parts: CommandParts, viewer: Viewer, id: string): Promise<void> {
  await command(parts, viewer, 'leads:read', async (tx, log) => {
    const [view] = await tx.select().from(savedViews).where(eq(savedViews.id, id)).for('update')
    const isAdmin = may(viewer, 'admin')
    if (!view || (view.ownerId !== viewer.id && !view.shared && !isAdmin)) throw new NotFoundError()
    if (view.ownerId !== viewer.id && !isAdmin) throw new ForbiddenError()
    await tx.delete(savedViews).where(eq(savedViews.id, id))
    await log({ action: 'view-deleted', details: { view: id } })
  })
}

/**
 * Takes leads out of every view that names them, and deletes the views that are a search for their person by e-mail or phone.
 * Answers how many views were changed or deleted.
 */
export async function eraseFromViews(
  tx: Db,
  seal: Seal,
  leads: readonly LeadRef[],
  { emails, phones }: { emails: readonly string[]; phones: readonly string[] },
): Promise<number> {
  const isSearchFor = (text: string) =>
    emails.some((email) => foldText(text).includes(foldText(email))) || phones.includes(comparablePhone(text) ?? '')
  let count = 0
  for (const { id, list, sealedView } of await tx.select().from(savedViews)) {
    const content = openView(seal, id, list, sealedView)
    if (content === null) continue
    const { name, query } = content
    const isNamed = new Set(leads.flatMap((lead) => (lead.kind === LISTS[list].kind ? [lead.id] : [])))
    const ids = query.id?.filter((one) => !isNamed.has(one))
    const isGone = isSearchFor(name) || isSearchFor(query.q ?? '') || (query.id !== undefined && ids?.length === 0)
    if (!isGone && ids?.length === query.id?.length) continue
    count += 1
    const isView = eq(savedViews.id, id)
    if (isGone) await tx.delete(savedViews).where(isView)
    else
      await tx
        .update(savedViews)
        .set({ sealedView: sealView(seal, id, { name, query: { ...query, id: ids } }) })
        .where(isView)
  }
  return count
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
  return seal.close(JSON.stringify({ name, query }), placeOf(id))
}

/** Null when it was sealed with another key, or by a release whose filters were others. */
function openView(seal: Seal, id: string, list: LeadList, sealed: string): ViewContent | null {
  const text = seal.open(sealed, placeOf(id))
  const parsed = newViewSchema.safeParse(text === null ? null : { ...JSON.parse(text), list })
  return parsed.success ? { name: parsed.data.name, query: parsed.data.query } : null
}

const placeOf = (id: string) => `saved-views ${id}`
